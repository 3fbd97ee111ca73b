"""Players leave, vanish and are caught, and the others play on without them: the round under way is void."""

from __future__ import annotations

import pytest

from protocol.errors import IllegalMove
from protocol.table.events import Cause, MatchShort
from protocol.table.places import Departure, Place
from protocol.table.record import Ending, Phase
from protocol.table.verify import verify
from protocol.table.wishes import ABSTAIN_S
from tests.table.matches import file_of
from tests.table.parting import OVERDUE_S, Parting
from tests.table.tables import stream
from tests.table.waiting import LEAVE_AFTER_S

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.sample
@pytest.mark.parametrize(
    ("height", "seats"),
    [(1, 3), (2, 4), (5, 3), *(pytest.param(*each, marks=pytest.mark.soak) for each in ((1, 4), (2, 3), (5, 4)))],
)
def test_after_a_goodbye_the_others_play_on_at_once(seats: int, height: int) -> None:
    table = Parting(seats=seats)
    table.until_height(height)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.play()
    table.assert_played_on(1)
    for index in (0, 2):
        (began,) = table.began(index)
        assert began.without == {1: Cause.GOODBYE} and began.present == tuple(s for s in range(seats) if s != 1)
        assert table.over(index).places[1] == Place(1, seats, Departure.LEFT)
        assert 1 not in table.over(index).winners


def test_with_two_seats_a_goodbye_ends_the_match() -> None:
    table = Parting(seats=2)
    table.until_height(4)
    table.leave(1)
    broken = table.clients[0].table.record.broken
    assert broken is not None and (broken.ending, broken.seat) == (Ending.GOODBYE, 1)


@pytest.mark.slow
def test_two_leave_one_after_the_other() -> None:
    table = Parting(seats=4)
    table.until_height(4)
    table.leave(1)
    table.run(lambda: all(client.table.record.epoch == 1 for client in table.up()))
    table.until_height(8)
    table.leave(3)
    table.play()
    table.assert_played_on(1, 3)
    assert [place.place for place in table.over(0).places if place.seat in (1, 3)] == [3, 3]


def test_a_vote_leaves_a_vanished_seat_out() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.vote_out(1)
    table.spend(1)
    assert {tuple(began.without.items()) for index in (0, 2, 3) for began in table.began(index)} == {((1, Cause.VOTE),)}
    table.play()
    table.assert_played_on(1)
    assert table.over(0).places[1].reason is None, "who only vanished has not left for good"


def test_nobody_is_left_out_before_the_waiting_time_is_over() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.vanish(1)
    table.until_awaited(1)
    table.spend(LEAVE_AFTER_S)
    with pytest.raises(IllegalMove):
        table.wish(0)
    assert not any(client.table.record.epoch for client in table.up())


@pytest.mark.slow
def test_one_no_blocks_and_silence_is_an_abstention() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.vanish(1)
    table.until_awaited(1)
    table.spend(LEAVE_AFTER_S + OVERDUE_S)
    table.wish(0)
    table.take(2, table.clients[2].table.wish_to_wait(table.now))
    table.spend(ABSTAIN_S * 2)
    assert table.told(0).by == (0,) and table.told(0).against == (2,)
    assert not any(client.table.record.epoch for client in table.up())
    table.wish(2, wish=False)
    table.spend(ABSTAIN_S)
    assert all(client.table.record.epoch == 1 for client in table.up()), "seat 3 never said anything"
    table.play()
    table.assert_played_on(1)


def test_half_of_the_seats_decide_nothing() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.vanish(1)
    table.vanish(2)
    for _ in range(4):
        table.spend(LEAVE_AFTER_S + OVERDUE_S)
        for index in (0, 3):
            if (at := table.told(index).may_at) is not None and table.now >= at:
                table.wish(index)
    table.spend(ABSTAIN_S)
    assert table.told(0).may_at is None, "there is nothing more to vote on"
    assert not any(client.table.record.epoch for client in table.up())


@pytest.mark.slow
def test_bots_that_are_alone_play_on_without_a_vote() -> None:
    table = Parting(seats=3, bots=True)
    table.until_height(5)
    table.vanish(1)
    table.until_awaited(1)
    assert table.told(0).needed == ()
    table.spend(LEAVE_AFTER_S + OVERDUE_S + 5)
    assert [client.table.record.epoch for client in table.up()] == [1, 1]


@pytest.mark.slow
def test_who_is_back_after_the_change_follows_and_learns_how_it_ended() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    table.vote_out(1)
    table.until_height(9)
    table.gone.discard(1)
    table.restart(1)
    table.spend(3)
    assert table.clients[1].table.record.epoch == 1 and not table.clients[1].table.is_present
    assert not table.clients[1].table.can_move
    table.play()
    table.assert_played_on(1)
    assert [began.present for began in table.began(1)] == [(0, 2, 3)]


