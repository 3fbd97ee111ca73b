"""A round of a shedding game as all players see it."""

from __future__ import annotations

from protocol.cards import Seat
from protocol.games.game import Data
from protocol.games.views import PublicView
from protocol.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SheddingView(PublicView):
    """A game of shedding cards as all players see it. `pile` and `stock` are always there."""

    drawn: bool = False
    """The player in turn has drawn already."""
    again: bool = False
    """The player in turn may play one more card, whatever it is."""
    word: Seat | None = None
    """Who may still say the last-card word."""

    def own_data(self) -> Data:
        return {"owed": {str(seat): each.owed for seat, each in enumerate(self.seats) if each.owed}}
