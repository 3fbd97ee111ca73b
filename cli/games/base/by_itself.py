"""What the table does when a player's time runs out, in words: it is told before it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.games.cards import Cards
from cli.text import Translator

if TYPE_CHECKING:
    from cli.games.position import Position


def moves_for_you(_: Translator) -> str:
    """Say that some move is made, where nobody can tell which."""
    return _("a move is made for you")


def by_itself(_: Translator, cards: Cards, position: Position) -> str:
    """Any game: certain only where there is but one move to make."""
    moves = position.moves
    if len(moves) != 1:
        return moves_for_you(_)
    match moves[0]:
        case {"do": "play", "cards": [card]}:
            return _("{card} is played for you", card=cards.say(str(card)))
        case {"do": "draw"}:
            return _("a card is drawn for you")
        case {"do": "pass"}:
            return _("you pass automatically")
    return moves_for_you(_)
