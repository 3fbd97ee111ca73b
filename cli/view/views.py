"""What the renderers are given: plain values, ready to be drawn. Texts in here are in the reader's language already.

An `Ink` names how a piece of text is written (`theme`), an `Action` what a click on it does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from cli.view.inputs import Act as Action

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
class Offer:
    """An action that can be done now: its name (see `commands`), which a face turns into a key, a button or a verb. An empty
    label: the usual one of the action."""

    name: str
    label: str | None = None
    arg: Any = None
    glows: bool = False
    """To be noticed: a bomb is held."""
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
    sentences: tuple[str, ...] = ()
    """The prompt in sentences, where the first ones may give way to the last."""
    actions: tuple[Offer, ...] = ()
    """What can be done now. A face makes its key bar of them (`caps` and `help` go when every view has these)."""


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
    """Something in a list: texts in columns, and what can be done with it."""

    id: str
    cells: tuple[str, ...]
    brief: tuple[str, ...] = ()
    """The same for where there is little room; columns that have no cell in here are left out there."""
    label: str = ""
    """What choosing it does, in a word or two; empty: nothing."""
    prompt: str = ""
    """The same in a sentence."""
    about: tuple[Line, ...] = ()
    """What is told of it while it is looked at."""
    can_change: bool = False
    """It holds a value: `Act("change", (id, 1))` sets it to the next one, -1 to the one before."""
    numbers: tuple[int, ...] = ()
    """What `Act("set", (id, number))` can set it to at once."""
    ink: Ink = "text"
    starts_group: bool = False
    is_spare: bool = False
    """It is listed only while it is looked at."""


@dataclass(frozen=True, slots=True)
class ListView:
    """A screen made of a list, things one can do, and facts: lobby, waiting room, settings, menus."""

    kind: str
    """Which list it is: a face may lay each out in its own way."""
    frame: Frame
    heading: str
    note: str = ""
    columns: tuple[str, ...] = ()
    """What stands above the rows."""
    rows: tuple[Row, ...] = ()
    empty: tuple[str, ...] = ()
    """What is said where there are no rows."""
    deeds: tuple[Row, ...] = ()
    """Actions of this list, named by their ids. Those with a label can be looked at and chosen like rows."""
    knows: tuple[str, ...] = ()
    """Its actions that are not listed."""
    facts: tuple[Line, ...] = ()
    chat: tuple[Piece, ...] = ()
    chat_title: str = ""
    chat_hint: str = ""
    focus: str = ""
    """The row that is looked at until the person looks at another; empty: the first."""
    fallback: str = ""
    """The row that is looked at once the one that the person looked at is gone; empty: the one in its place."""


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
    more: tuple[str, str] = ("", "")
    """What stands below the facts where they have not room all: that there are more, or that one may go back up."""


@dataclass(frozen=True, slots=True)
class PageView:
    """Running text: rules, help, log, fairness report. A piece in the ink "path" is a file's or folder's name."""

    frame: Frame
    heading: str
    lines: tuple[Line, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    """Above the text: actions by name (several parted by blanks), and what they do."""
    from_end: bool = False
    """Its end is read first."""
    opened_by: str = ""
    """The action that has opened it closes it, too."""


View: TypeAlias = TableView | ListView | ScoreView | PageView
