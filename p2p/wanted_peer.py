"""A peer that a mesh keeps linked, and the addresses at which it may be found."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field

from p2p.interfaces import Address

MAX_ADDRESSES = 16
"""Addresses kept of one peer, from the mesh's owner and from links."""
MAX_REPORTED = 8
"""Addresses kept of one peer, from other peers' heartbeats."""


@dataclass(slots=True)
class WantedPeer:
    """A peer to keep linked.

    `known` holds addresses from the mesh's owner and from links, the best first; `reported` those that other peers
    named in heartbeats, which rank lower. `wake` is set when it is worth calling the peer at once.
    """

    key: bytes
    known: dict[Address, None] = field(default_factory=dict)
    reported: dict[Address, None] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    tries: int = 0
    """Failed calls since the last link."""
    next_at: float = 0.0
    """Event loop time of the next call."""
    task: asyncio.Task[None] | None = None

    @property
    def addresses(self) -> tuple[Address, ...]:
        return tuple(dict.fromkeys((*self.known, *self.reported)))

    def add_known(self, addresses: Iterable[Address]) -> None:
        """Add addresses behind those already known, and wake the caller if any is new."""
        fresh = [address for address in addresses if address not in self.known]
        for address in fresh[:MAX_ADDRESSES]:
            self.known[address] = None
            if len(self.known) > MAX_ADDRESSES:
                # Keep the newest, and the ones at the front, which have worked before.
                del self.known[list(self.known)[-2]]
        if fresh:
            self.wake.set()

    def add_linked(self, address: Address) -> None:
        """Put an address at which the peer was reached before all others."""
        self.known = dict.fromkeys((address, *self.known))
        while len(self.known) > MAX_ADDRESSES:
            self.known.popitem()

    def add_reported(self, addresses: Iterable[Address]) -> None:
        """Add addresses that another peer named, the latest first, and wake the caller if any is new."""
        fresh = [address for address in addresses if address not in self.addresses]
        if fresh:
            self.reported = dict.fromkeys((*fresh, *self.reported))
            while len(self.reported) > MAX_REPORTED:
                self.reported.popitem()
            self.wake.set()
