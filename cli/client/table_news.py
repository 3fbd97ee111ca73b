"""A table's events as news for the faces.

A move is reported once its effects are settled, so that the view after it is what the player then sees.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from itertools import pairwise

from cli import news
from cli.clean import clean, clean_name
from cli.client.fates import expected_fate, fate_of
from cli.client.own_sleep import OwnSleep
from cli.client.sitters import ends_recovery, former_bot, names_of
from cli.log import LOG, described
from cli.news import News
from cli.news.emotes import CHAT_CELLS, text_of
from cli.text import key
from p2p.budgets import LINES, Buckets
from p2p.driver import Driver
from p2p.routes import Route
from protocol.cards import Seat
from protocol.errors import FairdealError
from protocol.games.views import PublicView
from protocol.levels import HINT_LEVELS
from protocol.messages import Chat, Emote, Opinion, WishOn
from protocol.signed import Signed
from protocol.table import events
from protocol.table.record import Broken, Ending, Phase, Record

WAKING_S = 3.0
"""How long a seat that slept makes no move: its turn may have passed, and we hear of that first."""
SLOW_S = 2.0
"""Catching up is shown only if it takes longer than this,"""
TOLD_EVERY_S = 1.0
"""and so often."""
OF_A_DEAL = ("own-shuffle", "shuffles", "hands")
"""The checks that belong to a deal."""
GOODBYE = key("{name} quit for good, so the match is over")
OWN_GOODBYE = key("you quit this match for good")
SHORT = key("the match ends here: {game} needs all its players")
CHEAT = key("{name} was caught cheating ({what}): {reason}")
DIFFERS = key("{name}'s computer disagrees about the game at step {height} ({fields}): the match cannot continue")


class TableNews:
    """What one table has told one seat. `queue` ends with None; `seated` is set as soon as we sit."""

    def __init__(self, clock: Callable[[], float], seated: asyncio.Event, sleep: OwnSleep) -> None:
        self.queue: asyncio.Queue[News | None] = asyncio.Queue()
        self.driver: Driver | None = None
        self.away: set[Seat] = set()
        """Who has no link to us."""
        self.asleep: set[Seat] = set()
        """Nobody looks at these phones."""
        self.compared: frozenset[bytes] = frozenset()
        """Whose keys the player has compared this evening."""
        self.broken: FairdealError | None = None
        """What broke off the match."""
        self.levels: dict[Seat, str] = {}
        """How much help each player uses."""
        self._clock, self._seated, self._sleep = clock, seated, sleep
        self._lost_asleep: set[Seat] = set()
        """Who has no link to us because our own computer slept."""
        self._slept_s = 0.0
        """For how long it slept, when that was told last: each sleep is told once."""
        self._woke_at = -WAKING_S
        self._behind_since: float | None = None
        """Since when we have been catching up."""
        self._progress_at = 0.0
        """When it was told how far we have come."""
        self._linked: set[Seat] = set()
        self._lines: Buckets[tuple[str, Seat]] = Buckets(LINES)
        self._view: PublicView | None = None
        self._pending: list[events.Moved] = []
        self._opened: events.RoundOpened | None = None
        self._opened_at = 0.0
        self._has_begun = False
        self._sits = True
        """Whether we have a seat at our table: who would take an empty one reads the match up to there first."""
        self._is_alone = False
        """Whether nobody else plays any more, and we wait for somebody who is sitting down."""
        self._voted: frozenset[Seat] = frozenset()
        """Who votes to play on without us."""
        self._wanting: set[bytes] = set()
        """Whose wish to take a bot's seat was told: once of each."""
        self._last_end: events.Event | None = None
        """How the last round ended, until we sit."""
        self._knows_clock = False
        """Whether we were present when the time for the current move started."""

    @property
    def live(self) -> Driver:
        """The table's driver. Only valid once there is one."""
        assert self.driver is not None
        return self.driver

    def put(self, piece: News | None) -> None:
        self.queue.put_nowait(piece)

    def end(self, last: News) -> None:
        """Report the last piece of news."""
        self.put(last)
        self.put(None)

    def begin(self, driver: Driver) -> None:
        """A table is being sealed, or was resumed."""
        self.driver = driver
        self._sits = not driver.table.is_newcomer or driver.table.is_present
        if (driver.table.record.seed is not None and self._sits) or driver.fault is not None:
            self._seated.set()  # sealed before we left, though perhaps no card was dealt
        if driver.table.record.state is not None and driver.fault is None:
            self._resume(driver)

    def _may_tell(self, kind: str, seat: Seat) -> bool:
        """Count that this is told of a seat; return whether it was not told too often lately."""
        return self._lines.takes((kind, seat), self._clock())

    def route_changed(self, seat: Seat, route: Route) -> None:
        """The route to a seat has changed."""
        if self.driver is None or self.driver.table.record.seed is None:
            return
        record = self.driver.table.record
        if route is Route.NONE and (record.is_over or seat not in record.present):
            self.away.add(seat)
            return  # nobody is missed
        if seat in record.ledger.departures.goodbyes:
            return  # whoever quit for good is in the lobby, and tells from there how the match ended for them
        LOG.info("seat %d: link %s", seat, route.name.lower())
        # A peer linked before the seats were drawn counts as linked, though no change was reported since.
        if route is Route.NONE and (seat in self._linked or self._has_begun):
            # Whoever comes and goes without end is told of no more; who stays away is waited for, and that is told.
            if seat not in self.away and self._may_tell("lost", seat):
                self.away.add(seat)
                if was_asleep := self._was_asleep():
                    self._lost_asleep.add(seat)
                self.put(news.Away(seat, self._is_ours(seat), was_asleep))
        elif route is not Route.NONE:
            self._linked.add(seat)
            if seat in self.away:
                self.away.discard(seat)
                self.put(news.Back(seat, self._is_ours(seat), seat in self._lost_asleep))
                self._lost_asleep.discard(seat)
                self._put_clock(self.driver)

    def _was_asleep(self) -> bool:
        """Whether our own computer slept until just now; that is told before what seems to have happened meanwhile."""
        slept_s = self._sleep.slept_s()
        if slept_s and slept_s != self._slept_s:
            self._slept_s = slept_s
            self.put(news.WasAsleep(slept_s))
        return bool(slept_s)

    def woke(self) -> None:
        """Our own computer was asleep: that is told before we know what happened meanwhile."""
        if self.driver is not None and self.driver.table.record.state is not None and not self.driver.table.is_over:
            self._woke_at = self._clock()
            self._was_asleep()

    @property
    def is_waking(self) -> bool:
        """Whether our computer slept until just now, and what stands on the screen may be of before."""
        now = self._clock()
        if not self._sleep.slept_s():
            return False
        return now < self._woke_at + WAKING_S or self.live.table.caught_up(now) is not None

    def _look_at_progress(self, driver: Driver) -> None:
        """Tell how far we have come, if catching up takes a while."""
        now = self._clock()
        done = driver.table.caught_up(now)
        if done is None:
            self._behind_since = None
        elif self._behind_since is None:
            self._behind_since = now
        elif now >= max(self._behind_since + SLOW_S, self._progress_at + TOLD_EVERY_S):
            self._progress_at = now
            self.put(news.CatchingUp(driver.table.record.rounds_closed + 1, done))

    def asleep_changed(self, seat: Seat, is_asleep: bool) -> None:
        """Somebody's phone fell asleep or woke up."""
        (self.asleep.add if is_asleep else self.asleep.discard)(seat)
        if self.driver is not None and self.driver.table.record.state is not None:
            self.put(news.Asleep(seat, is_asleep))

    def _is_ours(self, seat: Seat) -> bool:
        """Return whether a seat is played by one of our own bots."""
        record = self.live.table.record
        member = record.member(seat)  # a phone has a keeper, too
        return member.bot and member.keeper == record.key(self.live.table.seat) != record.key(seat)

    def receive(self, driver: Driver, happened: tuple[events.Event, ...]) -> None:
        """The table reports events."""
        self.driver = driver
        if not self._sits:
            self._last_end = next((each for each in reversed(happened) if _is_end(each)), self._last_end)
            if driver.table.is_present:
                self._sit_down(driver, happened)
            return
        for event in happened if self._sits else ():
            if LOG.isEnabledFor(logging.INFO):
                LOG.info("%s", described(event))
            self._on_event(driver, event)
        if self._sits:
            self._look_at_votes(driver)
            self._look_at_progress(driver)

    def _sit_down(self, driver: Driver, happened: tuple[events.Event, ...]) -> None:
        """Report the current state once we have taken a seat, which happens between rounds: how the last one ended is still
        looked at."""
        self._sits = True
        self._seated.set()
        if driver.table.record.state is None:
            return
        self._resume(driver)
        if self._last_end is not None:
            self._on_event(driver, self._last_end)
        for event in happened:
            if isinstance(event, events.EpochBegan) and event.joined:
                self._on_event(driver, event)

    def _look_at_votes(self, driver: Driver) -> None:
        """Report who has begun to vote to play on without us."""
        record, own = driver.table.record, driver.table.seat
        by = frozenset(seat for (seat, about), vote in record.wishes.items() if about == own and _is_for(vote))
        new = {seat for seat in by - self._voted if own in record.present and self._may_tell("vote", seat)}
        if new:
            self.put(news.VotedOn(tuple(sorted(by))))
        self._voted = by & (self._voted | new)

    def _resume(self, driver: Driver) -> None:
        """Report the current state after we were away."""
        record = driver.table.record
        self._has_begun = True
        self._view = driver.table.view()
        if record.round is not None:  # checked before we left, as our own vote for its opening proves
            self.put(news.DealChecked(record.round.holders, 0.0))
            is_closed = record.phase in (Phase.BETWEEN, Phase.CONFIRMING, Phase.OVER) and not record.round.is_void
            points = record.points[:-1] if is_closed else record.points  # the last round's are reported with its end
            # The moves of a closed round were those of whoever sat here before a newcomer.
            moves = () if is_closed and driver.table.is_newcomer else _earlier(record)
            self.put(news.Earlier(moves, tuple(points)))
        self.put(news.RoundBegan(record.round.number if record.round is not None else 1, self._view))
        if driver.table.would_sit:
            self.put(news.WentOn({driver.table.seat: events.Cause.VOTE}, may_return=True))
        elif self._was_ours(driver.table.seat):
            self.put(news.TookSeat(driver.table.seat, was_ours=True))

    def _was_ours(self, seat: Seat) -> bool:
        """Whether somebody else sits in the seat in which we sat."""
        table = self.live.table
        return seat == table.seat and table.is_displaced and not table.is_newcomer

    def _on_event(self, driver: Driver, event: events.Event) -> None:
        table = driver.table
        match event:
            case events.Sealed():
                self._seated.set()
            case events.RoundOpened():
                self._opened, self._opened_at = event, time.monotonic()
            case events.Moved():
                self._pending.append(event)
            case events.Settled():
                self._settled(driver)
            case events.RoundClosed():
                breaches = tuple((each.seat, each.reason) for each in event.breaches)
                proven = tuple((seat, reason) for seat, reason in breaches if isinstance(reason, FairdealError))
                self._view = event.view
                is_last = table.record.phase is Phase.OVER
                pause_s = 0.0 if is_last else max(0.0, table.pause_until - self._clock())
                view = event.view.with_hands(dict(enumerate(event.hands)))
                is_past = table.is_reading(self._clock())
                self.put(news.RoundEnded(view, proven, pause_s, is_last, is_past))
            case events.RoundVoid():
                self.put(news.RoundVoid(tuple(each.seat for each in event.breaches)))
            case events.Accused():
                reason = self._cheat(event)
                fault = event.reason if isinstance(event.reason, FairdealError) else reason
                self.put(news.Accused(event.seat, fault))
                if table.record.broken is not None:
                    self._break(reason)
            case events.SaidGoodbye():
                if table.record.broken is not None:
                    self._break(self._goodbye(event.seat))
            case events.AwaitsCompany():
                self._is_alone = True
                joining = tuple(clean_name(name, "") for name in event.names)
                ends_s = max(0.0, event.until - self._clock())
                self.put(news.Paused(event.seats, joining=joining, left=event.left, ends_s=ends_s))
            case events.GivenUp():
                self._give_up(table.record.broken)
            case events.EpochBegan():
                if self._is_alone:
                    self._is_alone = False
                    self.put(news.Paused(()))
                fate = fate_of(table.record, event)
                if fate is not news.Fate.PLAYED:
                    self._pending.clear()
                    self._opened = None
                makes_room = bool(event.without) and set(event.without.values()) == {events.Cause.ROOM}
                if not makes_room and (event.without or not event.joined):  # who sits down there is told
                    few = ends_recovery(table.record, event.present, event.without)
                    gone = clean_name(event.withdrawn, "") if table.is_present else ""
                    self.put(news.WentOn(event.without, fate, event.is_dropped, table.would_sit, few, gone))
                for seat, is_back in event.joined.items():
                    self.away.discard(seat)
                    self._linked.add(seat)
                    bot = former_bot(table.record, seat) if seat in event.given else ""
                    self.put(news.TookSeat(seat, is_back, self._was_ours(seat), bot))
            case events.SeatWanted(seat, key) if key not in self._wanting and table.record.key(table.seat) != key:
                if not self._may_tell("wanted", seat):
                    return
                self._wanting.add(key)
                self.put(news.SeatWanted(seat, clean_name(event.name)))
            case events.MatchShort():
                self._break(FairdealError(SHORT, game=table.game.title))
            case events.Differs():
                fields = ", ".join(event.fields) or "?"
                self._break(FairdealError(DIFFERS, name=self._name(event.seat), height=event.height, fields=fields))
            case events.MoveLost():
                self.put(news.Overtaken(event.move))
            case events.HintsChanged(levels):
                for seat, level in levels.items():
                    before, self.levels[seat] = self.levels.get(seat, ""), HINT_LEVELS[level]
                    if before != self.levels[seat] and self._may_tell("help", seat):
                        self.put(news.HintsChanged(seat, before, self.levels[seat]))
            case events.SignedTwice(seat):
                self.put(news.Misbehaved(seat, is_flood=False))
            case events.SendsTooMuch(seat):
                self.put(news.Misbehaved(seat, is_flood=True))
            case events.CameBack(seat):
                self._knows_clock = self._knows_clock or seat == table.view().turn
                self._put_clock(driver)
            case events.WishesChanged() if self._is_alone:
                return  # it is told whom we wait for
            case events.WishesChanged():
                if event.awaited:
                    self._was_asleep()
                self.put(self._paused(event))
                if not event.awaited:
                    self._put_clock(driver)
            case events.Returned():
                self._put_settled(driver)
            case events.Said(seat, Chat(text=text)):
                self.put(news.Said(seat, clean(text, CHAT_CELLS)))
            case events.Said(seat, Emote(name=name)):
                self.put(news.Said(seat, text_of(name)))
            case _:
                return
        if table.record.broken is not None and self.broken is None and table.record.broken.ending is Ending.GOODBYE:
            self._break(self._goodbye(table.record.broken.seat))

    def _give_up(self, broken: Broken | None) -> None:
        """Say why the match is over, though we heard what led to it some time ago."""
        if broken is not None:
            self._break(self._goodbye(broken.seat) if broken.accused is None else self._cheat(broken.accused))

    def _cheat(self, accused: events.Accused) -> FairdealError:
        """Whom all have caught, and of what."""
        return FairdealError(CHEAT, name=self._name(accused.seat), what=accused.what, reason=str(accused.reason))

    def _goodbye(self, seat: Seat) -> FairdealError:
        """Why the match is over for us: for everybody, or for us alone."""
        if seat == self.live.table.seat:
            return FairdealError(OWN_GOODBYE)
        return FairdealError(GOODBYE, name=self._name(seat))

    def _settled(self, driver: Driver) -> None:
        view = driver.table.view()
        is_news = self._opened is not None or bool(self._pending)
        if self._opened is not None:
            round = driver.table.record.round
            shuffled = round.holders if round is not None else ()
            took_ms = (time.monotonic() - self._opened_at) * 1000
            checks = driver.table.effort.checks(len(shuffled))
            self.put(news.DealChecked(shuffled, took_ms, tuple(each for each in checks if each.what in OF_A_DEAL)))
            self.put(news.RoundBegan(self._opened.round, view))
            self._opened, self._has_begun = None, True
        entered = driver.table.take_entered()
        for moved in self._pending:
            is_last = moved is self._pending[-1]
            after = view.with_arrived(driver.table.seat, entered) if is_last and entered else view
            self.put(news.Moved(moved.seat, moved.move, self._view or moved.before, after))
        self._pending.clear()
        self._view = view
        self._knows_clock = True
        if is_news:
            self._put_times(driver)
        else:
            self._put_settled(driver)  # what led to this was reported when we returned

    def _put_settled(self, driver: Driver) -> None:
        """Report that moves are possible though nothing has happened."""
        if driver.table.record.state is not None:
            self.put(news.Settled())
            self._put_times(driver)

    def _put_times(self, driver: Driver) -> None:
        """Report whose time runs, and whose closing move is expected."""
        self._put_clock(driver)
        closing = driver.table.closing
        if closing is not None and closing[0] != driver.table.seat:  # our own is reported when we take the trick
            self.put(news.Grace(*closing))

    def _put_clock(self, driver: Driver) -> None:
        """With a time limit, report until when the seat in turn must move.

        Another seat's clock is known only if we were present when it started.
        """
        table, turn = driver.table, driver.table.view().turn
        limit_s = table.record.roster.table.time / 1000
        if turn is None or not limit_s or table.record.phase is not Phase.PLAYING:
            return
        if turn != table.seat and not self._knows_clock:
            return
        deadline = table.move_deadline_of(turn)
        self.put(news.ClockRuns(turn, limit_s if deadline is None else max(0.0, deadline - self._clock())))

    def _paused(self, wait: events.WishesChanged) -> news.Paused:
        if not wait.awaited:
            return news.Paused(())
        now, record = self._clock(), self.live.table.record
        left_s = None if wait.may_at is None else max(0.0, wait.may_at - now)
        silent_s = None if wait.silent_until is None else max(0.0, wait.silent_until - now)
        leaving = tuple(sorted(record.quorum.with_company(wait.awaited) & set(record.present)))
        return news.Paused(
            wait.awaited,
            left_s,
            wait.by,
            now - wait.since,
            wait.needed,
            wait.against,
            silent_s,
            leaving,
            expected_fate(record, leaving),
        )

    def _break(self, reason: FairdealError) -> None:
        if self.broken is None:
            self.broken = reason

    def _name(self, seat: Seat) -> str:
        return names_of(self.live.table.record)[seat]


def _earlier(record: Record) -> tuple[news.Moved, ...]:
    """Return the moves of the current round, with the public views before and after each."""
    game, history = record.game, record.round.history if record.round is not None else []
    states = [*(played.state for played in history), record.state]
    views = [game.public_view(state) for state in states]
    return tuple(
        news.Moved(played.seat, game.encode(played.move), before, after)
        for played, (before, after) in zip(history, pairwise(views), strict=True)
    )


def _is_end(event: events.Event) -> bool:
    return isinstance(event, events.RoundClosed | events.RoundVoid)


def _is_for(vote: Signed) -> bool:
    """Whether this vote is to play on without the seat that it is about."""
    return isinstance(vote.message, WishOn) and vote.message.wish == Opinion.FOR