def test_who_comes_back_within_the_change_stays() -> None:
    """Nothing but promises is on the way, and they are lost: nobody has begun anything."""
    table = Parting(seats=4)
    table.until_height(5)
    table.tamper = lambda sender, to, data: None if table.clients[sender].table.record.is_held else data
    table.vote_out(1)
    table.spend(1)
    assert all(client.table.record.is_held for client in table.up())
    table.tamper = lambda sender, to, data: data
    table.gone.discard(1)
    table.restart(1)
    for other in (0, 2, 3):
        table.take(other, table.clients[other].table.connected(1, table.now))
    table.spend(30)
    assert len({client.table.record.epoch_hash for client in table.clients}) == 1
    table.play()
    stayed = table.clients[0].table.record.present
    table.assert_played_on(*(seat for seat in range(4) if seat not in stayed))


@pytest.mark.slow
def test_every_seat_is_restored_in_the_middle_of_the_change() -> None:
    table = Parting(seats=4)
    table.until_height(5)
    held = [True]
    table.tamper = lambda sender, to, data: None if held[0] and table.clients[sender].table.record.is_held else data
    table.vote_out(1)
    table.spend(1)
    for index in (0, 2, 3):
        table.clients[index].is_down = True
    table.queue.clear()
    held[0] = False
    for index in (0, 2, 3):
        table.restart(index)
    table.spend(15)
    assert [client.table.record.epoch for client in table.up()] == [1, 1, 1]
    table.play()
    table.assert_played_on(1)


def test_a_closing_that_all_who_stay_have_voted_for_counts() -> None:
    """Its votes reached everybody but one, who leaves: the round is scored for the others, not void."""
    table = Parting(seats=3)
    table.start()
    while not all(client.table.record.phase is Phase.CLOSING for client in table.clients):
        table.tamper = lambda sender, to, data: (
            None if sender == 1 and table.clients[1].table.record.phase is Phase.CLOSING else data
        )
        table.move_someone()
        table.turn()
    table.run(table.is_quiet)
    assert all(client.table.record.phase is Phase.CLOSING for client in (table.clients[0], table.clients[2]))
    table.vote_out(1)
    table.spend(5)
    for index in (0, 2):
        assert table.clients[index].table.record.points
        assert table.began(index)[0].void is None
    table.play()
    table.assert_played_on(1)


def test_who_withholds_the_keys_of_a_finished_round_stands_last() -> None:
    table = Parting(seats=3, rounds=1)
    table.withhold(1)
    table.assert_played_on(1)
    assert table.over(0).places[1] == Place(1, 3, Departure.WITHHELD)


def test_a_game_for_four_ends_with_its_last_closing() -> None:
    table = Parting(seats=4, game="tichu", options={})
    table.until_height(3)
    table.leave(1)
    table.run(lambda: all(client.table.is_over for client in table.up()))
    for index in (0, 2, 3):
        client = table.clients[index]
        assert client.table.record.ended_short
        assert any(isinstance(event, MatchShort) for event in client.events)
        report = verify(file_of(table, index), stream(1))
        assert report.ok and report.complete, report.failed


@pytest.mark.slow
def test_a_promise_from_before_an_epoch_began_holds_nobody_up() -> None:
    """Seat 0 promises 1 and then, as seat 3 is back and it has not heard the others, 2 with everybody; and then 1 begins."""
    table = Parting(seats=4)
    table.until_height(5)
    apart = [True]

    def tamper(sender: int, to: int, data: bytes) -> bytes | None:
        said = table.clients[sender].table.record.ledger.departures.promised
        is_late = to in (0, 3) and sender in (1, 2) and said > 0
        return None if apart[0] and (is_late or (sender == 3 and to != 0)) else data

    table.tamper = tamper
    table.vote_out(3)
    table.spend(1)
    table.gone.discard(3)
    table.restart(3)
    table.take(0, table.clients[0].table.connected(3, table.now))
    table.spend(30)
    assert [client.table.record.epoch for client in table.clients] == [0, 1, 1, 0]
    assert table.clients[0].table.record.ledger.departures.promised > 1
    apart[0] = False
    for other in (1, 2):
        table.take(other, table.clients[other].table.connected(0, table.now))
    table.spend(30)
    assert not any(table.clients[seat].table.record.is_held for seat in range(3)), table.where()
    table.play()
    table.assert_played_on()  # between the rounds, seat 3 has sat down again


def test_the_file_of_a_match_that_all_but_one_left_holds_no_message_twice() -> None:
    table = Parting(seats=4)
    table.until_height(2)
    table.think = True
    table.vote_out(3)
    table.spend(1)
    table.restart(3)  # whom the others show again how the seats were drawn
    table.clients[3].table.leaving.takers.wants_seat = False
    table.gone.clear()
    table.spend(5)
    for index in (1, 2):
        table.leave(index)
        table.spend(1)
    broken = table.clients[0].table.record.broken
    assert broken is not None and broken.ending is Ending.GOODBYE
    for index in (0, 1, 3):
        report = verify(file_of(table, index), stream(1))
        assert report.ok and report.complete == (index != 1), (index, report.failed)
