"""Each rule of the change of epoch at real tables: those of the model (`tests.model.rules`), under the same names, and traps that
tables fell into. What people promise is crafted where that is shorter than to let it come about."""

from __future__ import annotations

import pytest

from protocol.messages import Shares, Without
from protocol.signed import Signed, decode, sign
from protocol.table.epochs import Attempt, goodbye_hash, plan_of
from protocol.table.events import Accused
from protocol.table.phases.values import Between, Committed, Recovering
from protocol.table.record import Phase, Record
from protocol.table.trust import trust
from protocol.values import replace
from tests.independent.games import ONE_ROUND, Eager
from tests.table.parting import Parting
from tests.table.promises import Promises, drawn, someone, taking
from tests.table.tables import Link, Tables

pytestmark = pytest.mark.usefixtures("toy")


def record_of(table: Tables, index: int) -> Record:
    return table.clients[index].table.record


def kind_of(data: bytes) -> str:
    found = decode(data)
    return found.message.kind if isinstance(found, Signed) else "page"


def said(table: Tables, index: int, kind: str, epoch: int) -> list[Signed]:
    """What a client has said of a kind in an epoch."""
    store = record_of(table, index).ledger.store
    seat = table.seat_of(index)
    return [each for each in store.said.values() if (each.seat, each.epoch, each.message.kind) == (seat, epoch, kind)]


# --- who may go on ---


@pytest.mark.parametrize(("promised", "may"), [((0, 1, 2), False), ((0, 2), True)])
def test_attempts(promised: tuple[int, ...], may: bool) -> None:
    """2, 3 and 4 are more than half of five. But 2 has signed for an epoch that may have begun without 3 and 4."""
    promises = drawn(5)
    assert promises.give(promises.make(2, (2, 3, 4), 0, (1, promised))) == (2 if may else 0)


@pytest.mark.parametrize(("number", "may"), [(1, True), (2, False)])
def test_late_goodbyes(number: int, may: bool) -> None:
    """0 leaves after it has signed for epoch 2: epoch 1, for which 2 has signed too, does not shrink by that."""
    promises = drawn(5)
    goodbye = promises.goodbye(0, number)
    theirs = promises.make(3, (2, 3, 4), 0, (1, (0, 1, 2)), out=((0, goodbye_hash(goodbye)),))
    assert promises.give([*theirs, goodbye], to=1) == (3 if may else 0)


def test_own_seat() -> None:
    """The bots of 0 and 1 are cut off from their keepers, and would go on as 0 and 1."""
    promises = drawn(5, keepers=(0, 1, 0, 1, 4))
    assert promises.give(promises.make(1, (2, 3), 0), to=4) == 0
    assert promises.give(promises.make(2, (0, 1, 2, 3), 0, (1, (2, 3))), to=4) == 2


def test_keepers_once() -> None:
    """2 and two bots are three of five seats, but one of three people."""
    promises = drawn(5, keepers=(0, 1, 2, 2, 2))
    assert promises.give(promises.make(1, (2, 3, 4), 0)) == 0
    assert promises.give(promises.make(2, (1, 2, 3, 4), 0, (1, (2, 3, 4)))) == 2


def test_own_words() -> None:
    """1, 2 and 3 are judged by what they name; not by what somebody signed who is not among them."""
    promises = drawn(4)
    alone: Attempt = (1, (0,), ())
    assert promises.give([promises.sign(1, 0, (0,)), promises.sign(2, 0, (0, 1, 2), 0, [alone])]) == 0
    assert promises.give(promises.make(3, (1, 2, 3), 0)) == 3


# --- what a promise means ---


def voting() -> tuple[Parting, int, int, list[bytes]]:
    """All have voted for a move, but one who has voted too lacks one vote. Return the table, who lacks it, who moved, and
    the letters that were held back."""
    table = Parting(seats=3)
    mover = table.until_thinking()
    behind, other = (index for index in range(3) if index != mover)
    held: list[bytes] = []
    table.tamper = lambda sender, to, data: data if (sender, to) != (other, behind) else held.append(data)
    move = table.clients[mover].moves[0][0]
    table.take(mover, table.clients[mover].table.act(move, table.now))
    table.run(table.is_quiet)
    assert record_of(table, behind).certified_height < record_of(table, mover).certified_height
    return table, behind, mover, [data for data in held if kind_of(data) == "vote"]


