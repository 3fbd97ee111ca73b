"""What each attack's test declares about it. SECURITY.md is made of these declarations (`tests.adversaries.security`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class By(Enum):
    """Who attacks."""

    STRANGER = "Somebody on the same network"
    ROOM = "Somebody in the room"
    PLAYER = "A player at the table"
    OUTSIDE = "Somebody with files or recordings"


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack. `noticed`: when, and by whom; `evidence`: who is named, and what shows it."""

    by: By
    what: str
    noticed: str
    evidence: str
    module: str
    test: str

    @property
    def files(self) -> list[str]:
        """The files of its tests, over real links last."""
        linked = LINKED.get((self.module, self.test))
        return [file_of(self.module), *([linked] if linked else [])]


ATTACKS: list[Attack] = []
LINKED: dict[tuple[str, str], str] = {}
"""The file that plays an attack over real links, too; by the attack's module and test."""
NOBODY = "nobody"
AT_ONCE = "At once, by every other player’s computer, before it has any effect."


def attack(by: By, what: str, noticed: str = AT_ONCE, evidence: str = NOBODY) -> Callable[[F], F]:
    """Declare the attack that a test plays. Texts are plain sentences for people."""

    def declare(test: F) -> F:
        named = evidence[:1].upper() + evidence[1:].rstrip(".") + "."
        ATTACKS.append(Attack(by, what, noticed, named, test.__module__, test.__name__))
        return test

    return declare


def over_links(module: str, *tests: Callable[..., Any]) -> None:
    """Declare that the attacks that these tests play in memory are played over real links in this module."""
    for test in tests:
        LINKED[test.__module__, test.__name__] = file_of(module)


def file_of(module: str) -> str:
    return module.replace(".", "/") + ".py"
