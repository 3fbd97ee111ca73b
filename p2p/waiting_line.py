"""Connections that wait for their handshake: a short line for each host, and the hosts take turns.

Handshakes are what a flood of connections is made for: each costs milliseconds and a quarter of a megabyte. A host that
connects too often waits in its own line and pushes out its own connections, not those of others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Generic, TypeVar

from p2p.budgets import Bucket, Buckets, Rate, gives_way
from protocol.values import dataclass

T = TypeVar("T")
U = TypeVar("U")

MAX_WAITING = 48
MAX_WAITING_PER_HOST = 32  # all seats of a table may be on one computer, each calling several addresses at once
MAX_OPENINGS = 48
MAX_OPENINGS_PER_HOST = 24
HOST_OPENINGS = Rate(8, 64)
ALL_OPENINGS = Rate(25, 160)
WASTED_OPENINGS = 32.0
"""How many openings a connection that caused nothing but work costs its host."""
OVERDUE_S = 1.0
"""An honest handshake takes milliseconds; after this time it gives way to others."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How many connections may wait and be opened at a time, in all and of one host, and how many may begin a second."""

    waiting: int
    waiting_per_host: int
    openings: int
    openings_per_host: int
    host_rate: Rate
    all_rate: Rate
    overdue_s: float


LINKS = Limits(
    MAX_WAITING,
    MAX_WAITING_PER_HOST,
    MAX_OPENINGS,
    MAX_OPENINGS_PER_HOST,
    HOST_OPENINGS,
    ALL_OPENINGS,
    OVERDUE_S,
)


class WaitingLine(Generic[T]):
    """Decides who waits, who is next and who has to go. Times are seconds of one monotonic clock."""

    def __init__(self, now: float, limits: Limits = LINKS) -> None:
        self._limits = limits
        self._lines: dict[str, deque[T]] = {}  # the host whose turn is next comes first
        self._by_host: Buckets[str] = Buckets(limits.host_rate)
        self._all = Bucket(limits.all_rate, now)

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def add(self, host: str, item: T) -> T | None:
        """Let a connection from this host wait; return the one that has to go for it, perhaps itself."""
        line = self._lines.setdefault(host, deque())
        evicted: T | None = None
        if len(line) >= self._limits.waiting_per_host:
            evicted = line.popleft()
        elif len(self) >= self._limits.waiting:
            holders = [(waiting, origin) for origin, others in self._lines.items() for waiting in others]
            evicted = gives_way(holders, host)
            if evicted is None:
                if not line:
                    del self._lines[host]
                return item
            self._remove(evicted)
            line = self._lines.setdefault(host, deque())
        line.append(item)
        return evicted

    def next(self, busy: Mapping[str, int], now: float) -> tuple[str, T] | None:
        """Take the next connection from the line, given the number of openings by host; None if none may begin now."""
        if sum(busy.values()) >= self._limits.openings or self._all.debt_s(now):
            return None
        for host in list(self._lines):
            if busy.get(host, 0) < self._limits.openings_per_host and not self._by_host.debt_s(host, now):
                item = self._lines[host].pop()  # the newest: its caller is the likeliest to be there still
                rest = self._lines.pop(host)
                if rest:
                    self._lines[host] = rest  # behind the other hosts
                self._by_host.spend(host, 1, now)
                self._all.spend(1, now)
                return host, item
        return None

    def charge(self, host: str, now: float) -> None:
        """Let the next connections of this host wait, for one that was opened and wasted much more than opening costs; those that
        it wasted at the same time do not add up."""
        most_s = WASTED_OPENINGS / self._limits.host_rate.per_s
        if self._by_host.debt_s(host, now) < most_s:
            self._by_host.spend(host, WASTED_OPENINGS, now)

    def wait_s(self, now: float) -> float:
        """Return the seconds until the next may begin, as far as budgets hold it back."""
        hosts = (self._by_host.debt_s(host, now) for host in self._lines)
        return max(self._all.debt_s(now), min(hosts, default=0.0))

    def overdue(self, openings: Mapping[U, tuple[str, float]], now: float) -> U | None:
        """Return the opening that gives way to those who wait; None if there is none.

        `openings` maps each to its host and the time when it began, the oldest first.
        """
        late = [(opening, host) for opening, (host, began) in openings.items() if now - began >= self._limits.overdue_s]
        counts: dict[str, int] = {}
        for host, _began in openings.values():
            counts[host] = counts.get(host, 0) + 1
        for host in self._lines:
            if counts.get(host, 0) >= self._limits.openings_per_host:
                own = next((opening for opening, origin in late if origin == host), None)
                if own is not None:
                    return own
        if len(openings) >= self._limits.openings and self._lines and late:
            return max(late, key=lambda each: counts[each[1]])[0]
        return None

    def clear(self) -> list[T]:
        """Empty the line; return who waited."""
        waiting = [item for line in self._lines.values() for item in line]
        self._lines.clear()
        return waiting

    def _remove(self, item: T) -> None:
        for host, line in list(self._lines.items()):
            if item in line:
                line.remove(item)
                if not line:
                    del self._lines[host]
