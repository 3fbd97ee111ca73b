"""What a table tells its client: news in the order in which it became true. Plain values; no secret of another seat."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from protocol.cards import Card, Seat


@dataclass(frozen=True, slots=True)
class Sealed:
    """All have signed and drawn: the table's words, and who sits where (places in the roster, a seat each)."""

    words: tuple[str, ...]
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Everyone has signed the deck: the round is dealt."""

    round: int
    dealer: Seat


@dataclass(frozen=True, slots=True)
class HandChanged:
    """Our hand, as it is now, and what is new in it."""

    hand: tuple[Card, ...]
    new: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardOpened:
    """A card of the stock was turned up."""

    face: Card


@dataclass(frozen=True, slots=True)
class Recycled:
    """Played cards were shuffled by all and lie under the stock."""

    count: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A move that the log holds, in its public form, with the views before and after it (what all see)."""

    seat: Seat
    move: dict[str, Any]
    before: dict[str, Any]
    after: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Settled:
    """All that the last entry demanded is done: the next move may come."""

    height: int


@dataclass(frozen=True, slots=True)
class MoveLost:
    """Our move was not taken: another came first, and it is no longer legal."""

    move: dict[str, Any]
    reason: Exception


@dataclass(frozen=True, slots=True)
class Breach:
    """What hidden cards hid until now: a move against the rules, found when the hands were opened."""

    height: int
    seat: Seat
    move: dict[str, Any]
    reason: Exception


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """A round with its score, all hands as they were at its end, and what the audit found."""

    round: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    breaches: tuple[Breach, ...]
    view: dict[str, Any]


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """A round that was stuck and broken off: nobody scores, its hands are open, and who held it up is named."""

    round: int
    hands: tuple[tuple[Card, ...], ...]
    breaches: tuple[Breach, ...]


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The last round is closed; the hash is the same at every seat."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    match: bytes


@dataclass(frozen=True, slots=True)
class Accused:
    """A seat was caught. `evidence` are signed messages that convict it before anybody."""

    seat: Seat
    what: str
    reason: Exception
    evidence: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class SaidGoodbye:
    """A seat has left for good."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Differs:
    """Another machine is in another state at this height: which fields differ, where that is known."""

    seat: Seat
    height: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Awaiting:
    """These seats have owed for long what needs no thought, or the move that the game waits for where they cannot be reached
    or the table's time for it is over; empty when nothing is owed any more."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CameBack:
    """This seat's program was started again: its time for a move begins anew."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WishesChanged:
    """How a wait stands, told anew on every change: whom the table waits for (nobody: the wait is over, and all wishes with
    it) since when, from when on one may wish to go on without them (None: too few would be left), whose wish that needs, and
    who has it. Times are those of the inputs."""

    awaited: tuple[Seat, ...]
    since: float = 0.0
    may_at: float | None = None
    needed: tuple[Seat, ...] = ()
    by: tuple[Seat, ...] = ()


@dataclass(frozen=True, slots=True)
class HintsChanged:
    """How much each seat says that its client helps it, a place in `protocol.levels.HINT_LEVELS`; who said nothing is not in
    it."""

    levels: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class Said:
    """Chat."""

    seat: Seat
    text: str


@dataclass(frozen=True, slots=True)
class Emoted:
    """An emote, by name."""

    seat: Seat
    name: str


@dataclass(frozen=True, slots=True)
class Returned:
    """We are back in our seat; these seats have not shown us our own messages."""

    silent: tuple[Seat, ...]


Event: TypeAlias = (
    Sealed
    | RoundOpened
    | HandChanged
    | CardOpened
    | Recycled
    | Moved
    | Settled
    | MoveLost
    | RoundClosed
    | RoundVoid
    | MatchOver
    | Accused
    | SaidGoodbye
    | Differs
    | Awaiting
    | CameBack
    | WishesChanged
    | HintsChanged
    | Said
    | Emoted
    | Returned
)
