"""Cheats with letters: in another's name, of another table, epoch or time, replays, floods, and false evidence. They come to
nothing, and nobody is blamed who did not sign."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.errors import BadMessage
from protocol.messages import (
    Ask,
    Chat,
    Evidence,
    Goodbye,
    Message,
    Prepare,
    Ready,
    Shares,
    Shuffled,
    StateReport,
    Vote,
)
from protocol.signed import MAX_SAID_BYTES, Page, decode, decode_signed, sign
from protocol.table.events import Accused, Cause, Differs, EpochBegan, Said
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.store import MAX_HELD_BYTES
from protocol.wire import MAX_FRAME_BYTES, pack, unpack
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, Forger
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")


def playing(**settings: Any) -> Forger:
    forger = Forger(**settings)
    forger.start()
    forger.until(lambda: all(c.table.record.phase is Phase.PLAYING for c in forger.tables.clients))
    return forger


def vote_at(forger: Forger, height: int) -> Vote:
    record = forger.record
    return Vote(height, record.previous, record.state_hash, bytes(32))


# --- names, tables, epochs ---


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A message is sent in another player’s name.",
    evidence="nobody: anyone may have passed the bytes on; they are dropped",
)
@pytest.mark.parametrize("kind", ["vote", "prepare", "goodbye", "chat", "evidence"])
def test_a_message_in_anothers_name(kind: str) -> None:
    forger = playing()
    own = forger.record.from_seat(CHEATER, "prepare", 1)
    assert own is not None
    messages: dict[str, Message] = {
        "vote": vote_at(forger, forger.record.height),
        "prepare": Prepare(2, bytes(160)),
        "goodbye": Goodbye(),
        "chat": Chat(1, "it was not me"),
        "evidence": Evidence(0, "x", (own.data,)),
    }
    refused = len(forger.tables.refused)
    forger.inject(messages[kind], seat=0)
    forger.inject(messages[kind], seat=2)
    assert len(forger.tables.refused) == refused + 4
    for seat in forger.honest:
        assert not [event for event in forger.tables.clients[seat].events if isinstance(event, Said)]
    forger.unharmed()


@pytest.mark.slow
def test_a_seat_that_does_not_exist() -> None:
    forger = playing()
    refused = len(forger.tables.refused)
    forger.inject(vote_at(forger, forger.record.height), seat=7)
    assert len(forger.tables.refused) == refused + 2
    forger.unharmed()


@pytest.mark.sample
@pytest.mark.parametrize(
    "other",
    [
        {"epoch_hash": bytes(32)},
        {"table": bytes(32)},
    ],
    ids=str,
)
def test_a_message_of_another_epoch_or_table(other: dict[str, Any]) -> None:
    forger = playing()
    refused = len(forger.tables.refused)
    forger.inject(vote_at(forger, forger.record.height), **other)
    assert len(forger.tables.refused) == refused + 2
    forger.unharmed()


def test_a_message_of_an_epoch_that_has_not_begun_is_only_asked_about() -> None:
    forger = playing()
    refused = len(forger.tables.refused)
    forger.inject(vote_at(forger, forger.record.height), epoch=1)
    forger.inject(vote_at(forger, forger.record.height), epoch=1, epoch_hash=bytes(32))
    assert len(forger.tables.refused) == refused
    forger.unharmed()


def test_two_messages_of_two_tables_are_no_two_versions() -> None:
    """The same people sit at two tables: what is signed at one says nothing at the other, not even as evidence."""
    forger = playing()
    record = forger.honest_record()
    who = forger.tables.clients[0].identity
    mine = record.from_seat(0, "prepare", 1)
    assert mine is not None
    other = sign(who, bytes(32), 0, record.epoch_hash, 0, Prepare(1, bytes(160)))
    refused = len(forger.tables.refused)
    forger.inject(Evidence(0, "two-versions", (mine.data, other.data)))
    forger.inject(Evidence(0, "two-versions", (other.data, mine.data)))
    assert len(forger.tables.refused) == refused + 4
    forger.unharmed()


# --- old letters ---


@attack(By.PLAYER, "Old messages are sent again.", "At once; they have no effect.")
def test_everything_that_was_ever_sent_is_sent_again() -> None:
    """All letters of the match, in reverse, over and over: by a seat that may pass on what others said."""
    forger = playing()
    for height in range(4, 10, 2):
        forger.until(lambda: forger.honest_record().height >= height or forger.is_over())  # noqa: B023  # asked at once
        letters = [data for _, _, data in forger.honest_bytes][::-3][:150]
        for data in letters:
            if isinstance(decode(data), Page) or not isinstance(decode_signed(data).message, Ask):
                forger.inject_bytes(data)
    forger.unharmed()


def test_shares_of_another_height_under_a_new_name() -> None:
    """An honest seat's message cannot be moved to another height: its signature is over it."""
    forger = playing()
    letters = (decode(data) for _, _, data in forger.honest_bytes)
    theirs = next(each for each in letters if not isinstance(each, Page) and isinstance(each.message, Shares))
    moved_to = Shares(5, *theirs.message.body()[1:])
    moved = sign(forger.client.identity, theirs.table, 0, theirs.epoch_hash, theirs.seat, moved_to)
    refused = len(forger.tables.refused)
    forger.inject_bytes(moved.data)
    assert len(forger.tables.refused) == refused + 2
    forger.unharmed()


