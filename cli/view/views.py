"""What the renderers are given: plain values, ready to be drawn. Texts in here are in the reader's language already.

An `Ink` names how a piece of text is written (`theme`), an `Action` what a click on it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from cli.terminal.canvas import Action

Ink: TypeAlias = str
Piece: TypeAlias = tuple[str, Ink]
"""A text and its ink."""
Line: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Shown:
    """How things are drawn, whatever is shown: charset, big cards, kanji on Tichu's four special cards."""

    ascii_only: bool = False
    big: bool = False
    kanji: bool = True


@dataclass(frozen=True, slots=True)
class Cap:
    """A key in the key bar: what stands on it, what it does, and what a click on it does."""

    key: str
    label: str
    action: Action
    glows: bool = False
    """Drawn to be noticed: a bomb is held."""
    is_needed: bool = False
    """Others give way to it where there is no room for all."""


@dataclass(frozen=True, slots=True)
class Frame:
    """What stands around every screen: title bar, prompt line, key bar."""

    title: str
    subtitle: str = ""
    right: tuple[Piece, ...] = ()
    """The pieces at the right of the title bar, the last one outermost; the first ones give way."""
    head: str = ""
    """What stands bold before the prompt: YOUR TURN."""
    prompt: str = ""
    mood: str = "wait"
    """`turn` (gold), `wait` (grey), `no` (a refusal: gold with alarm), `alarm` (red)."""
    caps: tuple[Cap, ...] = ()
    help: Cap | None = None
    banner: str = ""
    """A failed check: red, over everything."""
    event: str = ""
    """What happened last, behind the prompt where there is room for all of it."""


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card: `rank` in at most two cells, `suit` a glyph or empty, `ink` its suit's colour. `name` is its short name."""

    rank: str
    suit: str
    ink: Ink
    short: str = ""


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of one's hand as it is shown now."""

    face: CardFace
    bright: bool = True
    fits: bool = False
    """Marked as one that can be played now."""
    picked: bool = False
    cursor: bool = False
    mark: str = ""
    """A word below it: from whom it came, to whom it goes, that it is new."""
    group: str = ""
    """Cards with another group than the one before stand apart where there is no room between all."""
    is_new: bool = False
    """The mark says that it has just come, and may be a sign."""


@dataclass(frozen=True, slots=True)
class SeatTile:
    """A player as seen at the table."""

    seat: int
    name: str
    count: str
    points: str = ""
    note: str = ""
    note_ink: Ink = "dim"
    tag: str = ""
    """A word beside the name: next, partner."""
    short: str = ""
    """What stands beside the name where a seat has but one line: out, the last card, away."""
    brief: str = ""
    """A shorter name for where the whole one has no room."""
    bars: int = 0
    is_turn: bool = False
    is_me: bool = False
    is_partner: bool = False
    is_away: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen in a dialog."""

    key: str
    """What to press for it; may be empty."""
    label: str
    sub: str = ""
    face: CardFace | None = None
    glyph: str = ""
    ink: Ink = "text"


@dataclass(frozen=True, slots=True)
class Dialog:
    """A question that is asked while the hand stays visible."""

    title: str
    choices: tuple[Choice, ...] = ()
    cursor: int = 0
    lines: tuple[Line, ...] = ()
    footer: str = ""
    columns: int = 0
    """0: all choices in a row; else a grid with so many columns."""
    clock: str = ""
    has_places: bool = False
    """Each choice is a place for a card."""


@dataclass(frozen=True, slots=True)
class Pile:
    """The middle of a shedding table."""

    stock: int | None
    can_draw: bool
    top: CardFace | None
    before: CardFace | None
    match: tuple[Line, ...] = ()
    """What must be matched, on paper."""
    facts: tuple[Piece, ...] = ()
    """Below that: penalty, order, what D does."""
    deed: Action | None = None
    """What a click on the last fact does."""


@dataclass(frozen=True, slots=True)
class Trick:
    """The middle of Tichu's table."""

    we: str
    they: str
    we_points: str
    they_points: str
    wish: str
    label: str
    cards: tuple[CardFace, ...]
    note: str
    partner: str = ""
    """In short; empty for who looks on."""


@dataclass(frozen=True, slots=True)
class Flash:
    """A card on its way from a seat to the pile, at its first or second step (0, 1)."""

    seat: int
    face: CardFace
    step: int
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class TableView:
    """A table in play."""

    frame: Frame
    seats: tuple[SeatTile, ...]
    me: int | None
    hand: tuple[HandCard, ...]
    heading: str
    sorting: str
    picked: str
    log: tuple[Piece, ...]
    """Newest last."""
    chip: str = ""
    """One's own call, beside the heading."""
    legend: str = ""
    """What bright and dull cards mean, behind the sorting where there is room."""
    log_title: str = ""
    log_hint: str = ""
    last_event: str = ""
    recap: tuple[Piece, ...] = ()
    """What the others did since our last move, in short, the oldest first; before all, in `alarm`, what befell ourselves."""
    pile: Pile | None = None
    trick: Trick | None = None
    dialog: Dialog | None = None
    dimmed: bool = False
    flash: Flash | None = None
    tip: Cap | None = None
    """For a newcomer: a key, and what it does now."""
    open_hands: tuple[tuple[str, str], ...] = ()
    """Of a replay: name and cards of each seat."""


@dataclass(frozen=True, slots=True)
class Row:
    """A line of a list: texts in columns."""

    cells: tuple[str, ...]
    action: Action | None = None
    ink: Ink = "text"
    gap: bool = False
    """A blank line before it."""


@dataclass(frozen=True, slots=True)
class ListView:
    """A screen made of a list, things one can do, and facts: lobby, waiting room, settings, menus."""

    frame: Frame
    heading: str
    note: str = ""
    columns: tuple[str, ...] = ()
    widths: tuple[int, ...] = ()
    rows: tuple[Row, ...] = ()
    cursor: int = 0
    empty: tuple[str, ...] = ()
    """What is said where there are no rows."""
    deeds: tuple[Cap, ...] = ()
    facts: tuple[Line, ...] = ()
    chat: tuple[Piece, ...] = ()
    chat_title: str = ""
    chat_hint: str = ""
    deed: int = -1
    """The deed under the cursor; -1 where the cursor is on a row (and the row's `cursor` is -1 where it is on a deed)."""


@dataclass(frozen=True, slots=True)
class ScoreView:
    """The score sheet."""

    frame: Frame
    heading: str
    rounds: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...], str, str], ...]
    """Name, points of each round, total, a word ("WINS"); the winners first."""
    total: str = ""
    facts: tuple[Line, ...] = ()
    winners: int = 0
    """So many rows from the top have won."""
    top: int = 0
    """The first of the facts that is shown, where they have not room all."""
    more: tuple[str, str] = ("", "")
    """What stands below them then: that there are more, or that one may go back up."""


@dataclass(frozen=True, slots=True)
class PageView:
    """Running text that can be scrolled: rules, help, log, fairness report."""

    frame: Frame
    heading: str
    lines: tuple[Line, ...]
    top: int = 0


View: TypeAlias = TableView | ListView | ScoreView | PageView
