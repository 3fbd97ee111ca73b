"""Read proposals (a move, or breaking a round off) and check their proofs. (PROTOCOL.md, "Votes".)"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from protocol.cards import Card, Seat
from protocol.dealing.elgamal import Deck, MaskedCard, decode_deck
from protocol.dealing.hashing import Rng
from protocol.dealing.shares import ProvenShares, open_card, verify_shares
from protocol.dealing.shuffle import proof_size, verify_shuffle
from protocol.errors import BadMessage, BadProof, IllegalMove
from protocol.games.game import AnyGame, OpenAll, Outcome, Shuffle, Take
from protocol.hashing import digest
from protocol.messages import MASKED_BYTES, BreakOff, MoveProposal
from protocol.signed import Signed
from protocol.table.round import Places, Round
from protocol.values import dataclass

PLAY_PURPOSE = "play"
REMASK_PURPOSE = "remask"


@dataclass(frozen=True, slots=True)
class Proposed:
    """A proposal that was read and is publicly legal; its proofs are checked separately. `move` is None to break off the
    round, `signed` is None for the move of a seat that left, which every seat builds by itself."""

    seat: Seat
    signed: Signed | None
    move: Any
    outcome: Outcome[Any]
    played: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    places: Places = ()
    laid: Places = ()
    shares: ProvenShares | None = None
    remask_before: tuple[MaskedCard, ...] = ()
    remask_after: Deck | None = None
    remask_proof: bytes = b""


def proposal_hash(signed: Signed) -> bytes:
    """Return the hash by which votes name a proposal."""
    return _hash_of(signed.payload)


@lru_cache(64)
def _hash_of(payload: bytes) -> bytes:
    """Every step counts the votes of the open height anew, by these hashes."""
    return digest("proposal", payload)


def foreseen_remask(round: Round, seat: Seat, outcome: Outcome[Any], played: int) -> tuple[int, int] | None:
    """Return (place in the stock, count) of the cards that a move's author takes, if they can be foreseen, else None.

    That is so if the stock needs no shuffling first and the author's hand is not empty after the play. The re-masked hand is
    then part of the proposal; otherwise it is a duty.
    """
    at = 0
    for demand in outcome.demands:
        if isinstance(demand, Shuffle):
            return None
        if isinstance(demand, Take):
            if demand.seat == seat:
                is_plain = not demand.laid and len(round.hands[seat]) > played
                return (at, demand.stock) if is_plain else None
            at += demand.stock
    return None


def remask_input(round: Round, seat: Seat, played: tuple[int, ...], at: int, count: int) -> tuple[MaskedCard, ...]:
    """Return the cards left in a hand after a play, followed by those that it takes from the stock."""
    kept = [place.card for index, place in enumerate(round.hands[seat]) if index not in played]
    return (*kept, *(place.card for place in round.stock[at : at + count]))


def read_proposal(game: AnyGame, state: Any, round: Round, signed: Signed) -> Proposed:
    """Check everything about a proposal except its proofs. Raises IllegalMove or BadMessage, its author's fault."""
    message = signed.message
    if isinstance(message, BreakOff):
        if not game.is_stalled(state):
            raise IllegalMove("the round is not stuck: it cannot be called off")
        return Proposed(signed.seat, signed, None, Outcome(state, (OpenAll(),)))
    if not isinstance(message, MoveProposal):
        raise BadMessage("a {kind} message does not belong here", kind=message.kind)
    move = game.decode(message.move)
    if game.encode(game.public(move)) != message.move:
        raise BadMessage("a move is not in its complete public form")
    outcome = game.apply(state, signed.seat, move)
    uses = game.uses(move)
    faces = (*uses.played, *uses.shown)
    hand = round.hands[signed.seat]
    if len(message.places) != len(faces) + uses.laid or len(set(message.places)) != len(message.places):
        raise BadMessage("a move names the wrong number of cards")
    if any(place >= len(hand) for place in message.places):
        raise BadMessage("a move names a card that is not in the hand")
    places = tuple(hand[place] for place in message.places)
    shares = None
    if faces:
        shares = ProvenShares.decode(message.opening, len(faces))
    elif message.opening:
        raise BadMessage("a move reveals cards that it does not play")
    before: tuple[MaskedCard, ...] = ()
    after = None
    foreseen = foreseen_remask(round, signed.seat, outcome, len(uses.played))
    if foreseen is not None:
        before = remask_input(round, signed.seat, message.places[: len(uses.played)], *foreseen)
        if len(message.remask) != MASKED_BYTES * len(before) or len(message.remask_proof) != proof_size(len(before)):
            raise BadMessage("a move that draws lacks its re-masked hand")
        after = decode_deck(message.remask, len(before))
    elif message.remask or message.remask_proof:
        raise BadMessage("a move re-masks a hand that gets no cards")
    return Proposed(
        signed.seat,
        signed,
        move,
        outcome,
        uses.played,
        uses.shown,
        places[: len(faces)],
        places[len(faces) :],
        shares,
        before,
        after,
        message.remask_proof,
    )


def check_proofs(round: Round, height: int, proposed: Proposed, rng: Rng) -> None:
    """Check that the named cards have the claimed faces, and that the re-masked hand holds the same cards. Raises BadProof."""
    seat = proposed.seat
    if proposed.shares is not None:
        cards = [place.card for place in proposed.places]
        verify_shares(round.context(height, seat, PLAY_PURPOSE), round.keys[seat].y, cards, proposed.shares)
        faces = (*proposed.played, *proposed.shown)
        for place, share, face in zip(proposed.places, proposed.shares.points, faces, strict=True):
            others = [point for other, point in place.shares.items() if other != seat]
            if open_card(place.card, [*others, share]) != face:
                raise BadProof("a card played as {face} is really another card", face=face)
    if proposed.remask_after is not None:
        context = round.context(height, seat, REMASK_PURPOSE)
        verify_shuffle(context, round.joint, proposed.remask_before, proposed.remask_after, proposed.remask_proof, rng)


def weight(proposed: Proposed) -> int:
    """Return roughly how many multiplications `check_proofs` takes."""
    return 5 * len(proposed.places) + 5 * len(proposed.remask_before) + 4 * (proposed.shares is not None)
