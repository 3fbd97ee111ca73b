"""Whoever comes while a match runs takes over the seat of a bot between rounds, with its points, as its keeper agrees."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from protocol.table.epochs import plan_of
from protocol.table.events import Accused, Cause, SeatWanted
from protocol.table.record import Phase
from tests.adversaries.declared import By, attack
from tests.simulator.toy import toy_group
from tests.table.parting import OVERDUE_S
from tests.table.promises import drawn
from tests.table.returning import Returning
from tests.table.waiting import LEAVE_AFTER_S


@pytest.fixture(autouse=True)
def _toy() -> Iterator[None]:
    with toy_group():
        yield


SHORT = {"rounds": 2, "options": {"hand": 3, "draw": "one", "target": 500}}


def playing(keepers: tuple[int, ...], **other: object) -> Returning:
    """Somebody plays with bots, and the first round is under way."""
    table = Returning(seats=len(keepers), keepers=keepers, **{**SHORT, **other})
    introduce(table, keepers)
    table.until_height(4)
    return table


def introduce(table: Returning, keepers: tuple[int, ...]) -> None:
    """The keepers know their bots."""
    for bot, keeper in enumerate(keepers):
        if bot != keeper:
            table.clients[keeper].table.leaving.takers.bots |= {table.clients[bot].identity.public}


def come(table: Returning, seat: int) -> int:
    """Somebody comes, reads on until the present, and would sit here."""
    newcomer = table.arrive(seat)
    catch_up(table)
    return newcomer


def catch_up(table: Returning) -> None:
    """Everybody has time to ask for what they miss."""
    table.think = True
    table.spend(6)
    table.think = False


def keys(table: Returning, seat: int) -> set[bytes]:
    """Who sits there, as all who are present see it."""
    return {client.table.record.key(seat) for client in table.up() if client.table.is_present}


@pytest.mark.slow
@pytest.mark.parametrize(
    "keepers",
    [
        pytest.param((0, 1, 0), id="two people and a bot"),
        pytest.param((0, 0, 0), id="alone with two bots", marks=pytest.mark.soak),
    ],
)
def test_a_person_takes_over_a_bots_seat_with_its_points(keepers: tuple[int, ...]) -> None:
    table = playing(keepers)
    newcomer = come(table, 2)
    table.until_seated(newcomer)
    assert all(client.table.record.phase is Phase.BETWEEN for client in table.up())
    left, joined = table.began(0)
    assert left.without == {2: Cause.ROOM} and joined.joined == {2: False} and joined.given == (2,)
    assert not table.clients[2].table.is_present and table.clients[2].table.is_displaced
    record = table.clients[0].table.record
    scores = record.scores
    assert record.rounds_closed == 1 and any(scores)
    table.play()
    table.assert_played_on()
    assert record.key(2) == table.clients[newcomer].identity.public and not record.member(2).bot
    assert all(place.reason is None for place in table.over(0).places), "whoever made room did not leave"
    assert [(each.seat, each.member.name, each.reason) for each in record.replaced] == [(2, "P2", None)]
    assert all(now >= then for now, then in zip(record.scores, scores, strict=True)), "the points go on"


@pytest.mark.slow
def test_in_tichu_too_where_a_seat_must_not_be_empty() -> None:
    table = playing((0, 0, 0, 1), game="tichu", options={})
    newcomer = come(table, 1)
    table.until_seated(newcomer)
    assert not any(client.table.record.is_waiting_for_players for client in table.up())
    table.until_height(table.clients[0].table.record.height + 2)
    assert len(table.clients[newcomer].table.cards) >= 8


def test_all_hear_who_will_sit_there() -> None:
    table = playing((0, 1, 0))
    newcomer = come(table, 2)
    wanted = SeatWanted(2, table.clients[newcomer].identity.public, f"P{newcomer}")
    assert all(client.events.count(wanted) == 1 for client in table.clients[:3])


@pytest.mark.slow
def test_whoever_vanishes_before_is_not_waited_for_and_the_bot_plays_on() -> None:
    table = playing((0, 1, 0))
    newcomer = come(table, 2)
    table.vanish(newcomer)
    key = table.clients[newcomer].identity.public
    for client in table.up():
        table.take(table.clients.index(client), client.table.withdraw(key, table.now))
    began = table.now
    while not all(client.table.record.rounds_closed == 1 for client in table.up()):
        table.move_someone()
        table.turn()
    table.until_height(table.clients[0].table.record.height + 2)
    assert table.clients[0].table.record.epoch == 0 and table.now - began < OVERDUE_S
    table.play()
    table.assert_played_on()


@pytest.mark.slow
@pytest.mark.parametrize(
    "keepers",
    [
        pytest.param((0, 0, 0), id="alone with two bots"),
        pytest.param((0, 1, 0), id="two people and a bot", marks=pytest.mark.soak),
    ],
)
def test_whoever_is_asked_and_does_not_answer_leaves_the_bot_its_seat(keepers: tuple[int, ...]) -> None:
    """The keeper has promised the seat to somebody who is gone. All go on with the bot after the usual time, and for the same
    reason only twice in a round."""
    table = playing(keepers, rounds=3)
    newcomers = [come(table, 2) for _ in range(4)]
    table.tamper = lambda sender, to, data: None if sender in newcomers and b"without" in data else data
    table.until_height(table.clients[0].table.record.height)
    while not all(client.table.record.rounds_closed == 2 for client in table.up() if client.table.is_present):
        table.move_someone()
        table.turn()
    record = table.clients[0].table.record
    assert table.clients[2].table.is_present and record.member(2).name == "P2"
    assert [event.given for event in table.began(0)] == [()] * len(table.began(0))
    assert sum(event.joined == {2: True} for event in table.began(0)) == 1, "the bot is back"
    assert sum(event.present == (0, 1) and not event.without for event in table.began(0)) == 2, "two were asked in vain"
    assert not [event for client in table.up() for event in client.events if isinstance(event, Accused)]
    for newcomer in newcomers:
        table.vanish(newcomer)
    table.play()
    table.assert_played_on()


@pytest.mark.slow
def test_a_bot_that_has_made_room_is_back_when_somebody_has_to_be_voted_out() -> None:
    """Its keeper has agreed to go on without the bot, and with the player who is gone."""
    table = playing((0, 1, 2, 0))
    newcomer = come(table, 3)
    while not table.clients[0].table.record.ledger.departures.promised:
        table.move_someone()
        table.turn()
    assert plan_of(table.clients[0].table.record.ledger.departures.withouts[1, 0]).stay == (0, 1, 2)
    table.vanish(newcomer)
    key = table.clients[newcomer].identity.public
    for client in table.up():
        table.take(table.clients.index(client), client.table.withdraw(key, table.now))
    table.vanish(1)
    table.spend(LEAVE_AFTER_S + 2 * OVERDUE_S)
    for person in (0, 2):
        table.wish(person)
    table.spend(OVERDUE_S)
    assert table.clients[0].table.record.present == (0, 2, 3)
    table.play()
    table.assert_played_on(1)
    assert table.clients[2].table.record.member(3).name == "P3"


def test_of_two_who_want_one_seat_whoever_came_first_has_it() -> None:
    table = playing((0, 1, 0))
    first, second = come(table, 2), come(table, 2)
    table.until_seated(first)
    assert keys(table, 2) == {table.clients[first].identity.public}
    table.run(lambda: table.clients[second].table.record.epoch == table.clients[0].table.record.epoch)
    assert not table.clients[second].table.would_sit


@pytest.mark.slow
def test_two_take_the_seats_of_two_bots_one_after_the_other() -> None:
    table = playing((0, 0, 0), rounds=3)
    first, second = come(table, 1), come(table, 2)
    table.until_seated(first)
    table.until_seated(second)
    table.play()
    table.assert_played_on()
    assert len({table.clients[0].table.record.keepers[seat] for seat in range(3)}) == 3


@pytest.mark.sample
@pytest.mark.parametrize(
    "step", [pytest.param(step, marks=pytest.mark.soak if step % 4 else ()) for step in range(1, 60, 7)]
)
def test_whoever_is_killed_at_any_moment_on_the_way_comes_back(step: int) -> None:
    table = playing((0, 1, 0))
    newcomer = come(table, 2)
    while not any(client.table.record.rounds_closed for client in table.up()):
        table.move_someone()
        table.turn()
    for _ in range(step):
        table.turn()
    table.lose(newcomer)
    table.spend(1)
    table.restart(newcomer)
    catch_up(table)
    table.until_seated(newcomer)
    table.play()
    table.assert_played_on()


@pytest.mark.slow
@pytest.mark.parametrize("who", [0, 2], ids=["the keeper", "the bot"])
def test_a_keeper_or_bot_that_is_killed_on_the_way_comes_back(who: int) -> None:
    table = playing((0, 1, 0))
    newcomer = come(table, 2)
    while not table.clients[0].table.record.ledger.departures.promised:
        table.move_someone()
        table.turn()
    table.lose(who)
    table.spend(1)
    table.restart(who)
    introduce(table, (0, 1, 0))
    catch_up(table)
    table.until_seated(newcomer)
    table.play()
    table.assert_played_on()


@attack(
    By.PLAYER,
    "A player gives the seat of somebody else’s bot to a friend, to get the bot out of the match.",
    "At once: nobody else signs for the bot to leave before the player whose computer runs it has.",
)
def test_nobody_gives_away_the_bot_of_another() -> None:
    promises = drawn(3, (0, 1, 0))
    table = promises.table
    table.take(0, table.clients[0].table.receive(1, promises.sign(1, 1, (0, 1)).data, table.now))
    table.take(2, table.clients[2].table.receive(1, promises.sign(1, 1, (0, 1)).data, table.now))
    for index in (0, 2):
        departures = table.clients[index].table.record.ledger.departures
        mine = departures.withouts[departures.promised, index]
        assert departures.promised == 2 and plan_of(mine).stay == (0, 1, 2), "they go on with the bot"


def test_a_bot_goes_alone_only_while_its_keeper_stays() -> None:
    """Whatever the players have signed."""
    assert drawn(3, (0, 1, 0)).begins((0, 1)) and drawn(3, (0, 0, 0)).begins((0, 1))
    assert not drawn(3, (0, 1, 0)).begins((1, 2)), "its keeper goes, and the bot stays"
    assert not drawn(4, (0, 1, 2, 0)).begins((1, 2, 3))
    assert not drawn(3, (0, 0, 0)).begins((1, 2)), "bots go on alone"
    assert not drawn(4, (0, 1, 0, 0)).begins((0, 2, 3)), "the keeper of three is one of two"


def test_a_bots_promise_does_not_count_where_it_makes_room() -> None:
    """Its keeper has promised to go on without it: it says nothing, until the keeper promises something else."""
    promises = drawn(3, (0, 1, 0))
    table = promises.table
    bot = table.clients[2].table
    promises.give([promises.sign(1, 0, (0, 1))], to=2)
    assert bot.record.ledger.departures.promised == 0
    promises.give([promises.sign(2, 0, (0, 1, 2), attempts=[(1, (0, 1), ())])], to=2)
    assert bot.record.ledger.departures.promised == 2


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keepers", "is_told"),
    [
        pytest.param((0, 0, 0), False, id="alone with two bots, and never hears of it"),
        pytest.param((0, 0), True, id="alone with a bot, and comes back"),
        pytest.param((0, 0), False, id="alone with a bot, and never hears of it", marks=pytest.mark.soak),
        pytest.param((0, 0, 0), True, id="alone with two bots, and comes back", marks=pytest.mark.soak),
    ],
)
def test_whoever_sits_down_and_vanishes_at_once_leaves_the_bot_its_seat(
    keepers: tuple[int, ...], is_told: bool
) -> None:
    """Whoever plays alone with bots could not go on without somebody who sits there."""
    seat = len(keepers) - 1
    table = playing(keepers)
    newcomer = come(table, seat)
    table.until_seated(newcomer)
    table.vanish(newcomer)
    table.until_height(table.clients[0].table.record.height + 2)
    record = table.clients[0].table.record
    assert record.member(seat).name == f"P{seat}" and table.clients[seat].table.is_present
    assert not [event for client in table.up() for event in client.events if isinstance(event, Accused)]
    if is_told:
        table.gone.discard(newcomer)
        table.restart(newcomer)
        catch_up(table)
        assert not table.clients[newcomer].table.is_present
        table.vanish(newcomer)
    table.play()
    table.assert_played_on()
