"""What a game's face answers to an action: a move for the table, a question back, or a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from cli.games.shown import Choice
from protocol.cards import Card
from protocol.games.game import Data
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Move:
    """The rules let this pass."""

    move: Data


@dataclass(frozen=True, slots=True)
class Refused:
    """Why not, and what would do."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Told:
    """It is done, or this is how things are. The cursor goes to a card (by id) or to a choice, where one is named."""

    sentence: str = ""
    card: int | None = None
    choice: int | None = None


@dataclass(frozen=True, slots=True)
class Picked:
    """These cards are picked now, and why."""

    cards: tuple[Card, ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class AskBot:
    """The game's bot is asked what it would do here."""


@dataclass(frozen=True, slots=True)
class LeaveTable:
    """The player gets up: away, or for good, or puts the match aside."""

    for_good: bool
    aside: bool = False


@dataclass(frozen=True, slots=True)
class QueryOption:
    """One answer: its value, and how it is shown."""

    value: Any
    choice: Choice
    confirm: str = ""
    """What is said while it is about to be chosen, instead of the usual sentence."""


@dataclass(frozen=True, slots=True)
class Query:
    """A question. `answer` takes the value of the chosen option; `again` asks it anew, in the language of then."""

    name: str
    title: str
    options: tuple[QueryOption, ...]
    cancel: str = ""
    """What going back means; empty: one cannot, and `no_escape` says why."""
    kind: str = "row"
    """How its choices are shown: see `Dialog.kind`."""
    focus: int = 0
    """The option under the cursor when it opens."""
    lines: tuple[str, ...] = ()
    answer: Callable[[Any], Reply] = lambda _value: None
    again: Callable[[], Reply] = lambda: None
    no_escape: str = ""
    """Said where somebody wants to go back from a question that stays open."""
    chooses_seat: bool = False
    """Its values are seats: a click on a player answers it, too."""


Reply: TypeAlias = Move | Refused | Told | Picked | AskBot | LeaveTable | Query | None
"""None: nothing is to be done or said."""
