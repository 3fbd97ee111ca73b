"""A watched table: turns a follower's scenes into news, and who keeps it waiting. Public information only."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from cli import news
from cli.clean import clean_name
from cli.client.fates import fate_of
from cli.client.game_failures import noted
from cli.client.sitters import former_bot, players_of
from cli.client.table_news import GOODBYE, SHORT
from cli.news import Followed, News, Player, Reconnecting, TableFacts
from cli.news.emotes import text_of
from p2p.absence import NOBODY, Absence
from p2p.budgets import LINES, Bucket
from p2p.errors import LinkLost
from p2p.home import read_home
from p2p.watcher import Watcher
from protocol.cards import Card, Seat
from protocol.errors import FairdealError, IllegalMove, as_failure
from protocol.games.game import AnyGame, Data
from protocol.games.views import PublicView
from protocol.identity import Identity
from protocol.messages import Opinion
from protocol.table import events
from protocol.table.effort import Checked
from protocol.table.record import Phase
from protocol.table.verify import Follower, Snapshot


def identity_of(path: Path) -> Identity:
    """Return the identity of this home's person if there is one, otherwise a random one."""
    home = read_home(path)
    return Identity(home.seed() if home.has_identity else os.urandom(32))


def end_of(watcher: Watcher, home: Path) -> FairdealError:
    """Return why there is nothing more to watch; how a game failed is written into the home."""
    if isinstance(watcher.reason, FairdealError):
        return noted(watcher.reason, home)
    return FairdealError("the table is no longer there")


def _changes(before: Absence | None, now: Absence, present: Collection[Seat]) -> list[News]:
    """Return what to tell of who keeps the table waiting. For how long those were away whom we found so, nobody knows."""
    old = before or NOBODY
    told: list[News] = []
    if before is not None:
        told += [news.Away(seat) for seat in now.away if seat not in old.away]
    told += [news.Back(seat) for seat in old.away if seat not in now.away and seat in present]
    told += [news.Asleep(seat, True) for seat in now.asleep if seat not in old.asleep]
    told += [news.Asleep(seat, False) for seat in old.asleep if seat not in now.asleep and seat in present]
    return [*told, news.Paused(now.awaited)] if now.awaited != old.awaited else told


