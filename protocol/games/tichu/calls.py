"""What a call of Tichu is worth, by what calls brought in rounds that were played with the call and without it.

The numbers are a linear fit to 2,002 such pairs, everybody playing like the normal bot (`tests/fits/calls.py` fits them again).
Tried on deals that it was not fitted to, calls by it brought 28 points a round, and those by the cost of the hand alone 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul
from typing import NamedTuple

from protocol.cards import DOG, DRAGON, PHOENIX, Card, Seat
from protocol.games.tichu.state import ALL_CARDS, SEATS, TichuState, partner, team


class CallTerms(NamedTuple):
    """What is counted of a call, or what each of it is worth in points."""

    base: float
    """Any hand."""
    lead: float
    """Whether the seat leads."""
    cost: float
    """The leads that the hand will lose (`outlook`)."""
    partners_cards: float
    """The cards that the partner has played."""
    foe_called: float
    dragon: float
    phoenix: float
    dog: float
    aces: float


WORTH = CallTerms(
    base=50.0,
    lead=10.0,
    cost=-28.5,
    partners_cards=-2.6,
    foe_called=-48.0,
    dragon=50.0,
    phoenix=17.0,
    dog=-32.0,
    aces=13.0,
)


def call_terms(state: TichuState, seat: Seat, hand: Sequence[Card], cost: float) -> CallTerms:
    """Count what a call now goes by. `cost`: that of the hand (`outlook`)."""
    return CallTerms(
        base=1.0,
        lead=float(state.combo is None),
        cost=cost,
        partners_cards=float(ALL_CARDS - state.hand_sizes[partner(seat)]),
        foe_called=float(any(state.calls[each] is not None for each in range(SEATS) if team(each) != team(seat))),
        dragon=float(DRAGON in hand),
        phoenix=float(PHOENIX in hand),
        dog=float(DOG in hand),
        aces=float(sum(card[0] == "A" for card in hand)),
    )


def tichu_worth(state: TichuState, seat: Seat, hand: Sequence[Card], cost: float) -> float:
    """Return by how many points a call now betters the round. `cost`: that of the hand (`outlook`)."""
    worth: float = sum(map(mul, WORTH, call_terms(state, seat, hand, cost)))
    return worth
