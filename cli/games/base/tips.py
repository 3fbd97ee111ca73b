"""What newcomers are told in their first turns: an action at a time, when it does something. Each game chooses its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from cli.games.base.judging import Judging
from cli.text import key
from protocol.values import dataclass

Fits = Callable[[Judging], bool]
"""Whether a tip is true and helps at this moment."""


@dataclass(frozen=True, slots=True)
class TipText:
    """An action, what it does, and when that is true and helps. `otherwise`: what is told while the card under the cursor cannot
    be played."""

    action: str
    text: str
    fits: Fits
    otherwise: str = ""


def _can_enter(now: Judging) -> bool:
    return bool(now.position.plays and now.position.hand) and not now.at.hand.picked


def _can_enter_picked(now: Judging) -> bool:
    return bool(now.at.hand.picked) and now.feasible(now.at.hand.chosen)


def _must_draw(now: Judging) -> bool:
    return "draw" in now.position.verbs and not now.position.plays and not now.position.view.due


def _can_only_pass(now: Judging) -> bool:
    return now.position.verbs == {"pass"}


def can_hint(now: Judging) -> bool:
    """Whether a hint has something to pick."""
    return bool(now.position.plays) and now.at.may_tell and not now.at.hand.picked


TIPS: Mapping[str, tuple[TipText, ...]] = MappingProxyType(
    {
        "enter": (
            TipText("enter", key("plays the card marked ▲"), _can_enter, key("go to another card, {@play} plays it")),
            TipText("enter", key("plays the picked cards"), _can_enter_picked),
        ),
        "draw": (TipText("draw", key("draws a card if you can’t play"), _must_draw),),
        "hint": (TipText("hint", key("picks a card you can play"), can_hint),),
        "pass": (TipText("pass", key("passes (your only move right now)"), _can_only_pass),),
    }
)
"""By the names under which a person's home remembers what was told. The texts of one name are told in turn, as things change."""
