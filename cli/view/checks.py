"""What this machine has checked, in words: for the fairness report of either client."""

from __future__ import annotations

from cli.text import Translator
from protocol.table.effort import Checked


def check_text(_: Translator, check: Checked) -> str:
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
        case "reshuffles":
            return _.n(
                "The pile became the stock again: the proof of {n} shuffle holds",
                "The pile became the stock again: the proofs of {n} shuffles hold",
                check.count,
            )
        case "draws":
            return _("Cards drawn or handed on opened only to their owners")
        case "moves":
            return _.n("{n} move signed, none changed", "{n} moves signed, none changed", check.count)
        case "round":
            return _("At the end, hands open: every shuffle and every move checked once more")


def check_about(_: Translator, check: Checked) -> str:
    """How it was proven, for who wants to know."""
    match check.what:
        case "own-shuffle":
            return _("You mixed the locked deck, and locked each card once more with keys that stay on this machine.")
        case "shuffles":
            return _("Each proof shows: the same cards lie there in another order; it does not tell in which.")
        case "hands":
            return _("All others unlocked a card for its owner alone, each with a proof that the right key was used.")
        case "reshuffles":
            return _("All shuffled it in turn, as they did the deck: nobody knows where its cards lie now.")
        case "draws":
            return _("As with the hands: unlocked by all others, for the new owner alone.")
        case "moves":
            return _(
                "Each move names the one before and is signed; a card that is shown comes with a proof of what it is."
            )
        case "round":
            return _("When a round is over its keys are told: what had been hidden was computed again.")


def took_text(_: Translator, check: Checked) -> str:
    """How long that took."""
    took_ms = check.took_s * 1000
    return _("under 1 ms") if took_ms < 0.95 else _("{ms} ms", ms=round(took_ms))
