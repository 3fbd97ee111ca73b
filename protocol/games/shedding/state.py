"""A round of a shedding game: what everyone knows of it, and how a move changes it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, Protocol, TypeVar

from protocol.cards import Card, Seat
from protocol.games.game import DealToHand, Demand, Shuffle

LONGEST = 1000
"""A round is blocked after this many moves in a row in which nobody went out: some could go on for ever."""


@cache
def dealt(seat: Seat, count: int) -> DealToHand:
    """Return the demand to deal this many cards from the stock to a seat."""
    return DealToHand(seat, count)


class _Round:
    """What a state and a motion are in memory, so that one can become the other."""

    __slots__ = ("_demands",)

    _demands: tuple[Demand, ...]


@dataclass(frozen=True)
class SheddingState(_Round):
    """The public state of a round. (Its fields are in a dict, which `Motion` copies at once.)"""

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

    recycles: bool


R = TypeVar("R", bound=SheddingState)


class Motion(_Round, Generic[R]):
    """A round while a move takes effect: a copy of its state that may still be changed, and the demands that the move brings.

    `Shedding.follow` makes one, and makes it the next state by changing its class, because passing some twenty fields by name
    takes longer than applying the rules. Use it no more then: it is frozen.
    """

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

    def after(self, seat: Seat) -> Seat:
        """Return the next seat in the direction of play that is still in."""
        return next_in(self, seat)

    @property
    def still_in(self) -> int:
        """The number of seats that are still in."""
        return len(self.present) - len(self.out)

    def change_hand(self, seat: Seat, by: int) -> None:
        """Change a hand's size."""
        self.hand_sizes = with_size(self.hand_sizes, seat, self.hand_sizes[seat] + by)

    def recycle(self) -> None:
        """Demand a shuffle of the pile without its top card. After an earlier one it stands behind all that is dealt before: the
        card that was on top then must not reach who was dealt the first recycled cards."""
        shuffle = Shuffle(self.pile[:-1])
        had_one = any(isinstance(demand, Shuffle) for demand in self._demands)
        self._demands = (*self._demands, shuffle) if had_one else (shuffle, *self._demands)
        self.stock_size += len(self.pile) - 1
        self.pile = self.pile[-1:]

    def owe(self, seat: Seat, count: int) -> None:
        """Set how many cards a seat will be dealt for a forgotten word."""
        self.owed = with_size(self.owed, seat, count)

    def end(self, how: str) -> None:
        """End play; cards that were still due lapse."""
        self.ended = how
        self.turn = self.word = None
        self.penalty = 0
        self.again = self.drawn = False
        self.owed = (0,) * len(self.owed)


def _with_deal(demands: tuple[Demand, ...], seat: Seat, count: int) -> tuple[Demand, ...]:
    """Add cards for a seat to the demands: to its other cards since the last shuffle, if any."""
    for place in reversed(range(len(demands))):
        demand = demands[place]
        if isinstance(demand, Shuffle):
            break
        if isinstance(demand, DealToHand) and demand.seat == seat:
            return (*demands[:place], dealt(seat, demand.stock + count), *demands[place + 1 :])
    return (*demands, dealt(seat, count))


# Functions, since the interpreter finds the methods of a motion slowly: each has a dict of its own layout.


def draw(game: RecyclingRule, motion: Motion[Any], seat: Seat, count: int) -> None:
    """Deal this many cards to a seat, or as many as there are. The pile is recycled if the stock runs out."""
    if count > motion.stock_size:
        if game.recycles and len(motion.pile) > 1:
            motion.recycle()
        count = min(count, motion.stock_size)
    if count:
        motion.stock_size -= count
        sizes = motion.hand_sizes
        motion.hand_sizes = with_size(sizes, seat, sizes[seat] + count)
        motion.passes = 0
        motion._demands = _with_deal(motion._demands, seat, count) if motion._demands else (dealt(seat, count),)


def next_in(round: SheddingState | Motion[Any], seat: Seat) -> Seat:
    """Return the next seat in the direction of play that is still in."""
    seats = len(round.hand_sizes)
    while True:
        seat = (seat + round.direction) % seats
        if seat not in round.out and seat in round.present:
            return seat


def with_size(sizes: tuple[int, ...], seat: Seat, size: int) -> tuple[int, ...]:
    """Return these numbers with another one for a seat."""
    changed = [*sizes]
    changed[seat] = size
    return tuple(changed)
