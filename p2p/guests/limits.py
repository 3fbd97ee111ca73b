"""Limits for connections to the server of the phones' page, before anything is known of who calls."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from websockets.asyncio.server import ServerConnection

MAX_CONNECTIONS = 256
MAX_PER_HOST = 48
"""A browser opens six to load the page, and one for its link; ten phones may come through one router."""


class Limits:
    """Counts the open connections of one server."""

    def __init__(self) -> None:
        self._open: Counter[str] = Counter()

    def enters(self, host: str) -> bool:
        """Count a connection; return whether there is room for it."""
        self._open[host] += 1
        return self._open.total() <= MAX_CONNECTIONS and self._open[host] <= MAX_PER_HOST

    def leaves(self, host: str) -> None:
        """A connection that was counted is gone."""
        self._open[host] -= 1
        if self._open[host] <= 0:
            del self._open[host]


class LimitedConnection(ServerConnection):
    """A connection that is dropped at once where there are too many. `limits` is set by a subclass for each server."""

    limits: Limits
    _host = ""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        where: Any = transport.get_extra_info("peername")
        self._host = str(where[0]) if where else "?"
        if not self.limits.enters(self._host):
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self.limits.leaves(self._host)
        super().connection_lost(exc)


def limited() -> type[LimitedConnection]:
    """Return a class of connections that count together."""

    class Connection(LimitedConnection):
        limits = Limits()

    return Connection
