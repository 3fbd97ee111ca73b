"""A seat at a real table: turns a node's events into news for the faces.

A move is reported once its effects are settled, so that the view after it is what the player then sees.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import logging
import time
from collections.abc import Callable, Collection, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

from cli import news
from cli.clean import clean, clean_name
from cli.client.fates import expected_fate, fate_of
from cli.client.names import Names
from cli.log import LOG, described
from cli.news import News, Player, TableFacts
from cli.text import key
from p2p.driver import Driver
from p2p.interfaces import LOOPBACK, interfaces
from p2p.mesh import Route, Trouble
from p2p.network_adapters import is_offline
from p2p.node import Node, Owner
from p2p.room.offers import Offer
from protocol.cards import Card, Seat
from protocol.errors import FairdealError, IllegalMove
from protocol.games.game import AnyGame, Data
from protocol.games.views import extended
from protocol.levels import HINT_LEVELS
from protocol.messages import Chat, Emote, Opinion, WishOn
from protocol.room.refusals import Refusal
from protocol.room.values import Room
from protocol.signed import Signed
from protocol.table import events
from protocol.table.effort import Checked
from protocol.table.keepers import is_recoverable
from protocol.table.record import Ending, Phase, Record

CHAT_CELLS = 200
LOOK_EVERY_S = 1.0
GOODBYE_S = 5.0
"""How long a goodbye waits for the end of the round, if that is being voted; then the seat is kept."""
TOLD_TROUBLES = ("flood", "full")
OF_A_DEAL = ("own-shuffle", "shuffles", "hands")
"""The checks that belong to a deal."""
GOODBYE = key("{name} quit for good, so the match is over")
SHORT = key("the match ends here: {game} needs all its players")
CHEAT = key("{name} was caught cheating ({what}): {reason}")
DIFFERS = key("{name}'s computer disagrees about the game at step {height} ({fields}): the match cannot continue")


class LiveSeat(Owner):
    """One person's seat; the owner of its node (see `p2p.node.Owner`)."""

    def __init__(self) -> None:
        self.news: asyncio.Queue[News | None] = asyncio.Queue()
        self.node: Node | None = None
        self._names: Names | None = None
        self.driver: Driver | None = None
        self.room: Room | None = None
        self.on_room_change: Callable[[Room], None] = lambda _room: None
        self.on_change: Callable[[], None] = lambda: None
        self.on_chat: Callable[[bytes, str], None] = lambda _key, _text: None
        self.on_room_news: Callable[[news.RoomNews], None] = lambda _news: None
        self.offered: Callable[[Offer | None], None] = lambda _offer: None
        """Receives the empty seat that we may take, or None when it is gone."""
        self.on_disturbed: Callable[[str], None] = lambda _host: None
        self.refused: asyncio.Future[FairdealError] | None = None
        self.seated = asyncio.Event()
        self.away: set[Seat] = set()
        self.broken: FairdealError | None = None
        self._linked: set[Seat] = set()
        self._view: Data = {}
        self._levels: dict[Seat, str] = {}
        self._pending: list[events.Moved] = []
        self._opened: events.RoundOpened | None = None
        self._opened_at = 0.0
        self._has_begun = False
        self._sits = True
        self._voted: frozenset[Seat] = frozenset()
        """Who votes to play on without us."""
        """Whether we have a seat at our table: who would take an empty one reads the match up to there first."""
        self._knows_clock = False
        """Whether we were present when the time for the current move started."""
        self._looked_at = -LOOK_EVERY_S
        """When the network was looked at last, and whether there was none."""
        self._has_no_network = False
        self.now: Callable[[], float] = lambda: asyncio.get_running_loop().time()

    def forget(self) -> None:
        """Reset everything about the old table. What `at_table` returned keeps it."""
        self.driver = self.room = self.broken = self._opened = None
        self._view = {}
        self.away, self._linked, self._levels, self._pending = set(), set(), {}, []
        self._has_begun = self._knows_clock = False
        self._voted = frozenset()
        self.seated.clear()
        self.news = asyncio.Queue()

    def at_table(self) -> LiveSeat:
        """Return this seat as it is at its table: its score sheet can be read on while we are in the room again."""
        return copy.copy(self)

    # --- called by the node ---

    def on_room(self, room: Room) -> None:
        self.room = room
        self._notice_names(room)
        self.on_room_change(room)
        self.on_change()

    def _notice_names(self, room: Room) -> None:
        """Report each person whose name does not belong to their key as before."""
        if self.node is None:
            return
        self._names = self._names or Names(self.node.journal)
        for guest in room.members:
            is_other = guest.is_person and guest.key != self.node.identity.public
            if is_other and (noticed := self._names.notice(guest.key, guest.name)) is not None:
                self.on_room_news(noticed)

    def on_said(self, key: bytes, text: str) -> None:
        self.on_chat(key, clean(text, CHAT_CELLS))

    def on_refused(self, reason: FairdealError) -> None:
        if self.refused is not None and not self.refused.done():
            self.refused.set_result(reason)

    def on_torn(self, silent: Collection[bytes], revealed: bool, count: int) -> None:
        self.driver = None
        names = {guest.key: clean_name(guest.name) for guest in self.room.members} if self.room is not None else {}
        self.on_room_news(news.DrawTorn(tuple(sorted(names.get(key, "?") for key in silent)), revealed, count))

    def on_declined(self, key: bytes, reason: Refusal) -> None:
        guest = self.room.guest(key) if self.room is not None else None
        is_own = self.node is None or key == self.node.identity.public
        self.on_room_news(news.NotSigned("" if is_own or guest is None else clean_name(guest.name), reason))

    def on_offer(self, offer: Offer | None) -> None:
        self.offered(offer)

    def on_seat_lost(self, driver: Driver) -> None:
        self.driver = None
        record = driver.table.record
        self.on_room_news(news.SeatLost("" if record.is_over else clean_name(record.member(driver.table.seat).name)))
        self.on_change()

    def on_not_done(self, reason: Refusal) -> None:
        self.on_room_news(news.RequestRefused(reason))

    def on_trouble(self, trouble: Trouble) -> None:
        LOG.warning("%s costs too much: %s", trouble.host, trouble.what)
        if trouble.what in TOLD_TROUBLES:
            self.on_disturbed(clean(trouble.host, CHAT_CELLS))

    def on_table(self, driver: Driver) -> None:
        self.driver = driver
        self.on_change()
        self._sits = not driver.table.is_newcomer or driver.table.is_present
        if (driver.table.record.seed is not None and self._sits) or driver.fault is not None:
            self.seated.set()  # sealed before we left, though perhaps no card was dealt
        if driver.table.record.state is not None and driver.fault is None:
            self._resume(driver)

    def on_route(self, seat: Seat, route: Route) -> None:
        if self.driver is None or self.driver.table.record.seed is None:
            return
        record = self.driver.table.record
        if route is Route.NONE and (record.is_over or seat not in record.present):
            self.away.add(seat)
            return  # nobody is missed
        LOG.info("seat %d: link %s", seat, route.name.lower())
        # A peer linked before the seats were drawn counts as linked, though no change was reported since.
        if route is Route.NONE and (seat in self._linked or self._has_begun):
            if seat not in self.away:
                self.away.add(seat)
                self._put(news.Away(seat, self._is_ours(seat)))
        elif route is not Route.NONE:
            self._linked.add(seat)
            if seat in self.away:
                self.away.discard(seat)
                self._put(news.Back(seat, self._is_ours(seat)))
                self._put_clock(self.driver)

    def _is_ours(self, seat: Seat) -> bool:
        """Return whether a seat is played by one of our own bots."""
        record = self.live.table.record
        return record.member(seat).keeper == record.key(self.live.table.seat) != record.key(seat)

    def on_bots(self, piece: news.BotsNews) -> None:
        """Receive news from the bots' supervisor."""
        self._put(piece)

    def on_events(self, driver: Driver, happened: tuple[events.Event, ...]) -> None:
        self.driver = driver
        if not self._sits and driver.table.is_present:
            self._sits = True
            self.seated.set()
            if driver.table.record.state is not None:
                self._resume(driver)
            return
        for event in happened if self._sits else ():
            if LOG.isEnabledFor(logging.INFO):
                LOG.info("%s", described(event))
            self._on_event(driver, event)
        if self._sits:
            self._look_at_votes(driver)

    def _look_at_votes(self, driver: Driver) -> None:
        """Report who has begun to vote to play on without us."""
        record, own = driver.table.record, driver.table.seat
        by = frozenset(seat for (seat, about), vote in record.wishes.items() if about == own and _is_for(vote))
        if by - self._voted and own in record.present:
            self._put(news.VotedOn(tuple(sorted(by))))
        self._voted = by

    def _resume(self, driver: Driver) -> None:
        """Report the current state after we were away."""
        record = driver.table.record
        self._has_begun = True
        self._view = driver.table.view()
        if record.round is not None:  # checked before we left, as our own vote for its opening proves
            self._put(news.DealChecked(tuple(record.present), 0.0))
            is_closed = record.phase in (Phase.BETWEEN, Phase.OVER) and not record.round.is_void
            points = record.points[:-1] if is_closed else record.points  # the last round's are reported with its end
            self._put(news.Earlier(earlier(record), tuple(points)))
        self._put(news.RoundBegan(record.round.number if record.round is not None else 1, self._view))
        if driver.table.would_sit:
            self._put(news.WentOn({driver.table.seat: events.Cause.VOTE}, may_return=True))

    def _on_event(self, driver: Driver, event: events.Event) -> None:
        table = driver.table
        match event:
            case events.Sealed():
                self.seated.set()
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
                pause_s = 0.0 if is_last else max(0.0, table.pause_until - self.now())
                hands = {str(seat): list(hand) for seat, hand in enumerate(event.hands)}
                self._put(news.RoundEnded(extended(event.view, hands=hands), proven, pause_s, is_last))
            case events.RoundVoid():
                self._put(news.RoundVoid(tuple(each.seat for each in event.breaches)))
            case events.Accused():
                reason = FairdealError(CHEAT, name=self.name(event.seat), what=event.what, reason=str(event.reason))
                fault = event.reason if isinstance(event.reason, FairdealError) else reason
                self._put(news.Accused(event.seat, fault))
                if table.record.broken is not None:
                    self._break(reason)
            case events.SaidGoodbye():
                if table.record.broken is not None:
                    self._break(FairdealError(GOODBYE, name=self.name(event.seat)))
            case events.EpochBegan():
                fate = fate_of(table.record, event)
                if fate is not news.Fate.PLAYED:
                    self._pending.clear()
                    self._opened = None
                if event.without or not event.joined:
                    self._put(news.WentOn(event.without, fate, event.is_dropped, table.would_sit))
                for seat, is_back in event.joined.items():
                    self.away.discard(seat)
                    self._linked.add(seat)
                    self._put(news.TookSeat(seat, is_back))
            case events.MatchShort():
                self._break(FairdealError(SHORT, game=table.game.title))
            case events.Differs():
                fields = ", ".join(event.fields) or "?"
                self._break(FairdealError(DIFFERS, name=self.name(event.seat), height=event.height, fields=fields))
            case events.MoveLost():
                self._put(news.Overtaken(event.move))
            case events.HintsChanged(levels):
                for seat, level in levels.items():
                    before, self._levels[seat] = self._levels.get(seat, ""), HINT_LEVELS[level]
                    if before != self._levels[seat]:
                        self._put(news.HintsChanged(seat, before, self._levels[seat]))
            case events.SignedTwice(seat):
                self._put(news.Misbehaved(seat, is_flood=False))
            case events.SendsTooMuch(seat):
                self._put(news.Misbehaved(seat, is_flood=True))
            case events.CameBack(seat):
                self._knows_clock = self._knows_clock or seat == table.view().get("turn")
                self._put_clock(driver)
            case events.WishesChanged():
                self._put(self._paused(event))
                if not event.awaited:
                    self._put_clock(driver)
            case events.Returned():
                self._put_settled(driver)
            case events.Said(seat, Chat(text=text)):
                self._put(news.Said(seat, clean(text, CHAT_CELLS)))
            case events.Said(seat, Emote(name=name)):
                self._put(news.Said(seat, f":{clean(name, 32)}"))
            case _:
                return
        if table.record.broken is not None and self.broken is None and table.record.broken.ending is Ending.GOODBYE:
            self._break(FairdealError(GOODBYE, name=self.name(table.record.broken.seat)))

    def _settled(self, driver: Driver) -> None:
        view = driver.table.view()
        is_news = self._opened is not None or bool(self._pending)
        if self._opened is not None:
            shuffled = tuple(driver.table.record.present)
            took_ms = (time.monotonic() - self._opened_at) * 1000
            checks = driver.table.effort.checks(len(shuffled))
            self._put(news.DealChecked(shuffled, took_ms, tuple(each for each in checks if each.what in OF_A_DEAL)))
            self._put(news.RoundBegan(self._opened.round, view))
            self._opened, self._has_begun = None, True
        entered = driver.table.take_entered()
        for moved in self._pending:
            is_last = moved is self._pending[-1]
            after = extended(view, entered=list(entered)) if is_last and entered else view
            self._put(news.Moved(moved.seat, moved.move, self._view or moved.before, after))
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
            self._put(news.Settled())
            self._put_times(driver)

    def _put_times(self, driver: Driver) -> None:
        """Report whose time runs, and whose closing move is expected."""
        self._put_clock(driver)
        closing = driver.table.closing
        if closing is not None and closing[0] != driver.table.seat:  # our own is reported when we take the trick
            self._put(news.Grace(*closing))

    def _put_clock(self, driver: Driver) -> None:
        """With a time limit, report until when the seat in turn must move.

        Another seat's clock is known only if we were present when it started.
        """
        table, turn = driver.table, driver.table.view().get("turn")
        limit_s = table.record.roster.table.time / 1000
        if turn is None or not limit_s or table.record.phase is not Phase.PLAYING:
            return
        if turn != table.seat and not self._knows_clock:
            return
        deadline = table.move_deadline_of(turn)
        self._put(news.ClockRuns(turn, limit_s if deadline is None else max(0.0, deadline - self.now())))

    def _paused(self, wait: events.WishesChanged) -> news.Paused:
        if not wait.awaited:
            return news.Paused(())
        now, record = self.now(), self.live.table.record
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

    def _put(self, piece: News | None) -> None:
        self.news.put_nowait(piece)

    def end(self, last: News) -> None:
        """Report the last piece of news."""
        self._put(last)
        self._put(None)

    # --- cli.news.Playing ---

    @property
    def live(self) -> Driver:
        """The table's driver. Only valid once there is one."""
        assert self.driver is not None
        return self.driver

    def name(self, seat: Seat) -> str:
        """Return the player's name (see `names_of`)."""
        return names_of(self.live.table.record)[seat]

    @property
    def game(self) -> AnyGame:
        return self.live.table.game

    @property
    def seat(self) -> Seat | None:
        return self.live.table.seat

    @property
    def players(self) -> Sequence[Player]:
        record = self.live.table.record
        names = names_of(record)
        keys = {record.key(seat): name for seat, name in enumerate(names)}
        recovered = record.round.recovered if record.round is not None else {}
        found = []
        for seat in range(record.size):
            member = record.member(seat)
            through = "" if member.keeper == member.key else keys.get(member.keeper, "")
            hints = self._levels.get(seat, "")
            left = record.seed is not None and seat not in record.present
            found.append(
                Player(
                    names[seat],
                    member.bot,
                    seat in self.away,
                    through,
                    hints,
                    left,
                    left and seat in recovered,
                    member.key.hex(),
                )
            )
        return found

    @property
    def facts(self) -> TableFacts:
        record = self.live.table.record
        title = clean_name(self.room.title if self.room is not None else self.node.title if self.node else "", "")
        table = record.roster.table
        options = dict(record.roster.options)
        own = record.key(self.live.table.seat)
        is_shared = any(own not in (member.key, member.keeper) for member in record.roster.members)
        return TableFacts(
            title,
            record.words,
            table.rounds,
            table.remind,
            table.suggest,
            recovery=is_recoverable(table.recovery, record.roster.members),
            is_shared=is_shared,
            options=options,
        )

    @property
    def reconnecting(self) -> news.Reconnecting | None:
        if self.node is None or self.driver is None or self.driver.table.record.seed is None:
            return None
        record, me = self.driver.table.record, self.node.identity.public
        others = [seat for seat in record.present if record.member(seat).keeper != me and record.key(seat) != me]
        computers = {record.member(seat).keeper for seat in others}
        if not computers or any(seat not in self.away for seat in others):
            return None
        is_offline = self._is_offline([record.key(seat) for seat in others])
        if len(computers) < 2 and not is_offline:
            return None  # if the only other computer is missing, either side may have lost its connection
        return news.Reconnecting(*self.node.mesh.calling, is_offline)

    def _is_offline(self, others: Sequence[bytes]) -> bool:
        """Whether this computer has no network, and the others are elsewhere. Looked at once a second."""
        if self.now() - self._looked_at >= LOOK_EVERY_S:
            self._looked_at = self.now()
            assert self.node is not None
            hosts = {host for key in others for host, _port in self.node.mesh.addresses(key)}
            self._has_no_network = not hosts & set(LOOPBACK) and is_offline(interfaces())
        return self._has_no_network

    def checks(self) -> Sequence[Checked]:
        table = self.live.table
        checks = table.effort.checks(len(table.record.present))
        return tuple(each for each in checks if each.what not in OF_A_DEAL)

    @property
    def onlookers(self) -> int:
        return self.node.mesh.watchers if self.node is not None else 0

    def view(self) -> Data:
        return self.live.table.view()

    def hand(self) -> tuple[Card, ...]:
        return self.live.table.cards_as_they_came

    def legal(self) -> Sequence[Any]:
        return self.live.table.legal()

    def check(self, move: Any) -> None:
        table = self.live.table
        table.game.check(table.record.state, table.seat, table.cards, move)

    def thought(self) -> Callable[[], Any | None] | None:
        table = self.live.table
        if table.record.state is None:
            return None
        return partial(self.game.strategy().choose, table.record.state, table.seat, table.cards, Random(0))

    async def play(self, move: Any) -> None:
        table = self.live.table
        if table.record.state is None:
            raise IllegalMove("the table is not ready for your move yet: wait a moment")
        if table.game.waits_grace(table.record.state, table.seat, move) and (grace := table.grace_s):
            self._put(news.Grace(table.seat, grace))
        self.live.feed(partial(table.act, move))

    async def say(self, text: str) -> None:
        self.live.feed(partial(self.live.table.say, clean(text, CHAT_CELLS)))

    async def ready(self) -> None:
        self.live.feed(self.live.table.ready)

    async def vote(self, opinion: Opinion) -> None:
        table = self.live.table
        self.live.feed(
            table.wish_to_wait if opinion is Opinion.AGAINST else partial(table.wish_on, opinion is Opinion.FOR)
        )

    async def take_help(self, level: str) -> None:
        self.live.feed(partial(self.live.table.take_help, HINT_LEVELS.index(level)))

    async def leave(self, for_good: bool) -> None:
        if not for_good:
            return
        driver = self.live
        driver.feed(driver.table.leave)
        with contextlib.suppress(TimeoutError):  # after our closing vote it waits for those of the others
            async with asyncio.timeout(GOODBYE_S):
                while driver.table.is_leaving and not driver.table.is_over and not driver.is_closed:
                    driver.changed.clear()
                    await driver.changed.wait()


def names_of(record: Record) -> list[str]:
    """Return the players' names by seat; equal names are distinguished by a number."""
    names = [clean_name(record.member(seat).name) for seat in range(record.size)]
    counts = [names[:seat].count(name) for seat, name in enumerate(names)]
    return [f"{name} {count + 1}" if count else name for name, count in zip(names, counts, strict=True)]


def earlier(record: Record) -> tuple[news.Moved, ...]:
    """Return the moves of the current round, with the public views before and after each."""
    game, history = record.game, record.round.history if record.round is not None else []
    states = [*(played.state for played in history), record.state]
    views = [game.view(state) for state in states]
    return tuple(
        news.Moved(played.seat, game.encode(played.move), before, after)
        for played, (before, after) in zip(history, pairwise(views), strict=True)
    )


def _is_for(vote: Signed) -> bool:
    """Whether this vote is to play on without the seat that it is about."""
    return isinstance(vote.message, WishOn) and vote.message.wish == Opinion.FOR
