"""Say what a promise to go on in another epoch denies of what its seat has signed besides.

A promise names the last epoch that its seat saw begin, its highest certificate there, and its vote above that. Whoever denies
one of them could go on with some from where others have gone on already, or undo what it knows.
(PROTOCOL.md, "Receiving a `without` or a `goodbye`".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards import Seat
from protocol.messages import Goodbye, Proposal, Vote, Without
from protocol.signed import Signed
from protocol.table.ballot import choice_of
from protocol.table.epochs import without
from protocol.table.ledger import Ledger


def denies(promise: Signed, said: Signed) -> bool:
    """Whether a promise denies something else that the same key has signed: a vote of the epoch that it names, or anything at
    all of a later one before the one that is promised.

    That an epoch began twice is the fault of whoever signed two versions of what began it: who names that seat as convicted may
    go back. Where seats were taken nobody was left out, so nothing can come of going back.
    """
    message, other = without(promise), said.message
    if other.slot is None or isinstance(other, Without | Goodbye):
        return False
    if said.epoch == promise.epoch:
        return said.epoch_hash == promise.epoch_hash and _denies_vote(message, said)
    if not promise.epoch < said.epoch < message.number:
        return False
    begun = next((each for each in message.attempts if each[0] == said.epoch), None)
    return begun is None or not (begun[2] or _accuses(message, begun[1]))


def _denies_vote(message: Without, said: Signed) -> bool:
    """Whether a promise hides a vote: it names the certificate on which the vote was based, and another vote; or a certificate so
    low that the seat could not have come to vote. A seat signs no vote after its promise."""
    vote = said.message
    if not isinstance(vote, Vote | Proposal):
        return False
    if vote.height == message.height + 1:
        return vote.previous == message.certificate and choice_of(said) != message.vote
    return vote.height > message.height and not _accuses(message, message.base)


def _accuses(message: Without, seats: Iterable[Seat]) -> bool:
    """Whether a promise names one of these seats as convicted."""
    return any((seat, None) in message.out for seat in seats)


def denied_by(promise: Signed, key: bytes, ledger: Ledger) -> Signed | None:
    """Return something that this key has said and this promise of it denies, as far as we hold it."""
    said = ledger.said_by(promise.seat, promise.epoch, without(promise).height + 1)
    return next((each for each in said if denies(promise, each) and each.is_by(key)), None)


def denier_of(said: Signed, key: bytes, ledger: Ledger) -> Signed | None:
    """Return a promise of this key that denies what it has said, as far as we hold it."""
    departures = ledger.departures
    if said.message.slot is None or not (departures.withouts or ledger.promises):
        return None
    found = (each for each in (*departures.of(said.seat, key), *ledger.promises.get(said.seat, ())))
    return next((each for each in found if denies(each, said) and each.is_by(key)), None)
