"""Define a round's immutable data: its keys, its shuffle chains, and where every card is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any, TypeAlias

from protocol.cards import Card, Seat
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, MaskedCard, encode_deck
from protocol.dealing.group import Point, Scalar
from protocol.dealing.keys import RoundKey, RoundSecret
from protocol.dealing.recovery import Split, encode_split
from protocol.hashing import digest
from protocol.values import dataclass, replace

KEY_PURPOSE = "round-key"
SHUFFLE_PURPOSE = "shuffle"


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A face-down card and its public decryption shares. `face` is set when everyone may know it."""

    card: MaskedCard
    shares: Mapping[Seat, Point] = field(default_factory=dict)
    face: Card | None = None


Places: TypeAlias = tuple[DealtCard, ...]


@dataclass(frozen=True, slots=True)
class Chain:
    """A deck that passes from seat to seat; each re-encrypts and permutes the deck of the seat before it.

    `epoch` is the one whose messages it is made of; for a recycled deck it may be later than the round's. `proofs` is empty
    until all of them are checked.
    """

    round: int
    epoch: int
    deck: int
    step: int
    faces: tuple[Card, ...]
    start: Deck
    order: tuple[Seat, ...]
    decks: tuple[Deck, ...] = ()
    proofs: tuple[bytes, ...] = ()

    @property
    def is_proven(self) -> bool:
        """Whether all decks are there and all proofs hold."""
        return bool(self.proofs)

    @property
    def turn(self) -> Seat | None:
        """Return the seat whose step is next; None if all decks are there."""
        return self.order[len(self.decks)] if len(self.decks) < len(self.order) else None

    @property
    def top(self) -> Deck:
        """Return the deck that the next seat shuffles, or the finished deck."""
        return self.decks[-1] if self.decks else self.start

    def before(self, index: int) -> Deck:
        """Return the deck that the seat at this place in the order received."""
        return self.decks[index - 1] if index else self.start


@dataclass(frozen=True, slots=True)
class Played:
    """A committed move, with what the audit needs to check it later."""

    height: int
    seat: Seat
    state: Any
    move: Any
    hand: tuple[MaskedCard, ...]
    laid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundId:
    """A round's number, the epoch in which it was opened, and its holders: the seats that have a key in it.

    Proofs of a round are bound to the epoch in which it was opened, even if the epoch changes later.
    """

    table: bytes
    epoch: int
    number: int
    holders: tuple[Seat, ...]

    def context(self, step: int, seat: Seat, purpose: str, deck: int = 0, receiver: Seat | None = None) -> ProofContext:
        """Return the context of a proof of this round."""
        return ProofContext(self.table, self.epoch, self.number, deck, step, seat, purpose, receiver)


@dataclass(frozen=True, slots=True)
class Preparation(RoundId):
    """A round before it is opened: its keys, then its first deck. `chain` is None until all keys are there."""

    keys: Mapping[Seat, RoundKey] = field(default_factory=dict)
    joint: Point | None = None
    chain: Chain | None = None

    @property
    def is_done(self) -> bool:
        """Whether the first deck is shuffled and proven."""
        return self.chain is not None and self.chain.is_proven


@dataclass(frozen=True, slots=True)
class Round(RoundId):
    """All public data of an opened round."""

    keys: Mapping[Seat, RoundKey]
    joint: Point
    chains: tuple[Chain, ...]
    stock: Places
    hands: tuple[Places, ...]
    laid: tuple[Places, ...]
    opened: tuple[Card, ...] = ()
    history: tuple[Played, ...] = ()
    secrets: Mapping[Seat, RoundSecret] = field(default_factory=dict)
    is_void: bool = False
    """Broken off: nobody scores, and the dealer stays."""
    recovered: Mapping[Seat, Scalar] = field(default_factory=dict, repr=False)
    """The secret round keys of seats that left, which the others opened together."""
    splits: Mapping[Seat, Split] = field(default_factory=dict)
    """Each holder's key, split among the others; empty if this round's keys cannot be recovered."""
    split_hashes: tuple[bytes, ...] = ()
    """Their hashes in the order of the seats, which the state holds at each height."""

    def with_splits(self, splits: Mapping[Seat, Split]) -> Round:
        """Return the round with its holders' keys split."""
        return replace(self, splits=splits, split_hashes=tuple(split_hash(splits[seat]) for seat in sorted(splits)))

    @property
    def active(self) -> tuple[Seat, ...]:
        """Return the holders that use their keys themselves: all but those whose keys the others opened."""
        recovered = self.recovered
        return tuple(seat for seat in self.holders if seat not in recovered) if recovered else self.holders

    def with_shares(self, shares: Mapping[MaskedCard, Mapping[Seat, Point]]) -> Round:
        """Return the round with more decryption shares, by card."""

        def given(places: Places) -> Places:
            if not any(place.card in shares for place in places):
                return places
            return tuple(add_shares(place, shares.get(place.card, {})) for place in places)

        return replace(self, hands=tuple(given(hand) for hand in self.hands))


def key_context(round: RoundId, seat: Seat) -> ProofContext:
    """Return the context of a seat's round key."""
    return round.context(0, seat, KEY_PURPOSE)


def shuffle_context(round: RoundId, chain: Chain, seat: Seat) -> ProofContext:
    """Return the context of a seat's step of a chain."""
    return round.context(chain.step, seat, SHUFFLE_PURPOSE, deck=chain.deck)


def add_shares(place: DealtCard, shares: Mapping[Seat, Point]) -> DealtCard:
    """Return the place with more decryption shares."""
    return replace(place, shares={**place.shares, **shares}) if shares else place


def split_hash(sealed: Split) -> bytes:
    """Return the hash of a split key."""
    return digest("split", encode_split(sealed))


def put(rows: tuple[Places, ...], seat: Seat, row: Iterable[DealtCard]) -> tuple[Places, ...]:
    """Return the rows with one seat's row replaced."""
    return (*rows[:seat], tuple(row), *rows[seat + 1 :])


def encode_places(places: Iterable[DealtCard]) -> bytes:
    """Return the masked cards of a row of places as bytes."""
    return encode_deck([place.card for place in places])
