"""Sizes: which class a terminal is of, and how a hand is laid out. Arithmetic only."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from itertools import pairwise

from protocol.values import dataclass


class Size(Enum):
    """How much room there is."""

    TINY = "tiny"
    SMALL = "small"
    NORMAL = "normal"
    WIDE = "wide"


def size_of(columns: int, rows: int) -> Size:
    if columns >= 96 and rows >= 28:
        return Size.WIDE
    if columns >= 78 and rows >= 23:
        return Size.NORMAL
    if columns >= 58 and rows >= 18:
        return Size.SMALL
    return Size.TINY


LOG_COLUMNS = {Size.NORMAL: 26, Size.WIDE: 34}


def dialog_columns(columns: int, rows: int) -> int:
    """How wide a question over the table is: it leaves the log to be seen."""
    return columns - LOG_COLUMNS.get(size_of(columns, rows), 0) - 2


def has_room(columns: int, rows: int) -> bool:
    """Whether a window too small for a picture has room for lines of text."""
    return columns >= 30 and rows >= 10


@dataclass(frozen=True, slots=True)
class Tile:
    """Where a card of the hand lies: its place in the hand, row (0 or 1), column, and the cells it may take."""

    place: int
    row: int
    x: int
    width: int
    shade: bool = False


@dataclass(frozen=True, slots=True)
class HandLayout:
    """`before` and `after` count the cards that the window hides."""

    tiles: tuple[Tile, ...]
    rows: int = 1
    before: int = 0
    after: int = 0


def lay_hand(count: int, columns: int, groups: Sequence[str], cursor: int, tall: bool, wide: int = 4) -> HandLayout:
    """The widest cards, from `wide` down to 3, that fit with gaps, else joined ones with a gap between groups, else two
    rows (where `tall` leaves room), else a window around the cursor."""
    room = columns - 2
    if count == 0:
        return HandLayout(())
    for cells in range(wide, 2, -1):
        if (cells + 1) * count - 1 <= room:
            return HandLayout(_spread(range(count), columns, cells, 1, 0))
    breaks = sum(a != b for a, b in pairwise(groups))
    if 3 * count + breaks <= room:
        return HandLayout(_joined(range(count), columns, groups, 0))
    half = (count + 1) // 2
    if tall:
        for cells, gap in ((3, 1), (3, 0)):
            if (cells + gap) * half - gap <= room:
                top = _spread(range(half), columns, cells, gap, 0)
                return HandLayout((*top, *_spread(range(half, count), columns, cells, gap, 1)), 2)
    fit = (room - 18) // 3
    first = min(max(0, cursor - fit // 2), max(0, count - fit))
    last = min(count, first + fit)
    return HandLayout(_spread(range(first, last), columns, 3, 0, 0), 1, first, count - last)


def _spread(places: range, columns: int, cells: int, gap: int, row: int) -> tuple[Tile, ...]:
    total = len(places) * (cells + gap) - gap
    start = max(1, (columns - total) // 2)
    return tuple(
        Tile(place, row, start + at * (cells + gap), cells, gap == 0 and at % 2 == 1) for at, place in enumerate(places)
    )


def _joined(places: range, columns: int, groups: Sequence[str], row: int) -> tuple[Tile, ...]:
    tiles: list[Tile] = []
    x = 0
    for at, place in enumerate(places):
        if at and groups[place] != groups[place - 1]:
            x += 1
        tiles.append(Tile(place, row, x, 3, at % 2 == 1))
        x += 3
    start = max(1, (columns - x) // 2)
    return tuple(Tile(tile.place, row, tile.x + start, 3, tile.shade) for tile in tiles)
