"""Define epochs, which say who is present and votes. Every message names its epoch, by number and by the hash of its seats.

A table starts in epoch 0, with all seats present. A later epoch leaves seats out and begins at a certificate. Which seats hold
a key belongs to the round (`round.RoundId.holders`), not to the epoch. (PROTOCOL.md, "Signed messages".)
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.cards import Seat
from protocol.messages import present_hash


@dataclass(frozen=True, slots=True)
class Epoch:
    """The number of an epoch, the seats that are present in it, and the hash that names them."""

    number: int
    present: tuple[Seat, ...]
    hash: bytes


def make_epoch(number: int, present: tuple[Seat, ...]) -> Epoch:
    """Return an epoch with its hash."""
    return Epoch(number, present, present_hash(number, present))


def first_epoch(seats: int) -> Epoch:
    """Return epoch 0: all seats are present."""
    return make_epoch(0, tuple(range(seats)))
