"""Clocks of the table: whose time runs down, since when somebody thinks, what happens by itself."""

from __future__ import annotations

from collections.abc import Set
from math import ceil

from cli.games.base.prompts import elapsed
from cli.view.effects import Bell
from cli.view.model import Clock, Effects
from cli.view.views import Piece
from protocol.cards import Seat

AUTO_S = 1.2
"""A move without a choice is made for us after so long: a trick that is ours is taken, the Mah Jong shown."""
URGENT_S = 5.0
"""With so little time left the bell rings twice."""


class Timers:
    """Instants of the model's clock."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.turn_since = clock()
        self.deadline: tuple[Seat, float] | None = None
        self.grace: tuple[Seat, float] | None = None
        self.auto_at: float | None = None
        self.is_by_itself = False
        """A move is being made without an action of ours."""
        self._rang_for: object = None
        self._urged_for: tuple[Seat, float] | None = None
        self._missed: Set[Seat] = frozenset()

    def round_began(self) -> None:
        self.deadline = self.grace = None
        self.turn_since = self._clock()

    def moved(self, before: object, after: object) -> None:
        """Whose turn it was, and is now."""
        if after != before:
            self.turn_since = self._clock()
            if self.deadline is not None and self.deadline[0] != after:
                self.deadline = None
        self.grace = None

    def left_s(self, deadline: tuple[Seat, float]) -> float:
        return max(0.0, deadline[1] - self._clock())

    def by_itself_s(self) -> int | None:
        """In how many seconds the one thing that can be done now is done for us; None if nothing is."""
        return None if self.auto_at is None else max(1, ceil(self.auto_at - self._clock()))

    def piece(self) -> Piece | None:
        """The clock in the title bar."""
        deadline = self.grace or self.deadline
        if deadline is None:
            return None
        left = round(self.left_s(deadline))
        return elapsed(left), "alarm" if left < 5 else "gold" if left < 10 else "text"

    def waited_s(self) -> float:
        return self._clock() - self.turn_since

    def is_urgent(self, me: Seat | None) -> bool:
        """Our own time is nearly up."""
        return self.deadline is not None and self.deadline[0] == me and self.deadline[1] - self._clock() <= URGENT_S

    def ring(self, for_what: object) -> Effects:
        """The bell, once for each thing that is ours to do."""
        if for_what == self._rang_for or self.auto_at is not None:
            return ()
        self._rang_for = for_what
        return (Bell(),)

    def miss(self, seats: Set[Seat]) -> Effects:
        """The bell for everybody in the room, once for each who begins to keep them waiting."""
        before, self._missed = self._missed, seats
        return () if seats <= before else (Bell(is_ours=False),)

    def tick(self, me: Seat | None) -> Effects:
        effects: Effects = ()
        if self.is_urgent(me):
            if self._urged_for != self.deadline:
                self._urged_for = self.deadline
                effects = (Bell(2),)
        else:
            self._urged_for = None
        if self.grace is not None and self.grace[1] < self._clock():
            self.grace = None
        return effects