@pytest.mark.parametrize("has_promised", [False, True])
def test_freeze(has_promised: bool) -> None:
    """Whoever has promised to go on counts no vote of a lower epoch, and so follows no certificate that others undo."""
    table, behind, mover, held = voting()
    record = record_of(table, behind)
    height = record.certified_height
    if has_promised:
        promises = Promises(table)
        promises.height, promises.certificate = record.certified_height, record.previous
        promises.give([promises.sign(1, behind, tuple(sorted((behind, mover))))], to=behind)
    for data in held:
        table.take(behind, table.clients[behind].table.receive(mover, data, table.now))
    assert (record.certified_height == height) == has_promised


def test_answer() -> None:
    """2 has signed to go on without 1, and nobody misses 1 any more: the others sign for an epoch of all."""
    table = Parting(seats=3)
    table.until_thinking()
    promises = Promises(table)
    alone = promises.sign(1, 2, (0, 2))
    for index in range(3):
        promises.give([alone], to=index)
    table.spend(10)
    records = [client.table.record for client in table.clients]
    assert {(record.epoch > 1, record.present) for record in records} == {(True, (0, 1, 2))}


def test_late_begin() -> None:
    """0 has signed for epoch 2 before it learns that epoch 1 began."""
    promises = drawn(5)
    mine, *theirs = promises.make(1, (0, 1, 4), 0)
    later = promises.sign(2, 0, (0, 1, 2, 3, 4), 0, [(1, (0, 1, 4), ())])
    assert promises.give([mine, later]) == 0
    assert promises.give(theirs) == 1


# --- where an epoch begins, and what may follow ---


def test_adopt() -> None:
    """All have voted to close the round, but only 1 has all votes, and vanishes: the round is closed for the others, too."""
    table = Parting(seats=3)
    table.start()
    table.tamper = lambda sender, to, data: (
        None if sender == 1 and record_of(table, 1).phase is Phase.CLOSING and kind_of(data) == "vote" else data
    )
    while not table.clients[1].table.is_over:
        table.move_someone()
        table.turn()
    assert [record_of(table, index).phase for index in (0, 2)] == [Phase.CLOSING] * 2
    table.vote_out(1)
    table.spend(5)
    assert [record_of(table, index).phase for index in (0, 2)] == [Phase.OVER] * 2
    assert record_of(table, 0).scores == record_of(table, 1).scores


@pytest.mark.slow
@pytest.mark.parametrize("is_confirmed", [False, True])
def test_echo(is_confirmed: bool) -> None:
    """After a split vote nobody gives a share before all have confirmed the certificate."""
    options = {"last_card": True, "skip": "Q", "again": "2", "hand": 2}
    table = Eager("crazy-eights", 3, options, 0, Link(delay=0.3), ONE_ROUND)
    table.tamper = lambda sender, to, data: None if not is_confirmed and kind_of(data) == "echo" else data
    split: set[int] = set()
    table.start()
    while not table.clients[0].table.is_over and not (split and table.is_quiet()):
        now = record_of(table, 0).now
        if isinstance(now, Committed) and now.must_echo and now.outcome.demands:
            split.add(now.match.height)
        if not split:
            table.move_someone()
        table.turn()
    given = {
        each.message.height
        for each in map(decode, (each.data for each in table.clients[0].journal if each.kind == "out"))
        if isinstance(each, Signed) and isinstance(each.message, Shares)
    }
    assert split and (split <= given) == is_confirmed


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_start_echo(is_confirmed: bool) -> None:
    """Nobody opens the key of who has left before all have confirmed that they saw the epoch begin."""
    table = Parting(seats=4, recovery="on")
    table.until_height(5)
    table.think = True
    table.run(table.is_quiet)
    table.tamper = lambda sender, to, data: None if not is_confirmed and kind_of(data) == "echo" else data
    table.leave(1)
    table.run(table.is_quiet)
    stayed = [record_of(table, index) for index in (0, 2, 3)]
    assert [record.epoch for record in stayed] == [1, 1, 1]
    assert [isinstance(record.now, Recovering) for record in stayed] == [not is_confirmed] * 3
    assert bool(said(table, 0, "recovery-open", 1)) == is_confirmed


def alone(seats: int) -> Promises:
    """The last of these seats is empty, before the first round."""
    promises = drawn(seats)
    rest = tuple(range(seats - 1))
    for index in rest:
        assert promises.give(promises.make(1, rest, 0), to=index) == 1
    return promises


