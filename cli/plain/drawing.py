"""Draws the table in lines: seats, pile, hand in four-coloured suits. Pure: a view in, lines out. Nothing is told by colour
alone: what can be played has a mark, whose turn it is an arrow.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from cli.clean import pad, width
from cli.console import MONO, Terminal, paint
from cli.games.base.narrator import Narrator
from cli.games.cards import Cards
from cli.games.position import Position
from protocol.cards import Card
from protocol.games.views import PublicView

GOLD, INK, PAPER, DULL, SPECIAL = "#ffd166", "#1a1a1a", "#f7f2e4", "#c2c1b3", "#7a1fa2"
SUIT_COLOURS = {"black": "#1a1a1a", "red": "#b83200", "blue": "#0058b8", "green": "#00704f"}
TILE = 5
"""Cells of a card with the blank after it."""


@dataclass(frozen=True)
class Drawing:
    """Draws for one terminal."""

    terminal: Terminal
    cards: Cards

    def table(self, narrator: Narrator, view: PublicView, position: Position | None) -> list[str]:
        """Everything that the player in turn looks at."""
        lines = ["", *self.seats(narrator, view), *self.middle(narrator, view)]
        if position is not None:
            lines += self.hand(position.hand, position.playable if position.must_act else frozenset(position.hand))
        return lines

    def seats(self, narrator: Narrator, view: PublicView) -> list[str]:
        """The seats in order with their numbers of cards; an arrow stands before the one in turn."""
        seen = view
        arrow = ">" if self.terminal.ascii_only else "▶"
        tiles: list[tuple[str, bool]] = []
        for seat, size in enumerate(seen.hand_sizes):
            mark = arrow if seat == seen.turn else " "
            count = "-" if seat in seen.out else str(size)
            tiles.append((f"{mark}{narrator.who(seat)} {count}", seat == seen.turn))
        return self._rows(tiles)

    def _rows(self, tiles: Sequence[tuple[str, bool]]) -> list[str]:
        lines: list[str] = []
        line, used = "", 0
        for text, is_gold in tiles:
            cells = width(text) + 3
            if used and used + cells > self.terminal.columns:
                lines.append(line.rstrip())
                line, used = "", 0
            line += paint(text, self.terminal.colours, fg=GOLD, bg=INK, bold=True) if is_gold else text
            line += "   "
            used += cells
        return [*lines, line.rstrip()] if line else lines

    def middle(self, narrator: Narrator, view: PublicView) -> list[str]:
        """What lies on the table, and what it asks for."""
        seen = view
        lying: list[Card] = [] if seen.trick is None else list(seen.trick.cards)
        if not lying and seen.pile is not None and seen.pile.top is not None:
            lying = [seen.pile.top]
        told = narrator._.join(narrator.table(view))
        shown = " ".join(self.card(card) for card in lying)
        lines = [f"  {shown}"] if shown else []
        return [*lines, f"  {told}"] if told else lines

    def card(self, card: Card, bright: bool = True) -> str:
        """One card as a tile of four cells: "10♥ " on paper, or [10H]."""
        short = self.cards.short(card, self.terminal.ascii_only)
        if self.terminal.colours == MONO:
            return f"[{short}]" if bright else f" {short} "
        is_special = card in self.cards.style.specials
        colour = SPECIAL if is_special else SUIT_COLOURS.get(self.cards.style.suit(card[1:]).colour, SPECIAL)
        return paint(
            pad(f" {short}", TILE - 1), self.terminal.colours, fg=colour, bg=PAPER if bright else DULL, bold=bright
        )

    def hand(self, hand: Sequence[Card], playable: frozenset[Card]) -> list[str]:
        """The hand in rows: tiles, and their numbers below with a mark under what can be played."""
        mark = "*" if self.terminal.ascii_only else "·"
        a_row = max(1, (self.terminal.columns - 2) // (TILE + 1))
        lines: list[str] = []
        for start in range(0, len(hand), a_row):
            tiles, numbers = "  ", "  "
            for number, card in enumerate(hand[start : start + a_row], start + 1):
                fits = card in playable
                tile = self.card(card, fits)
                cells = width(self.cards.short(card, self.terminal.ascii_only)) + 2
                shown = cells if self.terminal.colours == MONO else TILE - 1
                tiles += tile + " " * (TILE + 1 - shown)
                numbers += pad(f" {number}{mark if fits else ''}", TILE + 1)
            lines += [tiles.rstrip(), numbers.rstrip()]
        return lines
