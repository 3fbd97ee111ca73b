"""Audit a round whose keys are revealed: recompute every shuffle, open every hand at every move, and check every move.

Pure functions, the same at every seat and for the verifier of a file. (PROTOCOL.md, "The audit".)
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from protocol.cards import Card, Seat
from protocol.checks import holds
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.group import Scalar
from protocol.dealing.seed_claim import SeedClaim
from protocol.dealing.shares import open_with_secret
from protocol.errors import BadProof, IllegalMove
from protocol.games.game import AnyGame
from protocol.table.round import Chain, Played, Round, shuffle_context
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Found:
    """A move that the hand did not allow."""

    height: int
    seat: Seat
    move: Any
    reason: IllegalMove


@dataclass(frozen=True, slots=True)
class Audit:
    """All hands at the end of a round, and the moves that broke the rules."""

    hands: tuple[tuple[Card, ...], ...]
    breaches: tuple[Found, ...]


class BadReveal(BadProof):
    """A seat's shuffle that does not follow from its committed seed."""

    def __init__(self, seat: Seat, deck: int) -> None:
        super().__init__("a shuffle was not made with the seed that its seat had committed to")
        self.seat = seat
        self.deck = deck


def audit(game: AnyGame, round: Round) -> Audit:
    """Audit a round with all secrets. Raises BadReveal for a shuffle that does not follow from its seed.

    The seed of a seat whose key was recovered is not known: its shuffles stand on their proofs.
    """
    for chain in round.chains:
        _recompute(round, chain)
    reader = CardReader([*(secret.x for secret in round.secrets.values()), *round.recovered.values()])
    breaches = tuple(found for played in round.history if (found := _judge(game, reader, played)) is not None)
    hands = tuple(tuple(reader.face(place.card) for place in hand) for hand in round.hands)
    return Audit(hands, breaches)


def _recompute(round: Round, chain: Chain) -> None:
    for index, seat in enumerate(chain.order):
        if seat in round.recovered:
            continue
        context = shuffle_context(round, chain, seat)
        seed, before, after = round.secrets[seat].seed, chain.before(index), chain.decks[index]
        if not holds(SeedClaim(context, round.joint, seed, before, after)):
            raise BadReveal(seat, chain.deck)


class CardReader:
    """Open cards with all secrets of a round, each card once."""

    def __init__(self, keys: Iterable[Scalar]) -> None:
        self._secret = sum(keys, Scalar(0))
        self._faces: dict[MaskedCard, Card] = {}

    def face(self, card: MaskedCard) -> Card:
        """Return the face of a masked card."""
        found = self._faces.get(card)
        if found is None:
            found = self._faces[card] = open_with_secret(self._secret, card)
        return found


def _judge(game: AnyGame, reader: CardReader, played: Played) -> Found | None:
    hand = [reader.face(card) for card in played.hand]
    move = game.fill(played.move, [hand[index] for index in played.laid])
    try:
        game.check(played.state, played.seat, hand, move)
    except IllegalMove as reason:
        return Found(played.height, played.seat, played.move, reason)
    return None
