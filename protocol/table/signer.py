"""Sign a seat's messages and collect them for the next step.

Binding messages go into the journal, together with the secrets that they depend on; messages beside the match do not.
(PROTOCOL.md, "Saved before sent".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.identity import Identity
from protocol.messages import Message
from protocol.signed import Signed, sign
from protocol.table.epochs import Epoch
from protocol.table.hand import SecretHand
from protocol.table.record import Record
from protocol.table.step import Entry, Letter
from protocol.table.trust import is_opening_vote, round_mark


class Signer:
    """Signs and sends the messages of one seat."""

    def __init__(self, record: Record, hand: SecretHand, identity: Identity) -> None:
        self._record, self._hand, self._identity = record, hand, identity
        self.counter = 0
        """The highest counter that we used for a message without a slot."""
        self._letters: list[Letter] = []
        self._records: list[Entry] = []

    @property
    def seat(self) -> Seat:
        """Return our seat; before the draw, our place in the roster."""
        seat = self._record.own_seat
        assert seat is not None
        return seat

    def sign(self, message: Message, epoch: Epoch | None = None) -> Signed:
        """Return a message signed for our seat, in this epoch or another."""
        record = self._record
        at = epoch or record.match.epoch
        return sign(self._identity, record.table, at.number, at.hash, self.seat, message)

    def say(self, message: Message, epoch: Epoch | None = None) -> bool:
        """Send a binding message. Our own record receives it too; return whether it took it."""
        signed = self.sign(message, epoch)
        self._records += [Entry("secret", data) for data in self._hand.unsaved()]
        if is_opening_vote(self._record, message):
            self._records.append(Entry("mark", round_mark(self._record)))
        self._records.append(Entry("out", signed.data))
        is_taken = self._record.receive(signed)
        self.post(None, signed.data)
        return is_taken

    def say_beside(self, message: Message) -> None:
        """Send a message beside the match. Our own record receives it too."""
        signed = self.sign(message)
        self._record.receive(signed)
        self.post(None, signed.data)

    def send(self, message: Message, to: Seat | None = None) -> None:
        """Send a message beside the match to one seat or to all others."""
        self.post(to, self.sign(message).data)

    def post(self, to: Seat | None, data: bytes, key: bytes | None = None) -> None:
        """Send bytes that are signed already. `key`: see `Letter`."""
        self._letters.append(Letter(to, data, key))

    def count(self) -> int:
        """Return the counter for our next message without a slot."""
        self.counter += 1
        return self.counter

    def take_said(self) -> tuple[tuple[Letter, ...], tuple[Entry, ...]]:
        """Return the letters since the last call and their journal entries."""
        letters, records = tuple(self._letters), tuple(self._records)
        self._letters, self._records = [], []
        return letters, records
