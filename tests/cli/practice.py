"""A table in this process with a trusted dealer and bots, for tests and wherever no proofs are needed.

It makes no claim of fairness: none of its news says that a deal was checked.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from cli.news import Grace, MatchEnded, Moved, News, Player, RoundBegan, RoundEnded, Said, TableFacts, Thought
from protocol.cards import Card, Seat
from protocol.errors import IllegalMove
from protocol.games import LocalTable
from protocol.games.advice import advise
from protocol.games.game import AnyGame, Strategy
from protocol.games.memory import Memory
from protocol.games.views import PublicView
from protocol.messages import Opinion
from protocol.table.effort import Checked
from protocol.values import replace


class PracticeTable:
    """One match. Seats without a person are played by the game's bot, one move every `pace_s` seconds."""

    def __init__(
        self,
        game: AnyGame,
        names: Sequence[str],
        people: Sequence[Seat],
        rng: Random,
        *,
        pace_s: float = 0.0,
        grace_s: float = 0.0,
        rounds: int = 0,
        dealer: Seat | None = None,
        table: LocalTable | None = None,
    ) -> None:
        self.game = game
        self.table = table or LocalTable(game, rng, dealer=dealer)
        self.players = [Player(name, bot=seat not in people) for seat, name in enumerate(names)]
        self.facts = TableFacts(rounds=rounds, options=dict(game.options))
        self.people = {seat: PracticeSeat(self, seat) for seat in people}
        self.watchers: list[PracticeSeat] = []
        self._bots: Mapping[Seat, Strategy] = {
            seat: game.strategy() for seat in range(game.seats) if seat not in people
        }
        self._rng = rng
        self._pace_s = pace_s
        self._grace_s = grace_s
        self._driver: asyncio.Task[None] | None = None
        self._changed = asyncio.Event()
        self._over = False

    # --- what happens ---

    async def __aenter__(self) -> PracticeTable:
        for seat in self._everyone():
            seat.put(RoundBegan(self.table.rounds, self._view(seat.seat)))
        self._driver = asyncio.create_task(self._drive())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._driver is not None:
            self._driver.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._driver

    def _everyone(self) -> list[PracticeSeat]:
        return [*self.people.values(), *self.watchers]

    def _view(self, seat: Seat | None) -> PublicView:
        return self.table.public_view(seat)

    def play(self, seat: Seat, move: Any) -> None:
        """Make a move and report it to everyone. Raises IllegalMove."""
        if self._over:
            raise IllegalMove("the match is over")
        table = self.table
        before = {each: self._view(each.seat) for each in self._everyone()}
        round_before = table.last_round
        table.play(seat, move)
        shown = self.game.encode(self.game.public(move))
        finished = table.last_round if table.last_round is not round_before else None
        for each in self._everyone():
            if finished is None:
                after = self._view(each.seat)
                if each.seat is not None and (arrived := arrivals(before[each], after, each.seat)):
                    after = after.with_arrived(each.seat, arrived)
            else:
                hands = {} if each.seat is None else {each.seat: finished.hands[each.seat]}
                after = self.game.public_view(finished.state).with_hands(hands)
            each.put(Moved(seat, shown, before[each], after))
        if finished is not None:
            hands = dict(enumerate(finished.hands))
            self._tell_round(self.game.public_view(finished.state).with_hands(hands))
        self._changed.set()

    def _tell_round(self, view: PublicView) -> None:
        limit = self.facts.rounds
        played = self.table.rounds - (0 if self.table.over else 1)
        self._over = self.table.over or bool(limit and played >= limit)
        for each in self._everyone():
            each.put(RoundEnded(view, is_last=self._over))
            if self._over:
                each.put(MatchEnded(replace(view, winners=self.game.winners(view.scores))))
                each.put(None)
            else:
                each.put(RoundBegan(self.table.rounds, self._view(each.seat)))

    async def _drive(self) -> None:
        """Make the bots' moves one after another; wait while only people may act."""
        while not self._over:
            self._changed.clear()
            chosen = self._bots_choice()
            if chosen is None:
                await self._changed.wait()
                continue
            seat, move = chosen
            await asyncio.sleep(self._pace_s)
            if self._changed.is_set():
                continue
            if self._grace_s and self.people and self.game.waits_grace(self.table.state, seat, move):
                for each in self._everyone():
                    each.put(Grace(seat, self._grace_s))
                await asyncio.sleep(self._grace_s)
                if self._changed.is_set():
                    continue
            self.play(seat, move)

    def _bots_choice(self) -> tuple[Seat, Any] | None:
        table = self.table
        for seat in table.to_act:
            if seat in self._bots:
                move = self._bots[seat].choose(table.state, seat, table.hands[seat], self._rng)
                if move is None and seat in self.game.awaited(table.state):
                    move = self.game.default(table.state, seat, table.hands[seat])
                if move is not None:
                    return seat, move
        return None

    def say(self, seat: Seat, text: str) -> None:
        for each in self._everyone():
            each.put(Said(seat, text))

    def watch(self) -> PracticeSeat:
        """Add a watcher."""
        watcher = PracticeSeat(self, None)
        self.watchers.append(watcher)
        return watcher


def arrivals(before: PublicView, after: PublicView, seat: Seat) -> list[Card]:
    """Return the cards that came into a seat's own hand, in the order in which they came."""
    had = Counter(before.hand(seat))
    return [card for card in after.hand(seat) if not had[card]]


class PracticeSeat:
    """One person's seat, implementing `cli.news.Playing`."""

    def __init__(self, table: PracticeTable, seat: Seat | None) -> None:
        self._table = table
        self._seat = seat
        self.news: asyncio.Queue[News | None] = asyncio.Queue()

    def put(self, news: News | None) -> None:
        self.news.put_nowait(news)

    @property
    def game(self) -> AnyGame:
        return self._table.game

    @property
    def seat(self) -> Seat | None:
        return self._seat

    @property
    def players(self) -> Sequence[Player]:
        return self._table.players

    @property
    def facts(self) -> TableFacts:
        return self._table.facts

    @property
    def reconnecting(self) -> None:
        return None

    def checks(self) -> Sequence[Checked]:
        return ()

    @property
    def onlookers(self) -> int:
        return len(self._table.watchers)

    def view(self) -> PublicView:
        return self._table.table.public_view(self._seat)

    def hand(self) -> tuple[Card, ...]:
        return () if self._seat is None else self._table.table.hands[self._seat]

    def legal(self) -> Sequence[Any]:
        return () if self._seat is None else self._table.table.legal(self._seat)

    def check(self, move: Any) -> None:
        if self._seat is not None:
            table = self._table.table
            self.game.check(table.state, self._seat, table.hands[self._seat], move)

    def thought(self) -> Thought | None:
        if self._seat is None:
            return None
        table, game = self._table.table, self.game
        return advise(game.strategy(), Memory(self._seat), table.state, table.hands[self._seat], Random(0))

    async def play(self, move: Any) -> None:
        if self._seat is None:
            raise IllegalMove("you cannot play while you are watching")
        self._table.play(self._seat, move)

    async def say(self, text: str) -> None:
        if self._seat is not None:
            self._table.say(self._seat, text)

    async def ready(self) -> None:
        """No-op: the next round is dealt already."""

    async def vote(self, opinion: Opinion) -> None:
        """No-op: nobody is ever missing."""

    async def take_help(self, level: str) -> None:
        """No-op: nobody else sees it."""

    async def confirm_words(self) -> None:
        self._table.facts = replace(self._table.facts, is_compared=True)

    async def leave(self, for_good: bool) -> None:
        """No-op: the table ends with its process."""
