"""Store the messages of a match: the first for each seat, epoch and slot, and the latest of those that may change.

The store does not know phases. Messages beyond its limits are dropped and will be sent again. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import Aside, Hints, Message, Ready, Slot, WishOn
from protocol.signed import Signed
from protocol.values import dataclass

MAX_HELD_BYTES = 8 << 20
"""Limit for the stored messages of one seat. Further messages are dropped and asked for again."""
MAX_HELD = 2048
"""Limit for their number: hundreds of recycled decks in one round. Without those, a seat has some dozens at a time."""
MAX_HEARD = 256
"""How many of a seat's latest chats and emotes are remembered, to recognize repetitions."""

Said: TypeAlias = tuple[Seat, int, Slot]
"""The key of a message: seat, epoch, slot."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What a store held at some moment."""

    said: dict[Said, Signed]
    held_bytes: list[int]
    held: list[int]
    ready: dict[Seat, int]
    wishes: dict[tuple[Seat, Seat], Signed]


class MessageStore:
    """Accepted messages by seat, epoch and slot, in the order in which they arrived."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.said: dict[Said, Signed] = {}
        self.held_bytes, self.held = [0] * seats, [0] * seats
        self.ready: dict[Seat, int] = {}
        """The latest round for which each seat is ready."""
        self.wishes: dict[tuple[Seat, Seat], Signed] = {}
        """The latest wish to play on, by (wisher, awaited seat)."""
        self.hints: dict[Seat, Signed] = {}
        """The latest hint level of each seat."""
        self._heard: dict[Seat, deque[bytes]] = {}

    # --- reading ---

    def known(self, signed: Signed) -> Signed | None:
        """Return the stored message for the same seat, epoch and slot, or None."""
        slot = signed.message.slot
        return None if slot is None else self.said.get((signed.seat, signed.epoch, slot))

    def get(self, seat: Seat, epoch: int, *slot: str | int | None) -> Signed | None:
        """Return a seat's message for a slot, or None."""
        return self.said.get((seat, epoch, slot))

    def get_all(self, seats: Sequence[Seat], epoch: int, *slot: str | int | None) -> list[Signed] | None:
        """Return the messages of these seats for a slot, in this order; None if one is missing."""
        found = []
        for seat in seats:
            signed = self.said.get((seat, epoch, slot))
            if signed is None:
                return None
            found.append(signed)
        return found

    def said_by(self, seats: Sequence[Seat], epoch: int, *slot: str | int | None) -> list[Signed]:
        """Return the messages for a slot that are there, of these seats in this order."""
        said = self.said
        return [signed for seat in seats if (signed := said.get((seat, epoch, slot))) is not None]

    def silent(self, seats: Sequence[Seat], epoch: int, *slot: str | int | None) -> set[Seat]:
        """Return the seats without a message for a slot."""
        return {seat for seat in seats if (seat, epoch, slot) not in self.said}

    def is_newer(self, signed: Signed) -> bool:
        """Whether a message may change something: false for an old wish, hint level or `ready`. Raises BadMessage for invalid
        ones."""
        message = signed.message
        if isinstance(message, WishOn):
            if message.awaited >= self._seats:
                raise BadMessage("a vote about a seat that does not exist")
            if message.awaited == signed.seat:
                raise BadMessage("a seat cannot vote to play on without itself")
            known = self.wishes.get((signed.seat, message.awaited))
            return known is None or (isinstance(known.message, WishOn) and message.counter > known.message.counter)
        if isinstance(message, Hints):
            known = self.hints.get(signed.seat)
            return known is None or (isinstance(known.message, Hints) and message.counter > known.message.counter)
        if isinstance(message, Ready):
            return message.round > self.ready.get(signed.seat, 0)
        return True

    # --- writing ---

    def add(self, signed: Signed) -> bool:
        """Store a message with a slot; return False if it exceeds the seat's limit."""
        slot, seat = signed.message.slot, signed.seat
        if slot is None or self.held[seat] >= MAX_HELD or self.held_bytes[seat] + len(signed.data) > MAX_HELD_BYTES:
            return False
        self.said[seat, signed.epoch, slot] = signed
        self.held_bytes[seat] += len(signed.data)
        self.held[seat] += 1
        return True

    def is_repeated(self, signed: Signed) -> bool:
        """Whether an aside arrived before. Remembers it."""
        if not isinstance(signed.message, Aside):
            return False
        heard = self._heard.setdefault(signed.seat, deque(maxlen=MAX_HEARD))
        if signed.signature in heard:
            return True
        heard.append(signed.signature)
        return False

    def saved(self) -> Saved:
        """Return what is held now, for `restore`."""
        return Saved(dict(self.said), list(self.held_bytes), list(self.held), dict(self.ready), dict(self.wishes))

    def restore(self, saved: Saved) -> None:
        """Hold again what was held then, instead of what is held now."""
        for held in (self.said, self.ready, self.wishes):
            held.clear()
        self.said.update(saved.said)
        self.ready.update(saved.ready)
        self.wishes.update(saved.wishes)
        self.held_bytes, self.held = list(saved.held_bytes), list(saved.held)

    def begin_epoch(self) -> None:
        """Drop all messages that belong to an epoch."""
        self.said.clear()
        self.held_bytes, self.held = [0] * self._seats, [0] * self._seats
        self.ready.clear()
        self.wishes.clear()

    def forget(self, height: int, round: int) -> None:
        """Drop messages from before height - 1 or before this round; only the transcript holds them now."""

        def is_past(message: Message) -> bool:
            return getattr(message, "height", height) < height - 1 or getattr(message, "round", round) < round

        for key in [key for key, signed in self.said.items() if is_past(signed.message)]:
            self.held_bytes[key[0]] -= len(self.said.pop(key).data)
            self.held[key[0]] -= 1
