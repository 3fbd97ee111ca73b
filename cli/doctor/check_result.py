"""The result of one check: its state, what was seen, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from protocol.values import dataclass


class State(StrEnum):
    """`bad` prevents playing, alone or with others; `warn` may; `unknown` cannot be determined."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. `id` and the keys of `details` are stable; `what` and `advice` are translated.

    Each line of `advice` starts a new line.
    """

    id: str
    state: State
    what: str
    advice: str | None = None
    details: Mapping[str, object] = field(default_factory=dict)

    def as_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "state": self.state.value,
            "what": self.what,
            "advice": self.advice,
            "details": dict(self.details),
        }
