"""What H tells: in which order plays are proposed (the plainest first, so that nobody is told to spend a joker where a plain
card does), and what Tichu's two hardest questions turn on."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.short_cards import ShortCards
from cli.games.tichu_narrator import is_bomb
from cli.plain.reader import Reader
from cli.text import Translator
from cli.view.position import Position
from protocol.cards import DRAGON, JOKER, PHOENIX, Card
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


def rule_of_thumb(_: Translator, phase: object, *, may_propose: bool) -> str:
    """What a newcomer goes by in Tichu's first two questions, whatever the hand is; and how to have more proposed."""
    rule = (
        _("Rule of thumb: yes with Dragon, Phoenix and an ace, or cards as good.")
        if phase == "grand"
        else _("Rule of thumb: a high card for your partner, your worst for the opponents.")
    )
    return _.join([rule, _("F2, Hints: H then goes by your cards.")]) if may_propose else rule


def proposed_grand(_: Translator, cards: ShortCards, position: Position, call: bool) -> str:
    """Whether the bot would call Grand Tichu, and the cards that it turns on."""
    strong = [card for card in position.hand if card in (DRAGON, PHOENIX) or (len(card) == 2 and card[0] == "A")]
    shown = cards.row(strong)
    if call:
        kings = [card for card in position.hand if len(card) == 2 and card[0] == "K"]
        bombs = [card for bomb in Reader.bombs_in(position.hand) for card in sorted(bomb)]
        shown = cards.row(dict.fromkeys((*strong, *bombs, *kings)))
        return _("Proposed: yes, you are strong ({cards}) · Enter takes it", cards=shown)
    if (position.view.get("calls") or {}).get(str((position.seat + 2) % 4)):
        return _("Proposed: no, your partner has called already · Enter takes it")
    if not strong:
        return _("Proposed: no, you hold neither Dragon nor Phoenix nor an ace · Enter takes it")
    return _("Proposed: no, {cards} alone: too little · Enter takes it", cards=shown)
