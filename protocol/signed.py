"""Sign and decode messages.

The payload is the array [kind, table, epoch, epoch hash, seat, body]. On the wire a signed message is ["m", payload, signature];
pages of messages, for a seat that catches up, are ["p", index, last, [message, ...]]. (PROTOCOL.md, "Signed messages".)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field
from typing import Any

from protocol.checks import at_once, deciding
from protocol.errors import BadMessage
from protocol.identity import SIGNATURE_BYTES, Identity, check_signature
from protocol.messages import BY_KIND, EPOCH, MAX_EVIDENCE_BYTES, Message
from protocol.schema import HASH, SEAT, Flag, Raw, Seq, Uint
from protocol.values import dataclass
from protocol.wire import MAX_FRAME_BYTES, pack, unpack

MAX_PAGE_BYTES = MAX_FRAME_BYTES * 3 // 4
MAX_PAGE_ITEMS = 2048
SLICE_ITEMS = 16
MAX_SAID_BYTES = MAX_EVIDENCE_BYTES
"""Limit for messages with a slot: they have to fit into pages and into evidence."""
MESSAGE, SIGNATURE = Raw(1, MAX_FRAME_BYTES), Raw(SIGNATURE_BYTES, SIGNATURE_BYTES)
INDEX, FLAG, MESSAGES = Uint(1 << 20), Flag(), Seq(MESSAGE, MAX_PAGE_ITEMS)


@dataclass(frozen=True, slots=True)
class Signed:
    """A decoded message with its original bytes. The signature is not checked until `verify` is called."""

    table: bytes
    epoch: int
    epoch_hash: bytes
    seat: int
    message: Message
    payload: bytes
    signature: bytes
    data: bytes
    made_with: bytes = field(default=b"", compare=False)
    """The public key of whoever has just signed it in this program; empty if it was decoded."""

    def verify(self, public: bytes) -> None:
        """Check the signature, unless we have just made it. Raises BadMessage if it was not made with this public key."""
        if public != self.made_with:
            check_signature(public, label(self.message), self.payload, self.signature)

    def is_by(self, public: bytes) -> bool:
        """Whether it was signed with this public key. At once: both answers may be those of a valid file."""
        try:
            with deciding(at_once):
                self.verify(public)
        except BadMessage:
            return False
        return True


@dataclass(frozen=True, slots=True)
class Page:
    """Signed messages of any seats, resent to a seat that asked. `index` counts the pages of one answer."""

    index: int
    last: bool
    messages: tuple[bytes, ...]

    def encode(self) -> bytes:
        return pack(["p", self.index, self.last, list(self.messages)])


PAGE_START = pack(["p"])[1:]


def slices(data: bytes, items: int = SLICE_ITEMS) -> list[bytes]:
    """Cut a page into pages of at most so many messages, so that handling one takes milliseconds; return all else as it is.

    Only the last of them has the page's index, and stands for its end. Raises BadMessage.
    """
    if data[1:3] != PAGE_START or not isinstance(page := decode(data), Page) or len(page.messages) <= items:
        return [data]
    ends = range(items, len(page.messages) + items, items)
    parts = ((page.messages[end - items : end], end >= len(page.messages)) for end in ends)
    return [Page(page.index if is_end else 0, page.last and is_end, part).encode() for part, is_end in parts]


def pages_of(messages: Iterable[bytes], first: int = 1, is_all: bool = True) -> list[bytes]:
    """Return these messages as encoded pages, numbered from `first`; all of them 0 if that is 0. At least one page.

    `is_all`: nothing is missing behind them, so that one of them is the last.
    """
    pages: list[list[bytes]] = [[]]
    size = 0
    for data in messages:
        if size + len(data) > MAX_PAGE_BYTES or len(pages[-1]) >= MAX_PAGE_ITEMS:
            pages.append([])
            size = 0
        pages[-1].append(data)
        size += len(data) + 8
    last = len(pages) - 1
    return [
        Page(first and first + index, is_all and index == last, tuple(page)).encode()
        for index, page in enumerate(pages)
    ]


def label(message: Message) -> bytes:
    """Return the domain of a message's signature."""
    return b"fairdeal/v1/message/" + message.kind.encode("ascii")


def sign(identity: Identity, table: bytes, epoch: int, epoch_hash: bytes, seat: int, message: Message) -> Signed:
    """Sign a message for a seat in an epoch, named by its number and its hash."""
    payload = pack([message.kind, table, epoch, epoch_hash, seat, message.body()])
    signature = identity.sign(label(message), payload)
    data = pack(["m", payload, signature])
    return Signed(table, epoch, epoch_hash, seat, message, payload, signature, data, identity.public)


def decode(data: bytes) -> Signed | Page:
    """Decode what seats send each other. Raises BadMessage and nothing else."""
    outer = unpack(data)
    if type(outer) is list and len(outer) == 3 and outer[0] == "m":
        return _decode_signed(outer, data)
    if type(outer) is list and len(outer) == 4 and outer[0] == "p":
        return Page(INDEX.decode(outer[1]), FLAG.decode(outer[2]), MESSAGES.decode(outer[3]))
    raise BadMessage("this is neither a signed message nor a page of them")


def decode_signed(data: bytes) -> Signed:
    """Decode a single signed message. Raises BadMessage for anything else."""
    found = decode(data)
    if not isinstance(found, Signed):
        raise BadMessage("expected a single signed message")
    return found


def _decode_signed(outer: list[Any], data: bytes) -> Signed:
    payload = MESSAGE.decode(outer[1])
    signature = SIGNATURE.decode(outer[2])
    inner = unpack(payload)
    if type(inner) is not list or len(inner) != 6:
        raise BadMessage("a signed message has six parts")
    kind, table, epoch, epoch_hash, seat, body = inner
    message = decode_body(kind, body)
    if message.slot is not None and len(data) > MAX_SAID_BYTES:
        raise BadMessage("a {kind} message is too long", kind=message.kind)
    return Signed(
        HASH.decode(table),
        EPOCH.decode(epoch),
        HASH.decode(epoch_hash),
        SEAT.decode(seat),
        message,
        payload,
        signature,
        data,
    )


def decode_body(kind: Any, body: Any) -> Message:
    """Decode a message from its kind and fields. Raises BadMessage."""
    found = BY_KIND.get(kind) if type(kind) is str else None
    if found is None:
        raise BadMessage("a message of an unknown kind: perhaps from a newer version")
    if type(body) is not list or len(body) != len(found.codecs):
        raise BadMessage("a {kind} message has {count} fields", kind=found.kind, count=len(found.codecs))
    return found(*(codec.decode(item) for codec, item in zip(found.codecs, body, strict=True)))
