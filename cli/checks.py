"""What this machine has checked, in words: for the fairness report of either client."""

from __future__ import annotations

from cli.words import Words
from protocol.table.effort import Checked


def check_text(_: Words, check: Checked) -> str:
    """What was proven by it."""
    match check.what:
        case "own-shuffle":
            return _("Your own shuffle, made and proven")
        case "shuffles":
            return _.n(
                "The proof of {n} shuffle holds", "The proofs of {n} shuffles hold, checked together", check.count
            )
        case "hands":
            return _.n("{n} hand opened only to its owner", "{n} hands opened only to their owners", check.count)
        case "draws":
            return _("Cards drawn or handed on opened only to their owners")
        case "moves":
            return _.n("{n} move signed, none changed", "{n} moves signed, none changed", check.count)
        case "round":
            return _("At the end, hands open: every shuffle and every move checked once more")


def took_text(_: Words, check: Checked) -> str:
    """How long that took."""
    took_ms = check.took_s * 1000
    return _("under 1 ms") if took_ms < 0.95 else _("{ms} ms", ms=round(took_ms))
