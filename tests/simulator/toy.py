"""A group in which logarithms are no secret: a point is its own logarithm. A hundred times faster than the real group.

Every equation that holds in the real group holds here and the other way round, so a table behaves the same.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import sha512
from typing import TYPE_CHECKING

from protocol import signed
from protocol.dealing import faces, group, shares, shuffle_argument
from protocol.dealing.group import POINT_BYTES, SCALAR_BYTES, Combination, Point, Scalar, q
from protocol.dealing.library import ONE as GENERATOR
from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.signed import decode
from protocol.table import table, warming

if TYPE_CHECKING:
    import pytest

ZERO = bytes(POINT_BYTES)


def decoded(point: bytes) -> int:
    return 1 if point == GENERATOR else int.from_bytes(point, "little")


def encoded(logarithm: int) -> bytes:
    logarithm %= q
    return GENERATOR if logarithm == 1 else logarithm.to_bytes(SCALAR_BYTES, "little")


def times(k: int, p: bytes) -> bytes:
    return encoded(k if p == GENERATOR else k * int.from_bytes(p, "little"))


def plus(p: bytes, r: bytes) -> bytes:
    return encoded(decoded(p) + decoded(r))


def minus(p: bytes, r: bytes) -> bytes:
    return encoded(decoded(p) - decoded(r))


def total(combination: Combination) -> Point:
    return Point(encoded(sum(k * decoded(data) for data, k in combination._terms.items())))


def weighted_sum(scalars: Iterable[Scalar], points: Iterable[Point]) -> Point:
    pairs = zip(scalars, points, strict=True)
    return Point(encoded(sum(k._value * decoded(p._data) for k, p in pairs)))


def sign(identity: Identity, label: bytes, message: bytes) -> bytes:
    """As good as a signature where nobody forges one."""
    return sha512(b"\0".join((identity.public, label, message))).digest()


def check_signature(public: bytes, label: bytes, message: bytes, signature: bytes) -> None:
    if signature != sha512(b"\0".join((public, label, message))).digest():
        raise BadMessage("a signature is not valid")


class Library:
    """What the group asks of the library beside sums and multiples."""

    def is_point(self, data: bytes) -> bool:
        return data == GENERATOR or 1 < int.from_bytes(data, "little") < q

    def from_hash(self, data: bytes) -> bytes:
        return encoded(int.from_bytes(data, "little"))


def use_toy_arithmetic(replace: Callable[[object, str, object], None] = setattr) -> None:
    """Let this process deal and prove in the toy group."""
    library = Library()
    replace(group, "_times", times)
    replace(group, "_plus", plus)
    replace(group, "_minus", minus)
    replace(group, "load", lambda: library)
    replace(Combination, "total", total)
    replace(Combination, "vanishes", lambda combination: total(combination).is_identity)
    for module in (group, shares, shuffle_argument):
        replace(module, "weighted_sum", weighted_sum)
    replace(warming, "warm_up", lambda: None)  # in a thread, which may still be at work when the toy is put away
    _forget_points()


@contextlib.contextmanager
def toy_arithmetic() -> Iterator[pytest.MonkeyPatch]:
    """Meanwhile this process deals and proves in the toy group; its signatures are real."""
    import pytest  # programs in the toy group load no test framework

    with pytest.MonkeyPatch.context() as patch:
        use_toy_arithmetic(patch.setattr)
        try:
            yield patch
        finally:
            _forget_points()


@contextlib.contextmanager
def toy_group() -> Iterator[None]:
    """All arithmetic is in the toy group, and signatures are hashes. A letter is decoded once, not once for each seat."""
    with toy_arithmetic() as patch:
        patch.setattr(Identity, "sign", sign)
        patch.setattr(signed, "check_signature", check_signature)
        patch.setattr(table, "decode", lru_cache(1 << 12)(decode))
        yield


def _forget_points() -> None:
    """Points of one group mean nothing in the other."""
    for remembered in (group._commitment_key, faces.card_point, faces._faces):
        remembered.cache_clear()
