"""What a game's face makes of a table: plain values without sizes and places. Texts in here are in the reader's language.

An `Ink` says what a piece of text means (a suit, an alarm, something gained); each face has its own way to show that.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from protocol.values import dataclass

Ink: TypeAlias = str
Piece: TypeAlias = tuple[str, Ink]
"""A text and its ink."""
Line: TypeAlias = tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class CardFace:
    """One card: `rank` in at most two cells, `suit` a glyph or empty, `ink` its suit's colour; `short` is its short name, `name`
    its name in words."""

    rank: str
    suit: str
    ink: Ink
    short: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """An action that can be done now: its name (see `cli.view.actions`), which a face turns into a key, a button or a verb.
    No label: the usual one of the action."""

    name: str
    label: str | None = None
    arg: Any = None
    glows: bool = False
    """To be noticed: a bomb is held."""
    is_needed: bool = False
    """Others give way to it where there is no room for all."""
    is_loud: bool = False
    """It is said aloud at a real table: a call, a bomb."""


@dataclass(frozen=True, slots=True)
class OwnAction:
    """An action at the table that only one game has."""

    name: str
    """Its name for faces and in the players' own `[keys]`."""
    letter: str
    """The key that stands for it, unless a player has chosen another."""
    label: str
    """What it is called on a button, a text to translate."""
    help: str
    """What it does, a text to translate."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One thing that can be chosen in a dialog."""

    key: str
    """What is typed for it; may be empty."""
    label: str
    sub: str = ""
    face: CardFace | None = None
    glyph: str = ""
    ink: Ink = "text"
    suit_keys: str = ""
    """Letters that lead to this one among the choices whose labels differ from it in the last sign alone: "S" to 5♠ from 5♥."""
    action: str = ""
    """The action that chooses it as well, if there is one."""


@dataclass(frozen=True, slots=True)
class Dialog:
    """A box over the table, while the hand stays visible."""

    title: str
    choices: tuple[Choice, ...] = ()
    lines: tuple[Line, ...] = ()
    cancel: str = ""
    """What going back means; empty: one cannot."""
    footer: str = ""
    kind: str = "row"
    """`row`: a few choices; `grid`: many small ones; `list`: long ones; `places`: places for cards, one for each player; `lost`:
    a phone that looks for its computer."""
    name: str = ""
    """What it asks."""
    focus: int = 0
    """The choice under the cursor when it opens; in `places` the place that is filled next."""
    number: int = 0
    """Another one for each question; the same while it is only worded anew."""
    asks: bool = True
    """It must be answered before anything else is done; else the table goes on below it."""
    confirms: tuple[str, ...] = ()
    """What is said while each choice is about to be made."""
    is_standing: bool = False
    """It stays open until it is answered, and the hand can be looked at meanwhile."""


@dataclass(frozen=True, slots=True)
class ShownPile:
    """A stock and a pile to play on."""

    stock: int | None
    can_draw: bool
    top: CardFace | None
    before: CardFace | None
    """The card under the top one."""
    match: tuple[Line, ...] = ()
    """What must be matched."""
    facts: tuple[Piece, ...] = ()
    """Penalty, order, what drawing does; the first one stands above what must be matched."""
    action: str = ""
    """What the last fact offers."""


@dataclass(frozen=True, slots=True)
class ShownTrick:
    """A trick: its cards, or who played which."""

    label: str
    cards: tuple[CardFace, ...]
    note: str
    players: tuple[str, ...] = ()
    """Who played each of the cards; none where one player played them all."""
    best: int = -1
    """The place of the card that is winning."""
    sides: tuple[tuple[str, str], ...] = ()
    """The two teams and their points, ours first."""
    sign: tuple[str, str] = ("", "")
    """What is in force, and its value: a wish, the trump."""
    partner: str = ""
    """Our partner in short."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What else lies on the table: melds, a stock with an open card, notes; a line each."""

    lines: tuple[Line, ...] = ()
