"""A game's face: everything in which it is shown and told otherwise than other games.

`Face` itself serves any game, from its typed public view and the labels that it brings; games refine it in folders of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from cli.games.base.by_itself import by_itself, moves_for_you
from cli.games.base.narrator import Narrator
from cli.games.base.reading import MoveReader
from cli.games.base.screen_narrator import InShort
from cli.games.base.table import TableFace
from cli.games.base.viewpoint import Viewpoint
from cli.games.cards import Cards
from cli.games.help_keys import HelpKeys, help_keys
from cli.games.position import Position
from cli.games.short_cards import ShortCards
from cli.text import Translator
from cli.text.rules import rules_text
from protocol.cards import Card, Seat
from protocol.games.game import AnyGame, Data


class Face:
    """How one game is shown and told. What is not overridden serves any game."""

    narrator_type: ClassVar[type[Narrator]] = Narrator
    screen_narrator_type: ClassVar[type[Narrator]] = InShort
    reader_type: ClassVar[type[MoveReader]] = MoveReader
    unforced: ClassVar[frozenset[str]] = frozenset()
    """Moves that nobody has to make, though they are legal: no turn is announced for them."""
    word_costs: ClassVar[bool] = True
    """Whether forgetting the last-card word, where there is one, costs something."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game

    # --- names ---

    def cards(self, _: Translator) -> Cards:
        """The cards by their full names."""
        return Cards(_, self.game.deck, self.game.deck_style)

    def short_cards(self, _: Translator, is_spelled: bool = False) -> ShortCards:
        """The cards as a screen names them. `is_spelled`: suits alone by their names."""
        cards = ShortCards(_, self.game.deck, self.game.deck_style)
        cards.is_spelled = is_spelled
        return cards

    def rules_text(self, lang: str) -> str | None:
        """The page of rules, in this language if there is one, in the format of `cli.text.rules`; None: there is none."""
        return rules_text(self.game.name, lang)

    # --- sentences ---

    def narrator(self, _: Translator, names: Sequence[str], seat: Seat | None) -> Narrator:
        """Tells in full sentences, as they are read aloud."""
        return self.narrator_type(_, self.game, names, seat)

    def screen_narrator(
        self, _: Translator, names: Sequence[str], seat: Seat | None, is_spelled: bool = False
    ) -> tuple[Narrator, ShortCards]:
        """Tells in short, beside a table that is seen; with the cards that it names."""
        narrator, cards = self.screen_narrator_type(_, self.game, names, seat), self.short_cards(_, is_spelled)
        narrator.cards = cards
        return narrator, cards

    def by_itself(self, _: Translator, cards: Cards, position: Position, may_tell: bool = True) -> str:
        """What the table does when a player's time runs out. `may_tell`: what fits is told."""
        return by_itself(_, cards, position) if may_tell else moves_for_you(_)

    # --- the table on a screen ---

    def table(self, at: Viewpoint) -> TableFace:
        """What lies in the middle there, what is asked and can be done."""
        return TableFace(at)

    def help_keys(self, _: Translator) -> HelpKeys:
        """What keys and clicks do at its table."""
        return help_keys(_, self.game)

    # --- moves ---

    def reader(self, _: Translator, names: Sequence[str], seat: Seat | None) -> MoveReader:
        """Reads typed moves."""
        return self.reader_type(_, self.game, self.cards(_), names, seat)

    def playable(self, moves: Sequence[Data]) -> frozenset[Card]:
        """The cards that stand out in a hand as those that can be played now. `moves`: the legal moves; what is done with cards
        otherwise counts only where nothing is played, drawn or passed."""
        usual = any(move["do"] in ("play", "draw", "pass") for move in moves)
        return frozenset(card for move in moves if move["do"] == "play" or not usual for card in _cards_of(move))


def _cards_of(move: Mapping[str, object]) -> Sequence[Card]:
    cards = move.get("cards")
    return cards if isinstance(cards, (list, tuple)) else ()
