"""Entries: what may be proposed, who voted for what, and which entry a height commits. (PROTOCOL.md, "Votes".)

A vote names the proposal, the certificate before it and the settled state; a proposal is its author's vote. When the votes
of all present seats are in, the entry with the most votes is committed. Openings and closings have no author: every seat
votes for the bytes that it built itself.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from protocol.cards import Card, Seat
from protocol.dealing.elgamal import Deck, MaskedCard, decode_deck
from protocol.dealing.shares import Shares, open_card, verify_shares
from protocol.dealing.shuffle import proof_size, verify_shuffle
from protocol.errors import BadMessage, BadProof, FairdealError, IllegalMove
from protocol.games.game import OpenAll, Outcome, Shuffle, Take
from protocol.hashing import digest, number
from protocol.messages import MASKED_BYTES, BreakOff, MoveProposal, Proposal, Vote
from protocol.signed import Signed
from protocol.table.canonical import canonical
from protocol.table.preparation import preparation_hash
from protocol.table.record import Phase, Record
from protocol.table.round import Place, Round, encode_places
from protocol.wire import pack

PLAY_PURPOSE = "play"
REMASK_PURPOSE = "remask"


@dataclass(frozen=True, slots=True)
class Entry:
    """A proposal that was read and is publicly in order; its proofs are another matter. `move` is None where it proposes to
    break the round off."""

    signed: Signed
    move: Any
    outcome: Outcome[Any]
    played: tuple[Card, ...]
    shown: tuple[Card, ...]
    places: tuple[Place, ...]
    laid: tuple[Place, ...]
    shares: Shares | None
    remask_before: tuple[MaskedCard, ...]
    remask_after: Deck | None
    remask_proof: bytes


def proposal_hash(signed: Signed) -> bytes:
    """What votes name a proposal by."""
    return digest("proposal", signed.payload)


def choice_of(signed: Signed) -> bytes:
    """What a seat's vote at a height is for."""
    message = signed.message
    return message.choice if isinstance(message, Vote) else proposal_hash(signed)


def state_bytes(record: Record) -> bytes:
    """The settled state in full, in its canonical form."""
    round = record.round
    return pack(
        {
            "epoch": record.epoch,
            "game": canonical(record.state),
            "hands": [encode_places(hand) for hand in round.hands] if round else [],
            "laid": [encode_places(laid) for laid in round.laid] if round else [],
            "opened": list(round.opened) if round else [],
            "present": list(record.present),
            "round": round.number if round else 0,
            "scores": list(record.scores),
            "stock": encode_places(round.stock) if round else b"",
        }
    )


def opening_hash(record: Record, round: Round) -> bytes:
    """The entry that opens a round."""
    seats = bytes(record.present)
    return digest("open", number(round.number), number(record.dealer), seats, preparation_hash(record, round))


# --- reading proposals ---


def foreseen_remask(record: Record, seat: Seat, outcome: Outcome[Any], played: int) -> tuple[int, int] | None:
    """Where a move's own take comes straight from a stock that needs no shuffling first, and its hand does not become empty
    before: (place in the stock, count). Then the re-masked hand travels with the proposal; else it is a duty of its own."""
    assert record.round is not None
    at = 0
    for demand in outcome.demands:
        if isinstance(demand, Shuffle):
            return None
        if isinstance(demand, Take):
            if demand.seat == seat:
                is_plain = not demand.laid and len(record.round.hands[seat]) > played
                return (at, demand.stock) if is_plain else None
            at += demand.stock
    return None


