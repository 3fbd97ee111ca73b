"""Who keeps the others waiting: the seats that owe what needs no thought."""

from __future__ import annotations

from collections import Counter

from protocol.cards import Seat
from protocol.games.game import OpenAll, Shuffle
from protocol.messages import DeckAgreed, Echo, Proposal, Shares
from protocol.signed import Signed
from protocol.table import ballot, settlement
from protocol.table.preparation import chain_hash
from protocol.table.record import Phase, Record
from protocol.table.round import Chain, Round, Settling


def owing(record: Record, is_pausing: bool) -> set[Seat]:
    """Seats whose message is missing for the next step; empty while a move is awaited or, between rounds, during the pause."""
    match record.phase:
        case Phase.SEALING:
            return _silent(record, "seal") or _silent(record, "nonce")
        case Phase.BETWEEN:
            round = record.preparing
            if round is not None and not round.is_prepared:
                return _owing_preparation(record, round)
            return set() if is_pausing else _voters_missing(record) or _differing(record)
        case Phase.PLAYING:
            missing = _voters_missing(record)
            return missing or puzzling(record) if len(missing) < len(record.present) else set()
        case Phase.SETTLING:
            return _owing_duties(record)
        case Phase.CLOSING:
            return _voters_missing(record) or _differing(record)
        case _:
            return set()


def _silent(record: Record, *slot: str | int | None) -> set[Seat]:
    return {seat for seat in record.present if record.from_seat(seat, *slot) is None}


def _voters_missing(record: Record) -> set[Seat]:
    return {seat for seat in record.present if ballot.standing(record, seat) is None}


def _differing(record: Record) -> set[Seat]:
    """All have voted where all must vote for the same, and did not: whoever stands against the most is asked first."""
    choices = {seat: ballot.choice_of(signed) for seat, signed in _votes(record).items()}
    counted = Counter(choices.values())
    most = max(counted.values(), default=0)
    return {seat for seat, choice in choices.items() if counted[choice] < most or 2 * most <= len(choices)}


def puzzling(record: Record) -> set[Seat]:
    """All have voted, and these seats for a proposal which we do not hold: they, or its author, showed others something else."""
    votes = _votes(record)
    known = {ballot.proposal_hash(signed) for signed in votes.values() if isinstance(signed.message, Proposal)}
    return {seat for seat, signed in votes.items() if ballot.choice_of(signed) not in known}


def _votes(record: Record) -> dict[Seat, Signed]:
    found = {seat: ballot.standing(record, seat) for seat in record.present}
    return {seat: signed for seat, signed in found.items() if signed is not None}


def _contradicting(record: Record, value: bytes, *slot: str | int | None) -> set[Seat]:
    """Seats that say another hash than we hold, where all must say the same."""
    said = {seat: record.from_seat(seat, *slot) for seat in record.present}
    found = set()
    for seat, signed in said.items():
        if signed is not None and isinstance(signed.message, (Echo, DeckAgreed)):
            message = signed.message
            if (message.certificate if isinstance(message, Echo) else message.hash) != value:
                found.add(seat)
    return found


def _owing_preparation(record: Record, round: Round) -> set[Seat]:
    if round.joint is None:
        return _silent(record, "prepare", round.number)
    return _owing_chain(record, round.chains[0])


def _owing_chain(record: Record, chain: Chain) -> set[Seat]:
    if chain.turn is not None:
        return {chain.turn}
    return _silent(record, "shuffle-proof", chain.round, chain.deck)


def _owing_duties(record: Record) -> set[Seat]:
    settling, round = record.settling, record.round
    assert settling is not None
    assert round is not None
    if settlement.must_echo(record):
        slot: tuple[str | int | None, ...] = ("echo", record.height)
        if found := _silent(record, *slot) or _contradicting(record, record.previous, *slot):
            return found
    if settling.chain is not None and not settling.is_assigned:
        chain = settling.chain
        slot = ("deck-agreed", round.number, chain.deck)
        return _owing_chain(record, chain) or _silent(record, *slot) or _contradicting(record, chain_hash(chain), *slot)
    if any(isinstance(demand, Shuffle) for demand in settling.outcome.demands) and not settling.is_assigned:
        return set()
    found = {seat for seat in settling.remasking if seat not in settling.remasked}
    for group in settlement.groups(settling):
        found |= _owing_shares(record, settling, group)
    if not found and any(isinstance(demand, OpenAll) for demand in settling.outcome.demands):
        return _silent(record, "reveal", round.number)
    return found


def _owing_shares(record: Record, settling: Settling, group: Seat | None) -> set[Seat]:
    if group in settling.granted or (group is not None and group not in settling.remasked):
        return set()
    found = set()
    for seat, places in settlement.share_plan(record, settling, group).items():
        signed = record.from_seat(seat, "shares", record.height, settling.stage, group)
        opened = signed.message.cards if signed is not None and isinstance(signed.message, Shares) else b""
        if opened != settlement.opened_hash(places):
            found.add(seat)
    return found
