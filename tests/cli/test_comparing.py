"""The secret-check words are compared once an evening with the same people, and again with somebody new."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.comparing import compared_keys, note_compared
from cli.client.seat import LiveSeat
from cli.client.sitters import facts_of
from cli.news import DealChecked, keys_to_compare
from cli.view.effects import ConfirmWords
from cli.view.inputs import Tick
from cli.view.secret_check import asks_for_words, words_told
from cli.view.table.notice import NOTE_S
from p2p.journal import Journal
from p2p.saved import Journals
from protocol.identity import Identity
from protocol.table.roster import Member, Roster, TableOptions
from protocol.values import replace
from tests.cli.practice import PracticeTable
from tests.cli.screen.stage import Stage
from tests.cli.tables import NAMES, hear, scripted
from tests.cli.test_live import Seated

A, B, C, D = (Identity(bytes([number]) * 32).public for number in range(4))
NOON = 1_000_000.0
HOUR = 3600.0
WORDS = ("otter", "maple", "violin", "comet")


def begin(journal: Journals, number: int, at: float, *keys: bytes) -> bytes:
    members = tuple(Member(key, "P", key, False, b"n" * 32) for key in keys)
    roster = Roster("mau-mau", 1, {}, TableOptions(), bytes([number]) * 16, members)
    journal.begin_match(roster.table_id, roster.encode(), role="guest", created=at, seats={})
    return roster.table_id


def test_it_is_remembered_for_the_evening_and_by_the_next_start_of_the_program(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal")
    first = begin(journal, 1, NOON, A, B, C)
    assert compared_keys(journal, NOON) == frozenset()
    note_compared(journal, first, frozenset({B, C}))
    journal.finish(first, {}, at=NOON + HOUR)
    second = begin(journal, 2, NOON + 6 * HOUR, A, D)
    note_compared(journal, second, frozenset({D}))
    journal.close()
    journal = Journal.open(tmp_path / "journal")
    assert compared_keys(journal, NOON + 6.5 * HOUR) == {B, C, D}
    assert compared_keys(journal, NOON + 11 * HOUR) == {B, C, D}, "the evening is not over while it goes on"
    assert compared_keys(journal, NOON + 13 * HOUR) == frozenset(), "another evening"
    third = begin(journal, 3, NOON + 30 * HOUR, A, B)
    note_compared(journal, third, frozenset({B}))
    assert compared_keys(journal, NOON + 30 * HOUR) == {B}, "C was there the evening before"
    journal.close()


def test_bots_need_not_be_compared_but_the_computers_that_run_them() -> None:
    own = Member(A, "Mia", A, False, b"")
    own_bot = Member(B, "Bot Ada", A, True, b"")
    phone = Member(C, "Jonas", D, False, b"")
    assert keys_to_compare((own, own_bot), A) == frozenset()
    assert keys_to_compare((own, own_bot, phone), A) == {C, D}
    assert keys_to_compare((own, Member(C, "Bot Bo", D, True, b"")), A) == {D}


@pytest.mark.usefixtures("toy")
def test_a_seat_asks_until_it_is_told_and_again_for_a_new_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.open(tmp_path / "journal")
    tables = Seated()
    seat, record = tables.seats[0], tables.clients[0].table.record
    own = record.key(0)
    match = begin(journal, 1, NOON, A, B)
    seat.node = cast(Any, SimpleNamespace(journal=journal, title="", identity=SimpleNamespace(public=own)))
    monkeypatch.setattr(type(seat.live), "match", match, raising=False)
    tables.until_thinking()
    assert tables.hear(0, DealChecked)
    assert record.words and asks_for_words(seat)
    asyncio.run(seat.confirm_words())
    assert seat.facts.is_compared and not asks_for_words(seat)
    others = {record.key(at) for at in range(1, record.size)}
    known = frozenset(bytes.fromhex(each) for each in journal.match(match).meta["compared"])
    assert known == others
    assert facts_of(record, own, "", known).is_compared
    assert not facts_of(record, own, "", known - {record.key(2)}).is_compared
    journal.close()


def test_the_next_table_knows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Seated()
    record = tables.clients[0].table.record
    journal = Journal.open(tmp_path / "journal")
    monkeypatch.setattr("cli.client.seat.time.time", lambda: NOON + HOUR)
    for keys, expected in (([1, 2, 3], True), ([1, 2], False)):
        match = begin(journal, len(keys), NOON, A, B)
        note_compared(journal, match, frozenset(record.key(at) for at in keys))
        seat = LiveSeat()
        seat.node = cast(Any, SimpleNamespace(journal=journal, title=""))
        seat.on_table(tables.driver(0))
        assert seat.facts.is_compared is expected
        journal.discard(match)
    journal.close()


def test_on_the_screen_it_is_said_in_the_fairness_report() -> None:
    stage = Stage(scripted("crazy-eights", ["6d 2d", "9c"], up="9d", stock="2c"))
    stage.practice.facts = replace(stage.practice.facts, words=WORDS)
    stage.hear(DealChecked((0, 1), 5.0))
    stage.press("v")
    assert "otter maple violin comet. Read them out once." in stage.text()
    assert "words match" in stage.text()
    stage.press("w")
    assert ConfirmWords() in stage.effects
    asyncio.run(stage.playing.confirm_words())
    assert "You compared yours with this group this evening." in " ".join(stage.text().split())
    assert "words match" not in stage.text() and "Read them out" not in stage.text()


def test_at_the_table_they_stand_once() -> None:
    """A page draws the prompt and the last event near each other; other faces show the words in their log besides."""
    stage = Stage(scripted("crazy-eights", ["6d 2d", "9c"], up="9d", stock="2c"), seat=1)
    stage.practice.facts = replace(stage.practice.facts, words=WORDS)
    told = words_told(stage.parts.settings.words, stage.playing)
    stage.model.note(told)
    stage.model.tell(f"{told} If they match, say so.", "gold")

    def shown() -> list[bool]:
        view = stage.view
        return ["otter maple violin comet" in each for each in (view.frame.prompt, view.last_event)]

    assert shown() == [True, False]
    stage.clock.passes(NOTE_S + 1)
    stage.send(Tick())
    assert shown() == [False, True]  # until something happens


@pytest.mark.parametrize(("people", "told_again"), [((0, 1), 3), ((0,), 0)])
def test_in_lines_it_is_typed(people: tuple[int, ...], told_again: int) -> None:
    dealt = scripted("crazy-eights", ["6d 2d", "9c"], up="9d", stock="2c")
    table = PracticeTable(dealt.game, NAMES[:2], people, Random(1), table=dealt)
    table.facts = replace(table.facts, words=WORDS)
    text = "\n".join(hear(table, 0, ["who all", "words", "who all", "words", "quit"])[0])
    assert text.count("otter maple violin comet. Read them out once.") == min(1, told_again)
    assert text.count("You compared yours with this group this evening.") == told_again
    assert text.count("There is nobody to compare words with.") == (0 if told_again else 2)
