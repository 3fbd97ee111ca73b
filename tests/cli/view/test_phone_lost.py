"""A phone whose computer does not answer says so: it is neither its turn, nor are these its bots, nor is it a computer."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.connection import BLINK_S, LONG_S, Connection
from cli.games.base.narrator import Narrator
from cli.news import Paused, Player, Reconnecting
from cli.text import load_translator
from cli.view.table.pause import only_our_bots, pause_dialog, reconnect_dialog
from cli.view.views import Dialog
from protocol.games.catalogue import load
from protocol.room.values import Guest
from protocol.values import replace
from tests.cli.screen.screens import parlour

MIA, LENA, PAUL, ADA = range(4)
KEYS = [bytes([seat]) * 32 for seat in range(4)]
PLAYERS = [
    Player("Mia"),
    Player("Lena", through="Mia"),
    Player("Paul", through="Mia"),
    Player("Bot Ada", True, through="Mia"),
]
LOST = Reconnecting(3, 1.2, through="Mia")


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def record(is_over: bool = False) -> Any:
    members = [
        SimpleNamespace(key=KEYS[seat], keeper=KEYS[MIA], name=player.name, bot=player.bot)
        for seat, player in enumerate(PLAYERS)
    ]
    return SimpleNamespace(
        present=range(4),
        size=4,
        member=members.__getitem__,
        key=KEYS.__getitem__,
        game=SimpleNamespace(levels=("",)),
        is_over=is_over,
    )


def told(own: int, linked: bool, after_s: float, is_over: bool = False) -> Reconnecting | None:
    clock = Clock()
    connection = Connection(clock)
    mesh = SimpleNamespace(links={KEYS[MIA]: "a link"} if linked else {}, calling=(3, 1.2), addresses=lambda _key: ())
    connection.reconnecting(cast(Any, mesh), record(is_over), KEYS[own], ())
    clock.now += after_s
    return connection.reconnecting(cast(Any, mesh), record(is_over), KEYS[own], ())


def test_a_phone_without_a_link_has_lost_the_table_though_all_others_share_one_computer() -> None:
    assert told(LENA, linked=False, after_s=BLINK_S) == LOST
    assert told(LENA, linked=True, after_s=BLINK_S) is None
    assert told(LENA, linked=False, after_s=BLINK_S, is_over=True) is None, "nothing more has to come"


def test_a_computer_that_does_not_answer_for_long_may_be_gone_for_good() -> None:
    assert told(LENA, linked=False, after_s=LONG_S) == replace(LOST, is_long=True)
    said = [
        {
            reconnect_dialog(load_translator(lang), "Sofa", lost).lines[2][0][0]
            for lost in (LOST, replace(LOST, is_long=True))
        }
        for lang in ("en", "de", "ja")
    ]
    assert len(set.union(*said)) == 6 and all("Mia" in each for each in set.union(*said))
    assert any("scan" in each for each in said[0])


def test_a_phone_that_has_its_link_again_at_once_says_nothing() -> None:
    assert told(LENA, linked=False, after_s=BLINK_S / 2) is None


def test_the_computer_itself_with_all_others_on_it_has_nobody_to_lose() -> None:
    assert told(MIA, linked=False, after_s=BLINK_S) is None


def dialog(me: int, away: tuple[int, ...]) -> Dialog:
    players = [Player(each.name, each.bot, seat in away, each.through) for seat, each in enumerate(PLAYERS)]
    words = load_translator("en")
    who = Narrator(words, load("crazy-eights", 4, {}), [each.name for each in players], me)
    return pause_dialog(who, players, me, Paused(away, 12.0), 0.0)


def said(found: Dialog) -> str:
    return "\n".join([found.title, *("".join(text for text, _ink in line) for line in found.lines)])


def test_a_phone_keeps_no_bots() -> None:
    assert not only_our_bots(PLAYERS, LENA, (ADA,))
    assert only_our_bots(PLAYERS, MIA, (ADA,))
    assert "your computer" not in said(dialog(LENA, (ADA,)))


def test_the_computer_that_is_missing_is_named_and_not_one_of_its_bots() -> None:
    assert dialog(LENA, (MIA, ADA)).title == "Paused: Mia’s computer isn’t answering"
    assert dialog(LENA, (ADA,)).title == "Paused: Bot Ada lost the connection"
    assert dialog(LENA, (MIA,)).title == "Paused: Mia lost the connection"


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_the_sheet_speaks_of_the_phone_and_names_the_computer(lang: str) -> None:
    words = load_translator(lang)
    found = reconnect_dialog(words, "Kitchen", LOST)
    assert found.kind == "lost"
    assert "Mia" in found.footer
    assert "Kitchen" in said(found) and "2" in said(found)
    assert words("Your cards are safe on this computer.") not in said(found)


def waiting(me: bytes, after_s: float, links: dict[bytes, str]) -> Reconnecting | None:
    """What somebody in the room finds."""
    clock = Clock()
    connection = Connection(clock)
    lena = Guest(KEYS[LENA], "Lena", KEYS[MIA], False, b"", phone=True)
    room = parlour((Guest(KEYS[MIA], "Mia", KEYS[MIA], False, b""), lena), host=KEYS[MIA])
    mesh = SimpleNamespace(links=links, calling=(3, 1.2))
    connection.reconnecting_to_room(cast(Any, mesh), room, me)
    clock.now += after_s
    return connection.reconnecting_to_room(cast(Any, mesh), room, me)


def test_a_phone_in_a_room_finds_out_that_its_computer_does_not_answer() -> None:
    assert waiting(KEYS[LENA], BLINK_S, {}) == LOST
    assert waiting(KEYS[LENA], BLINK_S, {KEYS[MIA]: "a link"}) is None
    assert waiting(KEYS[LENA], BLINK_S / 2, {}) is None
    assert waiting(KEYS[MIA], BLINK_S, {}) is None, "a computer that is alone hosts the room"
