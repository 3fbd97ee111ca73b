"""The common part of the shedding games: Crazy Eights, Two-Four-Jack, Mau-Mau and Macau Wars.

Each player is dealt some cards and tries to get rid of them. A card is turned up to start the pile, the rest is the stock. In
turn, players play a matching card onto the pile, draw from the stock, or pass; a player without cards is out. This module
handles the order of seats, the deal, the stock and the recycled pile, the last-card word, passes that block a round, and the
match. Which cards match and what they do is up to each game. (PROTOCOL.md, "What the shedding games share".)
"""

from protocol.games.shedding.game import MOST_CARDS, Shedding
from protocol.games.shedding.moves import CALL, CARD_ORDER, DRAW, PASS, Call, Draw, Move, Pass, PlayCards, one_card
from protocol.games.shedding.options import (
    CARDS,
    DECKS,
    HAND,
    ONE_ROUND,
    POINTS,
    TEAMS,
    draw_option,
    effect_option,
    recycle_option,
    target_option,
)
from protocol.games.shedding.state import LONGEST, Motion, SheddingState, draw, next_in, with_size
from protocol.games.shedding.view import SheddingView

__all__ = [
    "CALL",
    "CARDS",
    "CARD_ORDER",
    "DECKS",
    "DRAW",
    "HAND",
    "LONGEST",
    "MOST_CARDS",
    "ONE_ROUND",
    "PASS",
    "POINTS",
    "TEAMS",
    "Call",
    "Draw",
    "Motion",
    "Move",
    "Pass",
    "PlayCards",
    "Shedding",
    "SheddingState",
    "SheddingView",
    "draw",
    "draw_option",
    "effect_option",
    "next_in",
    "one_card",
    "recycle_option",
    "target_option",
    "with_size",
]
