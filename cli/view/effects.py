"""What a presenter wants done: the app and the session carry it out. Presenters themselves touch nothing but their state."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from cli.news import Do, Say


@dataclass(frozen=True, slots=True)
class Play:
    """Hand this move (the game's own value) to the table."""

    move: Any


@dataclass(frozen=True, slots=True)
class GoOn:
    """While paused: the wish to go on without the awaited, or its revocation."""

    wish: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """Between rounds: ready for the next."""


@dataclass(frozen=True, slots=True)
class TakeHelp:
    """So much help with the hand is wanted from now on."""

    level: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table, away or for good."""

    for_good: bool


@dataclass(frozen=True, slots=True)
class AskText:
    """Open the line for typing; `then` takes what was typed (nothing happens for an empty line or Esc). Of an `initial` text
    without `offers` the first sign typed takes the place."""

    label: str
    then: Callable[[str], None]
    initial: str = ""
    offers: tuple[str, ...] = ()
    """Translator that complete what begins with a colon."""
    needed: str = ""
    """Said instead of the label when Enter comes with nothing typed: the line stays open."""


@dataclass(frozen=True, slots=True)
class Bell:
    """Ring, if the player is not at the keys."""

    times: int = 1


@dataclass(frozen=True, slots=True)
class Advise:
    """Think of a move for this seat as the game's bot would, and tell the presenter."""


@dataclass(frozen=True, slots=True)
class Repaint:
    """Draw all of the screen anew."""


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Colours, language or mouse are others now."""


Effect: TypeAlias = (
    Play | Say | GoOn | Ready | TakeHelp | Leave | AskText | Bell | Do | Advise | Repaint | SettingsChanged
)
