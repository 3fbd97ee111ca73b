"""What a typed line can turn out to be."""

from __future__ import annotations

from typing import TypeAlias

from protocol.games.game import Data
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class TypedMove:
    """A move, as its object; the rules have let it pass."""

    move: Data


@dataclass(frozen=True, slots=True)
class TypedCommand:
    """Something other than a move: `say`, `who`, `hand`, `score`, `verify`, `help`, `hint`, `ready`, `wait`, `go`, `quit`,
    `goodbye`. `text` is what stood behind it."""

    name: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why not, and what would do."""

    sentence: str


@dataclass(frozen=True, slots=True)
class TypedAnswer:
    """One of the answers to a question: what may be typed for it, and what it means (None: nothing happens)."""

    typed: tuple[str, ...]
    means: Reply | None


@dataclass(frozen=True, slots=True)
class TypedQuestion:
    """Something is missing, or costly: the next line may answer. Any other line is read as if nothing had been asked."""

    sentence: str
    answers: tuple[TypedAnswer, ...]


Reply: TypeAlias = "TypedMove | TypedCommand | Refusal | TypedQuestion"
