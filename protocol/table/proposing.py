"""A seat's own signed acts that need its secrets: proposals, re-masks, shares. Pure functions for other threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from protocol.cards import Card, Seat
from protocol.dealing.elgamal import Deck, MaskedCard, encode_deck
from protocol.dealing.keys import RoundSecret
from protocol.dealing.shares import prove_shares
from protocol.dealing.shuffle import prove_shuffle, remask_hand
from protocol.messages import Message, MoveProposal, Remask, Shares
from protocol.table import ballot, settlement
from protocol.table.record import Record
from protocol.table.round import Place, Settling
from protocol.table.work import expand


class FaceMissing(ValueError):
    """A move names a card that the hand does not hold."""


@dataclass(frozen=True, slots=True)
class Made:
    """A message that re-masks a hand, or may: and what only we know of it, that after[i] is before[order[i]]."""

    message: Message
    before: tuple[MaskedCard, ...] = ()
    after: tuple[MaskedCard, ...] = ()
    order: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What a proposal is made of, fixed before its arithmetic begins."""

    message: MoveProposal
    cards: tuple[MaskedCard, ...]
    remask_before: tuple[MaskedCard, ...]


def draft(record: Record, seat: Seat, move: Any, faces: Sequence[Card | None]) -> Draft:
    """Say which cards of the hand a move concerns. Raises IllegalMove, or FaceMissing."""
    game, round = record.game, record.round
    assert round is not None
    outcome = game.apply(record.state, seat, move)
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
    foreseen = ballot.foreseen_remask(record, seat, outcome, len(uses.played))
    before: tuple[MaskedCard, ...] = ()
    if foreseen is not None:
        before = ballot.remask_input(record, seat, tuple(places[: len(uses.played)]), *foreseen)
    public = game.encode(game.public(move))
    message = MoveProposal(record.height, record.previous, record.state_hash, public, tuple(places), b"", b"", b"")
    return Draft(message, tuple(hand[index].card for index in places[:opened]), before)


def complete(record: Record, seat: Seat, secret: RoundSecret, draft: Draft, seed: bytes) -> Made:
    """The proposal with its openings and re-masked hand. `seed`: 32 fresh bytes."""
    round, message, rng = record.round, draft.message, expand(seed)
    assert round is not None
    opening = remask = proof = b""
    after: Deck = ()
    order: tuple[int, ...] = ()
    if draft.cards:
        context = record.context(round.number, message.height, seat, ballot.PLAY_PURPOSE)
        opening = prove_shares(context, secret.x, round.keys[seat].y, draft.cards, rng).encode()
    if draft.remask_before:
        context = record.context(round.number, message.height, seat, ballot.REMASK_PURPOSE)
        joint = round.common_key()
        after, witness = remask_hand(joint, draft.remask_before, rng)
        order = witness.permutation
        remask, proof = encode_deck(after), prove_shuffle(context, joint, draft.remask_before, after, witness, rng)
    proposal = MoveProposal(
        message.height, message.previous, message.state, message.move, message.places, opening, remask, proof
    )
    return Made(proposal, draft.remask_before, after, order)


def remask(record: Record, seat: Seat, settling: Settling, before: Deck, seed: bytes) -> Made:
    """A seat's hand re-masked, as a duty. `seed`: 32 fresh bytes."""
    round, rng = record.round, expand(seed)
    assert round is not None
    joint = round.common_key()
    context = record.context(round.number, record.height, seat, settlement.remask_purpose(settling.stage))
    after, witness = remask_hand(joint, before, rng)
    proof = prove_shuffle(context, joint, before, after, witness, rng)
    return Made(Remask(record.height, settling.stage, encode_deck(after), proof), before, after, witness.permutation)


def shares(
    record: Record,
    seat: Seat,
    secret: RoundSecret,
    settling: Settling,
    group: Seat | None,
    places: list[Place],
    seed: bytes,
) -> Shares:
    """A seat's shares for one group of cards. `seed`: 32 fresh bytes."""
    assert record.round is not None
    context = settlement.share_context(record, settling, seat, group)
    cards = [place.card for place in places]
    made = prove_shares(context, secret.x, record.round.keys[seat].y, cards, expand(seed))
    return Shares(record.height, settling.stage, group, settlement.opened_hash(places), made.encode())
