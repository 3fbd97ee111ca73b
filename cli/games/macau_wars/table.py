"""Macau Wars at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from cli.games.macau_wars.middle import MacauPile
from cli.games.macau_wars.picking import MacauPicking
from cli.games.macau_wars.prompts import MacauPrompts
from cli.games.position import Position
from cli.games.shedding.table import DEAREST, PLAIN, SPECIAL, SheddingTable
from protocol.cards import JOKER, Card, Seat
from protocol.games.macau_wars import MacauWars
from protocol.games.macau_wars.view import MacauView
from protocol.games.views import seen_as


class MacauTable(SheddingTable):
    """For one seat (or a watcher) at one table."""

    def make_text(self) -> MacauPile:
        return MacauPile(self.at)

    def make_prompts(self) -> MacauPrompts:
        return MacauPrompts(self.at, lambda: self.word_due(()))

    def judging(self, position: Position) -> MacauPicking:
        return MacauPicking(self.at, position)

    def turn_note(self, seat: Seat) -> str:
        solo = seen_as(MacauView, self.at.view).solo
        return self.at._.n("alone: {n} turn", "alone: {n} turns", solo) if solo else ""

    def most_at_once(self, hand: Sequence[Card]) -> int:
        counts = Counter(card[0] for card in hand if not self.at.cards.is_joker(card))
        return max([*counts.values(), 0]) + sum(self.at.cards.is_joker(card) for card in hand)

    def cost(self, card: Card) -> int:
        game = self.at.game
        if card == JOKER:
            return DEAREST
        return SPECIAL if isinstance(game, MacauWars) and game.is_covered(card) else PLAIN
