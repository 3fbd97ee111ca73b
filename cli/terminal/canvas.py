"""A grid of cells: what a screen shows, how each cell is styled, and what a click on it does. No terminal in here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from cli.clean import clip, width
from cli.view.inputs import Act

Action = Act
"""What a click on a cell means."""


@lru_cache(maxsize=4096)
def cells_of(char: str) -> int:
    """Cells of one character; 0 for one that joins the character before it."""
    return width(char)


class Canvas:
    """`columns` x `rows` cells. Whatever is put beyond the edges is cut off."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.glyphs = [[" "] * columns for _ in range(rows)]
        self.styles = [["felt.text"] * columns for _ in range(rows)]
        self.actions: list[list[Action | None]] = [[None] * columns for _ in range(rows)]
        self.cursor: tuple[int, int] | None = None
        """(x, y) where the terminal's own hidden cursor stands: readers for the blind follow it."""

    def fill(
        self, x: int, y: int, columns: int, rows: int, style: str, glyph: str = " ", action: Action | None = None
    ) -> None:
        """A rectangle of one glyph and style."""
        left, right = max(0, x), min(self.columns, x + columns)
        if left >= right:
            return
        count = right - left
        for row in range(max(0, y), min(self.rows, y + rows)):
            self._part(left, row)
            self._part(right, row)
            self.glyphs[row][left:right] = [glyph] * count
            self.styles[row][left:right] = [style] * count
            self.actions[row][left:right] = [action] * count

    def put(self, x: int, y: int, text: str, style: str, action: Action | None = None, cells: int | None = None) -> int:
        """Text in one row, cut with an ellipsis to `cells` (and at the right edge); the x behind it."""
        room = self.columns - x if cells is None else min(cells, self.columns - x)
        if room <= 0 or not 0 <= y < self.rows:
            return x
        if len(text) > room or not text.isascii():
            text = clip(text, room)
        glyphs, styles, actions = self.glyphs[y], self.styles[y], self.actions[y]
        self._part(x, y)
        for char in text:
            wide = cells_of(char)
            if wide == 0:
                if 0 < x <= self.columns:
                    at = x - 1 if glyphs[x - 1] or x < 2 else x - 2
                    glyphs[at] += char
                continue
            if x < 0:
                x += wide
                continue
            if x + wide > self.columns:
                break
            glyphs[x], styles[x] = char, style
            if action is not None:
                actions[x] = action
            if wide == 2:
                self._part(x + 2, y)
                glyphs[x + 1], styles[x + 1] = "", style
                if action is not None:
                    actions[x + 1] = action
            x += wide
        self._part(x, y)
        return x

    def right(self, x: int, y: int, text: str, style: str, action: Action | None = None) -> int:
        """Text that ends before `x`; where it begins."""
        start = x - width(text)
        self.put(start, y, text, style, action)
        return start

    def centre(self, x: int, y: int, columns: int, text: str, style: str) -> None:
        """Put text in the middle of `columns` cells from `x`."""
        text = clip(text, columns)
        self.put(x + (columns - width(text)) // 2, y, text, style)

    def click(self, x: int, y: int, columns: int, rows: int, action: Action) -> None:
        """Makes a rectangle clickable without changing how it looks."""
        for row in range(max(0, y), min(self.rows, y + rows)):
            for column in range(max(0, x), min(self.columns, x + columns)):
                self.actions[row][column] = action

    def dim(self, y: int, rows: int, style: str) -> None:
        """Greys rows that are there but not alive: another style, same glyphs, no clicks."""
        for row in range(max(0, y), min(self.rows, y + rows)):
            self.styles[row] = [style] * self.columns
            self.actions[row] = [None] * self.columns

    def _part(self, x: int, y: int) -> None:
        """A wide glyph of which one half is about to be overwritten becomes blanks."""
        if 0 < x < self.columns and self.glyphs[y][x] == "":
            self.glyphs[y][x] = self.glyphs[y][x - 1] = " "

    # --- what others ask ---

    def action_at(self, x: int, y: int) -> Action | None:
        return self.actions[y][x] if 0 <= x < self.columns and 0 <= y < self.rows else None

    def cell_of(self, index: int, y: int) -> int:
        """The x of a row's so-many-th character: prompt_toolkit counts characters where we count cells."""
        passed = 0
        for x, glyph in enumerate(self.glyphs[y]):
            if glyph:  # none in the right half of a wide one
                passed += len(glyph)
            if passed > index:
                return x
        return self.columns

    def index_of(self, x: int, y: int) -> int:
        """How many characters stand before a cell."""
        return sum(map(len, self.glyphs[y][:x]))

    def text(self) -> str:
        """All rows as text, blanks at the ends cut off."""
        return "\n".join("".join(row).rstrip() for row in self.glyphs)

    def lines(self) -> Iterator[str]:
        """Rows in full width."""
        return ("".join(row) for row in self.glyphs)

    def runs(self, y: int) -> list[tuple[str, str]]:
        """One row as (style, text), neighbours of one style joined."""
        glyphs, styles = self.glyphs[y], self.styles[y]
        found: list[tuple[str, str]] = []
        start = 0
        for x in range(1, self.columns + 1):
            if x == self.columns or styles[x] != styles[start]:
                found.append((styles[start], "".join(glyphs[start:x])))
                start = x
        return found
