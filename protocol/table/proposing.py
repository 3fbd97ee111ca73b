"""Make a seat's messages that need its secrets: proposals, re-masks, shares. Pure functions, run as jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.cards import Card, Seat
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, MaskedCard, encode_deck
from protocol.dealing.group import Point
from protocol.dealing.halves import HalfRemask, remask_with
from protocol.dealing.hashing import Rng
from protocol.dealing.keys import RoundSecret
from protocol.dealing.shares import prove_shares
from protocol.dealing.shuffle import prove_shuffle
from protocol.games.game import AnyGame
from protocol.messages import Message, MoveProposal, Remask
from protocol.table import proposals
from protocol.table.phases.values import Match
from protocol.table.round import Round
from protocol.table.work import expand
from protocol.values import dataclass, replace


class FaceMissing(ValueError):
    """A move names a card that the hand does not hold."""


@dataclass(frozen=True, slots=True)
class Composed:
    """A message that may re-mask a hand, with the order that only we know: after[i] is before[order[i]]."""

    message: Message
    before: tuple[MaskedCard, ...] = ()
    after: tuple[MaskedCard, ...] = ()
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A proposal without its proofs, and the cards that they are about."""

    message: MoveProposal
    cards: tuple[MaskedCard, ...]
    remask_before: tuple[MaskedCard, ...]


def draft(game: AnyGame, match: Match, round: Round, seat: Seat, move: Any, faces: Sequence[Card | None]) -> Draft:
    """Return a move's proposal without its proofs. Raises IllegalMove or FaceMissing."""
    outcome = game.apply(match.state, seat, move)
    uses = game.uses(move)
    free = list(enumerate(faces))
    places: list[int] = []
    for face in (*uses.played, *uses.shown, *game.hidden(move)):
        found = next(((index, held) for index, held in free if held == face), None)
        if found is None:
            raise FaceMissing(face)
        free.remove(found)
        places.append(found[0])
    hand = round.hands[seat]
    opened = len(uses.played) + len(uses.shown)
    foreseen = proposals.foreseen_remask(round, seat, outcome, len(uses.played))
    before: tuple[MaskedCard, ...] = ()
    if foreseen is not None:
        before = proposals.remask_input(round, seat, tuple(places[: len(uses.played)]), *foreseen)
    public = game.encode(game.public(move))
    message = MoveProposal(match.height, match.previous, match.state_hash, public, tuple(places), b"", b"", b"")
    return Draft(message, tuple(hand[index].card for index in places[:opened]), before)


def complete(
    round: Round, seat: Seat, secret: RoundSecret, draft: Draft, seed: bytes, half: HalfRemask | None = None
) -> Composed:
    """Complete a proposal with its openings and re-masked hand. `seed`: 32 fresh bytes. `half`: of the re-mask, if made."""
    message, rng = draft.message, expand(seed)
    if draft.cards:
        context = round.context(message.height, seat, proposals.PLAY_PURPOSE)
        opening = prove_shares(context, secret.x, round.keys[seat].y, draft.cards, rng).encode()
        message = replace(message, opening=opening)
    if not draft.remask_before:
        return Composed(message)
    context = round.context(message.height, seat, proposals.REMASK_PURPOSE)
    after, proof, order = _remasked(round.joint, context, draft.remask_before, rng, half)
    message = replace(message, remask=encode_deck(after), remask_proof=proof)
    return Composed(message, draft.remask_before, after, order)


def remask(
    joint: Point, context: ProofContext, stage: int, before: Deck, seed: bytes, half: HalfRemask | None = None
) -> Composed:
    """Re-mask a seat's hand, as a duty. `seed`: 32 fresh bytes. `half`: of the re-mask, if it was made."""
    after, proof, order = _remasked(joint, context, before, expand(seed), half)
    return Composed(Remask(context.step, stage, encode_deck(after), proof), before, after, order)


def _remasked(
    joint: Point, context: ProofContext, before: Deck, rng: Rng, half: HalfRemask | None
) -> tuple[Deck, bytes, tuple[int, ...]]:
    after, witness = remask_with(half, context, joint, before, rng)
    proof = prove_shuffle(context, joint, before, after, witness, rng, None if half is None else half.proof)
    return after, proof, witness.permutation


def shares(context: ProofContext, secret: RoundSecret, y: Point, cards: Sequence[MaskedCard], seed: bytes) -> bytes:
    """Return a seat's shares for a group of cards with their proof, encoded. `seed`: 32 fresh bytes."""
    return prove_shares(context, secret.x, y, cards, expand(seed)).encode()
