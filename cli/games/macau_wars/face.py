"""The face of Macau Wars."""

from __future__ import annotations

from cli.games.base.screen_narrator import InShort
from cli.games.base.viewpoint import Viewpoint
from cli.games.macau_wars.narrator import MacauNarrator
from cli.games.macau_wars.reading import MacauReader
from cli.games.macau_wars.table import MacauTable
from cli.games.shedding.face import SheddingFace


class ScreenMacauNarrator(InShort, MacauNarrator):
    """Macau Wars on the screen."""


class MacauFace(SheddingFace):
    """Macau Wars."""

    narrator_type = MacauNarrator
    screen_narrator_type = ScreenMacauNarrator
    reader_type = MacauReader

    def table(self, at: Viewpoint) -> MacauTable:
        return MacauTable(at)
