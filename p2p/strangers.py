"""Places for strangers: how many links those have who are neither in our room nor called by us, and who gives way when all are
taken. Times are seconds of one monotonic clock. PROTOCOL.md: "Limits"."""

from __future__ import annotations

from collections.abc import Sequence

from p2p.budgets import PeerRank, gives_way
from p2p.links import Link

MAX_STRANGERS = 64
MAX_STRANGERS_PER_HOST = 32  # bots, guest profiles, ten phones behind one laptop
MAX_LOOKERS_PER_HOST = 24
SETTLED_S = 2.0
"""A looker that became nothing else by then gives way to anybody, if all places are taken: one computer can have any number of
addresses."""
LOOK_S = 30.0
"""A looker that became nothing else by then is sent away."""

Stranger = tuple[Link, PeerRank]


def is_full(strangers: Sequence[Stranger], host: str) -> bool:
    """Return whether somebody has to give way before one more from this host is let in."""
    return len(strangers) >= MAX_STRANGERS or _is_host_full(strangers, host)


def loser(strangers: Sequence[Stranger], host: str, now: float) -> Link | None:
    """Return who gives way to a newcomer from this host where it is full; `strangers`: the oldest first. None: nobody does."""
    lookers = [link for link, rank in strangers if rank is PeerRank.LOOKER]
    if _is_host_full(strangers, host):
        return next((link for link in lookers if link.host == host), None)
    return gives_way([(link, link.host) for link in lookers], host) or _longest_settled(lookers, now)


def idle(strangers: Sequence[Stranger], now: float) -> list[Link]:
    """Return those who have been looking for too long, and wanted nothing."""
    return [link for link, rank in strangers if rank is PeerRank.LOOKER and now - link.opened_at >= LOOK_S]


def _is_host_full(strangers: Sequence[Stranger], host: str) -> bool:
    here = [rank for link, rank in strangers if link.host == host]
    return len(here) >= MAX_STRANGERS_PER_HOST or here.count(PeerRank.LOOKER) >= MAX_LOOKERS_PER_HOST


def _longest_settled(lookers: Sequence[Link], now: float) -> Link | None:
    """Return who has looked longest, if that was long enough to say what it wants."""
    oldest = min(lookers, key=lambda link: link.opened_at, default=None)
    return oldest if oldest is not None and now - oldest.opened_at >= SETTLED_S else None
