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
    OUTSIDE = "Whoever gets hold of files or recordings"


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack. `noticed`: when, and by whom; `evidence`: who is named, and what shows it. `test`: its file."""

    by: By
    what: str
    noticed: str
    evidence: str
    test: str
    name: str
    """Of the test in that file."""


ATTACKS: list[Attack] = []
NOBODY = "nobody"
PREVENTED = "It does not work, so there is nothing to notice."
AT_ONCE = "At once, by every other player’s computer, before it has any effect."


def attack(by: By, what: str, noticed: str = AT_ONCE, evidence: str = NOBODY) -> Callable[[F], F]:
    """Declare the attack that a test plays. Texts are plain sentences for people."""

    def declare(test: F) -> F:
        path = test.__module__.replace(".", "/") + ".py"
        named = evidence[:1].upper() + evidence[1:].rstrip(".") + "."
        ATTACKS.append(Attack(by, what, noticed, named, path, test.__name__))
        return test

    return declare
