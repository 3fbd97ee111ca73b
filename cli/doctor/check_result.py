"""One thing that was looked at: how it stands, what was seen, and what to do about it. Prints nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class State(StrEnum):
    """`bad` keeps this machine from playing, alone or with others; `warn` may; `unknown` cannot be told from here."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """`id` is the same in every version and language, as are the names in `details`; `what` and `advice` are for people."""

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
