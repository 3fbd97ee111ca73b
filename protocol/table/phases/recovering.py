"""Open the round key of a seat that left, so that the others can play the round on.

An epoch that continues a round begins with this: every present seat confirms that it saw the epoch begin, then publishes the
share that the departed seat sealed to it. Nobody publishes one before all have confirmed, so that no key is opened in an epoch
that some of them never reach. (PROTOCOL.md, "Recovery".)
"""

from __future__ import annotations

from collections.abc import Mapping

from protocol.cards import Seat
from protocol.dealing.group import G, Scalar, decode_scalar
from protocol.dealing.recovery import open_share, recover
from protocol.errors import BadMessage, BadProof
from protocol.messages import Echo, Message, RecoveryOpen
from protocol.table.epochs import Epoch
from protocol.table.ledger import Convicted, Ledger
from protocol.table.own import Own
from protocol.table.phases.entrusting import split_context
from protocol.table.phases.values import Committed, Match, Recovering
from protocol.table.round import Round
from protocol.values import replace


def missing_key(round: Round, epoch: Epoch) -> Seat | None:
    """Return the seat whose key must be opened so that a round can be played on in this epoch; None if it cannot.

    That is so if its keys were split, and only one seat that holds one is missing.
    """
    missing = [seat for seat in round.active if seat not in epoch.present]
    if not round.splits or len(missing) != 1:
        return None
    try:
        _open_already(round, missing[0])
    except BadProof:  # a seat that left had not complained about it
        return None
    return missing[0]


def take_shares(now: Recovering, ledger: Ledger) -> Committed | None:
    """Open the key when all have confirmed the epoch and published their shares, then carry out the entry at its start."""
    match, round, of = now.match, now.round, now.of
    shares = _said(now, ledger)
    echoes = ledger.store.get_all(match.epoch.present, match.epoch.number, "echo", match.height)
    said = ledger.store.get_all(match.epoch.present, match.epoch.number, "recovery-open", round.number, of)
    if echoes is None or said is None or _disagreeing(now, ledger):
        return None
    x = recover(round.keys[of].y, round.splits[of], {**shares, **_open_already(round, of)})
    for echo in echoes:
        ledger.keep((-2, 0, echo.seat), echo)
    for signed in said:
        ledger.keep((-1, 0, signed.seat), signed)
    return replace(now.then, round=replace(round, recovered={**round.recovered, of: x}))


def _said(now: Recovering, ledger: Ledger) -> dict[Seat, Scalar]:
    """Return the shares that were published so far. Raises Convicted for whoever published a false one, also if not all have
    confirmed the epoch: that is not in the file of a match that goes on without the cheat."""
    round, of, epoch = now.round, now.of, now.match.epoch
    shares: dict[Seat, Scalar] = {}
    caught: list[Convicted] = []
    for seat in epoch.present:
        signed = ledger.store.get(seat, epoch.number, "recovery-open", round.number, of)
        if signed is None:
            continue
        assert isinstance(signed.message, RecoveryOpen)
        try:
            shares[seat] = decode_scalar(signed.message.share)
            if shares[seat] * G != round.splits[of][seat].S:
                raise BadProof("a published share is not the one of the round key")
        except BadMessage as fault:
            caught.append(Convicted(seat, "recovery", fault, signed))
    if caught:
        first, *others = caught
        raise Convicted(first.seat, first.what, first.reason, *first.evidence, others=tuple(others))
    return shares


def _open_already(round: Round, of: Seat) -> Mapping[Seat, Scalar]:
    """Return the shares sealed to seats whose own keys are open, which anybody can read."""
    context, splits = split_context(round, of), round.splits[of]
    return {seat: open_share(context, seat, x, splits[seat]) for seat, x in round.recovered.items()}


def _disagreeing(now: Recovering, ledger: Ledger) -> set[Seat]:
    """Return the seats that confirmed another certificate than ours."""
    found = set()
    for seat in now.match.epoch.present:
        signed = ledger.store.get(seat, now.match.epoch.number, "echo", now.match.height)
        if signed is not None and isinstance(signed.message, Echo) and signed.message.certificate != now.match.previous:
            found.add(seat)
    return found


def say(now: Recovering, ledger: Ledger, own: Own) -> Message | None:
    """Confirm the epoch's start; when all have, publish our share of the key."""
    match, round, epoch = now.match, now.round, now.match.epoch.number
    if ledger.store.get(own.seat, epoch, "echo", match.height) is None:
        return Echo(match.height, match.previous)
    if ledger.store.silent(match.epoch.present, epoch, "echo", match.height) or _disagreeing(now, ledger):
        return None
    if ledger.store.get(own.seat, epoch, "recovery-open", round.number, now.of) is not None:
        return None
    x = own.hand.secret(round).x
    share = open_share(split_context(round, now.of), own.seat, x, round.splits[now.of][own.seat])
    return RecoveryOpen(round.number, now.of, share.encode())


def owing(now: Recovering, ledger: Ledger) -> set[Seat]:
    """Return the seats that have not confirmed the epoch, or not published their share."""
    match: Match = now.match
    present, epoch = match.epoch.present, match.epoch.number
    silent = ledger.store.silent(present, epoch, "echo", match.height) or _disagreeing(now, ledger)
    return silent or ledger.store.silent(present, epoch, "recovery-open", now.round.number, now.of)
