"""Somebody is gone: the others may wish to go on without them, all see who does, and the wish is over when they are back.
Whatever is wished, the match stays as it is."""

from __future__ import annotations

import pytest

from protocol.errors import BadMessage, IllegalMove
from protocol.messages import Opinion, WishOn
from protocol.signed import Page, Signed, decode, decode_signed, sign
from protocol.table.coming_back import RETURN_S
from protocol.table.events import WishesChanged
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.waits import MOST_RETURNS, OVERDUE_S
from protocol.table.wishes import REPEAT_S, WISHES_EVERY_S
from tests.adversaries.declared import By, attack
from tests.table.matches import assert_all_agree, assert_nobody_accused
from tests.table.tables import Link, Tables
from tests.table.waiting import GONE, LEAVE_AFTER_S, LONG, Waiting

pytestmark = pytest.mark.usefixtures("toy")

BAD = Link(loss=0.1, double=0.1, delay=0.3)


@pytest.fixture(params=[Link(), BAD], ids=["good links", "bad links"])
def tables(request: pytest.FixtureRequest) -> Waiting:
    """One of four is gone, and all may wish."""
    found = Waiting(request.param)
    found.until_playing()
    found.lose()
    found.spend(LONG)
    return found


@pytest.mark.slow
def test_a_wish_is_seen_by_all_can_be_taken_back_and_lapses_on_return(tables: Waiting) -> None:
    tables.assert_shown((GONE,), ())
    before, lines = tables.marks(), [len(client.journal) for client in tables.clients]
    tables.wish(0)
    tables.spend(4 * REPEAT_S)
    tables.assert_shown((GONE,), (0,))
    tables.wish(0, False)
    tables.spend(4 * REPEAT_S)
    tables.assert_shown((GONE,), ())
    for index in (0, 1):
        tables.wish(index)
    tables.spend(4 * REPEAT_S)
    tables.assert_shown((GONE,), (0, 1))
    assert tables.told(0).needed == (0, 1, 3), "one has not said anything"
    assert tables.marks() == before, "wishing has changed the match"
    assert [len(client.journal) for client in tables.clients] == lines, "wishes are in no journal"
    tables.restart(GONE)
    tables.play()
    tables.assert_shown((), ())
    assert not any(client.table.wishes.own for client in tables.clients)
    assert_all_agree(tables)


def test_before_the_time_nobody_may_wish() -> None:
    tables = Waiting()
    tables.until_playing()
    with pytest.raises(IllegalMove, match="nobody is missing"):
        tables.wish(0)
    tables.lose()
    tables.spend(OVERDUE_S + 8)
    sent = tables.count
    with pytest.raises(IllegalMove, match=r"play on in 2\d s"):
        tables.wish(0)
    assert tables.count == sent
    told = tables.told(0)
    assert told.awaited == (GONE,)
    assert told.may_at is not None
    assert told.may_at - told.since == OVERDUE_S + LEAVE_AFTER_S
    tables.spend(LEAVE_AFTER_S)
    tables.wish(0)
    tables.spend(1)
    tables.assert_shown((GONE,), (0,))


def test_with_half_or_fewer_left_nobody_may_wish() -> None:
    tables = Waiting()
    turn = tables.until_thinking()
    mover, other, *gone = [seat % 4 for seat in range(turn, turn + 4)]
    for seat in gone:
        tables.lose(seat)  # as listed, a client's index is its seat
    tables.think = False  # whoever moves then misses both votes
    tables.spend(LONG)
    for seat in (mover, other):
        assert tables.told(seat).awaited == tuple(sorted(gone))
        assert tables.told(seat).may_at is None
        with pytest.raises(IllegalMove, match="too few"):
            tables.wish(seat)


def test_whose_move_is_waited_for_is_awaited_once_it_cannot_be_reached() -> None:
    """A player who is there may think for the table's waiting time; one who is gone does not think."""
    tables = Waiting()
    turn = tables.until_thinking()
    tables.spend(LEAVE_AFTER_S - 1)
    assert not any(isinstance(event, WishesChanged) for client in tables.clients for event in client.events)
    tables.lose(turn)
    tables.spend(LONG)
    tables.assert_shown((turn,), ())
    wisher = (turn + 1) % 4
    tables.wish(wisher)
    tables.spend(1)
    tables.assert_shown((turn,), (wisher,))
    tables.restart(turn)
    tables.spend(5)
    tables.assert_shown((), ())


