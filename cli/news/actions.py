"""What a person does in a room, as a face tells it to the client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Say:
    """Chat."""

    text: str


@dataclass(frozen=True, slots=True)
class Do:
    """Something of the session around the presenter: its name, and what it is about."""

    name: str
    about: Any = None
