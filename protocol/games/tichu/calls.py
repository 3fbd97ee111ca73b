"""What a call of Tichu is worth, by what calls brought in rounds that were played with the call and without it.

The numbers are a linear fit to 2,002 such pairs, everybody playing like the normal bot. Tried on deals that it was not fitted
to, calls by it brought 28 points a round, and those by the cost of the hand alone 16.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import DOG, DRAGON, PHOENIX, Card, Seat
from protocol.games.tichu.state import ALL_CARDS, SEATS, TichuState, partner, team

BASE, LEAD, COST, PARTNERS_CARD = 50.0, 10.0, -28.5, -2.6
"""In points: any hand, on lead, for each lead that it will lose (`outlook`), for each card that its partner has played."""
FOE_CALLED = -48.0
CARD_WORTH = {DRAGON: 50.0, PHOENIX: 17.0, DOG: -32.0}
ACE_WORTH = 13.0


def tichu_worth(state: TichuState, seat: Seat, hand: Sequence[Card], cost: float) -> float:
    """Return by how many points a call now betters the round. `cost`: that of the hand (`outlook`)."""
    worth = BASE + COST * cost + (LEAD if state.combo is None else 0.0)
    worth += PARTNERS_CARD * (ALL_CARDS - state.hand_sizes[partner(seat)])
    if any(state.calls[each] is not None for each in range(SEATS) if team(each) != team(seat)):
        worth += FOE_CALLED
    return worth + sum(ACE_WORTH if card[0] == "A" else CARD_WORTH.get(card, 0.0) for card in hand)
