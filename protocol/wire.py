"""Encode data as canonical msgpack, and split byte streams into frames with a length prefix.

Each value has exactly one encoding: `unpack` encodes again and compares, so that nobody can send one message in two forms.
Allowed are nil, booleans, integers, byte strings, text, arrays, and maps with text keys in ascending order; no floats and no
extensions. Sizes are checked before anything is decoded. (PROTOCOL.md, "Encoding" and "Frames".)
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
STRICT: dict[str, Any] = {"raw": False, "use_list": True, "strict_map_key": True, "max_ext_len": 0}
"""Keys are text, and nothing is an extension. Else anybody could make up times as keys that all have the same hash: reading some
thousands of them takes seconds."""
SIMPLE = frozenset({type(None), bool, int, bytes, str})
"""Types of values that hold no others."""


def pack(value: Any) -> bytes:
    """Encode plain data canonically. Raises TypeError for anything else."""
    return bytes(msgpack.packb(_ordered(value), use_bin_type=True, strict_types=True))


def unpack(data: bytes, limit: int = MAX_FRAME_BYTES) -> Any:
    """Decode a canonical encoding; arrays become lists. Raises BadMessage and nothing else."""
    if len(data) > limit:
        raise BadMessage("a message of {size} bytes is too long: {limit} are allowed", size=len(data), limit=limit)
    try:
        value = msgpack.unpackb(data, max_array_len=MAX_ITEMS, max_map_len=MAX_ITEMS, **STRICT)
        _check(value, MAX_DEPTH)
        again = msgpack.packb(value, use_bin_type=True, strict_types=True)
    except BadMessage:
        raise
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.exceptions.UnpackException) as error:
        raise BadMessage("these bytes are not a message") from error
    if again != data:
        raise BadMessage("this message is not in its canonical form")
    return value


def pack_any(value: object) -> bytes:
    """Encode one msgpack value in any form, for data that is never signed."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def unpack_any(data: bytes) -> object:
    """Decode one msgpack value in any form, without extensions. Raises BadMessage, also for trailing bytes."""
    try:
        return msgpack.unpackb(data, **STRICT)
    except (ValueError, TypeError, OverflowError, RecursionError, msgpack.UnpackException) as fault:
        raise BadMessage("data that is not valid msgpack") from fault


def _ordered(value: Any) -> Any:
    """Return the data with the keys of all maps in ascending order."""
    if isinstance(value, dict):
        return {key: _ordered(value[key]) for key in sorted(value)}
    if isinstance(value, (list, tuple)):
        return [item if type(item) in SIMPLE else _ordered(item) for item in value]
    return value


def _check(value: Any, depth: int) -> None:
    """Reject floats, keys that are not text or not in ascending order, and data nested too deeply. Raises BadMessage."""
    if type(value) in SIMPLE:
        return
    if depth == 0:
        raise BadMessage("a message is nested too deeply")
    if type(value) is list:
        for item in value:
            if type(item) not in SIMPLE:
                _check(item, depth - 1)
    elif type(value) is dict:
        keys = list(value)
        if not all(type(key) is str for key in keys):
            raise BadMessage("a map's keys must be text")
        if keys != sorted(keys):
            raise BadMessage("this message is not in its canonical form")
        for item in value.values():
            _check(item, depth - 1)
    else:
        raise BadMessage("a message holds a kind of value that does not exist here")


def frame(data: bytes) -> bytes:
    """Prefix a message with its length (4 bytes, big-endian)."""
    if len(data) > MAX_FRAME_BYTES:
        raise ValueError(f"a frame of {len(data)} bytes is too long")
    return len(data).to_bytes(LENGTH_BYTES, "big") + data


def frames(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield (offset, content) for each frame of a file. Raises BadMessage at an incomplete frame."""
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
