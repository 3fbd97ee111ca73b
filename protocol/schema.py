"""Define codecs for the fields of messages. Each decodes strictly and within a limit.

A codec turns a field into plain data and back; `decode` raises BadMessage for anything that `encode` would not produce.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Generic, Protocol, TypeVar

from protocol.errors import BadMessage
from protocol.values import dataclass

T = TypeVar("T")
U = TypeVar("U")

MAX_SEATS = 10
MAX_HEIGHT = 1 << 32
MAX_NAME_BYTES = 64


class Codec(Protocol[T]):
    """The wire format of one field."""

    def encode(self, value: T) -> Any: ...
    def decode(self, data: Any) -> T: ...


@dataclass(frozen=True, slots=True)
class Uint:
    """A whole number from `low` to `high`, inclusive."""

    high: int
    low: int = 0

    def encode(self, value: int) -> int:
        return value

    def decode(self, data: Any) -> int:
        if type(data) is not int or not self.low <= data <= self.high:
            raise BadMessage("a number is missing or out of bounds")
        return data


@dataclass(frozen=True, slots=True)
class Flag:
    """A boolean."""

    def encode(self, value: bool) -> bool:
        return value

    def decode(self, data: Any) -> bool:
        if type(data) is not bool:
            raise BadMessage("a yes or no is missing")
        return data


@dataclass(frozen=True, slots=True)
class Raw:
    """A byte string of `low` to `high` bytes."""

    low: int
    high: int

    def encode(self, value: bytes) -> bytes:
        return value

    def decode(self, data: Any) -> bytes:
        if type(data) is not bytes or not self.low <= len(data) <= self.high:
            raise BadMessage("a byte string is missing or has the wrong length")
        return data


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of a few words."""

    words: tuple[str, ...]

    def encode(self, value: str) -> str:
        return value

    def decode(self, data: Any) -> str:
        if type(data) is not str or data not in self.words:
            raise BadMessage("a value is not one of those allowed")
        return data


@dataclass(frozen=True, slots=True)
class String:
    """Text of `low` to `high` bytes of UTF-8."""

    high: int
    low: int = 0

    def encode(self, value: str) -> str:
        return value

    def decode(self, data: Any) -> str:
        if type(data) is not str or not self.low <= len(data.encode("utf-8", "replace")) <= self.high:
            raise BadMessage("a text is missing or too long")
        return data


@dataclass(frozen=True, slots=True)
class Seq(Generic[T]):
    """`low` to `high` items of one kind."""

    item: Codec[T]
    high: int
    low: int = 0

    def encode(self, value: tuple[T, ...]) -> list[Any]:
        return [self.item.encode(each) for each in value]

    def decode(self, data: Any) -> tuple[T, ...]:
        if type(data) is not list or not self.low <= len(data) <= self.high:
            raise BadMessage("a list is missing or has the wrong length")
        return tuple(self.item.decode(each) for each in data)


@dataclass(frozen=True, slots=True)
class Pair(Generic[T, U]):
    """Two items."""

    first: Codec[T]
    second: Codec[U]

    def encode(self, value: tuple[T, U]) -> list[Any]:
        return [self.first.encode(value[0]), self.second.encode(value[1])]

    def decode(self, data: Any) -> tuple[T, U]:
        if type(data) is not list or len(data) != 2:
            raise BadMessage("a pair is missing or has the wrong length")
        return self.first.decode(data[0]), self.second.decode(data[1])


@dataclass(frozen=True, slots=True)
class FixedList:
    """A fixed number of items, each of a given kind."""

    items: tuple[Codec[Any], ...]

    def encode(self, value: tuple[Any, ...]) -> list[Any]:
        return [item.encode(each) for item, each in zip(self.items, value, strict=True)]

    def decode(self, data: Any) -> tuple[Any, ...]:
        if type(data) is not list or len(data) != len(self.items):
            raise BadMessage("a list is missing or has the wrong length")
        return tuple(item.decode(each) for item, each in zip(self.items, data, strict=True))


@dataclass(frozen=True, slots=True)
class Maybe(Generic[T]):
    """The item, or nil."""

    item: Codec[T]

    def encode(self, value: T | None) -> Any:
        return None if value is None else self.item.encode(value)

    def decode(self, data: Any) -> T | None:
        return None if data is None else self.item.decode(data)


@dataclass(frozen=True, slots=True)
class Plain:
    """A map of plain data with at most `high` text keys, such as a move or options. Its meaning is checked elsewhere."""

    high: int = 32

    def encode(self, value: Mapping[str, Any]) -> dict[str, Any]:
        return dict(value)

    def decode(self, data: Any) -> dict[str, Any]:
        if type(data) is not dict or len(data) > self.high:
            raise BadMessage("a map is missing or too large")
        return data


HASH = Raw(32, 32)
KEY = Raw(32, 32)
NAME = String(MAX_NAME_BYTES, 1)
SEAT = Uint(MAX_SEATS - 1)
HEIGHT = Uint(MAX_HEIGHT, 1)
SEATS: Seq[int] = Seq(SEAT, MAX_SEATS)
