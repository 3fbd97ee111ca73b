"""A round of a shedding game: what everyone knows of it, and how a move changes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Generic, Protocol, TypeVar

from protocol.cards import Card, Seat
from protocol.games.game import DealToHand, Demand, OpenAll, Outcome, Shuffle

LONGEST = 1000
"""A round is blocked after this many moves in a row in which nobody went out: some could go on for ever."""


@cache
def dealt(seat: Seat, count: int) -> DealToHand:
    """Return the demand to deal this many cards from the stock to a seat."""
    return DealToHand(seat, count)


@dataclass(frozen=True)
class SheddingState:
    """The public state of a round. (Without slots, because `Motion` copies all fields at once.)"""

    dealer: Seat
    scores: tuple[int, ...]
    """The match score, which includes this round once it is scored."""
    present: tuple[Seat, ...]
    """The seats that were dealt to."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    pile: tuple[Card, ...]
    """The cards played and not yet recycled, the oldest first."""
    turn: Seat | None
    """The seat in turn; None before the first card is turned up, and after play has ended."""
    direction: int
    suit: str | None
    """The suit that was named."""
    penalty: int
    """The number of cards that the seat in turn must draw or pass on."""
    passes: int
    """The number of passes in a row, without a card played or drawn in between."""
    drawn: bool
    """The seat in turn has drawn already."""
    again: bool
    """The seat in turn may play one more card of any kind."""
    word: Seat | None
    """The seat that may still say the last-card word."""
    owed: tuple[int, ...]
    """For each seat, the cards that it will be dealt for a forgotten last-card word."""
    moves: int
    """The number of moves in a row in which nobody has gone out; the round is blocked when they are `LONGEST`."""
    out: tuple[Seat, ...]
    """The seats that have gone out, first to last."""
    ended: str | None
    """How play ended ("out", "blocked")."""
    points: tuple[int, ...] | None
    """The points of this round, a number a team, once all hands are revealed."""


class RecyclingRule(Protocol):
    """What of a game a round goes by."""

    seats: int
    recycles: bool


R = TypeVar("R", bound=SheddingState)
_blank, _fill, _tuple = object.__new__, object.__setattr__, tuple.__new__


class Motion(Generic[R]):
    """A round while a move takes effect: a mutable copy of its state, and the demands that it brings.

    All fields are copied at once, and moved to the next state at once, because passing some twenty fields by name takes longer
    than applying the rules. Call `outcome` last: it gives the fields away.
    """

    __slots__ = ("__dict__", "_before", "_demands", "_game", "_recycled", "_taken")

    dealer: Seat
    scores: tuple[int, ...]
    present: tuple[Seat, ...]
    hand_sizes: tuple[int, ...]
    stock_size: int
    pile: tuple[Card, ...]
    turn: Seat | None
    direction: int
    suit: str | None
    penalty: int
    passes: int
    drawn: bool
    again: bool
    word: Seat | None
    owed: tuple[int, ...]
    moves: int
    out: tuple[Seat, ...]
    ended: str | None
    points: tuple[int, ...] | None

    def __init__(self, game: RecyclingRule, state: R) -> None:
        self._game = game
        self._before = state
        self._demands: tuple[Demand, ...] = ()
        self._recycled: tuple[Card, ...] = ()
        self._taken: dict[Seat, DealToHand] = {}
        # A copy() would keep the layout that a class's objects share: far slower to read.
        self.__dict__ = {**state.__dict__}

    def moved(self) -> Outcome[R]:
        """Count the move, which blocks a round that does not end, and return the outcome."""
        if self.out is self._before.out:
            self.moves += 1
            if self.moves >= LONGEST and self.ended is None:
                self.end("blocked")
        else:
            self.moves = 0
        return self.outcome()

    def outcome(self) -> Outcome[R]:
        """Return the next state and its demands: a shuffle of recycled cards, then the deals in the order in which they arose.
        Where the pile was recycled twice, these come twice, so that no deal of the first is from the second."""
        state = _blank(type(self._before))  # fill the frozen value before anything else can refer to it
        _fill(state, "__dict__", self.__dict__)
        if self._taken or self._recycled:
            self._flush()
        if self.ended is not None:
            self._demands += (OpenAll(),)
        return _tuple(Outcome, (state, self._demands))  # as Outcome() does, in half the time

    def _flush(self) -> None:
        """Demand what has been recycled and dealt since the last time."""
        if self._recycled:
            self._demands += (Shuffle(self._recycled),)
        self._demands += tuple(self._taken.values())
        self._recycled, self._taken = (), {}

    def after(self, seat: Seat) -> Seat:
        """Return the next seat in the direction of play that is still in."""
        seats, step, out = self._game.seats, self.direction, self.out
        while True:
            seat = (seat + step) % seats
            if seat in self.present and seat not in out:
                return seat

    @property
    def still_in(self) -> int:
        """The number of seats that are still in."""
        return len(self.present) - len(self.out)

    def change_hand(self, seat: Seat, by: int) -> None:
        """Change a hand's size."""
        sizes = [*self.hand_sizes]
        sizes[seat] += by
        self.hand_sizes = (*sizes,)

    def draw(self, seat: Seat, count: int) -> None:
        """Deal this many cards to a seat, or as many as there are. The pile is recycled if the stock runs out."""
        if count > self.stock_size:
            if self._game.recycles and len(self.pile) > 1:
                if self._recycled:  # the card that was on top must not reach who was dealt the first recycled cards
                    self._flush()
                self._recycled = self.pile[:-1]
                self.stock_size += len(self.pile) - 1
                self.pile = self.pile[-1:]
            count = min(count, self.stock_size)
        if count:
            self.stock_size -= count
            self.change_hand(seat, count)
            taken = self._taken[seat].stock if seat in self._taken else 0
            self._taken[seat] = dealt(seat, taken + count)
            self.passes = 0

    def owe(self, seat: Seat, count: int) -> None:
        """Set how many cards a seat will be dealt for a forgotten word."""
        owed = list(self.owed)
        owed[seat] = count
        self.owed = tuple(owed)

    def pay(self, seat: Seat) -> None:
        """Deal a seat the cards for a forgotten word."""
        if count := self.owed[seat]:
            self.owe(seat, 0)
            self.draw(seat, count)

    def end(self, how: str) -> None:
        """End play; cards that were still due lapse."""
        self.ended = how
        self.turn = self.word = None
        self.penalty = 0
        self.again = self.drawn = False
        self.owed = (0,) * len(self.owed)
