"""What a client is told of hosts that cost more than they should: once in a while, however often it happens."""

from __future__ import annotations

from collections.abc import Callable

from protocol.values import dataclass

NOTICE_S = 60.0
"""The owner is told of one host's trouble once in this time."""


@dataclass(frozen=True, slots=True)
class Trouble:
    """A host costs more than it should: a link of it was cut (`flood`, `uninvited`), or it has too many (`full`)."""

    host: str
    what: str


class Troubles:
    """Passes each trouble on to `tell`, unless that was done lately."""

    def __init__(self, tell: Callable[[Trouble], None]) -> None:
        self._tell = tell
        self._told: dict[Trouble, float] = {}  # to the time of the last report

    def report(self, host: str, what: str, now: float) -> None:
        """`now`: seconds of one monotonic clock."""
        trouble = Trouble(host, what)
        if now - self._told.get(trouble, -NOTICE_S) >= NOTICE_S:
            self._told = {each: at for each, at in self._told.items() if now - at < NOTICE_S} | {trouble: now}
            self._tell(trouble)