def read_proposal(record: Record, signed: Signed) -> Entry:
    """Judge everything about a proposal that needs no arithmetic. Raises IllegalMove or BadMessage, its author's fault."""
    message, round, game = signed.message, record.round, record.game
    if isinstance(message, BreakOff):
        if not game.is_stalled(record.state):
            raise IllegalMove("the round is not stuck: it cannot be broken off")
        return Entry(signed, None, Outcome(record.state, (OpenAll(),)), (), (), (), (), None, (), None, b"")
    assert isinstance(message, MoveProposal) and round is not None
    move = game.decode(message.move)
    if game.encode(game.public(move)) != message.move:
        raise BadMessage("a move is not in its public form with all its parts")
    outcome = game.apply(record.state, signed.seat, move)
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
        shares = Shares.decode(message.opening, len(faces))
    elif message.opening:
        raise BadMessage("a move opens cards that it does not play")
    before: tuple[MaskedCard, ...] = ()
    after = None
    foreseen = foreseen_remask(record, signed.seat, outcome, len(uses.played))
    if foreseen is not None:
        before = remask_input(record, signed.seat, message.places[: len(uses.played)], *foreseen)
        if len(message.remask) != MASKED_BYTES * len(before) or len(message.remask_proof) != proof_size(len(before)):
            raise BadMessage("a move that draws comes without its re-masked hand")
        after = decode_deck(message.remask, len(before))
    elif message.remask or message.remask_proof:
        raise BadMessage("a move re-masks a hand that takes nothing")
    return Entry(
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


def remask_input(record: Record, seat: Seat, played: tuple[int, ...], at: int, count: int) -> tuple[MaskedCard, ...]:
    """The cards of a hand after a play, with those that it will take from the stock behind them."""
    assert record.round is not None
    kept = [place.card for index, place in enumerate(record.round.hands[seat]) if index not in played]
    return (*kept, *(place.card for place in record.round.stock[at : at + count]))


def check_proofs(record: Record, entry: Entry) -> None:
    """The arithmetic of a proposal: that the claimed faces are in these places, and that the re-masked hand is the old one.
    Raises BadProof."""
    seat, round = entry.signed.seat, record.round
    assert round is not None
    if entry.shares is not None:
        cards = [place.card for place in entry.places]
        context = record.context(round.number, record.height, seat, PLAY_PURPOSE)
        verify_shares(context, round.keys[seat].y, cards, entry.shares)
        for place, share, face in zip(entry.places, entry.shares.points, (*entry.played, *entry.shown), strict=True):
            others = [point for other, point in place.shares.items() if other != seat]
            if open_card(place.card, [*others, share]) != face:
                raise BadProof("a card was played as {face}, and it is another", face=face)
    if entry.remask_after is not None:
        context = record.context(round.number, record.height, seat, REMASK_PURPOSE)
        verify_shuffle(
            context, round.common_key(), entry.remask_before, entry.remask_after, entry.remask_proof, record.rng
        )


def weight(entry: Entry) -> int:
    """About how many multiplications `check_proofs` costs."""
    return 5 * len(entry.places) + 5 * len(entry.remask_before) + 4 * (entry.shares is not None)


def checked_entry(record: Record, signed: Signed) -> Entry | None:
    """A proposal of this height that is in order in every way; None while its proofs are looked at, or after its author was
    convicted."""
    name = ("proposal", record.height, signed.seat)
    read = record.entries.get(signed.seat)
    if read is None:
        try:
            read = record.entries[signed.seat] = read_proposal(record, signed)
        except IllegalMove as fault:
            record.convict(signed.seat, "illegal-move", fault, signed)
            return None
        except BadMessage as fault:
            record.convict(signed.seat, "bad-move", fault, signed)
            return None
    entry = read
    trusted = record.is_trusted(record.height)
    result = record.job(name, lambda: check_proofs(record, entry), weight(entry), trusted=trusted)
    if result is None:
        return None
    if result.fault is not None:
        record.convict(signed.seat, "false-card" if entry.places else "remask", result.fault, signed)
        return None
    return entry


# --- counting votes ---


def standing(record: Record, seat: Seat) -> Signed | None:
    """A seat's vote at the open height, if it stands on the certificate and the state that we hold too."""
    signed = record.from_seat(seat, "vote", record.height)
    if signed is None:
        return None
    message = signed.message
    assert isinstance(message, (Proposal, Vote))
    if (message.previous, message.state) != (record.previous, record.state_hash):
        return None
    return signed


def all_stand(record: Record) -> bool:
    """Whether all have voted at the open height, on what we hold too."""
    return all(standing(record, seat) is not None for seat in record.present)


def estranged(record: Record) -> list[Signed]:
    """Votes at the open height that stand on another certificate or state than ours: somebody is wrong or lies."""
    found: list[Signed] = []
    if record.phase not in (Phase.BETWEEN, Phase.PLAYING, Phase.CLOSING):
        return found  # the height is decided: its votes stand on the certificate before
    for seat in record.present:
        signed = record.from_seat(seat, "vote", record.height)
        if signed is not None and standing(record, seat) is None:
            found.append(signed)
    return found


def certificate_hash(record: Record, votes: list[tuple[Seat, bytes]]) -> bytes:
    """The hash of a height's votes: who voted for what, on what. Signatures are left out, so that it is the same for all."""
    said = b"".join(bytes([seat]) + choice for seat, choice in sorted(votes))
    return digest(
        "certificate",
        record.table,
        number(record.epoch),
        number(record.height),
        record.previous,
        record.state_hash,
        said,
    )


def tie_rank(record: Record, seat: Seat) -> bytes:
    """Of two proposals with equally many votes the one whose author's rank is lower wins."""
    assert record.seed is not None
    return digest("tie", record.seed, number(record.epoch), number(record.height), number(seat))


def winner(record: Record, votes: list[Signed]) -> Seat | None:
    """The author of the proposal with the most votes; None while a proposal that was voted for is missing."""
    counted = Counter(choice_of(signed) for signed in votes)
    authors = {proposal_hash(signed): signed.seat for signed in votes if isinstance(signed.message, Proposal)}
    if any(choice not in authors for choice in counted):
        return None
    best = max(counted.values())
    return min(
        (authors[choice] for choice, count in counted.items() if count == best), key=lambda seat: tie_rank(record, seat)
    )


def advance_certificate(record: Record, votes: list[Signed]) -> None:
    """These are all votes of the height: fix its certificate and step to the next height."""
    pairs = [(signed.seat, choice_of(signed)) for signed in votes]
    for signed in votes:
        record.keep((0, signed.seat), signed)
    record.is_split = len({choice for _, choice in pairs}) > 1
    record.previous = certificate_hash(record, pairs)


def unanimous(record: Record, expected: bytes) -> list[Signed] | None:
    """All votes for an entry without an author, once they are all for the bytes that we built too."""
    votes = [standing(record, seat) for seat in record.present]
    if any(vote is None for vote in votes):
        return None
    found = [vote for vote in votes if vote is not None]
    return found if all(choice_of(vote) == expected for vote in found) else None


def refuse_out_of_place(record: Record) -> bool:
    """A move proposed where none can be (before a round's opening, at its closing) convicts its author."""
    if record.phase not in (Phase.BETWEEN, Phase.CLOSING):
        return False
    for seat in record.present:
        signed = standing(record, seat)
        if signed is not None and isinstance(signed.message, Proposal):
            fault: FairdealError = IllegalMove("no move can be made between rounds")
            record.convict(seat, "illegal-move", fault, signed)
            return True
    return False
