"""What a peer may cost: token buckets for frames, bytes and openings, by what the peer is to us.

Nothing here reads a clock or a socket: times are seconds of one monotonic clock, passed in. Who spends more than its
budget waits, which for a link means that we do not read it, so that the peer's own system holds it back. Only who keeps
it up is cut. PROTOCOL.md: "Limits".
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from enum import IntEnum
from typing import Generic, TypeVar

from protocol.values import dataclass

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")
MAX_BUCKETS = 1024
"""Hosts that are remembered: an attacker may have as many IPv6 addresses as it likes."""


class PeerRank(IntEnum):
    """What a linked peer is to us, the least first."""

    LOOKER = 0
    """It proved a key, and nothing else."""
    WATCHER = 1
    """It is sent a transcript."""
    MEMBER = 2
    """It is in our room."""
    CHOSEN = 3
    """We called it: the host of our room, or whom we watch."""
    SEAT = 4
    """It has a seat at our table."""


@dataclass(frozen=True, slots=True)
class Rate:
    """How many a second in the long run, `burst` at once."""

    per_s: float
    burst: float


class Bucket:
    """A token bucket that may be overdrawn: what is spent is spent, and the spender waits until the debt is paid."""

    __slots__ = ("_at", "_tokens", "rate")

    def __init__(self, rate: Rate, now: float) -> None:
        self.rate = rate
        self._tokens, self._at = rate.burst, now

    def spend(self, amount: float, now: float) -> float:
        """Spend, and return the seconds until the debt is paid; 0.0 if there is none."""
        self._fill(now)
        self._tokens -= amount
        return max(0.0, -self._tokens / self.rate.per_s)

    def debt_s(self, now: float) -> float:
        """Return the seconds until a debt is paid; 0.0 if there is none."""
        return self.spend(0.0, now)

    def is_full(self, now: float) -> bool:
        """Return whether nothing was spent lately."""
        self._fill(now)
        return self._tokens >= self.rate.burst

    def _fill(self, now: float) -> None:
        self._tokens = min(self.rate.burst, self._tokens + max(0.0, now - self._at) * self.rate.per_s)
        self._at = now


class Buckets(Generic[K]):
    """A bucket for each key; those that are full again are forgotten, and the longest unused if there are too many."""

    def __init__(self, rate: Rate) -> None:
        self._rate = rate
        self._buckets: dict[K, Bucket] = {}

    def spend(self, key: K, amount: float, now: float) -> float:
        """Spend from this key's bucket; return the seconds until its debt is paid."""
        bucket = self._buckets.pop(key, None) or Bucket(self._rate, now)
        self._buckets[key] = bucket  # the last used is the last forgotten
        if len(self._buckets) > MAX_BUCKETS:
            self._forget(now)
        return bucket.spend(amount, now)

    def takes(self, key: K, now: float) -> bool:
        """Spend 1 from this key's bucket if it has no debt; return whether it had none. What is refused costs nothing."""
        return not self.debt_s(key, now) and self.spend(key, 1, now) >= 0

    def debt_s(self, key: K, now: float) -> float:
        """Return the seconds until this key's debt is paid."""
        bucket = self._buckets.get(key)
        return 0.0 if bucket is None else bucket.debt_s(now)

    def _forget(self, now: float) -> None:
        self._buckets = {key: bucket for key, bucket in self._buckets.items() if not bucket.is_full(now)}
        for key in list(self._buckets)[: len(self._buckets) - MAX_BUCKETS]:
            del self._buckets[key]

    def __len__(self) -> int:
        return len(self._buckets)


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one link may cost. `data_frames`: how many plain frames one counts that carries a signed message.

    `patience_s`: it is cut after it had to be held back for so long, of which a tenth of the time that passes is
    forgotten; None: it is only held back.
    """

    frames: Rate
    bytes: Rate
    data_frames: float
    patience_s: float | None


ALLOWANCES: Mapping[PeerRank, Allowance] = {
    PeerRank.LOOKER: Allowance(Rate(4, 40), Rate(64 << 10, 256 << 10), 4, 5),
    PeerRank.WATCHER: Allowance(Rate(4, 40), Rate(64 << 10, 256 << 10), 4, 5),
    PeerRank.MEMBER: Allowance(Rate(12, 120), Rate(256 << 10, 1 << 20), 4, 20),
    PeerRank.CHOSEN: Allowance(Rate(1000, 20_000), Rate(16 << 20, 64 << 20), 1, None),
    PeerRank.SEAT: Allowance(Rate(1000, 20_000), Rate(16 << 20, 64 << 20), 1, None),
}
"""Honest seats of ten-handed tables stay below 100 frames a second; giving back a long match is some thousand at once."""
TALK = Rate(1, 8)
"""Chat and emotes of one seat or member that are shown; more are dropped, since they must not hold back the match. Also how
often a member may be ready or not: more is heard later."""
ALL_TALK = Rate(4, 32)
"""What a host passes on of all who talk in its room."""
CHANGES = Rate(1, 24)
"""How often those on one computer may sit down, change their entry or move in a room: ten phones of one router come at once."""
SHOWN = Rate(8, 40)
"""How often a host shows its room to everybody; what has changed meanwhile is shown a little later, together."""
LINES = Rate(0.5, 8)
"""How often people are told one kind of thing that one peer does: that it gets lost, sleeps, votes, offers a seat. It may do
nothing else."""
SEEN = Rate(2, 40)
"""How often people are shown that the room has changed; what has changed meanwhile, a little later, together."""
CALLED = Rate(40, 600)
"""Addresses that we call, whoever told us of them: nobody is to have others called by us."""
HOST_FRAMES = Rate(60, 600)
"""Of all lookers, watchers and members on one host."""
STRANGER_FRAMES = Rate(200, 1200)
"""Of all lookers and watchers."""
PASSED_ON = Rate(500, 10_000)
"""Frames that a relay passes on to one peer: half of what that peer takes from a seat, or the relay's own words would wait behind
others'."""
PASSED_ON_FOR_ONE = Rate(250, 5_000)
"""The same for one author."""
PATIENCE_RETURNS = 0.1


