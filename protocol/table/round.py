"""One round's cards on the table: keys, shuffle chains, and every card's place. Data and its small questions only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from protocol.cards import Card, Seat
from protocol.dealing.elgamal import Deck, MaskedCard, encode_deck
from protocol.dealing.group import Point
from protocol.dealing.keys import RoundKey, RoundSecret
from protocol.games.game import Outcome


@dataclass(slots=True, eq=False)
class Place:
    """One face-down card where it lies, with the decryption shares that are public. `face` once all may know it."""

    card: MaskedCard
    shares: dict[Seat, Point] = field(default_factory=dict)
    face: Card | None = None


@dataclass(slots=True)
class Chain:
    """A deck on its way round the seats: each re-encrypts and permutes what the one before made."""

    round: int
    deck: int
    step: int
    faces: tuple[Card, ...]
    start: Deck
    order: tuple[Seat, ...]
    decks: list[Deck] = field(default_factory=list)
    proofs: list[bytes] = field(default_factory=list)
    is_proven: bool = False

    @property
    def turn(self) -> Seat | None:
        """Whose step is next."""
        return self.order[len(self.decks)] if len(self.decks) < len(self.order) else None

    @property
    def top(self) -> Deck:
        """What the next seat shuffles, or the finished deck."""
        return self.decks[-1] if self.decks else self.start

    def before(self, index: int) -> Deck:
        """What the seat of this place in the order was given."""
        return self.decks[index - 1] if index else self.start


@dataclass(frozen=True, slots=True)
class Played:
    """A committed move, with what the audit needs to judge it later."""

    height: int
    seat: Seat
    state: Any
    move: Any
    hand: tuple[MaskedCard, ...]
    laid: tuple[int, ...]


@dataclass(slots=True)
class Round:
    """Everything of one round that is public."""

    number: int
    keys: dict[Seat, RoundKey] = field(default_factory=dict)
    joint: Point | None = None
    chains: list[Chain] = field(default_factory=list)
    secrets: dict[Seat, RoundSecret] = field(default_factory=dict)
    stock: list[Place] = field(default_factory=list)
    hands: list[list[Place]] = field(default_factory=list)
    laid: list[list[Place]] = field(default_factory=list)
    opened: list[Card] = field(default_factory=list)
    history: list[Played] = field(default_factory=list)
    is_prepared: bool = False
    is_void: bool = False
    """Broken off: nobody scores, and the deal stays."""

    def common_key(self) -> Point:
        """The joint key, once all keys are there."""
        assert self.joint is not None
        return self.joint


@dataclass(slots=True)
class Settling:
    """What a committed entry still demands, one stage of it: the demands of one outcome, and how far they are.

    `direct` are the hands that get cards straight from the stock, `remasking` those whose owners re-mask first, with the
    cards as they go in, `foreseen` the one whose re-masked hand came with the proposal; `granted` the groups of shares that
    are complete (a seat for a re-masked hand, None for the rest).
    """

    stage: int
    outcome: Outcome[Any]
    chain: Chain | None = None
    is_assigned: bool = False
    direct: list[tuple[Seat, list[Place]]] = field(default_factory=list)
    remasking: dict[Seat, list[MaskedCard]] = field(default_factory=dict)
    remasked: set[Seat] = field(default_factory=set)
    granted: set[Seat | None] = field(default_factory=set)
    opening: Place | None = None
    foreseen: tuple[Seat, Deck] | None = None
    is_echoed: bool = False

    def foreseen_by(self, seat: Seat) -> bool:
        """Whether this seat's re-masked hand came with its proposal."""
        return self.foreseen is not None and self.foreseen[0] == seat


def encode_places(places: list[Place]) -> bytes:
    """The masked cards of a row of places."""
    return encode_deck(tuple(place.card for place in places))
