"""What a seat has to say next, if anything: its part in sealing, preparing, voting, dealing and closing.

One function, asked again after everything that happens, so that nothing depends on the order in which things come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.dealing.elgamal import encode_deck
from protocol.dealing.keys import make_round_key
from protocol.dealing.shuffle import prove_shuffle, shuffle
from protocol.games.game import OpenAll
from protocol.messages import (
    BreakOff,
    Closed,
    DeckAgreed,
    Echo,
    Message,
    Nonce,
    Prepare,
    Proposal,
    Reveal,
    Seal,
    Shuffled,
    ShuffleProof,
    Vote,
)
from protocol.table import ballot, proposing, settlement
from protocol.table.closing import closing_hash
from protocol.table.preparation import chain_hash, incoming_hash, key_context, shuffle_context
from protocol.table.record import Phase
from protocol.table.round import Chain, Round, Settling
from protocol.table.work import expand

if TYPE_CHECKING:
    from protocol.table.table import Table

BREAK_OFF_STEP_S = 0.5
"""How much longer than the seat before it a seat waits before it proposes to break off."""


def next_message(table: Table, now: float) -> Message | None:
    """The next thing that this seat owes and can say now."""
    record = table.record
    found = _prepare(table) if record.preparing is not None and record.seed is not None else None
    if found is not None:
        return found
    match record.phase:
        case Phase.SEALING:
            return _seal(table)
        case Phase.BETWEEN:
            return None if table.is_pausing(now) else _vote_opening(table)
        case Phase.PLAYING:
            return _vote_move(table, now) or _break_off(table, now)
        case Phase.SETTLING:
            return _settle(table)
        case Phase.CLOSING:
            return _vote(table, closing_hash(record))
        case Phase.OVER:
            said = record.from_seat(table.seat, "closed")
            return Closed(record.previous) if said is None else None
        case _:
            return None


def _has_said(table: Table, *slot: str | int | None) -> bool:
    return table.record.from_seat(table.seat, *slot) is not None


# --- sealing and preparing ---


def _seal(table: Table) -> Message | None:
    record = table.record
    if record.from_seat(table.place, "seal") is None:
        return Seal()
    if record.from_all("seal") is not None and record.from_seat(table.place, "nonce") is None:
        return Nonce(table.nonce)
    return None


def _prepare(table: Table) -> Message | None:
    record = table.record
    round = record.preparing
    assert round is not None
    if round.is_prepared:
        return None
    number, seat = round.number, table.seat
    if not _has_said(table, "prepare", number):
        context = key_context(record, number, seat)
        secret, key = make_round_key(context, table.identity.public, table.rng)
        table.hand.keep(number, secret, key)
        return Prepare(number, key.encode())
    return _shuffle(table, round, round.chains[0]) if round.chains else None


def _shuffle(table: Table, round: Round, chain: Chain) -> Message | None:
    """Our step of a chain and, once it is said, its proof."""
    record, seat = table.record, table.seat
    if seat not in chain.order or chain.is_proven or round.number not in table.hand.secrets:
        return None
    index = chain.order.index(seat)
    if len(chain.decks) < index:
        return None
    context = shuffle_context(record, chain, seat)
    secret, before, joint = table.hand.secrets[round.number], chain.before(index), round.common_key()
    urgent = chain.deck > 0 or record.phase is Phase.BETWEEN
    names = ("own", chain.round, chain.deck)
    if _has_said(table, "shuffle-proof", chain.round, chain.deck):
        return None
    made = record.job(
        (*names, "shuffle"), lambda: shuffle(context, joint, secret.seed, before), 2 * len(before), urgent
    )
    if made is None:
        return None
    after, witness = made.value
    if not _has_said(table, "shuffled", chain.round, chain.deck):
        return Shuffled(chain.round, chain.deck, incoming_hash(round, before), encode_deck(after))
    rng_seed = table.seed_for((*names, "proof"))
    proved = record.job(
        (*names, "proof"),
        lambda: prove_shuffle(context, joint, before, after, witness, expand(rng_seed)),
        7 * len(before),
        urgent,
    )
    return None if proved is None else ShuffleProof(chain.round, chain.deck, proved.value)


# --- voting ---


def _vote(table: Table, choice: bytes) -> Message | None:
    record = table.record
    if _has_said(table, "vote", record.height):
        return None
    return Vote(record.height, record.previous, record.state_hash, choice)


def _vote_opening(table: Table) -> Message | None:
    round = table.record.preparing
    if round is None or not round.is_prepared:
        return None
    return _vote(table, ballot.opening_hash(table.record, round))


def _vote_move(table: Table, now: float) -> Message | None:
    """Our vote for the first proposal that came and is in order. To break off a round has to wait for our own patience."""
    record = table.record
    if _has_said(table, "vote", record.height):
        return None
    for (seat, slot), signed in list(record.said.items()):
        if slot != ("vote", record.height) or ballot.standing(record, seat) is None:
            continue
        if not isinstance(signed.message, Proposal) or (
            isinstance(signed.message, BreakOff) and not table.is_stuck(now)
        ):
            continue
        if ballot.checked_entry(record, signed) is not None:
            return _vote(table, ballot.proposal_hash(signed))
        if record.broken is not None:
            return None
    return None


def _break_off(table: Table, now: float) -> Message | None:
    """Our proposal to break off a round that is stuck. The seats propose one after another, so that one is enough."""
    record = table.record
    if not table.is_stuck(now - BREAK_OFF_STEP_S * table.seat) or _has_said(table, "vote", record.height):
        return None
    return BreakOff(record.height, record.previous, record.state_hash)


# --- duties of a committed entry ---


def _settle(table: Table) -> Message | None:
    record = table.record
    settling, round = record.settling, record.round
    if settling is None or round is None or round.number not in table.hand.secrets:
        return None
    if settlement.must_echo(record):
        if not _has_said(table, "echo", record.height):
            return Echo(record.height, record.previous)
        if not settlement.echoes_agree(record):
            return None
    chain = settling.chain
    if chain is not None and not settling.is_assigned:
        found = _shuffle(table, round, chain)
        if found is None and chain.is_proven and not _has_said(table, "deck-agreed", round.number, chain.deck):
            return DeckAgreed(round.number, chain.deck, chain_hash(chain))
        return found
    if not settling.is_assigned:
        return None
    return _remask(table, settling) or _give_shares(table, settling) or _reveal(table, round, settling)


def _remask(table: Table, settling: Settling) -> Message | None:
    record, seat = table.record, table.seat
    before = settling.remasking.get(seat)
    if before is None or seat in settling.remasked or settling.foreseen_by(seat):
        return None
    if _has_said(table, "remask", record.height, settling.stage):
        return None
    name = ("own", "remask", record.height, settling.stage)
    seed = table.seed_for(name)
    made = record.job(
        name, lambda: proposing.remask(record, seat, settling, tuple(before), seed), weight=12 * len(before)
    )
    if made is None:
        return None
    table.hand.remasked(record, seat, made.value.before, made.value.after, made.value.order)
    message: Message = made.value.message
    return message


def _give_shares(table: Table, settling: Settling) -> Message | None:
    record, seat = table.record, table.seat
    secret = table.hand.secret(record)
    for group in settlement.groups(settling):
        if group is not None and group not in settling.remasked:
            continue
        places = settlement.share_plan(record, settling, group).get(seat)
        if not places or _has_said(table, "shares", record.height, settling.stage, group):
            continue
        name = ("own", "shares", record.height, settling.stage, group)
        seed = table.seed_for(name)
        made = record.job(
            name,
            lambda group=group, places=places, seed=seed: proposing.shares(  # type: ignore[misc]  # bound now: the loop goes on
                record, seat, secret, settling, group, places, seed
            ),
            weight=3 * len(places),
        )
        if made is not None:
            message: Message = made.value
            return message
    return None


def _reveal(table: Table, round: Round, settling: Settling) -> Message | None:
    """Our keys of a round that is over: when every card that its entries gave away has been given."""
    is_last = any(isinstance(demand, OpenAll) for demand in settling.outcome.demands)
    is_given = set(settlement.groups(settling)) <= settling.granted
    if not is_last or not is_given or settling.opening is not None or _has_said(table, "reveal", round.number):
        return None
    return Reveal(round.number, table.hand.secret(table.record).encode())
