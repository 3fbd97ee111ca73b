"""Bots leave with whoever's computer runs them: that is said, and not that they quit."""

from __future__ import annotations

from collections.abc import Sequence
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
PHONES = (
    Player("Mia"),
    Player("Lena", through="Mia"),
    Player("Paul", through="Mia"),
    Player("Bot Ada", bot=True, through="Mia"),
)


def asked(me: int, players: Sequence[Player] = PLAYERS) -> str:
    game = load("crazy-eights", len(players))
    return goodbye_told(EN, cast(Playing, SimpleNamespace(seat=me, players=players, game=game)))


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
    assert asked(1) == "Your bots leave with you. If you quit for good, Mia and Hanako play on and you finish last."
    assert asked(0).startswith("If you quit for good")


def test_phones_play_on_without_the_computer_that_serves_them() -> None:
    assert (
        asked(0, PHONES) == "Your bots leave with you. If you quit for good, Lena and Paul play on and you finish last."
    )
    assert asked(1, PHONES) == "If you quit for good, Mia, Paul and Bot Ada play on and you finish last."
    assert asked(0, PHONES[:2]) == "If you quit for good, Lena wins."
