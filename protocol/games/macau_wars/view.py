"""What all players see of a round of Macau Wars."""

from __future__ import annotations

from protocol.cards import Card, Seat
from protocol.games.shedding import SheddingView
from protocol.games.views import Data
from protocol.values import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class MacauView(SheddingView):
    """Macau Wars as all players see it. In a war, `pile.due` counts the cards."""

    fours: int = 0
    """Fours played since the first one that is being answered, or that has left its player alone."""
    last: Seat | None = None
    """Who played the last of them."""
    solo: int = 0
    """Turns that this player still has alone, the current one included."""
    caller: Seat | None = None
    """Whose jack's call holds for a turn of each player."""
    named: Seat | None = None
    """Who plays after the solo, where a queen of clubs has named them."""
    covered: tuple[Card, ...] = ()
    """The cards turned up before the one that begins the pile, until somebody plays."""

    def own_data(self) -> Data:
        return {
            **SheddingView.own_data(self),
            "fours": self.fours,
            "last": self.last,
            "solo": self.solo or None,
            "caller": self.caller,
            "named": self.named,
            "covered": list(self.covered),
        }
