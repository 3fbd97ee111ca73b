"""Bytes on the wire: canonical msgpack, and frames with their length before them.

One value has one encoding: decoding encodes again and compares, so that nobody can send two spellings of one message. Only
nil, booleans, integers, byte strings, text, arrays and maps with text keys in rising order exist; no floats, no extensions.
What arrives is bounded before it is looked at. (PROTOCOL.md, "Encoding" and "Frames".)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgpack

from protocol.errors import BadMessage

MAX_FRAME_BYTES = 1 << 20
LENGTH_BYTES = 4
MAX_DEPTH = 8
MAX_ITEMS = 4096


def pack(value: Any) -> bytes:
    """The canonical encoding of plain data. Raises TypeError for what is none."""
    return bytes(msgpack.packb(_ordered(value), use_bin_type=True, strict_types=True))


def unpack(data: bytes, limit: int = MAX_FRAME_BYTES) -> Any:
    """Plain data from its canonical encoding; arrays come back as lists. Raises BadMessage, and nothing else."""
    if len(data) > limit:
        raise BadMessage("a message of {size} bytes is too long: the limit is {limit}", size=len(data), limit=limit)
    try:
        value = msgpack.unpackb(
            data, raw=False, strict_map_key=False, max_array_len=MAX_ITEMS, max_map_len=MAX_ITEMS, use_list=True
        )
        _check(value, MAX_DEPTH)
        again = pack(value)
    except BadMessage:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.exceptions.UnpackException) as error:
        raise BadMessage("these bytes are not a message") from error
    if again != data:
        raise BadMessage("this message is not in its canonical form")
    return value


def pack_any(value: object) -> bytes:
    """One msgpack value in any form, for what is never signed."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def unpack_any(data: bytes) -> object:
    """One msgpack value in any form: no extensions, nothing behind it, no more elements than bytes. BadMessage otherwise."""
    try:
        return msgpack.unpackb(data, raw=False, strict_map_key=True, use_list=True, max_ext_len=0)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as fault:
        raise BadMessage("data that is not valid msgpack") from fault


def _ordered(value: Any) -> Any:
    """The same data with the keys of all maps in rising order."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [_ordered(item) for item in value]
    return value


def _check(value: Any, depth: int) -> None:
    """Refuse what plain data does not have: floats, keys that are no text, too deep a nest."""
    if value is None or isinstance(value, (bool, int, bytes, str)):
        return
    if depth == 0:
        raise BadMessage("a message is nested too deeply")
    if isinstance(value, list):
        for item in value:
            _check(item, depth - 1)
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise BadMessage("a map's keys must be text")
            _check(item, depth - 1)
    else:
        raise BadMessage("a message holds a kind of value that does not exist here")


def frame(data: bytes) -> bytes:
    """A message with its length before it (4 bytes, big-endian)."""
    if len(data) > MAX_FRAME_BYTES:
        raise ValueError(f"a frame of {len(data)} bytes is too long")
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    """The frames of a file: (where each begins, its content). Raises BadMessage at bytes that are no whole frame."""
    at = 0
    while at < len(data):
        if at + LENGTH_BYTES > len(data):
            raise BadMessage("the data is cut off at byte {at}", at=at)
        size = int.from_bytes(data[at : at + LENGTH_BYTES], "big")
        if size > MAX_FRAME_BYTES:
            raise BadMessage("the frame at byte {at} is too long", at=at)
        start = at + LENGTH_BYTES
        if start + size > len(data):
            raise BadMessage("the data is cut off at byte {at}", at=at)
        yield at, data[start : start + size]
        at = start + size
