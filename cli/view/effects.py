"""What a presenter wants done: the app and the session carry it out. Presenters themselves touch nothing but their state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from cli.news import Do, Say
from protocol.messages import Opinion
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Play:
    """Hand this move (the game's own value) to the table."""

    move: Any


@dataclass(frozen=True, slots=True)
class BeReady:
    """Between rounds: ready for the next."""


@dataclass(frozen=True, slots=True)
class CastVote:
    """While somebody is missing: vote on playing on without them, or take the vote back."""

    opinion: Opinion


@dataclass(frozen=True, slots=True)
class ConfirmWords:
    """The player has compared the secret-check words: remember it."""


@dataclass(frozen=True, slots=True)
class TakeHelp:
    """From now on, give this much help with the hand."""

    level: str


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the table, away or for good, or for the room, where something else is played first (`aside`)."""

    for_good: bool
    aside: bool = False


@dataclass(frozen=True, slots=True)
class AskText:
    """Open the line for typing; `then` takes what was typed (nothing happens for an empty line or Esc). Of an `initial` text
    without `offers` the first sign typed takes the place."""

    label: str
    then: Callable[[str], None] = lambda _text: None
    """Set by the face: it sends what was typed to the model as `Type(text, field)`."""
    initial: str = ""
    offers: tuple[str, ...] = ()
    """Words that complete what begins with a colon."""
    needed: str = ""
    """Shown instead of the label when Enter is pressed with nothing typed: the line stays open."""
    field: str = ""
    """Which field it is, for a model that asks for more than one."""


@dataclass(frozen=True, slots=True)
class Bell:
    """Ring, if the player is not at the keys."""

    times: int = 1
    is_ours: bool = True
    """Whether it is for the player alone, whose phone vibrates for it."""


@dataclass(frozen=True, slots=True)
class Advise:
    """Think of a move for this seat as the game's bot would, and tell the presenter."""


@dataclass(frozen=True, slots=True)
class Repaint:
    """Redraw the whole screen."""


@dataclass(frozen=True, slots=True)
class Tell:
    """Say this where answers to inputs stand, until the next input. `is_no`: it tells why nothing was done."""

    text: str
    is_no: bool = False
    passes: bool = False
    """It tells what happened, not what a key did, and disappears after a while."""


@dataclass(frozen=True, slots=True)
class SettingsChanged:
    """Colours, language or mouse have changed."""


@dataclass(frozen=True, slots=True)
class ShowModel:
    """Show this model over the one that returned it, until it closes. `Any` is a `Model`: effects know none."""

    model: Any


@dataclass(frozen=True, slots=True)
class OpenSettings:
    """Show the settings over the model that returned it: under its title; `below` tells what goes on underneath."""

    title: Callable[[], str]
    below: Callable[[], tuple[str, str, str]] = lambda: ("", "", "wait")


@dataclass(frozen=True, slots=True)
class Close:
    """The model that returned it is done: show what lies below."""


@dataclass(frozen=True, slots=True)
class Focus:
    """Move the cursor, where the face has one, to a card of the hand (by id), a choice of the question or a row of the list ("":
    the one that is looked at by itself)."""

    card: int | None = None
    choice: int | None = None
    row: int | str | None = None


Effect: TypeAlias = (
    Play
    | Say
    | BeReady
    | CastVote
    | ConfirmWords
    | TakeHelp
    | Leave
    | AskText
    | Bell
    | Do
    | Advise
    | Repaint
    | Tell
    | SettingsChanged
    | ShowModel
    | OpenSettings
    | Close
    | Focus
)