def test_whose_link_is_back_may_think_anew_a_few_times() -> None:
    """A cable was out for longer than the table waits: the countdown to the vote ends when it is in again."""
    tables = Waiting()
    turn = tables.until_thinking()

    def out_and_in_again() -> None:
        tables.lose(turn)
        tables.spend(LONG)
        tables.assert_shown((turn,), ())
        tables.clients[turn].is_down = False
        tables.reconnect(turn)
        tables.spend(5)

    for _time in range(MOST_RETURNS):
        out_and_in_again()
        tables.assert_shown((), ())
    tables.spend(LEAVE_AFTER_S + OVERDUE_S)
    others = [seat for seat in range(4) if seat != turn]
    assert all(tables.told(seat).awaited == (turn,) for seat in others)
    out_and_in_again()
    assert all(tables.told(seat).awaited == (turn,) for seat in others), "it was out too often"


def test_a_player_past_the_tables_time_is_awaited_also_with_a_link() -> None:
    tables = Waiting(time=20_000)
    turn = tables.until_thinking()
    tables.clients[turn].is_down = True  # frozen: its links stay
    tables.spend(20 + OVERDUE_S - 2)
    assert tables.told((turn + 1) % 4).awaited == ()
    tables.spend(4)
    tables.assert_shown((turn,), ())


def test_who_comes_later_is_shown_what_others_wish(tables: Waiting) -> None:
    tables.wish(0)
    tables.spend(4 * REPEAT_S)
    tables.clients[3].is_down = True
    tables.spend(3)
    tables.restart(3)
    tables.clients[3].events.clear()
    tables.spend(OVERDUE_S + 5)
    assert tables.told(3).by == (0,), "it need not wait again for what others have waited for"
    with pytest.raises(IllegalMove, match=r"you can vote to play on in \d+ s"):
        tables.wish(3)


@pytest.mark.sample
def test_who_comes_back_wishes_nothing_until_they_say_so_again(tables: Waiting) -> None:
    for _ in range(4):
        tables.wish(0)
        tables.wish(0, False)
    tables.wish(0)
    tables.spend(4 * REPEAT_S)
    tables.assert_shown((GONE,), (0,))
    tables.clients[0].is_down = True
    tables.spend(2)
    tables.restart(0)
    tables.clients[0].events.clear()
    tables.spend(REPEAT_S + OVERDUE_S + 5)
    tables.assert_shown((GONE,), ())
    tables.spend(LEAVE_AFTER_S)
    tables.wish(0)
    tables.spend(4 * REPEAT_S)
    tables.assert_shown((GONE,), (0,))


@pytest.mark.sample
def test_a_second_wait_begins_without_the_wishes_of_the_first(tables: Waiting) -> None:
    tables.wish(0)
    tables.wish(1)
    tables.spend(4 * REPEAT_S)
    tables.think = True
    tables.restart(GONE)
    for _ in range(100):
        tables.spend(0.5)
        if all(tables.told(index).awaited == () for index in (0, 1, 3)):
            break
    tables.think = False
    tables.lose()
    tables.spend(LONG + REPEAT_S)
    tables.assert_shown((GONE,), ())


def test_two_who_are_gone_are_left_out_only_by_whoever_wishes_it_of_both() -> None:
    tables = Waiting(seats=5)
    turn = tables.until_thinking()
    first, second, third, fourth = ((turn + step) % 5 for step in (1, 2, 3, 4))
    gone = tuple(sorted((first, second)))
    tables.lose(first)
    tables.lose(second)
    tables.think = False
    tables.spend(LONG)
    tables.assert_shown(gone, ())
    say(tables, third, WishOn(900, first, 1))
    tables.spend(2)
    tables.assert_shown(gone, ())
    tables.wish(turn)
    tables.wish(fourth)
    tables.spend(2)
    tables.assert_shown(gone, tuple(sorted((turn, fourth))))
    assert tables.told(turn).needed == tuple(sorted((turn, third, fourth)))


def test_bots_have_no_say() -> None:
    tables = Tables(
        "crazy-eights", 3, {"hand": 3, "draw": "one", "target": 500}, 1, table=TableOptions(pause=0, leave_after=0)
    )
    tables.start()
    tables.run(lambda: all(c.table.record.phase is Phase.PLAYING for c in tables.clients))
    table = tables.clients[0].table
    table.waits.late, table.waits.awaiting = {2: 0.0}, frozenset({2})
    assert table.wishes.standing(tables.now).needed == ()


# --- hostile ---


