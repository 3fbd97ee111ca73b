"""The face of the shedding games: Crazy Eights, Two-Four-Jack and Mau-Mau."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from cli.games.base.by_itself import moves_for_you
from cli.games.base.narrator import Narrator
from cli.games.base.reading import MoveReader
from cli.games.base.screen_narrator import InShort
from cli.games.base.viewpoint import Viewpoint
from cli.games.cards import Cards
from cli.games.face import Face
from cli.games.position import Position
from cli.games.shedding.by_itself import by_itself
from cli.games.shedding.narrator import SheddingNarrator
from cli.games.shedding.reading import MauMauReader, SheddingReader
from cli.games.shedding.table import SheddingTable
from cli.text import Translator
from protocol.cards import Card
from protocol.games.game import Data


class ScreenSheddingNarrator(InShort, SheddingNarrator):
    """Shedding games on the screen."""


class SheddingFace(Face):
    """Crazy Eights and its kin."""

    narrator_type: ClassVar[type[Narrator]] = SheddingNarrator
    screen_narrator_type: ClassVar[type[Narrator]] = ScreenSheddingNarrator
    reader_type: ClassVar[type[MoveReader]] = SheddingReader
    unforced = frozenset({"call"})

    def table(self, at: Viewpoint) -> SheddingTable:
        return SheddingTable(at)

    def by_itself(self, _: Translator, cards: Cards, position: Position, may_tell: bool = True) -> str:
        return by_itself(_, cards, position) if may_tell else moves_for_you(_)

    def playable(self, moves: Sequence[Data]) -> frozenset[Card]:
        """The cards that some play begins with."""
        return frozenset(move["cards"][0] for move in moves if move["do"] == "play" and move["cards"])


class MauMauFace(SheddingFace):
    """Mau-Mau."""

    reader_type: ClassVar[type[MoveReader]] = MauMauReader
    word_costs = False
    """The word goes with the last card itself."""
