"""The normal bot of Two-Four-Jack: it goes by rules of thumb, neither counts cards nor thinks of what a play leaves."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import Card, Seat
from protocol.games.shedding import PlayCards, SheddingState
from protocol.games.strategies.eights import NEAR_THE_END, SAID, Amounts, EightsBot

ATTACK, SAVE_DUE, SAVE_WILD, OWN_SUIT, COST = 20.0, 10.0, 20.0, 1.0, 0.1


class CasualBot(EightsBot):
    """Plays its dearest card that fits. It keeps wild cards, and twos and fours for a next player who is nearly out."""

    def _worth(self, state: SheddingState, seat: Seat, hand: Sequence[Card], play: PlayCards, unseen: Amounts) -> float:
        game, card = self._game, play.cards[0]
        worth = SAID if play.call else 0.0
        if len(hand) == 1:
            return worth
        worth += COST * game.card_cost(card)
        if card[0] == game.wild:
            worth += OWN_SUIT * sum(other[1] == play.suit for other in hand) - SAVE_WILD
        if card[0] in game.dues:
            is_near = state.hand_sizes[self._next(state, seat)] < NEAR_THE_END
            worth += ATTACK if is_near else -SAVE_DUE
        return worth