def test_stayers_only() -> None:
    """Who takes a seat names a certificate that nobody knows: that does not say where the epoch begins."""
    promises, who = alone(3), someone(1)
    first, second, third = promises.make(2, (0, 1), 1, added=(taking(2, who),), newcomers=[who])
    assert isinstance(third.message, Without)
    message = replace(third.message, height=7, certificate=bytes(32))
    before = promises.epochs[1]
    false = sign(who, promises.table.roster.table_id, 1, before.hash, 2, message)
    assert promises.give([first, second, false]) == 2
    assert record_of(promises.table, 0).certified_height == 0


@pytest.mark.parametrize("is_bot", [False, True])
def test_one_at_a_time(is_bot: bool) -> None:
    """Two people do not take seats in one epoch; somebody and their bot do."""
    promises = drawn(5)
    assert promises.give(promises.make(1, (0, 1, 2), 0)) == 1
    one, other = someone(1), someone(2)
    added = taking(3, one), taking(4, other, one if is_bot else None)
    theirs = promises.make(2, (0, 1, 2), 1, added=added, newcomers=[one, other])
    assert promises.give(theirs) == (2 if is_bot else 1)


def test_after_void() -> None:
    """An epoch made the round void: somebody may take a seat before the next one."""
    table = Parting(seats=3)
    table.until_thinking()
    promises, who = Promises(table), someone(1)
    assert promises.give(promises.make(1, (0, 1), 0)) == 1
    assert promises.give(promises.make(2, (0, 1), 1, added=(taking(2, who),), newcomers=[who])) == 2
    assert isinstance(record_of(table, 0).now, Between)


def test_late_yes() -> None:
    """1 has voted for the next round when 0, who has not, asks that somebody sit down."""
    who = someone(1)
    table = Parting(seats=3)
    table.start()
    table.run(lambda: all(client.table.record.seed is not None for client in table.clients))
    table.tamper = lambda sender, to, data: None if kind_of(data) == "vote" else data
    table.leave(2)
    table.run(lambda: bool(said(table, 1, "vote", 1)))
    record = record_of(table, 1)
    record.welcome |= {who.public}
    promises = Promises(table)
    promises.epochs[1] = record.match.epoch
    added = promises.sign(2, 0, (0, 1), 1, added=(taking(2, who),))
    assert promises.give([added], to=1) == 1
    assert plan_of(record.ledger.departures.withouts[2, 1]) == plan_of(added)


# --- traps of tables ---


def test_two_votes_for_a_height_in_two_epochs() -> None:
    """The vote of epoch 1 is no other version of that of epoch 0, whose round is void."""
    table = Parting(seats=3)
    mover = table.until_thinking()
    gone = (mover + 1) % 3
    table.tamper = lambda sender, to, data: None if kind_of(data) == "move" else data
    move = table.clients[mover].moves[0][0]
    table.take(mover, table.clients[mover].table.act(move, table.now))
    table.run(table.is_quiet)
    table.tamper = lambda sender, to, data: data
    table.think = False
    table.leave(gone)
    table.until_height(record_of(table, mover).height + 1)
    journal = [decode(each.data) for each in table.clients[mover].journal if each.kind == "out"]
    votes = [(each.message.slot, each.epoch) for each in journal if isinstance(each, Signed)]
    heights = [slot for slot, _ in {*votes} if slot is not None and slot[0] == "vote"]
    assert len(heights) > len({*heights})
    assert not [event for client in table.clients for event in client.events if isinstance(event, Accused)]


@pytest.mark.slow
def test_who_is_present_and_who_holds_a_key_differ() -> None:
    """A round is played on without 1: it votes no more, its key still counts. And the proofs of the round, and what is revealed
    at its end, are bound to the epoch in which it was opened."""
    table = Parting(seats=4, recovery="on", options={"hand": 2, "target": 500})
    table.until_height(3)
    table.leave(1)
    table.run(lambda: all(record.epoch == 1 for record in (record_of(table, index) for index in (0, 2, 3))))
    table.run(table.is_quiet)
    record = record_of(table, 0)
    assert record.round is not None
    assert (record.present, record.round.holders, record.round.active) == ((0, 2, 3), (0, 1, 2, 3), (0, 2, 3))
    assert (record.epoch, record.round.epoch) == (1, 0)
    table.play()
    table.assert_played_on(1)


def test_trust_is_of_an_epoch() -> None:
    """A vote of epoch 0 in the journal does not spare the check of the same height in epoch 1."""
    table = Parting(seats=3)
    table.until_height(5)
    table.think = True
    table.run(table.is_quiet)
    trust(record := record_of(table, 0), table.clients[0].journal)
    height = record.certified_height - 1
    assert record.ledger.trust.covers(height)
    record.ledger.trust.epoch = 1
    assert not record.ledger.trust.covers(height)