def signed(tables: Waiting, index: int, message: WishOn, seat: int | None = None) -> Signed:
    client = tables.clients[index]
    record = client.table.record
    return sign(client.identity, record.table, 0, record.epoch_hash, index if seat is None else seat, message)


def say(tables: Waiting, index: int, message: WishOn, seat: int | None = None) -> None:
    """A seat says what its program would not."""
    data = signed(tables, index, message, seat).data
    for other, client in enumerate(tables.clients):
        if other != index and not client.is_down:
            tables.deliver(index, other, client.life, data)


@pytest.fixture
def waiting() -> Waiting:
    found = Waiting()
    found.until_playing()
    found.lose()
    found.spend(LONG)
    return found


def unharmed(tables: Waiting) -> None:
    """They come back, and the match ends as if nothing had been said."""
    assert_nobody_accused(tables)
    tables.restart(GONE)
    tables.play()
    assert_all_agree(tables)


@pytest.mark.slow
def test_a_wish_that_cannot_be_is_refused_and_nobody_blamed(waiting: Waiting) -> None:
    """About oneself, no more about oneself, about nobody, and in another's name."""
    for message, seat, why in (
        (WishOn(900, 1, 1), None, "without itself"),
        (WishOn(901, 1, 0), None, "without itself"),
        (WishOn(902, 7, 1), None, "does not exist"),
        (WishOn(903, GONE, 1), 0, "signature"),
    ):
        refused = len(waiting.refused)
        say(waiting, 1, message, seat)
        found = waiting.refused[refused:]
        assert {to for _, to, _ in found} >= {3}
        assert all(isinstance(fault, BadMessage) for _, _, fault in found)
        assert why in str(found[-1][2])
    waiting.spend(2)
    waiting.assert_shown((GONE,), ())
    unharmed(waiting)


@pytest.mark.slow
def test_a_counter_does_not_go_back(waiting: Waiting) -> None:
    waiting.wish(0)
    waiting.wish(0, False)
    waiting.spend(2)
    old = next(iter(waiting.clients[3].table.record.wishes.values()))
    assert isinstance(old.message, WishOn)
    for counter in (old.message.counter - 1, old.message.counter, 0):
        say(waiting, 0, WishOn(counter, GONE, 1))
    waiting.spend(2)
    waiting.assert_shown((GONE,), ())
    unharmed(waiting)


def test_an_old_wish_that_a_third_passes_on_does_not_come_back(waiting: Waiting) -> None:
    waiting.wish(0)
    waiting.spend(2)
    old = waiting.clients[3].table.record.wishes[0, GONE].data
    waiting.wish(0, False)
    waiting.spend(2)
    for other in (0, 1):
        waiting.deliver(3, other, 0, old)
    waiting.spend(2)
    waiting.assert_shown((GONE,), ())


@pytest.mark.slow
@attack(By.PLAYER, "A vote to play on is changed thousands of times.", "A few changes are shown, and one is kept.")
def test_a_flood_of_wishes_is_told_a_few_times_and_kept_once(waiting: Waiting) -> None:
    told = len([event for event in waiting.clients[0].events if isinstance(event, WishesChanged)])
    began = waiting.now
    for counter in range(1000, 1500):
        say(waiting, 1, WishOn(counter, GONE, counter % 2))
        waiting.now += 0.01
    waiting.spend(3)
    news = len([event for event in waiting.clients[0].events if isinstance(event, WishesChanged)]) - told
    assert news <= (waiting.now - began) / WISHES_EVERY_S + 1
    assert len(waiting.clients[0].table.record.wishes) == 1
    assert waiting.told(0).by == (1,), "the last one counts"
    unharmed(waiting)


@pytest.mark.slow
def test_wishes_about_all_who_are_there_are_kept_and_mean_nothing(waiting: Waiting) -> None:
    before = waiting.marks()
    for about in (0, 3):
        say(waiting, 1, WishOn(1000 + about, about, 1))
    waiting.spend(REPEAT_S + 2)
    waiting.assert_shown((GONE,), ())
    assert waiting.marks() == before
    assert not any(fault for sender, _, fault in waiting.refused if sender == 1 and "wish" in str(fault))
    unharmed(waiting)


def test_an_early_wish_counts_when_the_time_has_come() -> None:
    tables = Waiting()
    tables.until_playing()
    say(tables, 1, WishOn(500, GONE, 1))
    tables.lose()
    tables.spend(OVERDUE_S + 5)
    tables.assert_shown((GONE,), ())
    tables.spend(LEAVE_AFTER_S)
    assert tables.told(0).by == tables.told(3).by == (1,)