class Meter:
    """Counts what one link costs, against its allowance."""

    def __init__(self, now: float) -> None:
        self._standing: PeerRank | None = None
        self._frames = self._bytes = Bucket(Rate(1, 1), now)
        self._patience: Bucket | None = None

    def spend(self, standing: PeerRank, size: int, is_data: bool, now: float) -> float | None:
        """Count a frame of `size` bytes. Return the seconds to wait before it is handled; None: cut the link."""
        allowance = ALLOWANCES[standing]
        if standing is not self._standing:
            self._standing = standing
            self._frames, self._bytes = Bucket(allowance.frames, now), Bucket(allowance.bytes, now)
            patience_s = allowance.patience_s
            self._patience = None if patience_s is None else Bucket(Rate(PATIENCE_RETURNS, patience_s), now)
        weight = allowance.data_frames if is_data else 1
        own_s = max(self._frames.spend(weight, now), self._bytes.spend(size, now))
        if self._patience is not None and self._patience.spend(own_s, now) > 0:
            return None
        return own_s


class FrameBudgets(Generic[K]):
    """Counts what all links cost: each against its own allowance, strangers also with those on their host and all together."""

    def __init__(self) -> None:
        self._meters: dict[K, Meter] = {}
        self._hosts: Buckets[str] = Buckets(HOST_FRAMES)
        self._strangers: Bucket | None = None

    def spend(self, link: K, host: str, standing: PeerRank, size: int, is_data: bool, now: float) -> float | None:
        """Count a frame of `size` bytes. Return the seconds to wait before it is handled; None: cut the link."""
        shared_s = self._hosts.spend(host, 1, now) if standing < PeerRank.CHOSEN else 0.0
        if standing <= PeerRank.WATCHER:
            if self._strangers is None:
                self._strangers = Bucket(STRANGER_FRAMES, now)
            shared_s = max(shared_s, self._strangers.spend(1, now))
        meter = self._meters.get(link) or self._meters.setdefault(link, Meter(now))
        own_s = meter.spend(standing, size, is_data, now)
        return None if own_s is None else max(own_s, shared_s)

    def forget(self, link: K) -> None:
        """The link has ended."""
        self._meters.pop(link, None)


class PassedOn:
    """Counts what is passed on to each peer: who wants more than its part of that has it dropped."""

    def __init__(self) -> None:
        self._to: Buckets[bytes] = Buckets(PASSED_ON)
        self._pairs: Buckets[tuple[bytes, bytes]] = Buckets(PASSED_ON_FOR_ONE)

    def takes(self, author: bytes, target: bytes, now: float) -> bool:
        """Count a frame; return whether it may be passed on."""
        return self._pairs.takes((author, target), now) and self._to.takes(target, now)


def gives_way(holders: Iterable[tuple[T, str]], newcomer: str) -> T | None:
    """Return who gives its place to a newcomer from this host: the first of the host that holds the most places.

    `holders` are pairs of holder and host, the oldest first. None if no host holds more than the newcomer's would.
    """
    held: dict[str, list[T]] = {}
    for holder, host in holders:
        held.setdefault(host, []).append(holder)
    most = max(held, key=lambda host: len(held[host]), default=None)
    if most is None or (most != newcomer and len(held[most]) <= len(held.get(newcomer, ())) + 1):
        return None
    return held[most][0]