# --- sizes and floods ---


def test_a_message_that_is_too_long() -> None:
    forger = playing()
    refused = len(forger.tables.refused)
    forger.inject_bytes(bytes(MAX_FRAME_BYTES + 1))
    big = Shuffled(2, 5, 9, bytes(32), bytes(64 * 216))
    assert len(forger.sign(big).data) < MAX_SAID_BYTES
    forger.inject_bytes(Page(0, True, (b"\xc4" * 10,) * 2000).encode())
    assert len(forger.tables.refused) == refused + 2
    forger.unharmed()


@attack(
    By.PLAYER,
    "Hundreds of decks and proofs are sent to keep the other computers busy.",
    "It does not work: only what is due is checked.",
)
def test_a_flood_of_decks_that_nobody_asked_for() -> None:
    """What a seat says ahead of its time is bounded, costs no arithmetic, and stops nobody but itself."""
    forger = playing()
    for deck in range(1, 800):
        forger.inject(Shuffled(2, deck, 9, bytes(32), bytes(64 * 216)), to=[0])
    record = forger.honest_record()
    assert record.ledger.store.held_bytes[CHEATER] <= MAX_HELD_BYTES
    assert (
        sum(len(signed.data) for (seat, _, _), signed in record.ledger.store.said.items() if seat == CHEATER)
        <= MAX_HELD_BYTES
    )
    assert not [job for index, job in forger.tables.jobs if index == 0]
    assert record.broken is None


@pytest.mark.slow
def test_a_flood_of_votes_for_heights_to_come() -> None:
    forger = playing()
    before = len(forger.honest_record().ledger.store.said)
    for ahead in range(2, 500):
        forger.inject(vote_at(forger, forger.record.height + ahead), to=[0])
    assert len(forger.honest_record().ledger.store.said) == before
    forger.unharmed()


def test_a_flood_of_questions_is_not_a_flood_of_answers() -> None:
    """Each answer may be the whole match: a question costs the asker more than the asked."""
    forger = playing()
    table = forger.tables.clients[0].table
    sent = 0
    for count in range(200):
        ask = forger.sign(Ask(count, 1, count % 2 == 0, bytes(32)))
        step = table.receive(CHEATER, ask.data, forger.tables.now + count / 1000)
        sent += sum(len(letter.data) for letter in step.outbox)
    whole = sum(len(data) for data in forger.tables.clients[0].transcript)
    assert sent < 10 * whole


def test_questions_in_anothers_name_are_not_answered() -> None:
    forger = playing()
    table = forger.tables.clients[0].table
    ask = sign(forger.client.identity, forger.record.table, 0, forger.record.epoch_hash, 2, Ask(1, 1, True, bytes(32)))
    with pytest.raises(BadMessage):
        table.receive(2, ask.data, forger.tables.now)


def test_chat_is_no_part_of_the_match() -> None:
    """However much is said, it stands in no transcript and in no journal."""
    forger = playing()
    journal = len(forger.tables.clients[0].journal)
    for count in range(100):
        forger.inject(Chat(count, "hello " * 20))
        forger.inject(Ready(1))
    assert len(forger.tables.clients[0].journal) == journal
    forger.unharmed()


def test_an_old_ready_does_not_take_a_new_one_back() -> None:
    tables = Tables(
        "crazy-eights", 3, {"hand": 3, "draw": "one", "target": 500}, table=TableOptions(pause=60_000), bots=False
    )
    tables.start()
    while any(client.table.record.rounds_closed < 1 for client in tables.clients):
        tables.move_someone()
        tables.turn()
    letters = [tables.clients[1].table.ready(tables.now).outbox[0].data]
    record = tables.clients[0].table.record
    identity = tables.clients[1].identity
    old = sign(identity, record.table, 0, record.epoch_hash, 1, Ready(1)).data
    for data in (letters[0], old):
        tables.clients[0].table.receive(1, data, tables.now)
    assert record.ready[1] == 2


# --- false evidence ---


@attack(
    By.PLAYER,
    "False evidence is sent against an honest player.",
    "At once, by every computer: evidence counts only if it convinces each of them on its own.",
)
def test_evidence_that_shows_nothing() -> None:
    """An honest seat's own words, once, twice, or beside another's: they convict nobody."""
    forger = playing()
    own = [signed.data for signed in forger.honest_record().ledger.store.said.values() if signed.seat == 0]
    theirs = [signed.data for signed in forger.honest_record().ledger.store.said.values() if signed.seat == 2]
    for messages in ((own[0],), (own[0], own[0]), (own[0], own[1]), (own[0], theirs[0]), tuple(own[:4])):
        for accused in (0, 1, 2):
            forger.inject(Evidence(accused, "two-versions", messages))
    forger.unharmed()