def test_who_is_awaited_has_no_say(waiting: Waiting) -> None:
    """Its link is there and it wishes others away, but does not do what it owes."""
    for other in (0, 1, 3):
        data = signed(waiting, GONE, WishOn(700, (other + 1) % 4 if (other + 1) % 4 != GONE else 0, 1)).data
        table = waiting.clients[other].table
        waiting.take(other, table.connected(GONE, waiting.now))
        if other != 1:
            waiting.take(other, table.receive(GONE, data, waiting.now))
    waiting.spend(3)
    for index in (0, 1, 3):
        assert waiting.told(index).by == ()
        assert GONE not in waiting.told(index).needed


def test_a_link_alone_ends_no_wait_for_what_is_owed() -> None:
    """Otherwise whoever stalls could wipe out the others' wishes by coming and going."""
    tables = Waiting()
    tables.start()
    tables.run(lambda: all(c.table.record.seed for c in tables.clients))
    tables.lose()
    tables.spend(LONG)
    tables.wish(0)
    tables.spend(2)
    for index in (0, 1, 3):
        tables.take(index, tables.clients[index].table.connected(GONE, tables.now))
    tables.spend(2)
    tables.assert_shown((GONE,), (0,))


def test_a_wish_that_is_never_taken_back_lapses_all_the_same(waiting: Waiting) -> None:
    def stubborn(sender: int, to: int, data: bytes) -> bytes | None:
        """Seat 1's program takes the wish back, and its person sees to it that nobody hears."""
        found = decode(data)
        if isinstance(found, Page):
            rest = [each for each in found.messages if not is_wish(decode_signed(each))]
            return Page(found.index, found.last, tuple(rest)).encode()
        return None if sender == 1 and is_wish(found) else data

    def is_wish(each: Signed) -> bool:
        return isinstance(each.message, WishOn)

    waiting.tamper = stubborn
    say(waiting, 1, WishOn(900, GONE, 1))
    waiting.spend(2)
    assert waiting.told(0).by == (1,)
    waiting.think = True
    waiting.restart(GONE)
    while waiting.told(0).awaited or waiting.told(3).awaited:
        waiting.spend(0.5)
    waiting.think = False
    waiting.lose()
    waiting.spend(LONG)
    waiting.assert_shown((GONE,), ())


def test_whose_wait_is_over_takes_the_wish_back_for_those_who_wait_on() -> None:
    """Only seat 0 has lost the seat in turn, which then moves: its wish is over."""
    tables = Waiting()
    turn = tables.until_thinking()
    wisher, other = (turn + 1) % 4, (turn + 2) % 4
    tables.take(wisher, tables.clients[wisher].table.lost(turn, tables.now))
    tables.spend(LONG)
    tables.wish(wisher)
    tables.spend(2)
    assert tables.clients[other].table.wishes.opinion(wisher, turn) is Opinion.FOR
    tables.think = False
    tables.spend(2)
    assert tables.clients[other].table.wishes.opinion(wisher, turn) is not Opinion.FOR


def test_a_wish_that_a_link_lost_is_said_again(waiting: Waiting) -> None:
    waiting.tamper = lambda sender, to, data: None if (sender, to) == (0, 3) else data
    waiting.wish(0)
    waiting.spend(1)
    assert waiting.told(3).by == ()
    waiting.tamper = lambda sender, to, data: data
    waiting.spend(REPEAT_S + 2)
    assert waiting.told(3).by == (0,)


def test_an_old_wish_of_ones_own_that_is_shown_late_is_taken_back(waiting: Waiting) -> None:
    """All numbers of a seat are of one row: what it has said of its help since may be higher than its wish."""

    def without_wishes(sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        if to != 0 or not isinstance(found, Page):
            return data
        rest = [each for each in found.messages if not isinstance(decode_signed(each).message, WishOn)]
        return Page(found.index, found.last, tuple(rest)).encode()

    waiting.wish(0)
    for level in (1, 0):
        waiting.take(0, waiting.clients[0].table.take_help(level, waiting.now))
    waiting.spend(2)
    waiting.assert_shown((GONE,), (0,))
    waiting.tamper = without_wishes
    waiting.restart(0)
    waiting.take(0, waiting.clients[0].table.take_help(2, waiting.now))
    waiting.spend(RETURN_S + 2)
    waiting.tamper = lambda sender, to, data: data
    waiting.take(1, waiting.clients[1].table.connected(0, waiting.now))
    waiting.spend(3)
    assert waiting.told(1).by == waiting.told(3).by == ()
