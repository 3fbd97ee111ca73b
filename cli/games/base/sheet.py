"""What a game has to say on the score sheet besides the points."""

from __future__ import annotations

from collections.abc import Sequence

from cli import news as events
from cli.games.base.telling import moved
from cli.games.base.viewpoint import Viewpoint
from cli.games.shown import Line
from protocol.cards import Card
from protocol.games.views import PublicView


class Sheet:
    """For one seat. This one knows no game."""

    def __init__(self, at: Viewpoint) -> None:
        self.at = at

    def account(self, view: PublicView) -> tuple[Line, ...]:
        """How a round came to its points."""
        return ()

    def so_far(self) -> tuple[Line, ...]:
        """While a round is played: what it has brought until now."""
        return ()

    def how_it_ended(self, view: PublicView, last: events.Moved | None) -> str:
        """By which move the round ended."""
        _ = self.at._
        if view.ended == "blocked":
            return _("Nobody could play anymore.")
        return _.join(moved(self.at.narrator, last)) if last is not None else ""

    def counted(self, cards: Sequence[Card]) -> str:
        """Cards left in a hand, with what each of them counts where the game counts them one by one."""
        return " ".join(self.at.cards.short(card) for card in self.at.cards.sort(cards))
