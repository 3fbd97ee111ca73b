"""Between rounds: the next round is prepared, then opened by a vote of all. (PROTOCOL.md, "Between rounds and at the end".)"""

from __future__ import annotations

from dataclasses import replace

from protocol.cards import Seat
from protocol.games.game import Outcome, Shuffle
from protocol.messages import Message
from protocol.table import ballot
from protocol.table.events import RoundOpened
from protocol.table.keepers import is_recoverable
from protocol.table.ledger import Ledger
from protocol.table.own import Own
from protocol.table.phases.values import Between, Committed, Entrusting
from protocol.table.preparation import keep_preparation, preparation_owing
from protocol.table.round import Place, Round
from protocol.table.sequence import certified


def open_round(now: Between, ledger: Ledger) -> Committed | Entrusting | None:
    """Open the next round when everyone has voted for our deck."""
    match, made = now.match, now.match.preparing
    if made is None or made.joint is None or made.chain is None or not made.is_done:
        return None
    votes = ballot.unanimous(match, ledger, ballot.opening_hash(match, made))
    if votes is None:
        return None
    keep_preparation(made, ledger)
    match = certified(match, votes, ledger)
    outcome = ledger.game.start(match.dealer, match.scores, match.epoch.present)
    first, *demands = outcome.demands
    assert first == Shuffle(ledger.game.deck)
    empty = ((),) * ledger.size
    stock = tuple(Place(card) for card in made.chain.top)
    round = Round(
        made.table, made.epoch, made.number, made.holders, made.keys, made.joint, (made.chain,), stock, empty, empty
    )
    ledger.events.append(RoundOpened(round.number, match.dealer))
    match = replace(match, state=outcome.state, preparing=None)
    members = [ledger.roster.members[match.draw.seating[seat]] for seat in round.holders]
    begun = Entrusting if is_recoverable(ledger.roster.table.recovery, members) else Committed
    return begun(match, round, 0, Outcome(outcome.state, tuple(demands)))


def say(now: Between, ledger: Ledger, own: Own, is_pausing: bool) -> Message | None:
    """Vote for the round that is prepared, when the pause is over."""
    made = now.match.preparing
    if is_pausing or made is None or not made.is_done:
        return None
    return ballot.own_vote(now.match, ledger.store, own.seat, ballot.opening_hash(now.match, made))


def owing(now: Between, ledger: Ledger, is_pausing: bool) -> set[Seat]:
    """Return the seats that the preparation waits for or, after the pause, that have not voted or differ from the majority."""
    made = now.match.preparing
    if made is not None and not made.is_done:
        return preparation_owing(made, ledger)
    if is_pausing:
        return set()
    return ballot.disagreeing(now.match, ledger.store)
