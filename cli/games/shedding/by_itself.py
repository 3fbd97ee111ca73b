"""What the table does in a shedding game when a player's time runs out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.games.base.by_itself import moves_for_you
from cli.games.cards import Cards
from cli.games.position import Position
from cli.text import Translator
from protocol.games.shedding import CARD_ORDER

if TYPE_CHECKING:
    from cli.games.position import Position


def by_itself(_: Translator, cards: Cards, position: Position) -> str:
    """The lowest card that fits (a joker last), else a draw, else a pass."""
    verbs, due = position.verbs, position.view.due
    if not verbs:
        return moves_for_you(_)
    if fitting := [card for card in position.playable if not cards.is_joker(card)]:
        return _("{card} is played for you", card=cards.say(min(fitting, key=CARD_ORDER.__getitem__)))
    if "play" in verbs:
        return _("the joker is played for you")
    if "draw" not in verbs:
        return _("you pass automatically")
    return _.n("the card is drawn for you", "{n} cards are drawn for you", due) if due else _("a card is drawn for you")
