"""Which tip is true at this moment: it names a key that does something sensible now, or nothing is told."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli.view.position import Position
from cli.view.table.holding import Holding
from cli.view.tips import ARROWS
from protocol.cards import Card

OWN_ANSWER = ("grand", "give", "show", "collect")
"""Phases in which the prompt asks for something else than a play."""


def tip_now(
    name: str, position: Position, holding: Holding, feasible: Callable[[Sequence[Card]], bool], may_tell: bool
) -> str:
    """The text of the tip `name` as things stand, by its name in `tips.TOLD`; empty where it would not be true or would not
    help. `feasible`: whether these cards can be played; `may_tell`: what can be played is told."""
    verbs, under = position.verbs, holding.under
    if not position.must_act or position.view.get("phase") in OWN_ANSWER:
        return ""
    match name:
        case "enter" if holding.picked:
            return "enter picked" if feasible(holding.chosen) else ""
        case "enter":
            if under is None or not position.plays:
                return ""
            return "enter" if not may_tell or under.card in position.playable else ARROWS
        case "draw":
            fits = "draw" in verbs and not position.plays and not position.view.get("penalty")
        case "pass":
            fits = verbs == {"pass"}
        case "hint" | "tichu hint":
            fits = bool(position.plays) and may_tell and not holding.picked
        case "tichu pick":
            fits = bool(position.plays) and not holding.picked
        case _pass_in_tichu:
            fits = "pass" in verbs
    return name if fits else ""
