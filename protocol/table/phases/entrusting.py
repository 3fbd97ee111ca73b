"""Split the round keys: each holder seals a share of its key to each of the others, so that together they can replace it.

The splits are sent after the opening entry's certificate, so that nobody can stack the deck with what they tell, and before
any card share. Everyone checks the public part of each split here. Only its receiver can see whether a share opens: it then
sends its card shares, or a complaint instead. (PROTOCOL.md, "Recovery".)
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import Seat
from protocol.dealing.context import ProofContext
from protocol.dealing.group import Point, Scalar
from protocol.dealing.recovery import (
    BadRecovery,
    Split,
    SplitStatement,
    complain,
    decode_split,
    encode_split,
    open_share,
    split,
    uphold,
    verify_splits,
)
from protocol.dealing.shares import ProvenShares
from protocol.errors import BadMessage, BadProof
from protocol.messages import Complaint, Message, RecoveryShares
from protocol.signed import Signed
from protocol.table.ledger import Convicted, Ledger
from protocol.table.own import Own
from protocol.table.phases.values import Committed, Entrusting, Giving
from protocol.table.round import Round, split_hash
from protocol.table.work import Result, expand

SPLIT_PURPOSE = "recovery"
COMPLAINT_PURPOSE = "recovery-complaint"


def receivers(round: Round, sender: Seat) -> dict[Seat, Point]:
    """Return the round keys of the seats that get a share of the sender's key: all other holders."""
    return {seat: round.keys[seat].y for seat in round.holders if seat != sender}


def split_context(round: Round, sender: Seat) -> ProofContext:
    """Return the context of a seat's split, without a receiver."""
    return round.context(0, sender, SPLIT_PURPOSE)


def complaint_context(round: Round, complainer: Seat, against: Seat) -> ProofContext:
    """Return the context of a complaint about the share that `against` sealed."""
    return round.context(0, complainer, COMPLAINT_PURPOSE, receiver=against)


# --- the splits ---


def take_splits(now: Entrusting, ledger: Ledger) -> Committed | None:
    """Check all splits when they are there, then carry out the opening entry."""
    round = now.round
    said = ledger.store.get_all(round.holders, round.epoch, "recovery-shares", round.number)
    if said is None:
        return None

    def check() -> dict[Seat, Split]:
        splits = _decoded(round, said)
        others = [signed.seat for signed in said if not ledger.is_own(signed)]
        verify_splits({seat: _statement(round, seat, splits[seat]) for seat in others}, ledger.rng)
        return splits

    result = ledger.desk.ask(
        ("splits", round.number),
        check,
        weight=2 * len(round.holders) ** 2,
        trusted=ledger.trust.covers(now.match.height),
    )
    if result is None:
        return None
    if (fault := result.fault) is not None:
        assert isinstance(fault, BadRecovery)  # nobody is named by chance
        raise Convicted(fault.seat, "recovery", fault, next(signed for signed in said if signed.seat == fault.seat))
    splits = _decoded(round, said) if result.value is None else result.value
    for signed in said:
        ledger.keep((1, 0, signed.seat), signed)
    return Committed(now.match, round.with_splits(splits), now.stage, now.outcome)


def _statement(round: Round, seat: Seat, sealed: Split) -> SplitStatement:
    return SplitStatement(split_context(round, seat), round.keys[seat].y, receivers(round, seat), sealed)


def _decoded(round: Round, said: Sequence[Signed]) -> dict[Seat, Split]:
    """Return the splits by seat. Raises BadRecovery with the first seat whose split has no form."""
    splits: dict[Seat, Split] = {}
    for signed in said:
        assert isinstance(signed.message, RecoveryShares)
        try:
            splits[signed.seat] = decode_split(signed.message.shares, list(receivers(round, signed.seat)))
        except BadMessage as fault:
            raise BadRecovery(signed.seat, fault.template, **fault.fields) from fault
    return splits


