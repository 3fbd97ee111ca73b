"""What a bot would do in a player's place, and why, if that can be said.

Bots that imagine deals can say why: they play the move they propose to the end on some deals that fit what the player knows, and
look for a fact that holds in most of them. A face turns it into a sentence.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Protocol, runtime_checkable

from protocol.cards import Card, Seat
from protocol.games.memory import Memory, choose
from protocol.steps import Steps
from protocol.values import dataclass

OUT_FIRST = "out-first"
"""The player is the first to go out."""
WINS_TRICK = "wins-trick"
PARTNER_WINS = "partner-wins"
"""The player's partner takes the trick."""
STOPS_NEXT = "stops-next"
"""The next player cannot follow, or does not want to."""
KEEPS = "keeps"
"""`cards` stay in the hand, and are played later."""

DEALS = 15
"""A reason is looked for in so many deals."""
MOST = 0.6
"""It must hold in at least this share of them."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a move is proposed: one of the words above, and the seat or the cards that it is about."""

    what: str
    seat: Seat | None = None
    cards: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Advice:
    """A move, and a reason for it, or None where nothing is true often enough."""

    move: Any
    reason: Reason | None = None


@runtime_checkable
class Advising(Protocol):
    """A strategy that can say why."""

    def advise(
        self, memory: Memory, state: Any, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Steps[None, Advice | None]:
        """Choose as `Strategy.choose` does, and say why, in steps of one imagined deal or some."""


def advise(strategy: Any, memory: Memory, state: Any, hand: Sequence[Card], rng: Random) -> Steps[None, Advice | None]:
    """Let a strategy propose a move to the seat whose memory this is; None if it has none."""
    if isinstance(strategy, Advising):
        return (yield from strategy.advise(memory, state, memory.seat, hand, rng))
    move = choose(strategy, memory, state, hand, rng)
    return None if move is None else Advice(move)


def usual(found: Iterable[frozenset[Reason]], wanted: Sequence[str]) -> Reason | None:
    """Return a reason that holds in most deals, of the first kind in `wanted` that does. `found`: what was true in each deal."""
    deals = list(found)
    counted: dict[Reason, int] = {}
    for true in deals:
        for reason in true:
            counted[reason] = counted.get(reason, 0) + 1
    often = [reason for reason, count in counted.items() if count >= MOST * len(deals)]
    return next((reason for what in wanted for reason in often if reason.what == what), None)
