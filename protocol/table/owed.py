"""Who keeps the others waiting: the seats that owe what needs no thought."""

from __future__ import annotations

from protocol.cards import Seat
from protocol.games.game import OpenAll, Shuffle
from protocol.table import ballot, settlement
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
            return set() if is_pausing else _voters_missing(record)
        case Phase.PLAYING:
            missing = _voters_missing(record)
            return missing if len(missing) < len(record.present) else set()
        case Phase.SETTLING:
            return _owing_duties(record)
        case Phase.CLOSING:
            return _voters_missing(record)
        case _:
            return set()


def _silent(record: Record, *slot: str | int | None) -> set[Seat]:
    return {seat for seat in record.present if record.from_seat(seat, *slot) is None}


def _voters_missing(record: Record) -> set[Seat]:
    return {seat for seat in record.present if ballot.standing(record, seat) is None}


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
    if settlement.must_echo(record) and (silent := _silent(record, "echo", record.height)):
        return silent
    if settling.chain is not None and not settling.is_assigned:
        return _owing_chain(record, settling.chain) or _silent(record, "deck-agreed", round.number, settling.chain.deck)
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
    slot = ("shares", record.height, settling.stage, group)
    return {seat for seat in settlement.share_plan(record, settling, group) if record.from_seat(seat, *slot) is None}
