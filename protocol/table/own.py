"""Hold what a seat needs to send its messages besides public data: who it is, its secrets, and fresh randomness."""

from __future__ import annotations

from protocol.cards import Seat
from protocol.dealing.hashing import Rng
from protocol.table.ahead import Ahead
from protocol.table.hand import SecretHand
from protocol.table.work import JobName


class Own:
    """One seat's part. `place` is its place in the roster, `seat` its seat (before the draw its place)."""

    def __init__(self, place: int, key: bytes, nonce: bytes, rng: Rng, hand: SecretHand, ahead: Ahead) -> None:
        self.place, self.key, self.nonce, self.rng, self.hand, self.ahead = place, key, nonce, rng, hand, ahead
        self.seat: Seat = place
        self._seeds: dict[JobName, bytes] = {}

    def seed_for(self, name: JobName) -> bytes:
        """Return 32 fresh bytes for a job of ours; the same when asked again before it is done."""
        if name not in self._seeds:
            self._seeds[name] = self.rng(32)
        return self._seeds[name]

    def forget_seeds(self) -> None:
        """Drop the seeds of jobs that are done."""
        self._seeds.clear()
