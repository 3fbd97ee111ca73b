"""Moves as the screen tells them: in short, as seats and cards are seen."""

from __future__ import annotations

from cli.games.base.narrator import Narrator
from protocol.games.views import PublicView


class InShort(Narrator):
    """What any game's narrator does otherwise on the screen: whose turn it is, the seats show."""

    def card_as(self, card: str, other: str) -> str:
        # In brackets, as in "joker as 4♥, 4♦ and 4♣" it would seem to be all of them.
        return f"{self.cards.say(card)} ({self.cards.say(other)})"

    def next_turn(self, before: PublicView, after: PublicView) -> list[str]:
        return []
