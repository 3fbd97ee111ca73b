"""Define the events that a table reports to its client, in the order in which they happen.

Plain values; they contain no secrets of other seats.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Any, TypeAlias

from protocol.cards import Card, Seat
from protocol.games.views import PublicView
from protocol.messages import Aside
from protocol.table.places import Place
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Sealed:
    """Everyone has signed the roster and the seats are drawn. `seating[seat]` is a place in the roster."""

    words: tuple[str, ...]
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundOpened:
    """Everyone has voted for the deck, and the round is dealt."""

    round: int
    dealer: Seat


@dataclass(frozen=True, slots=True)
class HandChanged:
    """Our hand has changed. `new` are the cards that were added."""

    hand: tuple[Card, ...]
    new: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardOpened:
    """A card of the stock was turned up."""

    face: Card


@dataclass(frozen=True, slots=True)
class Recycled:
    """Played cards were shuffled by everyone and put under the stock."""

    count: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A move was committed: its public form, and the public views before and after it."""

    seat: Seat
    move: dict[str, Any]
    before: PublicView
    after: PublicView


@dataclass(frozen=True, slots=True)
class Settled:
    """Everything that the last entry required is done, and the next move can be made."""

    height: int


@dataclass(frozen=True, slots=True)
class MoveLost:
    """Our move was dropped: another came first, and ours is no longer legal."""

    move: dict[str, Any]
    reason: Exception


@dataclass(frozen=True, slots=True)
class Breach:
    """A move that broke the rules, found when the hands were opened."""

    height: int
    seat: Seat
    move: dict[str, Any]
    reason: Exception


@dataclass(frozen=True, slots=True)
class RoundClosed:
    """A round has ended: its points, all hands as they were at the end, and the breaches that the audit found."""

    round: int
    points: tuple[int, ...]
    scores: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    breaches: tuple[Breach, ...]
    view: PublicView


@dataclass(frozen=True, slots=True)
class RoundVoid:
    """A round that was stuck was broken off: nobody scores, the hands are open, and `breaches` names who held it up."""

    round: int
    hands: tuple[tuple[Card, ...], ...]
    breaches: tuple[Breach, ...]


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The last round is closed. `match` is a hash that is the same at every seat. `places`: the result, by seat."""

    winners: tuple[Seat, ...]
    scores: tuple[int, ...]
    match: bytes
    places: tuple[Place, ...]


class Cause(Enum):
    """Why the others went on without a seat."""

    GOODBYE = "goodbye"
    CONVICTED = "convicted"
    VOTE = "vote"
    ROOM = "room"
    """A bot, whose keeper stays: it made room for somebody."""


@dataclass(frozen=True, slots=True)
class EpochBegan:
    """The seats in `present` go on alone.

    `without`: whom they left out, and why (empty: nobody, the change was interrupted). `void`: the number of the round that
    was under way, for which nobody scores; None if none was. `is_dropped`: our computer had counted an entry that the others
    dropped, as they did not have all its votes; the transcript was cut back. `stand_in`: the seat whose key they open, so that
    the round is played on: its hand lies open, and its moves are the game's default. `joined`: the seats that were taken, and
    whether by the same player as before. `given`: those of them in which a bot had sat, whose keeper
    is here. `withdrawn`: the name of who had sat down and vanished before anything came of it; empty: nobody.
    """

    number: int
    present: tuple[Seat, ...]
    without: Mapping[Seat, Cause]
    void: int | None
    is_dropped: bool
    stand_in: Seat | None = None
    joined: Mapping[Seat, bool] = field(default_factory=dict)
    given: tuple[Seat, ...] = ()
    withdrawn: str = ""


@dataclass(frozen=True, slots=True)
class SeatWanted:
    """Somebody would take this seat, in which a bot sits: between rounds it gives way."""

    seat: Seat
    key: bytes
    name: str


@dataclass(frozen=True, slots=True)
class MatchShort:
    """The match ends with its last closing: its game cannot be dealt to those who are left."""

    scores: tuple[int, ...]
    match: bytes
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Accused:
    """A seat was caught cheating. `evidence` are signed messages that prove it to anyone."""

    seat: Seat
    what: str
    reason: Exception
    evidence: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class SignedTwice:
    """A seat signed one message twice. No honest program does that, but it proves nothing: both say the same."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SendsTooMuch:
    """A seat was cut off for a while, because what it sent was of no use and kept this computer busy."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SaidGoodbye:
    """A seat left for good."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AwaitsCompany:
    """Nobody else plays any more, but these players may be sitting down: until then we wait for them, and for nobody else."""

    left: Seat | None
    """Who said goodbye, if that is why."""
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    until: float


@dataclass(frozen=True, slots=True)
class GivenUp:
    """The match is broken off some time after whoever was left alone had heard why: nobody sat down with us."""


@dataclass(frozen=True, slots=True)
class Differs:
    """Another computer holds a different state at this height. `fields` are the fields that differ, as far as known."""

    seat: Seat
    height: int
    fields: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Awaiting:
    """The seats that the table has waited for too long changed; empty when it waits for nobody.

    They owe an automatic message, or a move while they are unreachable or out of time.
    """

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class CameBack:
    """A seat's program was restarted. Its time for a move starts again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class WishesChanged:
    """The votes to play on without someone changed.

    `awaited`: the seats that the table waits for, `since` this time; empty when the wait is over, which also clears all votes.
    `may_at`: when voting opens; None if too few players would remain. `needed`: who votes; `by`: who is for it; `against`:
    who blocks it; `silent_until`: when the silence of the rest becomes an abstention, once somebody has voted. Times are in
    seconds on the clock of the inputs.
    """

    awaited: tuple[Seat, ...]
    since: float = 0.0
    may_at: float | None = None
    needed: tuple[Seat, ...] = ()
    by: tuple[Seat, ...] = ()
    against: tuple[Seat, ...] = ()
    silent_until: float | None = None


@dataclass(frozen=True, slots=True)
class HintsChanged:
    """The hint levels that seats announced changed: indexes of `protocol.levels.HINT_LEVELS`. Silent seats are missing."""

    levels: Mapping[Seat, int]


@dataclass(frozen=True, slots=True)
class Said:
    """A seat said something to the others."""

    seat: Seat
    message: Aside
    signed: bytes
    """It, as its seat has signed it."""


@dataclass(frozen=True, slots=True)
class Returned:
    """We are back in our seat. The `silent` seats have not sent us our own messages."""

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
    | EpochBegan
    | SeatWanted
    | MatchShort
    | Accused
    | SignedTwice
    | SendsTooMuch
    | SaidGoodbye
    | AwaitsCompany
    | GivenUp
    | Differs
    | Awaiting
    | CameBack
    | WishesChanged
    | HintsChanged
    | Said
    | Returned
)