def test_evidence_that_the_cheater_has_made_itself() -> None:
    """Two versions in another's name, signed with the wrong key."""
    forger = playing()
    record = forger.record
    forged = [
        sign(
            forger.client.identity,
            record.table,
            0,
            record.epoch_hash,
            0,
            Vote(9, bytes(32), bytes(32), bytes([i]) * 32),
        )
        for i in range(2)
    ]
    refused = len(forger.tables.refused)
    forger.inject(Evidence(0, "two-versions", tuple(each.data for each in forged)))
    assert len(forger.tables.refused) == refused + 2
    forger.unharmed()


def test_evidence_of_a_height_long_past_convicts() -> None:
    """Whoever found out may have been behind: the two versions are enough, wherever the reader stands."""
    forger = playing()
    forger.until_height(8)
    two = [Vote(2, bytes(32), bytes(32), bytes([i]) * 32) for i in range(2)]
    third = forger.tables.clients[2].table.record
    assert third.from_seat(CHEATER, "vote", 2) is None, "it has forgotten that height"
    evidence = Evidence(CHEATER, "two-versions", tuple(forger.sign(vote).data for vote in two))
    signed = sign(forger.tables.clients[0].identity, third.table, 0, third.epoch_hash, 0, evidence)
    forger.inject_bytes(signed.data)
    forger.convicted("two-versions")


def test_evidence_is_remembered_through_a_restart() -> None:
    """It came in a letter that is no part of the match; the conviction is."""
    forger = playing()
    forger.until_height(8)
    two = [forger.sign(Vote(2, bytes(32), bytes(32), bytes([i]) * 32)).data for i in range(2)]
    forger.inject(Evidence(CHEATER, "two-versions", tuple(two)), to=[0])
    assert CHEATER in forger.honest_record(0).ledger.departures.convicted
    forger.tables.clients[0].is_down = True
    forger.tables.queue.clear()
    forger.tables.restart(0)
    assert CHEATER in forger.honest_record(0).ledger.departures.convicted


def test_who_missed_the_evidence_is_shown_it_when_asking() -> None:
    """The letter with the evidence is lost; the seat that waits asks the one that has stopped, and learns why."""
    forger = playing()

    def waits_for_another() -> bool:
        """Whose move is due is one that still plays: else nobody would miss anything."""
        record = forger.honest_record(2)
        return record.height >= 8 and record.phase is Phase.PLAYING and record.game.awaited(record.state) != (0,)

    forger.until(waits_for_another)
    tables = forger.tables
    tamper = tables.tamper

    def lose_evidence(sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        if not isinstance(found, Page) and isinstance(found.message, Evidence):
            return None
        return tamper(sender, to, data)

    tables.tamper = lose_evidence
    two = [forger.sign(Vote(2, bytes(32), bytes(32), bytes([i]) * 32)).data for i in range(2)]
    forger.inject(Evidence(CHEATER, "two-versions", tuple(two)), to=[0])
    assert CHEATER in forger.honest_record(0).ledger.departures.convicted
    assert CHEATER not in forger.honest_record(2).ledger.departures.convicted
    forger.convicted("two-versions")


# --- reports of another state ---


@pytest.mark.slow
@pytest.mark.parametrize(
    "state",
    [
        lambda ours: b"\xc1",
        lambda ours: b"\x80",
        lambda ours: b"\xc0",
        lambda ours: ours[:-1],
        lambda ours: b"\x81\xa1" + b"a\xc0",
    ],
    ids=["no data", "an empty map", "nothing", "cut", "another map"],
)
def test_a_report_of_any_state(state: Callable[[bytes], bytes]) -> None:
    forger = playing()
    forger.inject(StateReport(forger.record.height, state(forger.record.state_bytes)))
    for seat in forger.honest:
        found = [event for event in forger.tables.clients[seat].events if isinstance(event, Differs)]
        assert all(event.seat == CHEATER for event in found)
        assert not [event for event in forger.tables.clients[seat].events if isinstance(event, Accused)]
    forger.unharmed()


def test_a_report_names_the_fields_that_differ() -> None:
    forger = playing()
    theirs = unpack(forger.record.state_bytes)
    theirs["game"]["turn"] = 99
    theirs["scores"] = [1, 2, 3]
    forger.inject(StateReport(forger.record.height, pack(theirs)))
    for seat in forger.honest:
        assert forger.tables.clients[seat].events[-1] == Differs(CHEATER, forger.record.height, ("game.turn", "scores"))


# --- leaving ---


def test_a_goodbye_names_who_left_and_the_others_play_on() -> None:
    """No cheat: but nobody else can have said it, and every copy says whose it was."""
    forger = playing()
    forger.inject(Goodbye())
    forger.until(forger.is_over)
    for seat in forger.honest:
        began = [event for event in forger.tables.clients[seat].events if isinstance(event, EpochBegan)]
        assert [event.without for event in began] == [{CHEATER: Cause.GOODBYE}]
        assert forger.honest_record(seat).broken is None


def test_leaving_while_the_table_is_sealed() -> None:
    tables = Tables("crazy-eights", 3)
    step = tables.clients[0].table.start(tables.now)
    tables.take(0, step)
    tables.take(0, tables.clients[0].table.leave(tables.now))
    assert tables.clients[0].table.is_over, "who has left does not play on"
