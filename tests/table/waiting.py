"""Tables of people, some of whom are away: time passes, and only those move who are let."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.table.events import WishesChanged
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.waits import OVERDUE_S
from tests.table.tables import Link, Tables

GONE = 2
LEAVE_AFTER_S = 30.0
LONG = OVERDUE_S + LEAVE_AFTER_S + 5
"""Long enough that all may wish."""


class Waiting(Tables):
    """Four people, seated as listed, and one of them goes away; the rest play on as far as they can."""

    def __init__(
        self,
        link: Link | None = None,
        seats: int = 4,
        seed: int = 3,
        game: str = "crazy-eights",
        options: dict[str, Any] | None = None,
        bots: bool = False,
        keepers: Sequence[int] | None = None,
        phones: bool = False,
        **table: Any,
    ) -> None:
        times: dict[str, Any] = {
            "recovery": "off",
            "pause": 0,
            "grace": 0,
            "rounds": 1,
            "leave_after": int(LEAVE_AFTER_S * 1000),
        }
        self.think = False
        """Nobody makes a move."""
        hand: dict[str, Any] = {"hand": 3, "draw": "one"} if self.is_hasty else {"hand": 4, "draw": "until"}
        of_game = hand | {"target": 500} if options is None else options
        super().__init__(game, seats, of_game, seed, link, TableOptions(**(times | table)), bots, keepers, phones)

    def spend(self, seconds: float) -> None:
        """Time passes for all who are there."""
        end = self.now + seconds
        while self.now < end:
            self.move_someone()
            is_busy = self.jobs or (self.queue and self.queue[0][0] <= end)
            if is_busy or min((due for c in self.up() if (due := c.due) is not None), default=end) < end:
                self.turn()
            else:
                self.now = end

    def move_someone(self) -> None:
        if not self.think:
            super().move_someone()

    def until_thinking(self) -> int:
        """All is settled, and everybody thinks; whose turn it is."""
        self.until_playing()
        self.think = True
        while not self.is_quiet():
            self.turn()
        record = self.clients[0].table.record
        assert record.phase is Phase.PLAYING
        return self.clients[0].table.game.awaited(record.state)[0]

    def until_playing(self, height: int = 4) -> None:
        self.start()
        for _ in range(100_000):
            if all(c.table.record.height >= height and c.table.record.phase is Phase.PLAYING for c in self.clients):
                return
            self.move_someone()
            self.turn()
        raise AssertionError(self.where())

    def lose(self, index: int = GONE) -> None:
        """Killed: all links to it break."""
        self.clients[index].is_down = True
        for other, client in enumerate(self.clients):
            if not client.is_down:
                self.take(other, client.table.lost(index, self.now))

    def wish(self, index: int, wish: bool = True) -> None:
        self.take(index, self.clients[index].table.wish_on(wish, self.now))

    def told(self, index: int) -> WishesChanged:
        """What a player was told last."""
        found = [event for event in self.clients[index].events if isinstance(event, WishesChanged)]
        return found[-1] if found else WishesChanged(())

    def assert_shown(self, awaited: tuple[int, ...], by: tuple[int, ...]) -> None:
        for index, client in enumerate(self.clients):
            if not client.is_down:
                assert (self.told(index).awaited, self.told(index).by) == (awaited, by), f"client {index}"

    def marks(self) -> list[Any]:
        """What must not change by wishing: what the match is, at every seat that is there."""
        return [
            (
                c.table.record.height,
                c.table.record.previous,
                c.table.record.state_hash,
                sorted(c.table.record.ledger.store.said, key=str),
            )
            for c in self.up()
        ]
