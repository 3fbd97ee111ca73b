"""The way to each peer now: over a link of its own, or through a peer that reaches it. PROTOCOL.md: "Links"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from enum import Enum
from typing import Final, TypeAlias

from p2p.budgets import gives_way
from p2p.heartbeats import NO_HEARTBEAT, Heartbeat
from protocol.values import dataclass

MAX_INTRODUCED = 32
"""How many keys at a time are reached through the peers that introduced them."""


class Route(Enum):
    """How messages reach a peer now."""

    DIRECT = "direct"
    RELAYED = "relayed"
    NONE = "none"


Way: TypeAlias = tuple[Route, bytes | None]
"""A route, and the relay if it is RELAYED."""
NO_WAY: Final[Way] = (Route.NONE, None)


@dataclass(frozen=True, slots=True)
class RouteChange:
    """A new route to a peer. Messages sent before may be lost, so the owner resends what the peer may lack.

    `via`: the relay if RELAYED; `reason`: why the link ended, if known and the route is now NONE.
    """

    key: bytes
    route: Route
    via: bytes | None = None
    reason: str | None = None


class Routes:
    """The ways that one client's messages take."""

    def __init__(self) -> None:
        self._ways: dict[bytes, Way] = {}
        self.introduced: dict[bytes, bytes] = {}
        """Who introduced keys that we may have no other way to."""

    def way(self, key: bytes) -> Way:
        """Return the route to a peer, and its relay."""
        return self._ways.get(key, NO_WAY)

    def introduce(self, key: bytes, via: bytes) -> None:
        """Reach this key through a peer where there is no better way. If too many are reached like that, one gives way."""
        self.introduced.pop(key, None)
        if len(self.introduced) >= MAX_INTRODUCED:
            own = next((each for each, relay in self.introduced.items() if relay == via), None)
            loser = gives_way(((each, relay.hex()) for each, relay in self.introduced.items()), via.hex()) or own
            if loser is None:
                return
            del self.introduced[loser]
        self.introduced[key] = via

    def drop(self, key: bytes) -> None:
        """Forget who introduced this key."""
        self.introduced.pop(key, None)

    def lose(self, relay: bytes) -> None:
        """Forget the keys that this peer introduced: its link has ended."""
        self.introduced = {key: via for key, via in self.introduced.items() if via != relay}

    def renew(self, peer: bytes) -> None:
        """Report the ways over this peer's link as new, whatever they were: what its old link carried may be lost."""
        self._ways = {key: way for key, way in self._ways.items() if key != peer and way[1] != peer}

    def clear(self) -> None:
        """No peer is reached any more; nobody is told."""
        self._ways.clear()

    def update(
        self,
        linked: Collection[bytes],
        wanted: Collection[bytes],
        order: Sequence[bytes],
        heartbeats: Mapping[bytes, Heartbeat],
        reason: str | None,
    ) -> Iterator[RouteChange]:
        """Find the way to each peer, and yield what has changed.

        `heartbeats`: the last one of each linked seat. Of the seats that reach a peer, the first in `order` relays for it.
        """
        ways: dict[bytes, Way] = dict.fromkeys(linked, (Route.DIRECT, None))
        for key in wanted:
            if key not in ways:
                relays = (each for each in order if key in heartbeats.get(each, NO_HEARTBEAT).reached)
                relay = next((each for each in relays if each in linked), None)
                if relay is not None:
                    ways[key] = (Route.RELAYED, relay)
        for key, relay in self.introduced.items():
            if relay in linked:
                ways.setdefault(key, (Route.RELAYED, relay))
        before, self._ways = self._ways, ways
        for key in sorted(before.keys() | ways.keys()):
            now = ways.get(key, NO_WAY)
            # The owner may react to one change in a way that causes the next.
            if now != before.get(key, NO_WAY) and now == self.way(key):
                route, via = now
                yield RouteChange(key, route, via, reason if route is Route.NONE else None)
