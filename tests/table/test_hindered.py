"""Whoever keeps the others from going on, though they have promised to, is missed, and can be left out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from protocol.messages import Goodbye, Message, TakeSeat, Without
from protocol.signed import Signed, decode, sign
from protocol.table.epochs import FURTHEST, Attempt, attempt_of, plan_of
from protocol.table.wishes import ABSTAIN_S
from tests.adversaries.declared import By, attack
from tests.table.parting import Parting
from tests.table.promises import Promises
from tests.table.returning import Returning
from tests.table.waiting import LONG

pytestmark = pytest.mark.usefixtures("toy")

KEYS = tuple(bytes([each]) * 32 for each in range(9))
INVENTED: list[Attempt] = [(1, (4,), ()), (1, (0, 1, 2, 3, 4), KEYS)]


def stopped(seats: int) -> Promises:
    table = Parting(seats=seats)
    table.until_height(5)
    table.think = True
    table.run(table.is_quiet)
    return Promises(table)


def tell(promises: Promises, said: Sequence[Signed], honest: Iterable[int]) -> None:
    for each in honest:
        promises.give(said, to=each)
    promises.table.spend(1)


def promised(promises: Promises, seat: int = 0) -> Signed:
    """The last promise of a seat."""
    departures = promises.table.clients[seat].table.record.ledger.departures
    return departures.withouts[departures.promised, seat]


def assert_missing_and_vote(promises: Promises, honest: Iterable[int], *missing: int) -> None:
    """These are missed by all, who vote to play on."""
    table = promises.table
    table.spend(LONG)
    for each in honest:
        assert table.clients[each].table.waits.missing() == {*missing}
        table.wish(each)


def assert_played_on_without(promises: Promises, honest: Iterable[int], *missing: int) -> None:
    """The same, and then the others play to the end."""
    assert_missing_and_vote(promises, honest, *missing)
    promises.table.think = False
    promises.table.play()
    promises.table.assert_played_on(*missing)


@attack(
    By.PLAYER,
    "A player signs everything, but claims to have promised others before to play on with them, which keeps the match from "
    "going on without somebody who has left.",
    "The others miss the player like the one who has left, and can vote to play on without both.",
)
@pytest.mark.parametrize("invented", INVENTED)
@pytest.mark.parametrize("above", [0, 1])
def test_who_names_attempts_that_keep_all_from_going_on_is_missed(invented: Attempt, above: int) -> None:
    promises, everybody, honest = stopped(5), (0, 1, 2, 3, 4), (0, 1, 2)
    table = promises.table
    table.vanish(3)
    table.vanish(4)
    call = promises.sign(3, 3, everybody)
    tell(promises, [call], honest)
    assert_missing_and_vote(promises, honest, 4)
    table.spend(ABSTAIN_S + 5)
    mine = promised(promises)
    assert plan_of(mine).stay == (0, 1, 2, 3)
    assert isinstance(mine.message, Without)
    number = mine.message.number + above
    tell(promises, [promises.sign(number, 3, (0, 1, 2, 3), 0, [invented, attempt_of(call)])], honest)
    assert_played_on_without(promises, honest, 3, 4)


@attack(
    By.PLAYER,
    "A player leaves for good, and claims to have promised nobody before to play on alone, so that nobody else can.",
    "Nobody needs to notice: that claim keeps nobody from playing on.",
)
def test_a_goodbye_that_names_such_attempts_keeps_nobody_from_going_on() -> None:
    promises, honest = stopped(5), (0, 1, 2, 3)
    table, first = promises.table, promises.epochs[0]
    table.vanish(4)
    goodbye = Goodbye(7, ((1, (4,), ()),))
    left = sign(table.clients[4].identity, table.roster.table_id, 0, first.hash, 4, goodbye)
    tell(promises, [promises.sign(1, 4, (4,)), left], honest)
    table.spend(5)
    assert {table.clients[each].table.record.present for each in honest} == {honest}
    table.think = False
    table.play()
    table.assert_played_on(4)


@attack(
    By.PLAYER,
    "Two players promise each other to go on from a continuation that never happened, under the highest number there is, and "
    "everything else to the others, so that nothing comes of it.",
    "The others miss both, as if they had said nothing, and can vote to play on.",
)
def test_two_who_wait_for_what_never_was_are_missed() -> None:
    promises, everybody, honest = stopped(5), (0, 1, 2, 3, 4), (0, 1, 2)
    table, liars = promises.table, (3, 4)
    for each in liars:
        table.vanish(each)
    promises.epochs[9] = replace(promises.epochs[0], number=1, hash=bytes(32))
    waiting = [promises.sign(FURTHEST, each, liars, 9, [(2, everybody, ())]) for each in liars]
    tell(promises, [*waiting, *(promises.sign(2, each, everybody) for each in liars)], honest)
    mine = promised(promises).message
    assert isinstance(mine, Without) and (mine.number, mine.stay) == (2, everybody)
    assert_played_on_without(promises, honest, *liars)


@attack(
    By.PLAYER,
    "Two players promise to play on, each from another version of what has just begun, under the highest number there is, so "
    "that the others go back and never return.",
    "The others do not go back for that; they miss both players, and can vote to play on.",
)
@pytest.mark.parametrize("number", [9, FURTHEST])
def test_nobody_goes_back_for_good_because_two_tear_an_epoch(number: int) -> None:
    promises, everybody, honest, liars = stopped(5), (0, 1, 2, 3, 4), (0, 1, 2), (3, 4)
    table = promises.table
    for each in liars:
        table.vanish(each)
    begun = promises.make(1, everybody, 0)
    for each in honest:
        promises.give(begun, to=each)
    promises.epochs[9] = replace(promises.epochs[1], hash=bytes(32))
    tell(promises, [promises.sign(number, 3, liars, 1), promises.sign(number, 4, liars, 9)], honest)
    assert_played_on_without(promises, honest, *liars)


@attack(
    By.ROOM,
    "Somebody takes an empty seat, and claims to have promised others before to play on without those who are there, so that the "
    "match stands still.",
    "The others ask that key no more, and play on.",
)
def test_a_newcomer_who_names_such_attempts_does_not_sit_down() -> None:
    table = Returning(seats=4, rounds=3)
    table.until_height(5)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    newcomer = table.arrive(1)
    identity, said = table.clients[newcomer].identity, list[Signed]()

    def tampered(sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        if sender != newcomer:
            return data
        if not isinstance(found, Signed):
            return None
        message: Message = found.message
        if isinstance(message, TakeSeat):
            message = replace(message, number=9)
        elif isinstance(message, Without):
            assert message.number > 9
            said.append(found)
            message = replace(message, attempts=((message.number - 1, (), KEYS),))
        return sign(identity, found.table, found.epoch, found.epoch_hash, found.seat, message).data

    table.tamper = tampered
    while not said and not table.clients[0].table.is_over:
        table.move_someone()
        table.turn()
    table.play()
    table.gone.add(newcomer)
    table.assert_played_on(1)
