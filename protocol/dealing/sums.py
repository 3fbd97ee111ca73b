"""Sums of many multiples from the compiled module `sums.c`, where `make native` has built it, and in a browser from the page's
`sums.js`. Everything works without.

A sum of 549 terms takes libsodium 549 multiplications one by one, and Pippenger's method a fifth of that time. The module sees
public values only: verifiers use it to check equations, provers never do. It must pass a self-test against libsodium when it is
loaded; if it does not, it is not used. Its "yes" counts. Whoever hears its "no" asks libsodium before anybody is accused
(`group.Combination.vanishes`).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from protocol.dealing import library
from protocol.dealing.library import ORDER

if TYPE_CHECKING:
    from ctypes import CDLL

SUFFIX: Final = {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so")
PATH: Final = Path(__file__).with_name("libsums" + SUFFIX)
"""Where `make native` puts the compiled module."""
LEAST_TERMS: Final = 3
"""Below this, libsodium is about as fast."""

MOST_KEPT: Final = 4096
"""So many decoded points are kept for the next sum: more than those of a first deal at ten seats."""
DECODED_BYTES: Final = 120

_IDENTITY: Final = bytes(32)
_TESTED = 40


class Sums(Protocol):
    """What adds up many multiples."""

    def sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """Return Σ k_i P_i, encoded. Scalars are below the group's order. Raises ValueError for bytes that are not a point, and
        MemoryError."""


class CompiledSums:
    """The compiled module. The constructor raises OSError or AttributeError if it does not load, ValueError if it is wrong."""

    def __init__(self, path: Path) -> None:
        import ctypes

        module: CDLL = ctypes.CDLL(str(path))
        self._sum, self._decode = module.fairdeal_sum, module.fairdeal_decode
        self._sum.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
        self._decode.argtypes = (ctypes.c_char_p, ctypes.c_char_p, ctypes.c_size_t)
        self._buffer = ctypes.create_string_buffer
        self._kept: dict[bytes, bytes] = {}
        """Points that are known, decoded: most come from a message, are checked for their form first, and then go into a sum."""
        if module.fairdeal_sums_begin() != DECODED_BYTES:
            raise ValueError("its constants are wrong")
        check(self)

    def sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """See `Sums`."""
        if len(scalars) != len(points) or any(len(point) != 32 for point in points):
            raise ValueError("there must be as many scalars as points of 32 bytes")
        kept = self._decoded(points)
        if kept is None:
            raise ValueError("not a point of the group")
        out = self._buffer(32)
        encoded = b"".join([scalar.to_bytes(32, "little") for scalar in scalars])
        if self._sum(out, encoded, b"".join([kept[point] for point in points]), len(points)):
            raise MemoryError
        return out.raw

    def are_points(self, points: Sequence[bytes]) -> bool:
        """Whether all of these encode points, 32 bytes each, among them perhaps the identity. They are kept for sums."""
        return self._decoded(points) is not None

    def _decoded(self, points: Sequence[bytes]) -> Mapping[bytes, bytes] | None:
        """Return at least these points, decoded; None if one of them is none."""
        kept = self._kept
        missing = [point for point in points if point not in kept]
        if len(kept) + len(missing) > MOST_KEPT:
            kept = self._kept = {}  # another thread may be using the one before
            missing = [*points]
        out = self._buffer(DECODED_BYTES * len(missing))
        if self._decode(out, b"".join(missing), len(missing)):
            return None
        decoded = memoryview(out.raw)
        for at, point in enumerate(missing):
            kept[point] = bytes(decoded[DECODED_BYTES * at : DECODED_BYTES * (at + 1)])
        return kept


def check(sums: Sums) -> None:
    """Compare sums with libsodium's: of few terms and of many, of different points, of equal ones that need doubling or cancel
    out, with the identity, with the largest scalars. Raises ValueError."""
    group = library.load()
    points = [group.from_hash(i.to_bytes(64, "little")) for i in range(1, _TESTED + 1)]
    scalars = [pow(3, 150 + i, ORDER) for i in range(_TESTED)]
    total = group.mul(scalars[0].to_bytes(32, "little"), points[0])
    for scalar, point in zip(scalars[1:], points[1:], strict=True):
        total = group.add(total, group.mul(scalar.to_bytes(32, "little"), point))
    doubled = group.add(total, total)
    one, two = points[0], group.add(points[0], points[0])
    works = (
        sums.sum(scalars, points) == total
        and sums.sum([*scalars, ORDER - 1], [*points, total]) == _IDENTITY
        and sums.sum(scalars * 4, points * 4) == group.add(doubled, doubled)
        and sums.sum([1, 0, 1, 5], [one, one, one, _IDENTITY]) == two == sums.sum([ORDER - 1, 1, 1, 1], [one] * 4)
        and sums.sum([], []) == _IDENTITY
    )
    for invalid in (library.NO_POINT, b"\xff" * 32, bytes(31) + b"\x80"):
        try:
            sums.sum([1], [invalid])
        except ValueError:
            continue
        works = False
    if not works:
        raise ValueError("it computes wrong sums")


def are_points(points: Sequence[bytes]) -> bool:
    """Whether the compiled module says that these are points, among them perhaps the identity. If not, or if there is none, ask
    libsodium. Where the module says so, it decodes each point once: it keeps them for the sums that follow."""
    module = compiled()
    return isinstance(module, CompiledSums) and module.are_points(points)


_loaded: Sums | None = None
_is_decided = False


def compiled() -> Sums | None:
    """Return the compiled module, which the first call loads; None if there is none, or if it fails its self-test."""
    global _loaded, _is_decided
    if not _is_decided:  # two threads may load it at once; that is harmless
        _loaded, _is_decided = found(PATH), True
    return _loaded


def use(sums: Sums | None) -> None:
    """Use this from now on: for tests and benchmarks, which compare."""
    global _loaded, _is_decided
    _loaded, _is_decided = sums, True


def found(path: Path) -> Sums | None:
    """Return the module in this file, or None if there is none, or if it fails its self-test."""
    try:
        if sys.platform == "emscripten":
            from protocol.browser import PageSums

            page = PageSums()
            check(page)
            return page
        return CompiledSums(path) if path.exists() else None
    except (OSError, AttributeError, ValueError, MemoryError):
        return None
