"""What a person does in a room, as a face tells the client."""

from __future__ import annotations

from typing import Any

from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Say:
    """A chat message."""

    text: str


@dataclass(frozen=True, slots=True)
class Do:
    """An action of the session, such as "ready": its name and its argument."""

    name: str
    about: Any = None
