"""Cheats who deny in a promise what they have said: that an epoch began, or how they have voted. Whoever goes on with one half of
a table could else go on with the other half as well, or undo a closing that they know."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import Closed, Echo, Evidence, Vote, Without
from protocol.signed import Page, Signed, decode, decode_signed, sign
from protocol.table.ballot import choice_of
from protocol.table.denials import denies
from protocol.table.epochs import Attempt, Out
from protocol.table.places import Departure
from protocol.table.record import Ending, Phase, Record
from protocol.table.verify import Report, verify
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.independent import verifier
from tests.simulator.lying import Liar
from tests.table.adversaries.forger import CHEATER, LONG, ONE_ROUND, Forger
from tests.table.endings import Severed, closing_without
from tests.table.matches import file_of
from tests.table.parting import OVERDUE_S, Parting
from tests.table.promises import Promises
from tests.table.tables import stream
from tests.table.test_abandoned_epochs import Cut

pytestmark = pytest.mark.usefixtures("toy_for_both")
LIAR = 2


def both(data: bytes) -> tuple[verifier.Verdict, Report]:
    """What both verifiers find in a file: the same seats and words."""
    theirs, ours = verifier.verify(data), verify(data, stream(1))
    assert theirs.ok == ours.ok, (theirs.fault, ours.failed)
    assert theirs.evidence == [(each["what"], each["seat"]) for each in ours.evidence if each["what"] != "breach"]
    assert (theirs.match, theirs.complete) == (ours.match, ours.complete)
    return theirs, ours


# --- going back behind an epoch ---


def begun_without_one() -> Cut:
    """Seats 0 and 2 have gone on without seat 1, and have played."""
    table = Cut(seats=3, rounds=3)
    table.until_height(5)
    table.think = True
    table.run(table.is_quiet)
    table.cut([(0, 1), (1, 2)])
    table.think = False
    table.spend(OVERDUE_S)
    table.think = True
    table.wish_all(0, LIAR)
    table.spend(1)
    assert [client.table.record.epoch for client in table.clients] == [1, 0, 1]
    assert record_of(table, 0).phase is Phase.PLAYING, "the next round is open"
    return table


def record_of(table: Parting, index: int) -> Record:
    return table.clients[index].table.record


def turned_back(table: Cut, stay: tuple[int, ...] = (1, LIAR), out: tuple[Out, ...] = ()) -> tuple[Signed, Signed]:
    """What the liar says to seat 1, as if nothing had come of the first epoch; and what an honest seat 1 answers."""
    promises = Promises(table)
    record = record_of(table, 1)
    promises.epochs[0] = record.match.epoch
    promises.height, promises.certificate = record.certified_height, record.previous
    tried: tuple[Attempt, ...] = ((1, (0, LIAR), ()),)
    return promises.sign(2, LIAR, stay, 0, tried, out, vote=voted(table)), promises.sign(2, 1, stay)


def voted(table: Cut) -> bytes | None:
    """For what the liar has voted above the certificate where the two halves parted."""
    slot = ("vote", record_of(table, 1).certified_height + 1)
    out = [decode(entry.data) for entry in table.clients[LIAR].journal if entry.kind == "out"]
    said = [each for each in out if isinstance(each, Signed) and (each.epoch, each.message.slot) == (0, slot)]
    return choice_of(said[0]) if said else None


def said_there(table: Cut) -> Signed:
    """Something that the liar said in the first epoch."""
    frames = map(decode_signed, table.clients[0].transcript[1:])
    return next(each for each in frames if each.seat == LIAR and each.epoch == 1 and isinstance(each.message, Vote))


def take(table: Cut, index: int, *messages: Signed) -> None:
    take_from(table, index, LIAR, *messages)


def take_from(table: Cut, index: int, sender: int, *messages: Signed) -> None:
    for each in messages:
        table.take(index, table.clients[index].table.receive(sender, each.data, table.now))
    while table.jobs:
        table.turn()


def assert_caught(table: Cut, index: int) -> None:
    broken = record_of(table, index).broken
    assert broken is not None and (broken.ending, broken.seat, broken.what) == (Ending.CHEAT, LIAR, "concealed")
    verdict, report = both(file_of(table, index))
    assert report.ok and report.complete, (report.failed, verdict.fault)
    assert ("concealed", LIAR) in verdict.evidence


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player plays on with one half of the table and then with the other, telling the second half that "
    "nothing came of the first.",
    "As soon as what they said in the first epoch meets the promise that goes back to before it.",
    "the cheater, by the two signed messages",
)
def test_who_goes_back_behind_an_epoch_in_which_it_played() -> None:
    table = begun_without_one()
    lie, answer = turned_back(table)
    take(table, 0, lie)
    assert_caught(table, 0)
    take(table, 1, answer, lie)
    assert record_of(table, 1).epoch == 2, "seat 1 cannot know"
    take(table, 1, said_there(table))
    assert_caught(table, 1)


def test_the_evidence_shows_it_to_those_who_have_gone_on() -> None:
    table = begun_without_one()
    lie, answer = turned_back(table)
    take(table, 1, answer, lie)
    record = record_of(table, 0)
    said = Evidence(LIAR, "concealed", (lie.data, said_there(table).data))
    accusing = sign(table.clients[0].identity, record.table, record.epoch, record.epoch_hash, 0, said)
    take(table, 1, accusing)
    assert_caught(table, 1)


def test_a_closed_of_that_epoch_convicts_like_anything_that_was_said_there() -> None:
    table = begun_without_one()
    lie, answer = turned_back(table)
    take(table, 1, answer, lie)
    there = record_of(table, 0)
    said = Closed(there.previous)
    take(table, 1, sign(table.clients[LIAR].identity, there.table, there.epoch, there.epoch_hash, LIAR, said))
    assert_caught(table, 1)


def test_who_names_a_cheat_of_that_epoch_may_go_back() -> None:
    """It may have begun twice: two of its seats hold two versions of what the cheat promised."""
    table = begun_without_one()
    lie, _ = turned_back(table)
    excused, _ = turned_back(table, out=((0, None),))
    assert denies(lie, said_there(table)) and not denies(excused, said_there(table))
    take(table, 0, excused)
    assert record_of(table, 0).broken is None


def two_halves() -> Cut:
    """The liar goes on with seat 1, too, from before the first epoch: on another computer, from a copy of its files of then. It
    conceals no promise. So seats 0 and 1 have each opened a round with it that the other does not know."""
    table = begun_without_one()
    client = table.clients[LIAR]
    first = client.table
    promised = next(at for at, entry in enumerate(client.journal) if is_own_promise(entry.data, entry.kind))
    client.journal = client.journal[:promised]
    table.cut([(0, LIAR)])
    table.start_again(LIAR)
    second = table.clients[LIAR].table
    Liar(second, "admits", [first, second])
    table.join([(1, LIAR)])
    table.spend(2 * OVERDUE_S)
    second.record.ledger.departures.promised = first.record.ledger.departures.promised
    table.wish_all(1, LIAR)
    table.spend(5)
    assert [record_of(table, index).epoch for index in (0, 1)] == [1, 2], table.where()
    assert all(record_of(table, index).phase is Phase.PLAYING for index in (0, 1))
    return table


def is_own_promise(data: bytes, kind: str) -> bool:
    found = decode(data) if kind == "out" else None
    return isinstance(found, Signed) and isinstance(found.message, Without)


def test_two_halves_that_meet_convict_whoever_played_in_both() -> None:
    table = two_halves()
    assert not any(record_of(table, index).broken for index in (0, 1))
    table.join([(0, 1)])
    table.spend(10)
    for index in (0, 1):
        assert_caught(table, index)


# --- concealing a vote ---


class Lying(Severed):
    """Seat 1 promises something else than its program does."""

    def lie(self, **other: Any) -> None:
        whole, made = self.tamper, dict[bytes, bytes]()

        def told(data: bytes) -> bytes:
            signed = decode_signed(data)
            if signed.seat != CHEATER or not isinstance(signed.message, Without):
                return data
            if data not in made:
                message = replace(signed.message, **other)
                identity = self.clients[CHEATER].identity
                made[data] = sign(identity, signed.table, signed.epoch, signed.epoch_hash, CHEATER, message).data
            return made[data]

        def tamper(sender: int, to: int, data: bytes) -> bytes | None:
            found = decode(data)
            if isinstance(found, Page):
                inner = [each for each in found.messages if to != CHEATER or decode_signed(each).seat != CHEATER]
                data = Page(found.index, found.last, tuple(map(told, inner))).encode()
            elif sender == CHEATER and isinstance(found.message, Without):
                data = told(data)
            is_telltale = sender == CHEATER and isinstance(found, Signed) and isinstance(found.message, Evidence)
            return None if is_telltale else whole(sender, to, data)

        self.tamper = tamper


@attack(
    By.PLAYER,
    "A player who is about to lose votes for the end of the round, and then promises to play on as if "
    "there were no such vote, so that the round does not count.",
    "As soon as the vote and the promise meet.",
    "the cheater, by the two signed messages. They finish last",
)
@pytest.mark.slow
@pytest.mark.parametrize("is_low", [False, True])
def test_who_conceals_the_vote_for_a_closing(is_low: bool) -> None:
    table = closing_without(kind=Lying)
    assert isinstance(table, Lying)
    record = record_of(table, CHEATER)
    height = record.height
    below = next(iter(record.certificates))
    said = decode_signed(next(data for data in record.transcript if is_vote(data, height - 1)))
    low: dict[str, Any] = {"height": height - 2, "certificate": below, "vote": choice_of(said)}
    table.lie(**low if is_low else {"vote": None})
    table.think = True
    table.wish_all(0, 1, 2)
    table.spend(5)
    for index in (0, 2):
        record = record_of(table, index)
        assert record.ledger.departures.convicted[CHEATER].what == "concealed"
        assert record.match.departed[CHEATER] is Departure.CONVICTED
        verdict, report = both(file_of(table, index))
        assert report.ok, (report.failed, verdict.fault)
        assert ("concealed", CHEATER) in verdict.evidence


def is_vote(data: bytes, height: int) -> bool:
    signed = decode_signed(data) if data[:3] != b"\x92\xa1r" else None
    return signed is not None and signed.seat == CHEATER and signed.message.slot == ("vote", height)


@pytest.mark.parametrize("recovery", ["off", "on"])
def test_who_has_not_voted_conceals_nothing(recovery: str) -> None:
    """So it is the concealing that convicts: nobody can tell a slow computer from a player who would rather not vote."""
    table = closing_without(recovery)
    record = record_of(table, 0)
    promises = Promises(table)
    promises.epochs[0], promises.height, promises.certificate = record.match.epoch, record.height - 1, record.previous
    take_from(table, 0, 3, promises.sign(1, 3, (0, 1, 2, 3)))
    assert not record_of(table, 0).ledger.departures.convicted


def test_two_versions_of_what_a_file_holds_only_after_split_votes() -> None:
    """They convict, so the file holds both."""
    forger = Forger(seed=3, options=LONG, table=ONE_ROUND)
    forger.start()
    forger.until_height(4)
    for certificate in (bytes(32), bytes([1] * 32)):
        forger.inject(Echo(forger.honest_record().height, certificate))
    forger.convicted("two-versions")
    for index in forger.honest:
        verdict, report = both(file_of(forger.tables, index))
        assert report.ok, (report.failed, verdict.fault)
        assert verdict.evidence == [("two-versions", CHEATER)]
