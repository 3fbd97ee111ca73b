"""Bots leave with whoever's computer runs them: that is said, and not that they quit."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

from cli.games.registry import face_of
from cli.news import Fate, Player, Playing, WentOn
from cli.text import load_translator
from cli.view.partings import goodbye_told, went_on_told
from protocol.games import load
from protocol.table.events import Cause

EN = load_translator("en")
GAME = load("crazy-eights", 5)
PLAYERS = (
    Player("Mia"),
    Player("Jonas"),
    Player("Bot Ada", bot=True, through="Jonas"),
    Player("Bot Emmy", bot=True, through="Jonas"),
    Player("Hanako"),
)


def told(without: dict[int, Cause]) -> list[str]:
    who = face_of(GAME).narrator(EN, [each.name for each in PLAYERS], 0)
    return went_on_told(who, WentOn(without, Fate.VOID), PLAYERS, 0)


def test_bots_left_with_the_computer_that_ran_them() -> None:
    lines = told({1: Cause.GOODBYE, 2: Cause.GOODBYE, 3: Cause.GOODBYE})
    assert lines[:3] == [
        "Jonas quit for good.",
        "Bot Ada and Bot Emmy ran on Jonas’s computer and left, too.",
        "You play on without Jonas, Bot Ada and Bot Emmy.",
    ]


def test_a_bot_that_left_alone_is_told_as_anybody_else() -> None:
    assert told({2: Cause.VOTE})[0] == "Bot Ada did not come back."


def test_whoever_quits_hears_that_the_bots_leave_too() -> None:
    def asked(me: int) -> str:
        return goodbye_told(EN, cast(Playing, SimpleNamespace(seat=me, players=PLAYERS, game=GAME)))

    assert asked(1) == "Your bots leave with you. If you quit for good, Mia and Hanako play on and you finish last."
    assert asked(0).startswith("If you quit for good")
