"""The context of a proof. It is the first part of everything that is hashed, so that no proof is valid in another place."""

from __future__ import annotations

from protocol.dealing.hashing import frame
from protocol.dealing.labels import CONTEXT
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class ProofContext:
    """The place of one proof: protocol version, table, epoch, round, deck, step, acting seat, purpose, receiver if any.

    `table` is the table's id, 32 or 64 bytes. Numbers are 0 to 2^63 - 1. Preparation has step 0.
    """

    table: bytes
    epoch: int
    round: int
    deck: int
    step: int
    seat: int
    purpose: str
    receiver: int | None = None
    version: int = 1

    def __post_init__(self) -> None:
        if len(self.table) not in (32, 64):
            raise ValueError("a table's id has 32 or 64 bytes")
        numbers = (self.version, self.epoch, self.round, self.deck, self.step, self.seat, self.receiver or 0)
        if not all(0 <= number < 2**63 for number in numbers):
            raise ValueError("a number of the context is out of range")

    def encode(self) -> bytes:
        """Encode the context as one frame. A missing receiver is an empty value."""
        return frame(
            CONTEXT,
            self.version,
            self.table,
            self.epoch,
            self.round,
            self.deck,
            self.step,
            self.seat,
            self.purpose,
            b"" if self.receiver is None else self.receiver,
        )
