"""A seat that signs thousands of valid messages that nobody asked for, or the same thing twice: it costs the others little, and
they keep little of it. What was told to two seats in two ways is found when they meet, however long ago it was."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from protocol.messages import (
    MAX_ATTEMPTS,
    Complaint,
    Evidence,
    Message,
    RecoveryOpen,
    Remask,
    Shares,
    Shuffled,
    StateReport,
    Vote,
    Without,
)
from protocol.table import departures
from protocol.table.events import Accused, Differs, SignedTwice
from protocol.table.inbox import MAX_IDLE_EVIDENCE
from protocol.values import replace
from protocol.wire import pack
from tests.adversaries.declared import By, attack
from tests.adversaries.signing import resigner
from tests.table.adversaries.forger import CHEATER, LONG, Forger
from tests.table.adversaries.test_duties import dealt_cards, reproved
from tests.table.adversaries.test_letters import playing

TOY = pytest.mark.usefixtures("toy")

COUNT = 1500
MOST_KEPT = 100


def signatures(forger: Forger) -> int:
    return forger.honest_record().proof_checks["signatures"]


def kept(forger: Forger) -> int:
    return sum(seat == CHEATER for seat, _, _ in forger.honest_record().ledger.store.said)


def slots(forger: Forger) -> Iterator[Message]:
    """A different slot each time, of about this height and round."""
    height, round = forger.record.height, forger.record.rounds_closed + 1
    for count in itertools.count():
        stage, take = 1 + count // 5 % 1000, count % 5
        yield Shares(height + count % 2, stage, take or None, bytes(32), bytes(96))
        yield Remask(height + count % 2, stage, bytes(64), bytes(96))
        yield Shuffled(round + count % 2, 2 + count % 1000, 7, bytes(32), bytes(640))
        yield Complaint(round, 3 + count % 7, bytes(32), bytes(100))
        yield RecoveryOpen(round, 3 + count % 7, bytes(32))


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Thousands of valid messages are sent that nobody asked for.",
    "At once: they are dropped unread, and never passed on.",
)
@TOY
def test_slots_that_nobody_asked_for_are_not_kept() -> None:
    """Named: nobody. What is kept of a seat is what a demand can reach; the rest is dropped before its signature is checked."""
    forger = playing(options=LONG)
    before = signatures(forger)
    for message in itertools.islice(slots(forger), COUNT):
        forger.inject(message, to=[0])
    assert kept(forger) < MOST_KEPT
    assert signatures(forger) - before < MOST_KEPT
    asked = forger.tables.clients[2].table.connected(0, forger.tables.now)
    forger.tables.take(2, asked)
    before = signatures(forger)
    forger.unharmed()


@pytest.mark.slow
@TOY
def test_wishes_hints_and_reports_beside_the_match_leave_no_trace() -> None:
    forger = playing(options=LONG)
    height, journal = forger.record.height, len(forger.tables.clients[0].journal)
    before = signatures(forger)
    for count in range(200):
        forger.inject(StateReport(height, pack({"turn": count})), to=[0])
    events = forger.tables.clients[0].events
    assert len([each for each in events if isinstance(each, Differs)]) == 1, "one report a height is read"
    assert signatures(forger) == before + 1
    assert len(forger.tables.clients[0].journal) == journal
    forger.unharmed()


@pytest.mark.slow
@attack(By.PLAYER, "Evidence that convicts nobody is sent without end.", "After a few times, it is no longer read.")
@TOY
def test_evidence_that_convicts_nobody_is_read_a_few_times_only() -> None:
    forger = playing(options=LONG)
    own = [signed.data for signed in forger.honest_record().ledger.store.said.values() if signed.seat == 0]
    before = signatures(forger)
    for count in range(200):
        forger.inject(Evidence(0, f"x{count}", (own[0], own[0])), to=[2])
        forger.inject(Evidence(0, f"x{count}", (own[0], own[0])), to=[0])
    assert signatures(forger) - before <= 3 * MAX_IDLE_EVIDENCE
    forger.unharmed()


@pytest.mark.slow
@TOY
def test_promises_without_end_are_kept_as_far_as_they_can_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is valid by itself: to go on in an epoch of another number. None leads to one, as nobody joins in. (As many as can be
    told are a few here: each of them names all before it.)"""
    few = MAX_ATTEMPTS // 8
    monkeypatch.setattr(departures, "MAX_ATTEMPTS", few)
    forger = playing(options=LONG)
    record, journal = forger.record, len(forger.tables.clients[0].journal)
    attempts: list[tuple[int, tuple[int, ...], tuple[bytes, ...]]] = []
    for number in range(1, few + 10):
        message = Without(
            number,
            (0, 1, 2),
            (0, 1, 2),
            record.height - 1,
            record.previous,
            None,
            tuple(attempts[:few]),
        )
        forger.inject(message, to=[0])
        attempts.append((number, (0, 1, 2), ()))
    assert len(forger.honest_record().ledger.departures.withouts) <= 2 * few, "and it answers each"
    assert len(forger.tables.clients[0].journal) - journal <= 2 * few
    assert not [each for each in forger.tables.clients[0].events if isinstance(each, Accused)]


@pytest.mark.slow
@attack(
    By.PLAYER,
    "One message is signed twice, so that two files differ.",
    "When the two files are compared.",
    "the seat is reported as odd, but nobody is convicted, as both say the same",
)
def test_a_second_signature_is_told_once_and_convicts_nobody() -> None:
    forger = playing(options=LONG)
    sign_again = resigner(forger.client.identity)
    said = [each for each in forger.record.ledger.store.said.values() if each.seat == CHEATER]
    for _ in range(20):
        for each in said:
            forger.inject_bytes(sign_again(each), to=[0])
    events = forger.tables.clients[0].events
    assert [each for each in events if isinstance(each, SignedTwice)] == [SignedTwice(CHEATER)]
    forger.unharmed()


@TOY
def test_a_second_version_of_what_is_long_past_convicts() -> None:
    """The first one stands in the transcript; nothing but that is left of it."""
    forger = playing(options=LONG)
    forger.until_height(8)
    assert forger.honest_record().from_seat(CHEATER, "vote", 3) is None, "it has forgotten that height"
    forger.inject(Vote(3, bytes(32), bytes(32), bytes(32)), to=[0])
    forger.convicted("two-versions")


@pytest.mark.parametrize("meets", [(0, 2), (2, 0)])
@TOY
def test_two_good_proofs_for_two_seats_are_found_when_these_meet(meets: tuple[int, int]) -> None:
    """Both copies are in order, and the match goes on: only who compares them sees it. Named: the seat that made two, by both."""

    def changed(message: Message, to: int) -> Message:
        if not isinstance(message, Shares) or message.height != 1 or to != 2:
            return message
        return replace(message, shares=reproved(forger, message, dealt_cards(forger, message)).encode())

    forger = Forger(changed, options=LONG)
    forger.start()
    forger.until_height(6)
    assert forger.changed
    assert not any(forger.honest_record(seat).ledger.departures.convicted for seat in forger.honest)
    one, other = meets
    forger.tables.now += 1  # nobody is answered twice at once
    forger.tables.take(one, forger.tables.clients[one].table.lost(other, forger.tables.now))
    forger.tables.take(one, forger.tables.clients[one].table.connected(other, forger.tables.now))
    forger.convicted("two-versions")