class WatchedTable:
    """`cli.news.Playing` without a seat. Fed by `run` until the table is over or gone."""

    seat = None

    def __init__(
        self,
        watcher: Watcher,
        follower: Follower,
        first: Snapshot,
        home: Path,
        is_tried_again: bool = False,
    ) -> None:
        """Create the table. `is_tried_again`: whoever looks at it is going to see it once more if the link to it is lost."""
        self.news: asyncio.Queue[News | None] = asyncio.Queue()
        self._watcher, self._home = watcher, home
        self._follower = follower
        self._view = first.view
        self._first = first
        self._opened: int | None = None
        """A round whose start is not reported yet, because its first card is not turned up."""
        self._moves: dict[int, tuple[Seat, Data]] = {}
        """The moves by height: some are heard again where an epoch begins."""
        self._is_broken = False
        self._is_tried_again = is_tried_again
        self._is_cut = False
        self._absence: Absence | None = None
        """Who keeps the table waiting, as it was told last; None: nothing was told yet."""
        self._lines = Bucket(LINES, 0.0)
        self._late: asyncio.TimerHandle | None = None
        """Who keeps the table waiting is told a little later."""

    async def run(self) -> None:
        """Report scenes until there are no more."""
        self._watcher.on_absence = self._look
        self._watcher.on_reaction = lambda seat, name: self.news.put_nowait(news.Said(seat, text_of(name)))
        scene: Snapshot | None = self._first
        try:
            while scene is not None:
                self._on_scene(scene)
                self._look()
                scene = await self._watcher.scenes.get()
        finally:
            if self._late is not None:
                self._late.cancel()
        is_over = self._follower.record.phase is Phase.OVER or self._is_broken
        if not is_over and self._is_tried_again and isinstance(self._watcher.reason, LinkLost):
            self._is_cut = True
            return
        if not is_over:
            self.news.put_nowait(news.Broken(end_of(self._watcher, self._home)))
        self.news.put_nowait(None)

    def _look(self) -> None:
        """Report who keeps the table waiting, where that has changed: after all that has happened before it."""
        now, before, loop = self._absent_now(), self._absence, asyncio.get_running_loop()
        if now is None or now == before or self._late is not None or not self._watcher.scenes.empty():
            return
        if wait_s := self._lines.debt_s(loop.time()):
            self._late = loop.call_later(wait_s, self._look_late)
            return
        self._lines.spend(1, loop.time())
        self._absence = now
        for each in _changes(before, now, self._follower.record.present):
            self.news.put_nowait(each)

    def _look_late(self) -> None:
        self._late = None
        self._look()

    def _absent_now(self) -> Absence | None:
        """Who keeps the table waiting, of those who play here: whoever says it may be ahead of us."""
        record, told = self._follower.record, self._watcher.absence
        if told is None or record.seed is None:
            return None
        present = () if self.is_over else record.present

        def of(seats: Sequence[Seat]) -> tuple[Seat, ...]:
            return tuple(seat for seat in seats if seat in present)

        return Absence(of(told.awaited), of(told.away), of(told.asleep))

    def _on_scene(self, scene: Snapshot) -> None:
        self._view = scene.view
        if isinstance(scene.event, events.RoundOpened):
            self._opened = scene.event.round
        pile = scene.view.pile
        if self._opened is not None and (pile is None or pile.top is not None):
            self.news.put_nowait(news.RoundBegan(self._opened, scene.view))
            self._opened = None
        match scene.event:
            case events.Moved(seat, move, before, after) if self._moves.get(scene.height) != (seat, move):
                self._moves[scene.height] = (seat, move)
                self.news.put_nowait(news.Moved(seat, move, before, after))
            case events.RoundClosed(round=number, view=view, hands=hands, breaches=breaches):
                proven = tuple((each.seat, each.reason) for each in breaches if isinstance(each.reason, FairdealError))
                newest = self._follower.record.round
                is_past = newest is not None and newest.number > number
                ended = view.with_hands(dict(enumerate(hands)))
                self.news.put_nowait(news.RoundEnded(ended, proven, is_past=is_past))
            case events.RoundVoid(breaches=breaches):
                self.news.put_nowait(news.RoundVoid(tuple(each.seat for each in breaches)))
            case events.EpochBegan(without=without, joined=joined):
                fate = fate_of(self._follower.record, scene.event)
                if (without or not joined) and set(without.values()) != {events.Cause.ROOM}:
                    self.news.put_nowait(news.WentOn(without, fate, scene.event.is_dropped))
                for seat, is_back in joined.items():
                    bot = former_bot(self._follower.record, seat) if seat in scene.event.given else ""
                    self.news.put_nowait(news.TookSeat(seat, is_back, bot=bot))
            case events.SaidGoodbye(seat=seat) if self._follower.record.broken is not None:
                self._is_broken = True
                reason = FairdealError(GOODBYE, name=self.players[seat].name)
                self.news.put_nowait(news.Broken(reason))
            case events.Accused(seat=seat, reason=reason) if isinstance(reason, FairdealError):
                self.news.put_nowait(news.Accused(seat, reason))
            case events.MatchOver(match=match, places=places):
                verified = True if self._follower.is_clear else None  # by ourselves, message by message
                self.news.put_nowait(news.MatchEnded(scene.view, match.hex(), verified=verified, places=places))
            case events.MatchShort(match=match, places=places):
                self._is_broken = True
                early = FairdealError(SHORT, game=self.game.title)
                self.news.put_nowait(news.MatchEnded(scene.view, match.hex(), places=places, early=early))
            case _other:
                pass

    def failed(self, error: Exception) -> FairdealError:
        """Return the fault to tell after an unexpected error at the table."""
        return noted(as_failure(self.game.name, error), self._home)

    @property
    def match(self) -> bytes:
        """Return the table's ID: the same as long as one match is played, and never again."""
        return self._follower.record.table

    @property
    def is_over(self) -> bool:
        """Return whether the match has ended, in any way."""
        return self._is_broken or self._follower.record.phase is Phase.OVER

    @property
    def game(self) -> AnyGame:
        return self._follower.record.game

    @property
    def players(self) -> Sequence[Player]:
        record = self._follower.record
        gone = set(range(record.size)) - set(record.present) if record.seed is not None else set()
        absent = self._absence or NOBODY
        return players_of(record, gone.union(absent.away), {}, absent.asleep)

    @property
    def facts(self) -> TableFacts:
        record, found = self._follower.record, self._follower.record.proof_checks
        followed = Followed(
            tuple(record.present), found["shuffles"], found["shares"], found["signatures"], found["opened rounds"]
        )
        return TableFacts(
            clean_name(self._watcher.title, ""), record.words, followed=followed, options=dict(record.game.options)
        )

    @property
    def reconnecting(self) -> Reconnecting | None:
        return Reconnecting(0, 0.0) if self._is_cut or self._watcher.is_looking else None

    def checks(self) -> Sequence[Checked]:
        return ()

    @property
    def onlookers(self) -> int:
        return 0

    def view(self) -> PublicView:
        return self._view

    def hand(self) -> tuple[Card, ...]:
        return ()

    def legal(self) -> Sequence[Any]:
        return ()

    def check(self, move: Any) -> None:
        raise IllegalMove("you cannot play while you are watching")

    def thought(self) -> None:
        return None

    async def play(self, move: Any) -> None:
        raise IllegalMove("you cannot play while you are watching")

    async def say(self, text: str) -> None:
        raise IllegalMove("watchers cannot chat")

    async def ready(self) -> None:
        """No-op for watchers."""

    async def vote(self, opinion: Opinion) -> None:
        """No-op for watchers."""

    async def take_help(self, level: str) -> None:
        """No-op for watchers."""

    async def confirm_words(self) -> None:
        """No-op for watchers."""

    async def leave(self, for_good: bool) -> None:
        """No-op for watchers."""
