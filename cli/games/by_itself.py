"""What the table does for who lets the time run out, in words: it is told before it happens."""

from __future__ import annotations

from cli.games.cards import Cards
from cli.text import Translator
from cli.view.position import Position
from protocol.games.shedding import CARD_ORDER


def by_itself(_: Translator, cards: Cards, position: Position, may_tell: bool = True) -> str:
    """The lowest card that fits (a joker last), else a draw, else a pass; in Tichu there is more than one kind of move.
    `may_tell`: what fits is told."""
    verbs, due = position.verbs, position.view.get("penalty") or 0
    if cards.is_tichu or not verbs or not may_tell:
        return _("the table moves for you")
    if fitting := [card for card in position.playable if not cards.is_joker(card)]:
        return _("the table plays {card} for you", card=cards.say(min(fitting, key=CARD_ORDER.__getitem__)))
    if "play" in verbs:
        return _("the table plays the joker for you")
    if "draw" not in verbs:
        return _("the table passes for you")
    return (
        _.n("the table takes the card for you", "the table takes the {n} cards for you", due)
        if due
        else _("the table draws for you")
    )
