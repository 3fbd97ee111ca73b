"""Map (phase, message kind) to a handler, and each phase to what a seat sends and to whom the table waits for.

A handler returns the next phase, or None if something is missing. The result of a job is handled like a message of its kind
("proposal", "chain", "audit", …). ENTERED is handled when a phase begins, because what it needs may already be there. Messages
without an entry change nothing now; they are stored until their phase begins. (PROTOCOL.md, "Phases".)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, get_args

from protocol.cards import Seat
from protocol.messages import Message
from protocol.table.ledger import Ledger
from protocol.table.own import Own
from protocol.table.phases import between, closing, confirming, entrusting, playing, recovering, sealing, settling
from protocol.table.phases.values import (
    Between,
    Closing,
    Committed,
    Confirming,
    Entrusting,
    Giving,
    Now,
    Over,
    Phase,
    Playing,
    Recovering,
    Recycling,
    Revealing,
    Sealing,
    Settling,
    key_of,
)
from protocol.table.preparation import prepared, say_preparation
from protocol.values import replace

Handler: TypeAlias = Callable[[Any, Ledger], Now | None]

ENTERED = "entered"


Preparing: TypeAlias = Between | Playing | Entrusting | Committed | Recycling | Giving | Revealing | Closing
"""Phases in which the next round may be prepared."""


def prepare(now: Preparing, ledger: Ledger) -> Preparing | None:
    """Take the next step of the next round's preparation, in any phase."""
    match = now.match
    if match.preparing is None:
        return None
    keys = [key_of(ledger, match, seat) for seat in match.preparing.holders]
    further = prepared(match.preparing, keys, ledger, is_awaited=now.phase is Phase.BETWEEN)
    if further is None:
        return None
    return replace(now, match=replace(match, preparing=further))


def _shuffled(now: Recycling, ledger: Ledger) -> Now | None:
    """Take a step of the next round's deck or of the recycled one."""
    return prepare(now, ledger) or settling.recycle(now, ledger)


HANDLERS: dict[tuple[type[Any], str], Handler] = {
    **{
        (phase, kind): prepare
        for phase in get_args(Preparing)
        for kind in ("prepare", "shuffled", "shuffle-proof", "chain")
    },
    (Sealing, ENTERED): sealing.draw,
    (Sealing, "seal"): sealing.draw,
    (Sealing, "nonce"): sealing.draw,
    (Between, ENTERED): between.open_round,
    (Between, "vote"): between.open_round,
    (Between, "move"): between.open_round,
    (Between, "break-off"): between.open_round,
    (Playing, ENTERED): playing.count_votes,
    (Playing, "vote"): playing.count_votes,
    (Playing, "move"): playing.count_votes,
    (Playing, "break-off"): playing.count_votes,
    (Playing, "proposal"): playing.count_votes,
    (Entrusting, ENTERED): entrusting.take_splits,
    (Entrusting, "recovery-shares"): entrusting.take_splits,
    (Entrusting, "splits"): entrusting.take_splits,
    (Recovering, ENTERED): recovering.take_shares,
    (Recovering, "echo"): recovering.take_shares,
    (Recovering, "recovery-open"): recovering.take_shares,
    (Committed, ENTERED): settling.begin,
    (Committed, "echo"): settling.begin,
    (Recycling, ENTERED): settling.recycle,
    (Recycling, "shuffled"): _shuffled,
    (Recycling, "shuffle-proof"): _shuffled,
    (Recycling, "chain"): _shuffled,
    (Recycling, "deck-agreed"): settling.recycle,
    (Giving, ENTERED): settling.give,
    (Giving, "remask"): settling.give,
    (Giving, "shares"): settling.give,
    (Giving, "complaint"): settling.give,
    (Revealing, ENTERED): closing.open_hands,
    (Revealing, "reveal"): closing.open_hands,
    (Revealing, "audit"): closing.open_hands,
    (Closing, ENTERED): closing.close_round,
    (Closing, "vote"): closing.close_round,
    (Closing, "move"): closing.close_round,
    (Closing, "break-off"): closing.close_round,
}


def next_message(
    now: Now, ledger: Ledger, own: Own, is_pausing: bool, is_stuck: bool, may_break_off: bool, may_stand_in: bool
) -> Message | None:
    """Return the next message that a seat owes and can send now.

    `is_pausing`: the pause between rounds goes on. `is_stuck`: the round may be broken off. `may_break_off`: by us.
    `may_stand_in`: the others had time to act before the default move of a seat that left.
    """
    if now.match.preparing is not None:
        found = say_preparation(now.match.preparing, ledger, own, is_awaited=now.phase is Phase.BETWEEN)
        if found is not None:
            return found
    match now:
        case Sealing():
            return sealing.say(now, ledger, own)
        case Between():
            return between.say(now, ledger, own, is_pausing)
        case Playing():
            return playing.say(now, ledger, own, is_stuck, may_break_off, may_stand_in)
        case Settling() if now.round.number not in own.hand.secrets:
            return None
        case Entrusting():
            return entrusting.say_split(now, ledger, own)
        case Recovering():
            return recovering.say(now, ledger, own)
        case Committed():
            return settling.say_echo(now, ledger, own)
        case Recycling():
            return settling.say_recycling(now, ledger, own)
        case Giving():
            return settling.say_giving(now, ledger, own)
        case Revealing():
            return closing.say_reveal(now, ledger, own)
        case Closing():
            return closing.say_vote(now, ledger, own)
        case Confirming() | Over():
            return confirming.say_closed(now, ledger, own)
        case _:
            return None


def owing(now: Now, ledger: Ledger, is_pausing: bool) -> set[Seat]:
    """Return the seats whose message is missing for the next step; none while a move is awaited or during a pause."""
    match now:
        case Sealing():
            return sealing.owing(now, ledger)
        case Between():
            return between.owing(now, ledger, is_pausing)
        case Playing():
            return playing.owing(now, ledger)
        case Entrusting():
            return entrusting.split_owing(now, ledger)
        case Recovering():
            return recovering.owing(now, ledger)
        case Committed():
            return settling.echo_owing(now, ledger) if now.must_echo else set()
        case Recycling():
            return settling.recycling_owing(now, ledger)
        case Giving():
            return settling.giving_owing(now, ledger)
        case Revealing():
            return closing.reveal_owing(now, ledger)
        case Closing():
            return closing.closing_owing(now, ledger)
        case Confirming():
            return confirming.unconfirmed(now, ledger.store.said)
        case _:
            return set()
