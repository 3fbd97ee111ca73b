"""Change real inputs at random: bytes, or the fields of a message."""

from __future__ import annotations

from random import Random
from typing import Any

HARD = (0, 1, 2, 255, 256, 1 << 16, (1 << 32) - 1, (1 << 63) - 1, -1)
"""Numbers at the edges of what fields may hold."""


def mutated(data: bytes, rng: Random) -> bytes:
    """Some bytes of an input changed, doubled, moved or left out."""
    new = bytearray(data)
    for _ in range(rng.choice((1, 1, 2, 4, 16))):
        at = rng.randrange(len(new) + 1)
        match rng.randrange(5):
            case 0 if new:
                new[at % len(new)] = rng.randrange(256)
            case 1:
                new[at:at] = rng.randbytes(rng.randrange(1, 9))
            case 2:
                del new[at : at + rng.randrange(1, 9)]
            case 3:
                new[at:at] = new[: rng.randrange(1, 40)]
            case _:
                new[at : at + 4] = rng.choice((b"\xff" * 4, bytes(4), b"\x80", b"\xc0", b"\xdc\xff\xff"))
    return bytes(new)


def altered(value: Any, rng: Random) -> Any:
    """Plain data of nearly the same shape: one leaf of it changed, or a part left out, doubled or moved."""
    match value:
        case dict() if value:
            name = rng.choice(sorted(value, key=repr))
            return {**value, name: altered(value[name], rng)}
        case list() | tuple() if value:
            new, at = list(value), rng.randrange(len(value))
            match rng.randrange(6):
                case 0:
                    del new[at]
                case 1:
                    new.insert(at, new[at])
                case 2:
                    rng.shuffle(new)
                case _:
                    new[at] = altered(new[at], rng)
            return new
        case bool():
            return not value
        case int():
            return rng.choice((value + 1, value - 1, *HARD))
        case bytes():
            return mutated(value, rng) if rng.randrange(4) else rng.randbytes(len(value))
        case str():
            return mutated(value.encode(), rng).decode("utf-8", "replace")
    return rng.choice((0, b"", "", [], {}, None, True))
