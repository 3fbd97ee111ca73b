"""A person's seat at a real table: what a node reports, and what a face reads and asks for."""

from __future__ import annotations

import asyncio
import contextlib
import copy
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from random import Random
from typing import Any

from cli.clean import clean, clean_name
from cli.client.comparing import compared_keys, note_compared
from cli.client.connection import Connection
from cli.client.game_failures import noted
from cli.client.names import KnownNames
from cli.client.own_sleep import OwnSleep
from cli.client.room_evening import RoomEvening
from cli.client.sitters import facts_of, members_of, names_of, players_of
from cli.client.table_news import OF_A_DEAL, TableNews
from cli.log import LOG
from cli.news import (
    BotsNews,
    DrawTorn,
    Grace,
    News,
    NotSigned,
    Player,
    Reconnecting,
    RequestRefused,
    RoomNews,
    SeatLost,
    TableFacts,
    Thought,
    keys_to_compare,
)
from cli.news.emotes import CHAT_CELLS, EMOTES
from p2p.budgets import LINES, SEEN, Bucket
from p2p.driver import Driver
from p2p.node import Node, Owner
from p2p.room.offers import SeatOffer
from p2p.routes import Route
from p2p.troubles import Trouble
from protocol.cards import Card, Seat
from protocol.errors import BadMessage, FairdealError, GameFailed, IllegalMove, as_failure
from protocol.games.advice import advise
from protocol.games.game import AnyGame
from protocol.games.views import PublicView
from protocol.levels import HINT_LEVELS
from protocol.messages import Chat, Emote, Opinion
from protocol.room.refusals import RoomRefusal
from protocol.room.values import Room
from protocol.table import events
from protocol.table.effort import Checked

GOODBYE_S = 5.0
"""How long a goodbye waits for the end of the round, if that is being voted; then the seat is kept."""
TOLD_TROUBLES = ("flood", "full")


