"""The framing of everything that is hashed, which separates values unambiguously. (PROTOCOL.md, "Hashing".)

A frame is: length of the label, label, number of values, and each value with its length. Lengths and numbers are 4 bytes, big
endian. A whole number as a value is 8 bytes, big endian; a text is UTF-8; points and scalars are their 32 bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha512, shake_256
from typing import Protocol, TypeAlias

Rng: TypeAlias = Callable[[int], bytes]
"""Returns this many fresh random bytes, which nobody else can predict."""


class Encodes(Protocol):
    """A value with one canonical encoding as bytes (for a str, its UTF-8)."""

    def encode(self) -> bytes: ...


Value: TypeAlias = bytes | int | Encodes


def frame(label: str, *values: Value) -> bytes:
    """Encode a label and values injectively as bytes."""
    name = label.encode()
    parts = [len(name).to_bytes(4, "big"), name, len(values).to_bytes(4, "big")]
    for value in values:
        if isinstance(value, bytes):
            data = value
        elif isinstance(value, int):
            data = value.to_bytes(8, "big")
        else:
            data = value.encode()
        parts.append(len(data).to_bytes(4, "big"))
        parts.append(data)
    return b"".join(parts)


def hash64(label: str, *values: Value) -> bytes:
    """Return the SHA-512 of the frame, 64 bytes."""
    return sha512(frame(label, *values)).digest()


class Stream:
    """The output of SHAKE-256 over a frame, read from the front without limit."""

    def __init__(self, label: str, *values: Value, expected: int = 256) -> None:
        """`expected` is the probable number of bytes read; it affects only the speed."""
        self._shake = shake_256(frame(label, *values))
        self._data = self._shake.digest(expected)
        self._at = 0

    def read(self, count: int) -> bytes:
        """Return the next `count` bytes."""
        end = self._at + count
        if end > len(self._data):
            self._data = self._shake.digest(2 * end)
        data = self._data[self._at : end]
        self._at = end
        return data
