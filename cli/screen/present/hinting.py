"""In which order plays are proposed: the plainest first, so that nobody is told to spend a joker where a plain card does."""

from __future__ import annotations

from collections.abc import Sequence

from cli.plain.tichu import is_bomb
from protocol.cards import JOKER, Card
from protocol.games.eights import Eights
from protocol.games.game import AnyGame
from protocol.games.macau_wars import MacauWars

PLAIN, SPECIAL, WILD, DEAREST = range(4)


def cost_of(game: AnyGame, card: Card) -> int:
    """How much a card can do besides being put down."""
    if card == JOKER and game.name != "tichu":  # where a jack has the same letters
        return DEAREST
    if isinstance(game, Eights):
        if card[0] == game.wild:
            return WILD
        return SPECIAL if card[0] in game.dues or card[0] in (game.reverse, game.skip, game.again) else PLAIN
    if isinstance(game, MacauWars):
        return SPECIAL if game.is_covered(card) else PLAIN
    return PLAIN if len(card) == 2 else SPECIAL


def plain_first(game: AnyGame, plays: Sequence[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
    """Without specials, then with them, with wild cards, with jokers; in Tichu bombs last. Else the order stays."""

    def cost(cards: tuple[Card, ...]) -> int:
        if game.name == "tichu" and is_bomb(cards):
            return DEAREST
        return max((cost_of(game, card) for card in cards), default=PLAIN)

    return sorted(plays, key=cost)