class LiveSeat(Owner):
    """One person's seat; the owner of its node (see `p2p.node.Owner`), and what a face plays at (see `cli.news.Playing`)."""

    def __init__(self) -> None:
        self.node: Node | None = None
        self.room: Room | None = None
        self.evening: RoomEvening | None = None
        self.on_room_change: Callable[[Room], None] = lambda _room: None
        self.on_change: Callable[[], None] = lambda: None
        self.on_chat: Callable[[bytes, str], None] = lambda _key, _text: None
        self.on_room_news: Callable[[RoomNews], None] = lambda _news: None
        self.offered: Callable[[SeatOffer | None], None] = lambda _offer: None
        """Receives the empty seat that we may take, or None when it is gone."""
        self.on_disturbed: Callable[[str], None] = lambda _host: None
        self.refused: asyncio.Future[FairdealError] | None = None
        self.seated = asyncio.Event()
        self.now: Callable[[], float] = lambda: asyncio.get_running_loop().time()
        self.sleep = OwnSleep()
        self._names: KnownNames | None = None
        self._seen, self._disturbances = Bucket(SEEN, 0.0), Bucket(LINES, 0.0)
        self._showing: asyncio.TimerHandle | None = None
        """How the room is now is shown a little later."""
        self._table = self._new_table()
        self._connection = Connection(self._clock)

    def _clock(self) -> float:
        return self.now()

    def _new_table(self) -> TableNews:
        return TableNews(self._clock, self.seated, self.sleep)

    def forget(self) -> None:
        """Reset everything about the old table. What `at_table` returned keeps it."""
        self.room = None
        self.seated.clear()
        self._table = self._new_table()

    def at_table(self) -> LiveSeat:
        """Return this seat as it is at its table: its score sheet can be read on while we are in the room again."""
        return copy.copy(self)

    @property
    def news(self) -> asyncio.Queue[News | None]:
        return self._table.queue

    @property
    def driver(self) -> Driver | None:
        """The table's driver."""
        return self._table.driver

    @property
    def away(self) -> Collection[Seat]:
        """Who has no link to us."""
        return self._table.away

    @property
    def broken(self) -> FairdealError | None:
        """What broke off the match."""
        return self._table.broken

    # --- called by the node ---

    def on_room(self, room: Room) -> None:
        self.room = room
        if self.evening is not None:
            self.evening.look(room)
        self._show_room()

    def _show_room(self) -> None:
        """Show how the room is now; of one that changes without end, a few changes a second."""
        if self._showing is not None or self.room is None:
            return
        if wait_s := self._seen.debt_s(self.now()):
            self._showing = asyncio.get_running_loop().call_later(wait_s, self._show_room_late)
            return
        self._seen.spend(1, self.now())
        self._notice_names(self.room)
        self.on_room_change(self.room)
        self.on_change()

    def _show_room_late(self) -> None:
        self._showing = None
        self._show_room()

    def _notice_names(self, room: Room) -> None:
        """Report each person whose name does not belong to their key as before."""
        if self.node is None:
            return
        self._names = self._names or KnownNames(self.node.journal)
        for guest in room.members:
            is_other = guest.is_person and guest.key != self.node.identity.public
            noticed = self._names.notice(guest.key, guest.name, time.monotonic()) if is_other else None
            if noticed is not None:
                self.on_room_news(noticed)

    @property
    def listener(self) -> RoomEvening | None:
        return self.evening

    def on_said(self, key: bytes, text: str) -> None:
        self.on_chat(key, clean(text, CHAT_CELLS))

    def on_refused(self, reason: FairdealError) -> None:
        if self.refused is not None and not self.refused.done():
            self.refused.set_result(reason)

    def on_torn(self, silent: Collection[bytes], revealed: bool, count: int) -> None:
        names = {guest.key: clean_name(guest.name) for guest in self.room.members} if self.room is not None else {}
        if self.driver is not None:  # somebody may have left the room by now
            names |= {each.key: clean_name(each.name) for each in self.driver.table.record.roster.members}
        self._table.driver = None
        self.on_room_news(DrawTorn(tuple(sorted(names.get(key, "?") for key in silent)), revealed, count))

    def on_declined(self, key: bytes, reason: RoomRefusal) -> None:
        guest = self.room.guest(key) if self.room is not None else None
        is_own = self.node is None or key == self.node.identity.public
        self.on_room_news(NotSigned("" if is_own or guest is None else clean_name(guest.name), reason))

    def on_offer(self, offer: SeatOffer | None) -> None:
        self.offered(offer)

    def on_seat_lost(self, driver: Driver) -> None:
        self._table.driver = None
        record, seat = driver.table.record, driver.table.seat
        is_taken = not record.is_over and seat in record.present and not record.gives_way(seat)
        self.on_room_news(SeatLost(clean_name(record.member(seat).name) if is_taken else ""))
        self.on_change()

    def on_not_done(self, reason: RoomRefusal) -> None:
        self.on_room_news(RequestRefused(reason))

    def on_trouble(self, trouble: Trouble) -> None:
        LOG.warning("%s costs too much: %s", trouble.host, trouble.what)
        if trouble.what in TOLD_TROUBLES and not self._disturbances.debt_s(self.now()):
            self._disturbances.spend(1, self.now())
            self.on_disturbed(clean(trouble.host, CHAT_CELLS))

    def on_table(self, driver: Driver) -> None:
        if self.node is not None:
            self._table.compared = compared_keys(self.node.journal, time.time())
        try:
            self._table.begin(driver)
        except Exception as error:  # a bug of the game's: what is seen of the round cannot be told
            driver.crash(error)
        self.on_change()

    def on_failure(self, fault: GameFailed) -> FairdealError:
        is_over = self.driver is not None and self.driver.table.is_over
        return fault if self.node is None else noted(fault, self.node.home.path, is_seat_kept=not is_over)

    def on_route(self, seat: Seat, route: Route) -> None:
        self._table.route_changed(seat, route)

    def woke(self) -> None:
        """Our own computer was asleep."""
        self._table.woke()

    def on_asleep(self, seat: Seat, is_asleep: bool) -> None:
        self._table.asleep_changed(seat, is_asleep)

    def on_events(self, driver: Driver, happened: tuple[events.Event, ...]) -> None:
        self._table.receive(driver, happened)

    def on_bots(self, piece: BotsNews) -> None:
        """Receive news from the bots' supervisor."""
        self._table.put(piece)

    def end(self, last: News) -> None:
        """Report the last piece of news."""
        self._table.end(last)

    # --- cli.news.Playing ---

    @property
    def live(self) -> Driver:
        """The table's driver. Only valid once there is one."""
        return self._table.live

    def name(self, seat: Seat) -> str:
        """Return the player's name (see `names_of`)."""
        return names_of(self.live.table.record)[seat]

    @property
    def game(self) -> AnyGame:
        return self.live.table.game

    @property
    def seat(self) -> Seat | None:
        table = self.live.table
        return None if table.is_displaced else table.seat

    @property
    def players(self) -> Sequence[Player]:
        return players_of(self.live.table.record, self._table.away, self._table.levels, self._table.asleep)

    @property
    def facts(self) -> TableFacts:
        title = self.room.title if self.room is not None else self.node.title if self.node else ""
        record = self.live.table.record
        return facts_of(record, record.key(self.live.table.seat), title, self._table.compared)

    @property
    def reconnecting(self) -> Reconnecting | None:
        if self.node is None or self.driver is None or self.driver.table.record.seed is None:
            return None
        record, own = self.driver.table.record, self.node.identity.public
        return self._connection.reconnecting(self.node.mesh, record, own, self._table.away)

    @property
    def reconnecting_to_room(self) -> Reconnecting | None:
        """How we try to reach our room again; see `Connection`."""
        if self.node is None or self.room is None:
            return None
        return self._connection.reconnecting_to_room(self.node.mesh, self.room, self.node.identity.public)

    def checks(self) -> Sequence[Checked]:
        table = self.live.table
        checks = table.effort.checks(len(table.record.present))
        return tuple(each for each in checks if each.what not in OF_A_DEAL)

    @property
    def onlookers(self) -> int:
        return self.node.mesh.watchers if self.node is not None else 0

    def failed(self, error: Exception) -> FairdealError:
        """Stop the seat, which is kept, after an unexpected error at the table; return the fault to tell."""
        self.live.crash(error)
        return self.live.fault or as_failure(self.game.name, error)

    @contextlib.contextmanager
    def _stopping_at_bugs(self) -> Iterator[None]:
        """Raise what stopped the seat if the game raises anything but a refusal."""
        try:
            yield
        except (BadMessage, IllegalMove):
            raise
        except Exception as error:  # whatever a stranger's game raises
            raise self.failed(error) from error

    def view(self) -> PublicView:
        with self._stopping_at_bugs():
            return self.live.table.view()

    def hand(self) -> tuple[Card, ...]:
        return self.live.table.cards_as_they_came

    def legal(self) -> Sequence[Any]:
        with self._stopping_at_bugs():
            return self.live.table.legal()

    def check(self, move: Any) -> None:
        table = self.live.table
        with self._stopping_at_bugs():
            table.game.check(table.record.state, table.seat, table.cards, move)

    def thought(self) -> Thought | None:
        table, node = self.live.table, self.node
        if table.record.state is None:
            return None
        state, hand, memory = table.record.state, table.cards, table.memory

        def think() -> Thought:
            try:
                strategy = self.game.strategy(self.game.levels[-1])  # the strongest there is, on what this player knows
                return (yield from advise(strategy, memory, state, hand, Random(0)))
            except Exception as error:  # a bot that fails gives no hint, and the game continues
                fault = as_failure(self.game.name, error)
                raise (fault if node is None else noted(fault, node.home.path)) from error

        return think()

    async def play(self, move: Any) -> None:
        table = self.live.table
        if self.sleep.has_woken():
            self.woke()
        if table.record.state is None or self._table.is_waking:
            raise IllegalMove("the table is not ready for your move yet: wait a moment")
        if table.game.waits_grace(table.record.state, table.seat, move) and (grace := table.grace_s):
            self._table.put(Grace(table.seat, grace))
        self.live.feed(partial(table.act, move))

    async def say(self, text: str) -> None:
        said = Emote(0, text[1:]) if text in EMOTES else Chat(0, clean(text, CHAT_CELLS))
        self.live.feed(partial(self.live.table.speak, said))

    async def ready(self) -> None:
        self.live.feed(self.live.table.ready)

    async def vote(self, opinion: Opinion) -> None:
        table = self.live.table
        self.live.feed(
            table.wish_to_wait if opinion is Opinion.AGAINST else partial(table.wish_on, opinion is Opinion.FOR)
        )

    async def take_help(self, level: str) -> None:
        self.live.feed(partial(self.live.table.take_help, HINT_LEVELS.index(level)))

    async def confirm_words(self) -> None:
        record = self.live.table.record
        found = keys_to_compare(members_of(record), record.key(self.live.table.seat))
        self._table.compared |= found
        if self.node is not None:
            note_compared(self.node.journal, self.live.match, found)

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
