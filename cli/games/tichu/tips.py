"""What newcomers to Tichu are told in their first turns."""

from __future__ import annotations

from cli.games.base.judging import Judging
from cli.games.base.tips import TipText, can_hint
from cli.text import key


def _can_pick(now: Judging) -> bool:
    return bool(now.position.plays) and not now.at.hand.picked


def _can_pass(now: Judging) -> bool:
    return "pass" in now.position.verbs


TIPS = {
    "tichu pick": (TipText("pick", key("picks cards, {@play} plays them together"), _can_pick),),
    "tichu pass": (TipText("pass", key("passes if you can’t (or don’t want to) beat it"), _can_pass),),
    "tichu hint": (TipText("hint", key("picks cards you can play"), can_hint),),
}
