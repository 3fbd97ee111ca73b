"""Move a match from height to height: an entry is committed, its demands are met, and the result is written down.

(PROTOCOL.md, "Phases".)
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import Seat
from protocol.hashing import digest
from protocol.signed import Signed
from protocol.table import ballot
from protocol.table.events import Settled
from protocol.table.ledger import Ledger
from protocol.table.phases.values import Match
from protocol.table.round import Preparation, Round
from protocol.table.work import JobName
from protocol.values import replace

OWN_OF_A_HEIGHT = (("own", "proposal"), ("own", "remask"), ("own", "shares"))
"""Names of jobs to drop after their height, because their results hold secrets."""


def certified(match: Match, votes: Sequence[Signed], ledger: Ledger) -> Match:
    """Return the match with the certificate of its open height, made of all its votes."""
    for signed in votes:
        ledger.keep((0, signed.seat), signed)
    return replace(match, previous=ballot.certificate_hash(ledger.table, match, votes))


def next_height(match: Match, round: Round, ledger: Ledger) -> Match:
    """Return the match at its next height, with its new settled state. Drop what only the last height needed."""
    ledger.events.append(Settled(match.height))
    state = ballot.state_bytes(match, round)
    match = replace(match, height=match.height + 1, state_bytes=state, state_hash=digest("state", state))
    ledger.forget(match.height, match.rounds_closed + 1)

    def is_past(name: JobName) -> bool:
        if name[0] in ("proposal", "remask", "shares"):
            return bool(name[1] < match.height)
        return name[:2] in OWN_OF_A_HEIGHT and bool(name[2] < match.height)

    ledger.desk.drop(is_past)
    return match


def settled(match: Match, round: Round, ledger: Ledger) -> Match:
    """Return the match at its next height, after writing the messages of the finished one into the transcript."""
    ledger.emit(match.height)
    return next_height(match, round, ledger)


def next_present(seat: Seat, present: tuple[Seat, ...]) -> Seat:
    """Return this seat, or the next one that is present."""
    return next((each for each in present if each >= seat), present[0])


def new_preparation(match: Match, number: int, ledger: Ledger) -> Preparation | None:
    """Return the beginning of a round's preparation. All present seats will have a key in it. None if the game cannot be dealt
    to them."""
    if not ledger.game.can_deal_to(match.epoch.present):
        return None
    return Preparation(ledger.table, match.epoch.number, number, match.epoch.present)


def prepared_ahead(match: Match, round: Round, ledger: Ledger) -> Match:
    """Begin the preparation of the next round, if that can be done while this round is played."""
    limit = ledger.roster.table.rounds
    if match.preparing is not None or ledger.game.deck_depends_on_round or (limit and round.number >= limit):
        return match
    return replace(match, preparing=new_preparation(match, round.number + 1, ledger))
