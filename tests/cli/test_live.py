"""A seat at a real table, as the screens get it: who is awaited and who wishes to go on, graces, clocks, and what was checked."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from typing import Any, TypeVar, cast

import pytest

from cli import news
from cli.client.seat import LiveSeat
from p2p.driver import Driver
from p2p.routes import Route
from protocol.errors import IllegalMove
from protocol.messages import Chat, Emote, Opinion
from protocol.table.events import Cause, Said
from protocol.table.step import Step
from protocol.table.table import Table
from protocol.table.waits import OVERDUE_S
from protocol.table.wishes import REPEAT_S
from tests.table.waiting import GONE, LEAVE_AFTER_S, LONG, Waiting

pytestmark = pytest.mark.usefixtures("verified_once", "toy", "hasty_bots")

Piece = TypeVar("Piece")


class Fake:
    """What a seat needs of a driver, over tables in memory."""

    fault = None

    def __init__(self, tables: Seated, index: int) -> None:
        self._tables, self._index = tables, index

    @property
    def table(self) -> Table:
        return self._tables.clients[self._index].table

    def feed(self, call: Callable[[float], Step]) -> None:
        self._tables.take(self._index, call(self._tables.now))


class Seated(Waiting):
    """Every table has somebody who looks at it."""

    def __init__(self, game: str = "crazy-eights", options: dict[str, Any] | None = None, **table: Any) -> None:
        super().__init__(game=game, options=options, **table)
        self.seats = [LiveSeat() for _ in self.clients]
        self.kept: list[list[news.News]] = [[] for _ in self.clients]
        for seat in self.seats:
            seat.now = lambda: self.now
        for index, seat in enumerate(self.seats):
            seat.on_table(self.driver(index))

    def driver(self, index: int) -> Driver:
        return cast(Driver, Fake(self, index))

    def take(self, index: int, step: Step) -> None:
        super().take(index, step)
        if hasattr(self, "seats"):
            self.seats[index].on_events(self.driver(index), step.events)

    def hear(self, index: int, kind: type[Piece]) -> list[Piece]:
        """All news of one kind that a seat has had since this was asked last."""
        queue = self.seats[index].news
        while not queue.empty():
            piece = queue.get_nowait()
            if piece is not None:
                self.kept[index].append(piece)
        found: list[Piece] = [each for each in self.kept[index] if isinstance(each, kind)]
        self.kept[index] = [each for each in self.kept[index] if not isinstance(each, kind)]
        return found

    def lose(self, index: int = GONE) -> None:
        for other, seat in enumerate(self.seats):
            if other != index:
                seat.on_route(index, Route.NONE)
        super().lose(index)

    def come_back(self, index: int = GONE) -> None:
        self.seats[index] = LiveSeat()
        self.seats[index].now = lambda: self.now
        for other, seat in enumerate(self.seats):
            if other != index:
                seat.on_route(index, Route.DIRECT)
        self.restart(index)
        self.seats[index].on_table(self.driver(index))

    def votes(self, index: int, opinion: Opinion) -> None:
        asyncio.run(self.seats[index].vote(opinion))


def test_what_is_said_with_one_key_travels_by_its_name_and_everything_else_as_chat() -> None:
    tables = Seated()
    tables.until_playing()
    for text in (":gg", ":D", "hello"):
        asyncio.run(tables.seats[1].say(text))
    tables.spend(1)
    heard = [each.message for each in tables.clients[0].events if isinstance(each, Said)]
    assert [type(each) for each in heard] == [Emote, Chat, Chat]
    for index in (0, 1):
        assert [each.text for each in tables.hear(index, news.Said)] == [":gg", ":D", "hello"]


@pytest.mark.slow
def test_a_pause_is_told_on_every_change_and_is_over_for_all() -> None:
    tables = Seated()
    tables.until_playing()
    tables.lose()
    tables.spend(OVERDUE_S + 1)
    paused = tables.hear(0, news.Paused)[-1]
    assert (paused.awaited, paused.agreed, paused.needed) == ((GONE,), (), (0, 1, 3))
    assert (paused.leaving, paused.fate) == ((GONE,), news.Fate.VOID)
    assert paused.left_s == pytest.approx(LEAVE_AFTER_S, abs=1)
    assert paused.since_s == pytest.approx(OVERDUE_S, abs=1)
    with pytest.raises(IllegalMove, match=r"play on in \d+ s"):
        tables.votes(0, Opinion.FOR)
    tables.spend(LEAVE_AFTER_S)
    votes = (
        (0, Opinion.FOR, (0,), ()),
        (3, Opinion.AGAINST, (0,), (3,)),
        (1, Opinion.FOR, (0, 1), (3,)),
        (0, Opinion.NONE, (1,), (3,)),
    )
    for index, opinion, agreed, against in votes:
        tables.votes(index, opinion)
        tables.spend(2)
        told = tables.hear(1, news.Paused)[-1]
        assert (told.agreed, told.against, told.left_s) == (agreed, against, 0.0)
    tables.come_back()
    tables.spend(REPEAT_S)
    for index in (0, 1, 3):
        told = tables.hear(index, news.Paused)[-1]
        assert told == news.Paused(()), "over, and all wishes with it"


@pytest.mark.slow
def test_a_carried_vote_is_told_to_all_and_to_whoever_comes_back() -> None:
    tables = Seated()
    tables.until_playing()
    tables.lose()
    tables.spend(OVERDUE_S + LEAVE_AFTER_S + 1)
    for index in (0, 1, 3):
        tables.votes(index, Opinion.FOR)
        tables.spend(2)
    for index in (0, 1, 3):
        assert tables.hear(index, news.WentOn) == [news.WentOn({GONE: Cause.VOTE}, news.Fate.VOID)]
        assert [player.left for player in tables.seats[index].players] == [seat == GONE for seat in range(4)]
    tables.spend(5)
    tables.come_back()
    tables.spend(REPEAT_S)
    told = tables.hear(GONE, news.WentOn)
    assert [each.without for each in told] == [{GONE: Cause.VOTE}]
    assert tables.seats[GONE].players[GONE].left


def test_who_quit_for_good_is_not_said_to_be_back_when_their_lobby_calls() -> None:
    """It tells whoever still plays how the match ended for them."""
    tables = Seated()
    tables.until_playing()
    tables.take(GONE, tables.clients[GONE].table.leave(tables.now))
    tables.spend(2)
    tables.lose()
    for _ in range(2):
        tables.seats[0].on_route(GONE, Route.DIRECT)
        tables.seats[0].on_route(GONE, Route.NONE)
    assert tables.hear(0, news.WentOn)[-1].without == {GONE: Cause.GOODBYE}
    assert not tables.hear(0, news.Back)


def test_where_too_few_are_left_no_time_is_named() -> None:
    tables = Seated()
    turn = tables.until_thinking()
    tables.lose((turn + 2) % 4)
    tables.lose((turn + 3) % 4)
    tables.think = False  # whoever moves then misses both votes
    tables.spend(LONG)
    assert tables.hear(turn, news.Paused)[-1].left_s is None


# --- the clock ---


def clock(tables: Seated, index: int) -> tuple[int, float] | None:
    """Whose clock a seat was told last, and how long it ran then."""
    found = tables.hear(index, news.ClockRuns)
    return (found[-1].seat, found[-1].left_s) if found else None


def test_who_comes_back_sees_its_own_clock_begin_anew_and_so_do_the_others() -> None:
    tables = Seated(time=20_000)
    turn = tables.until_thinking()
    other = (turn + 1) % 4
    assert clock(tables, turn) == (turn, 20.0)
    assert clock(tables, other) == (turn, 20.0)
    tables.lose(turn)
    tables.spend(40)
    tables.come_back(turn)
    tables.spend(1)
    told = clock(tables, turn)
    assert told is not None
    assert told[0] == turn
    assert told[1] == pytest.approx(20, abs=1)
    assert clock(tables, other) == (turn, 20.0)


def test_who_is_back_has_the_whole_time_and_the_table_waits_for_nobody_meanwhile() -> None:
    tables = Seated(time=20_000)
    turn = tables.until_thinking()
    other = (turn + 1) % 4
    for away_s in (40, 12):  # longer and shorter than the time for a move
        tables.lose(turn)
        tables.spend(away_s)
        assert tables.hear(other, news.Paused)[-1].awaited == (turn,)
        tables.come_back(turn)
        tables.spend(3)
        assert tables.hear(other, news.Paused)[-1] == news.Paused(())
        tables.spend(14)  # less than its time, more than what was left of it
        assert not tables.hear(other, news.Paused)
    record = tables.clients[other].table.record
    height = record.height
    tables.spend(10)
    assert record.height > height, "its own client has moved for it"
    assert not tables.hear(other, news.Paused)


def test_who_comes_and_goes_for_ever_has_had_its_time() -> None:
    tables = Seated(time=20_000)
    turn = tables.until_thinking()
    waits = tables.clients[(turn + 1) % 4].table.waits
    assert [waits.come_back(turn, tables.now + 15 * each) for each in range(5)] == [True, True, True, False, False]
    assert not waits.come_back(turn, tables.now + 31), "said again, it is the same return"


def test_who_comes_back_does_not_know_another_ones_clock() -> None:
    tables = Seated(time=20_000)
    turn = tables.until_thinking()
    tables.spend(8)
    tables.lose((turn + 1) % 4)
    tables.come_back((turn + 1) % 4)
    tables.spend(1)
    assert clock(tables, (turn + 1) % 4) is None


def test_a_short_loss_of_the_link_leaves_the_clock_as_it_is() -> None:
    tables = Seated(time=20_000)
    turn = tables.until_thinking()
    other = (turn + 1) % 4
    clock(tables, other)
    tables.seats[other].on_route(turn, Route.NONE)
    tables.spend(5)
    tables.seats[other].on_route(turn, Route.DIRECT)
    told = clock(tables, other)
    assert told is not None
    assert told[0] == turn
    assert told[1] == pytest.approx(15, abs=0.5)


# --- a bomb's grace ---


@pytest.mark.slow
def test_a_grace_is_seen_running_at_every_seat() -> None:
    tables = Seated("tichu", {"target": 0}, grace=2000)
    tables.start()
    while True:
        views = [client.table.view() for client in tables.clients]
        tables.think = any(view.phase == "collect" for view in views)  # nobody takes the trick yet
        if tables.think and tables.is_quiet():
            break
        tables.move_someone()
        tables.turn()
    winner = views[0].turn
    assert winner is not None
    for index in range(4):
        told = [(each.seat, each.seconds) for each in tables.hear(index, news.Grace)]
        assert told[-1:] == ([] if index == winner else [(winner, 2.0)])
    move = tables.clients[winner].table.legal()[0]
    asyncio.run(tables.seats[winner].play(move))
    assert [(each.seat, each.seconds) for each in tables.hear(winner, news.Grace)] == [(winner, 2.0)]


# --- what was checked ---


def test_a_deal_tells_what_was_checked_and_a_return_that_it_was() -> None:
    tables = Seated()
    tables.until_playing(12)
    dealt = tables.hear(GONE, news.DealChecked)[0]
    assert [(each.what, each.count) for each in dealt.steps] == [("own-shuffle", 1), ("shuffles", 4), ("hands", 4)]
    since = {each.what: each.count for each in tables.seats[GONE].checks()}
    of_others = sum(made.seat != GONE for made in tables.clients[GONE].table.memory.moves)
    assert since["moves"] == of_others >= 3
    assert not since.keys() & {"shuffles", "hands"}
    tables.think = True
    tables.lose()
    tables.come_back()
    again = tables.hear(GONE, news.DealChecked)[0]
    assert (again.took_ms, again.steps) == (0.0, ())
    assert tables.seats[GONE].checks() == ()


# --- hints ---


def test_each_player_is_known_by_the_same_key_at_every_seat() -> None:
    tables = Seated()
    keys = [[player.key for player in tables.seats[index].players] for index in range(4)]
    assert keys == [keys[0]] * 4
    assert len(set(keys[0])) == 4 and "" not in keys[0]


def test_all_see_how_much_help_each_takes_and_a_table_may_forbid_some() -> None:
    tables = Seated(suggest=False, remind=False)
    asyncio.run(tables.seats[1].take_help("suggest"))
    asyncio.run(tables.seats[3].take_help("off"))
    tables.until_thinking()
    tables.spend(2)
    for index in range(4):
        assert [player.hints for player in tables.seats[index].players] == ["", "legal", "", "off"]
    told = {each.seat: (each.before, each.now) for each in tables.hear(0, news.HintsChanged)}
    assert told == {1: ("", "legal"), 3: ("", "off")}
    facts = tables.seats[0].facts
    assert (facts.suggest, facts.warn_call) == (False, False)
    assert Seated().seats[0].facts.warn_call


def test_a_table_of_four_computers_says_that_the_others_together_can_open_a_hand() -> None:
    assert Seated(recovery="auto").seats[0].facts.recovery
    assert not Seated(recovery="off").seats[0].facts.recovery


@pytest.mark.slow
@pytest.mark.parametrize(("recovery", "ends"), [("auto", True), ("on", False), ("off", False)])
def test_it_is_told_when_too_few_are_left_to_finish_rounds_without_somebody(recovery: str, ends: bool) -> None:
    """Three can still do it where the table wants it."""
    tables = Seated(recovery=recovery)
    tables.until_playing()
    tables.take(GONE, tables.clients[GONE].table.leave(tables.now))
    tables.spend(5)
    assert [each.ends_recovery for each in tables.hear(0, news.WentOn)] == [ends]
    assert not tables.seats[0].facts.lacks_recovery
    assert Seated(seats=2, recovery="on").seats[0].facts.lacks_recovery


def test_who_goes_after_the_end_is_not_said_to_keep_a_seat() -> None:
    tables = Seated()
    tables.until_thinking()
    for index in (1, 2, 3):
        asyncio.run(tables.seats[index].leave(True))
        tables.spend(1)
        assert tables.clients[0].table.is_over == (index == 3)
        tables.lose(index)
        assert not tables.hear(0, news.Away)
    without = [each.without for each in tables.hear(0, news.WentOn)]
    assert without == [{1: Cause.GOODBYE}, {2: Cause.GOODBYE}]


# --- what was missed ---


def test_who_comes_back_is_told_what_the_round_brought_before() -> None:
    tables = Seated()
    tables.until_playing(7)
    tables.think = True
    while not tables.is_quiet():
        tables.turn()
    told = [(each.seat, each.move) for each in tables.hear(0, news.Moved)]
    tables.lose()
    tables.come_back()
    (found,) = tables.hear(GONE, news.Earlier)
    assert [(each.seat, each.move) for each in found.moves] == told
    assert len(told) >= 4
    for before, after in pairwise(found.moves):
        assert before.after == after.before
    assert not any(seat.hand for each in found.moves for seat in each.after.seats), "as all saw it"


def test_the_score_sheet_can_be_read_on_while_the_seat_is_in_the_room_again() -> None:
    tables = Seated()
    seat = tables.seats[0]
    kept = seat.at_table()
    scores, players = kept.view(), list(kept.players)
    seat.forget()
    assert seat.driver is None and seat.news is not kept.news
    assert (kept.view(), list(kept.players)) == (scores, players)


def test_who_thinks_too_long_is_told_that_the_others_vote_and_stays_by_a_move() -> None:
    tables = Seated()
    turn = tables.until_thinking()
    tables.spend(2 * LONG)  # who is there may think for longer
    first, second, *_ = (seat for seat in range(4) if seat != turn)
    tables.hear(turn, news.VotedOn)
    tables.votes(first, Opinion.FOR)
    tables.spend(1)
    assert tables.hear(turn, news.VotedOn) == [news.VotedOn((first,))]
    tables.votes(second, Opinion.FOR)
    tables.spend(1)
    assert tables.hear(turn, news.VotedOn) == [news.VotedOn(tuple(sorted((first, second))))]
    tables.spend(3)
    assert not tables.hear(turn, news.VotedOn), "once is enough"
    assert not tables.hear(first, news.VotedOn), "it is not about them"


def test_who_quits_for_good_is_not_told_that_the_match_is_over_for_all() -> None:
    tables = Seated("crazy-eights", {"hand": 2})
    tables.until_thinking()
    tables.take(GONE, tables.clients[GONE].table.leave(tables.now))
    fault = tables.seats[GONE].broken
    assert fault is not None and "you quit this match for good" in str(fault)
    tables.run(tables.is_quiet)
    assert all(tables.seats[index].broken is None for index in range(4) if index != GONE), "the others play on"