def say_split(now: Entrusting, ledger: Ledger, own: Own) -> Message | None:
    """Send the split of our round key."""
    round, seat = now.round, own.seat
    if ledger.store.get(seat, round.epoch, "recovery-shares", round.number) is not None:
        return None
    name = ("own", "split", round.number)
    x, seed = own.hand.secret(round).x, own.seed_for(name)

    def make() -> Message:
        sealed = split(split_context(round, seat), x, receivers(round, seat), expand(seed))
        return RecoveryShares(round.number, encode_split(sealed))

    made = ledger.desk.ask(name, make, weight=4 * len(round.holders))
    message: Message | None = None if made is None else made.value
    return message


def split_owing(now: Entrusting, ledger: Ledger) -> set[Seat]:
    """Return the seats that have not sent their split."""
    return ledger.store.silent(now.round.holders, now.round.epoch, "recovery-shares", now.round.number)


# --- complaints ---


def opened_shares(round: Round, ledger: Ledger, own: Own) -> Result | None:
    """Return, once computed, whether each share sealed to us opens: a dict from sender to the share, or None if it does not."""
    x, seat = own.hand.secret(round).x, own.seat

    def read() -> dict[Seat, Scalar | None]:
        return {
            sender: _opened(round, sender, seat, x, sealed) for sender, sealed in round.splits.items() if sender != seat
        }

    return ledger.desk.ask(("own", "opened", round.number), read, weight=2 * len(round.holders))


def _opened(round: Round, sender: Seat, receiver: Seat, x: Scalar, sealed: Split) -> Scalar | None:
    try:
        return open_share(split_context(round, sender), receiver, x, sealed[receiver])
    except BadProof:
        return None


def say_complaint(now: Giving, ledger: Ledger, own: Own) -> tuple[bool, Message | None]:
    """Return whether all shares sealed to us open, so that card shares can follow, and a complaint that is to be sent."""
    round, seat = now.round, own.seat
    if not round.splits or round.number in own.hand.accepted or round.history:
        return True, None
    found = opened_shares(round, ledger, own)
    if found is None:
        return False, None
    bad = [sender for sender, share in found.value.items() if share is None]
    if not bad:
        own.hand.accepted.add(round.number)
        return True, None
    sender = bad[0]
    if ledger.store.get(seat, round.epoch, "complaint", round.number, sender) is not None:
        return False, None
    x, y = own.hand.secret(round).x, round.keys[seat].y
    shown = complain(
        complaint_context(round, seat, sender),
        x,
        y,
        round.splits[sender][seat],
        expand(own.seed_for(("own", "complaint", round.number))),
    )
    return False, Complaint(round.number, sender, split_hash(round.splits[sender]), shown.encode())


def judge_complaints(now: Giving, ledger: Ledger) -> None:
    """Decide the complaints about this round's splits: each convicts its sender or the one it is about."""
    round = now.round
    if round.history or now.stage or round.epoch != now.match.epoch.number:
        return  # a seat that gave card shares has accepted all splits
    for against in round.splits:
        for seat in round.holders:
            signed = ledger.store.get(seat, round.epoch, "complaint", round.number, against)
            if signed is None or seat == against or not isinstance(signed.message, Complaint):
                continue
            if signed.message.split != split_hash(round.splits[against]):
                ledger.disputed |= {seat, against}  # its sender signed two splits, or the complaint is about none
                continue
            raise _judged(round, signed, against, ledger)


def _judged(round: Round, signed: Signed, against: Seat, ledger: Ledger) -> Convicted:
    """Return the conviction that a complaint leads to."""
    message, seat = signed.message, signed.seat
    assert isinstance(message, Complaint)
    share = round.splits[against][seat]
    sealed = ledger.store.get(against, round.epoch, "recovery-shares", round.number)
    assert sealed is not None, "a split is kept while its round is open"
    try:
        shown = ProvenShares.decode(message.opening, 1)
        context = complaint_context(round, seat, against)
        uphold(context, round.keys[seat].y, shown, split_context(round, against), seat, share)
    except BadMessage as fault:
        return Convicted(seat, "complaint", fault, signed)
    return Convicted(against, "recovery", BadProof("a share of a round key cannot be opened"), sealed)
