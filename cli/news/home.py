"""What a person's home knows from before."""

from __future__ import annotations

from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match that was left here and can be taken up again."""

    title: str
    game: str
    begun: float = 0.0
    """Unix time."""
    names: tuple[str, ...] = ()
    bots: tuple[bool, ...] = ()
    """Which of them are bots."""
    match: str = ""
    """Its id, in hexadecimal."""
    left: tuple[str, ...] = ()
    """Who was missing when it was put aside."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """The person's name, a match left unfinished, and those that the person has played with."""

    name: str | None = None
    unfinished: Unfinished | None = None
    friends: frozenset[str] = frozenset()
    """How their keys begin."""
    guest: int = 0
    """The number of the guest profile that plays from here, as another Fairdeal uses the person's own; else 0."""
    aside: tuple[Unfinished, ...] = ()
    """Other matches that can be taken up again, the one put aside last first."""
