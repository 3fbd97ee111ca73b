"""What the seats of a table said: the first message of each seat, epoch and slot, and the last of what may change.

A store knows no phase. What is far ahead, known, or too much is not kept; it will be sent again. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import TypeAlias

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import Chat, Emote, Hints, Message, Slot, WishOn
from protocol.signed import Signed

MAX_HELD_BYTES = 8 << 20
"""How much one seat may have said that is not used yet; beyond it messages are dropped and asked for again."""
MAX_HEARD = 256
"""How many of a seat's last chats and emotes are recognized when they are repeated."""

Said: TypeAlias = tuple[Seat, int, Slot]
"""Who said something, in which epoch, for which slot."""


class Store:
    """Signed messages that were accepted, by seat, epoch and slot, in the order in which they came."""

    def __init__(self, seats: int) -> None:
        self._seats = seats
        self.said: dict[Said, Signed] = {}
        self.held_bytes = [0] * seats
        self.ready: dict[Seat, int] = {}
        """The latest round for which each seat said that it is ready."""
        self.wishes: dict[tuple[Seat, Seat], Signed] = {}
        """By wisher and awaited seat: the last that was said about playing on without it."""
        self.hints: dict[Seat, Signed] = {}
        """The last that each seat said about the help it takes."""
        self._heard: dict[Seat, deque[bytes]] = {}

    # --- reading ---

    def known(self, signed: Signed) -> Signed | None:
        """Return what this seat said before for the same epoch and slot."""
        slot = signed.message.slot
        return None if slot is None else self.said.get((signed.seat, signed.epoch, slot))

    def get(self, seat: Seat, epoch: int, *slot: str | int | None) -> Signed | None:
        """Return what a seat said for a slot."""
        return self.said.get((seat, epoch, slot))

    def get_all(self, seats: Sequence[Seat], epoch: int, *slot: str | int | None) -> list[Signed] | None:
        """Return what these seats said for a slot, in their order; None while one is missing."""
        found = []
        for seat in seats:
            signed = self.said.get((seat, epoch, slot))
            if signed is None:
                return None
            found.append(signed)
        return found

    def silent(self, seats: Sequence[Seat], epoch: int, *slot: str | int | None) -> set[Seat]:
        """Return the seats that have said nothing for a slot."""
        return {seat for seat in seats if (seat, epoch, slot) not in self.said}

    def is_newer(self, signed: Signed) -> bool:
        """Whether a wish or a hint level is newer than what the seat said before. Raises BadMessage for nonsense."""
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
        return True

    # --- writing ---

    def add(self, signed: Signed) -> bool:
        """Keep a message that has a slot; False if the seat has said too much already."""
        slot = signed.message.slot
        if slot is None or self.held_bytes[signed.seat] + len(signed.data) > MAX_HELD_BYTES:
            return False
        self.said[signed.seat, signed.epoch, slot] = signed
        self.held_bytes[signed.seat] += len(signed.data)
        return True

    def is_repeated(self, signed: Signed) -> bool:
        """Whether a chat or an emote was heard before; it is known from then on."""
        if not isinstance(signed.message, (Chat, Emote)):
            return False
        heard = self._heard.setdefault(signed.seat, deque(maxlen=MAX_HEARD))
        if signed.signature in heard:
            return True
        heard.append(signed.signature)
        return False

    def forget(self, height: int, round: int) -> None:
        """Drop what is older than the height before this one, or than this round: only the transcript holds it now."""

        def is_past(message: Message) -> bool:
            return getattr(message, "height", height) < height - 1 or getattr(message, "round", round) < round

        for key in [key for key, signed in self.said.items() if is_past(signed.message)]:
            self.held_bytes[key[0]] -= len(self.said.pop(key).data)
