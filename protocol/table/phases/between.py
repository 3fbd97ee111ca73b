"""Between rounds: the next round is prepared, then opened by a vote of all.

If the game cannot be dealt to those who are present, an empty seat is awaited instead, until all vote to end the match.
(PROTOCOL.md, "Between rounds and at the end".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.cards import Seat
from protocol.games.game import OpenAll, Outcome, Shuffle
from protocol.hashing import digest, number
from protocol.messages import Message
from protocol.table import ballot
from protocol.table.epochs import Epoch
from protocol.table.events import RoundOpened
from protocol.table.keepers import is_recoverable
from protocol.table.ledger import Ledger
from protocol.table.own import Own
from protocol.table.phases.confirming import ended
from protocol.table.phases.recovering import missing_key
from protocol.table.phases.values import (
    Between,
    Committed,
    Confirming,
    Entrusting,
    Now,
    Over,
    Recovering,
    Settling,
    key_of,
    member_of,
)
from protocol.table.places import Departure
from protocol.table.preparation import keep_preparation, preparation_owing
from protocol.table.round import DealtCard, Round
from protocol.table.sequence import certified, new_preparation, next_present
from protocol.values import replace


def open_round(now: Between, ledger: Ledger) -> Committed | Entrusting | Over | None:
    """Open the next round when everyone has voted for our deck, or end the match if it lacks a player."""
    match, made = now.match, now.match.preparing
    if is_short(now, ledger):
        return _end(now, ledger)
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
    stock = tuple(DealtCard(card) for card in made.chain.top)
    round = Round(
        made.table, made.epoch, made.number, made.holders, made.keys, made.joint, (made.chain,), stock, empty, empty
    )
    ledger.events.append(RoundOpened(round.number, match.dealer))
    match = replace(match, state=outcome.state, preparing=None)
    members = [member_of(ledger, match, seat) for seat in round.holders]
    first_phase = Entrusting if is_recoverable(ledger.roster.table.recovery, members) else Committed
    return first_phase(match, round, 0, Outcome(outcome.state, tuple(demands)))


def is_short(now: Now, ledger: Ledger) -> bool:
    """Whether the match waits between rounds for a player, because its game cannot be dealt to those who are present."""
    return isinstance(now, Between) and not ledger.game.can_deal_to(now.match.epoch.present)


def short_hash(now: Between) -> bytes:
    """Return the entry that ends a match for which players are missing."""
    return digest("short", number(now.match.rounds_closed + 1))


def _end(now: Between, ledger: Ledger) -> Over | None:
    """End the match when all have voted for that."""
    votes = ballot.unanimous(now.match, ledger, short_hash(now))
    if votes is None:
        return None
    match = certified(now.match, votes, ledger)
    ledger.emit(match.height)
    return ended(match, now.round, ledger, is_short=True)


def adopted(now: Between, ledger: Ledger) -> Confirming:
    """End the match by the votes of those who go on alone, as `closing.adopted` closes a round."""
    previous = ballot.certificate_of_all(ledger.table, now.match, short_hash(now))
    return Confirming(replace(now.match, previous=previous, preparing=None), now.round, is_short=True)


def begun(
    now: Now, epoch: Epoch, without: Iterable[Seat], ledger: Ledger, may_play_on: bool = True, is_adopted: bool = False
) -> Between | Confirming | Recovering | Committed:
    """Return the phase in which an epoch begins, at a certificate. A round that is under way and can be recovered is played on if
    no key is missing, or one that can be opened; otherwise it is void.

    `without`: the seats that are left out. `may_play_on`: no two certificates of one height are known, and the epoch is not the
    second in a row that leaves nobody out and begins there: somebody who stays lacks a key. `is_adopted`: the entry there had no
    certificate, so those who are left out need not have known of it, and have withheld nothing.
    """
    match, round = now.match, now.round
    keys = {seat: key_of(ledger, match, seat) for seat in match.departed}
    match = replace(match, epoch=epoch, preparing=None)
    stands_last = {seat: why for seat, why in match.departed.items() if key_of(ledger, match, seat) == keys[seat]}
    match = replace(match, departed=stands_last)  # the player who took a seat over plays for its points
    is_end = isinstance(now, Settling) and any(isinstance(demand, OpenAll) for demand in now.outcome.demands)
    if is_end and not is_adopted:
        match = replace(match, departed={**dict.fromkeys(without, Departure.WITHHELD), **match.departed})
    if isinstance(now, Confirming):
        return replace(now, match=match)
    if may_play_on and isinstance(now, Settling) and (of := missing_key(now.round, epoch)) is not None:
        then = now.then if isinstance(now, Recovering) else now
        assert isinstance(then, Committed), "an epoch begins at a certificate"
        return Recovering(match, now.round, 0, now.outcome, of, replace(then, match=match, must_echo=False))
    if may_play_on and isinstance(now, Committed) and now.round.splits and set(now.round.active) <= set(epoch.present):
        return replace(now, match=match, must_echo=True)
    if isinstance(now, Settling):
        match = replace(match, height=match.height + 1, rounds_closed=now.round.number)
        round = None
    match = replace(match, dealer=next_present(match.dealer, epoch.present))
    state = ballot.state_bytes(match, round)
    match = replace(match, state_bytes=state, state_hash=digest("state", state))
    return Between(replace(match, preparing=new_preparation(match, match.rounds_closed + 1, ledger)), round)


def say(now: Between, ledger: Ledger, own: Own, is_pausing: bool) -> Message | None:
    """Vote for the round that is prepared, or to end the match if it lacks a player, when the pause is over."""
    made = now.match.preparing
    if not is_pausing and is_short(now, ledger):
        return ballot.own_vote(now.match, ledger.store, own.seat, short_hash(now))
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
