"""What any face (keys, mouse, touch, lines) tells a model: plain values without keys of a keyboard and without places on a
screen."""

from __future__ import annotations

from typing import Any, TypeAlias

from cli.news import News, Remembered, RoomAddresses, RoomChanged, RoomChat, SeatOffered, TablesSeen
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Act:
    """An action by name, as the view offers it ("draw", "pass", "ready"), and what it is about where that is needed."""

    name: str
    arg: Any = None


@dataclass(frozen=True, slots=True)
class Pick:
    """Select a card of the hand by its id, or deselect it."""

    card: int


@dataclass(frozen=True, slots=True)
class PlayNow:
    """Play exactly these cards of the hand, whatever is selected."""

    cards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MoveCard:
    """Put a card of the hand before another one; None: at the end."""

    card: int
    before: int | None


@dataclass(frozen=True, slots=True)
class Choose:
    """The answer to the open question by its place among the choices, or a row of a list by its id."""

    key: int | str


@dataclass(frozen=True, slots=True)
class Type:
    """The text that was typed into the field that an `AskText` effect has opened."""

    text: str
    field: str = ""


@dataclass(frozen=True, slots=True)
class Hear:
    """News of the table, the waiting room, the network or the person's home."""

    news: News | RoomChanged | RoomChat | RoomAddresses | SeatOffered | TablesSeen | Remembered


@dataclass(frozen=True, slots=True)
class Tick:
    """Time has passed: about twice a second."""


Input: TypeAlias = Act | Pick | PlayNow | MoveCard | Choose | Type | Hear | Tick
