"""What faces are given to show: plain values without sizes and places. Texts in here are in the reader's language already."""

from __future__ import annotations

from typing import TypeAlias

from cli.games.shown import CardFace as CardFace
from cli.games.shown import Choice as Choice
from cli.games.shown import Dialog as Dialog
from cli.games.shown import Facts as Facts
from cli.games.shown import Ink as Ink
from cli.games.shown import Line as Line
from cli.games.shown import Offer as Offer
from cli.games.shown import Piece as Piece
from cli.games.shown import ShownPile as ShownPile
from cli.games.shown import ShownTrick as ShownTrick
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Shown:
    """How things are drawn, whatever is shown: charset, big cards, kanji on Tichu's four special cards."""

    ascii_only: bool = False
    big: bool = False
    kanji: bool = True


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
    banner: str = ""
    """A failed check: red, over everything."""
    event: str = ""
    """What happened last, behind the prompt where there is room for all of it."""
    needs_event: bool = False
    """The event is a part of what must be told, on a second row if need be."""
    sentences: tuple[str, ...] = ()
    """The prompt in sentences, where the first ones may give way to the last."""
    actions: tuple[Offer, ...] = ()
    """What can be done now: a face makes its key bar, its buttons or its verbs of them."""


@dataclass(frozen=True, slots=True)
class HandCard:
    """A card of one's hand as it is shown now."""

    id: int
    face: CardFace
    rank: str = ""
    """What is typed to go to it: a rank's letter or figure."""
    bright: bool = True
    fits: bool = False
    """Marked as one that can be played now."""
    playable: bool = False
    """Some play begins with it, and that may be told."""
    picked: bool = False
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
    is_bot: bool = False
    key: str = ""
    """The player's public key in hexadecimal, or nothing: a face can be made of it that is the same everywhere."""


@dataclass(frozen=True, slots=True)
class Flight:
    """A card that has just left a seat for the middle, at this instant of the model's clock."""

    seat: int
    face: CardFace
    at: float
    is_mine: bool = False


@dataclass(frozen=True, slots=True)
class Tip:
    """For a newcomer: an action, and what it does now; `otherwise`: what is told while the card that one looks at is not
    playable."""

    action: str
    label: str
    otherwise: str = ""


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
    across: bool = False
    """Partners sit across from each other; else the seats stand in the order of play."""
    chip: str = ""
    """One's own call, beside the heading."""
    legend: str = ""
    """What bright and dull cards mean, behind the sorting where there is room."""
    log_title: str = ""
    log_hint: str = ""
    last_event: str = ""
    recap: tuple[Piece, ...] = ()
    """What the others did since our last move, in short, the oldest first; before all, in `alarm`, what befell ourselves."""
    recap_of_event: tuple[Piece, ...] = ()
    """The same where the last event has no room for all of its words."""
    pile: ShownPile | None = None
    trick: ShownTrick | None = None
    facts: Facts | None = None
    dialog: Dialog | None = None
    dimmed: bool = False
    flight: Flight | None = None
    tip: Tip | None = None
    takes_one: bool = False
    """One card is played at a time."""
    knows: frozenset[str] = frozenset()
    """The actions that this game has, whether they can be done now or not."""
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
    is_final: bool = False
    """What choosing it does cannot be taken back."""
    key: str = ""
    """The public key of the player whose row it is, in hexadecimal."""
    device: str = ""
    """What this player plays with: "laptop", "phone" or "bot"."""


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
    """Name, points of each round, total, a word ("WON"); the winners first."""
    total: str = ""
    facts: tuple[Line, ...] = ()
    winners: int = 0
    """How many rows from the top have won."""
    is_passing: bool = False
    """A round is being played: any action goes back to the table."""


@dataclass(frozen=True, slots=True)
class Proof:
    """A fair deal at a glance, for faces that draw: who shuffled, what was checked, and under which condition that holds."""

    headline: str
    deck: str
    shufflers: tuple[tuple[str, bool, bool], ...]
    """Name, whether it is a bot and whether it is oneself, in the order in which they shuffled."""
    about: str
    title: str
    checks: tuple[tuple[str, str, str], ...]
    """What was checked, how long that took, and how it was proven; the last one empty unless the details are shown."""
    trust: str = ""
    notes: tuple[Line, ...] = ()


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
    code: tuple[str, ...] = ()
    """A QR code beside the text, as rows of modules: "1" is dark, "0" is light."""
    proof: Proof | None = None
    """What the text says, too, in parts."""


View: TypeAlias = TableView | ListView | ScoreView | PageView
