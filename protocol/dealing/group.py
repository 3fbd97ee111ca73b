"""The group ristretto255 (RFC 9496), written additively: scalars modulo the prime q, points, and sums of multiples.

libsodium (protocol.dealing.library) multiplies and adds points, in constant time and without holding the interpreter lock.
Scalars are Python integers, whose arithmetic is not constant-time. That leaks a little about their size to anyone who can
time it to the nanosecond. Nobody can here: proofs and shares are sent over a network milliseconds later, after a disk write,
and each nonce is used once.

libsodium reports a product that is the identity as an error, like bytes that are not a point. So the identity and the zero
scalar are handled here before the library is called; anything that it still rejects is not a point. (PROTOCOL.md, "Group".)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha512
from typing import Final, Self, overload

from protocol.dealing import sums
from protocol.dealing.giving_way import give_way, gives_way
from protocol.dealing.hashing import Rng, Value, hash64
from protocol.dealing.labels import COMMITMENT_KEY
from protocol.dealing.library import ONE as GENERATOR
from protocol.dealing.library import ORDER, load
from protocol.errors import BadMessage

q: Final = ORDER
"""The group's order, a prime."""
POINT_BYTES: Final = 32
SCALAR_BYTES: Final = 32
SLICE: Final = 512
"""How many terms a thread that gives way adds up at once: 5 ms, and 1.4 times the work of thousands at once."""

_ZERO: Final = bytes(POINT_BYTES)
_BASE: Final = GENERATOR


# --- scalars ---


class Scalar:
    """An integer modulo q. The repr hides its value, because most scalars are secrets."""

    __slots__ = ("_value",)
    _value: int

    def __init__(self, value: int) -> None:
        self._value = value % q

    def __add__(self, other: Scalar) -> Scalar:
        return Scalar(self._value + other._value)

    def __sub__(self, other: Scalar) -> Scalar:
        return Scalar(self._value - other._value)

    def __neg__(self) -> Scalar:
        return Scalar(-self._value)

    @overload
    def __mul__(self, other: Scalar) -> Scalar: ...
    @overload
    def __mul__(self, other: Point) -> Point: ...
    def __mul__(self, other: Scalar | Point) -> Scalar | Point:
        if isinstance(other, Scalar):
            return Scalar(self._value * other._value)
        return Point(_times(self._value, other._data))

    def inverse(self) -> Scalar:
        """Return 1 / self. Raises ZeroDivisionError for zero."""
        if not self._value:
            raise ZeroDivisionError("zero has no inverse")
        return Scalar(pow(self._value, -1, q))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Scalar) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    def __bool__(self) -> bool:
        return self._value != 0

    def __int__(self) -> int:
        return self._value

    def __repr__(self) -> str:
        return "Scalar(hidden)"

    def encode(self) -> bytes:
        """Encode as 32 bytes, little-endian."""
        return self._value.to_bytes(SCALAR_BYTES, "little")

    @classmethod
    def reduce(cls, data: bytes) -> Self:
        """Reduce a 64-byte hash, little-endian, modulo q (the bias is below 2^-250)."""
        return cls(int.from_bytes(data, "little"))

    @classmethod
    def random(cls, rng: Rng) -> Self:
        """Return a uniformly random scalar other than zero."""
        while not (scalar := cls.reduce(rng(64))):
            pass
        return scalar


ONE: Final = Scalar(1)


def decode_scalar(data: bytes) -> Scalar:
    """Decode 32 bytes. Raises BadMessage for other lengths, numbers not below q, and zero, which no honest message contains."""
    if len(data) != SCALAR_BYTES:
        raise BadMessage("a scalar must be {expected} bytes long, not {count}", expected=SCALAR_BYTES, count=len(data))
    return decode_scalars(data)[0]


def decode_scalars(data: bytes) -> tuple[Scalar, ...]:
    """Decode a row of scalars as `decode_scalar` decodes each. The caller has checked how many bytes there are."""
    values = [int.from_bytes(word, "little") for word in _words(data)]
    if values and not (min(values) > 0 and max(values) < q):
        raise BadMessage("a scalar is zero or not less than the group order")
    return tuple([Scalar(value) for value in values])


def _words(data: bytes) -> list[bytes]:
    """Cut a row of scalars or points. (No shorter rest may get into the library, which reads 32 bytes.)"""
    if len(data) % 32:
        raise ValueError("a row of scalars or points has 32 bytes for each")
    return [data[at : at + 32] for at in range(0, len(data), 32)]


# --- points ---


class Point:
    """An element of the group. Equal elements have equal bytes. Use `decode_point` for bytes from outside."""

    __slots__ = ("_data",)
    _data: bytes

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __add__(self, other: Point) -> Point:
        return Point(_plus(self._data, other._data))

    def __sub__(self, other: Point) -> Point:
        return Point(_minus(self._data, other._data))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Point) and self._data == other._data

    def __hash__(self) -> int:
        return hash(self._data)

    def __repr__(self) -> str:
        return f"Point({self._data.hex()[:8]}…)"

    @property
    def is_identity(self) -> bool:
        return self._data == _ZERO

    def encode(self) -> bytes:
        """Encode as 32 bytes (RFC 9496, section 4.3.2)."""
        return self._data


IDENTITY: Final = Point(_ZERO)
G: Final = Point(_BASE)
"""The generator (RFC 9496, section 4)."""


def decode_point(data: bytes, identity_ok: bool = False) -> Point:
    """Decode 32 bytes (RFC 9496, section 4.3.1).

    Raises BadMessage for other lengths, for bytes that are not canonical, and for the identity unless `identity_ok`.
    """
    if len(data) != POINT_BYTES:
        raise BadMessage("a point must be {expected} bytes long, not {count}", expected=POINT_BYTES, count=len(data))
    return IDENTITY if identity_ok and data == _ZERO else decode_points(bytes(data))[0]


def decode_points(data: bytes) -> list[Point]:
    """Decode a row of points, none of them the identity, as `decode_point` decodes each. The caller has checked how many bytes
    there are."""
    words = _words(data)
    is_point = None if sums.are_points(words) else load().is_point
    for word in words:
        if word == _ZERO:
            raise BadMessage("a point is the identity element")
        # libsodium before 1.0.19 ignores the highest bit; without this check each point would have two encodings.
        if is_point is not None and (word[31] & 0x80 or not is_point(word)):
            raise BadMessage("a point is not in canonical form")
    return [Point(word) for word in words]


def encode_points(points: Iterable[Point]) -> bytes:
    """Encode points one after the other."""
    return b"".join([point._data for point in points])


def _times(k: int, p: bytes) -> bytes:
    if not k or p == _ZERO:
        return _ZERO
    if k == 1:
        return p
    scalar = k.to_bytes(SCALAR_BYTES, "little")
    give_way()
    return load().mul_base(scalar) if p == _BASE else load().mul(scalar, p)


def _plus(p: bytes, r: bytes) -> bytes:
    if p == _ZERO:
        return r
    return p if r == _ZERO else load().add(p, r)


def _minus(p: bytes, r: bytes) -> bytes:
    return p if r == _ZERO else load().sub(p, r)


def weighted_sum(scalars: Iterable[Scalar], points: Iterable[Point]) -> Point:
    """Return Σ k_i P_i over two rows of equal length, one product at a time: libsodium has nothing faster."""
    total = _ZERO
    for k, p in zip(scalars, points, strict=True):
        total = _plus(total, _times(k._value, p._data))
    return Point(total)


def sum_points(points: Iterable[Point]) -> Point:
    """Return Σ P_i, the identity for no points."""
    total = _ZERO
    for p in points:
        total = _plus(total, p._data)
    return Point(total)


class Combination:
    """A sum Σ k_i P_i that adds up the factors of each point first, so that a point shared by many equations is multiplied once.

    Verifiers move each equation to one side, add it with a random weight, and check that the total is the identity. Use it for
    public values only. It is a `Check`, which holds if it vanishes.
    """

    __slots__ = ("_terms",)

    def __init__(self) -> None:
        self._terms: dict[bytes, int] = {}

    def add(self, k: Scalar, p: Point) -> None:
        """Add k P."""
        terms, data = self._terms, p._data
        terms[data] = terms.get(data, 0) + k._value

    def add_all(self, k: Scalar, scalars: Iterable[Scalar], points: Iterable[Point]) -> None:
        """Add k Σ k_i P_i. (Thousands at a time, so their factors are reduced once, at the end.)"""
        give_way()
        terms, factor = self._terms, k._value
        for each, p in zip(scalars, points, strict=True):
            data = p._data
            terms[data] = terms.get(data, 0) + factor * each._value

    def add_combination(self, k: Scalar, other: Combination) -> None:
        """Add k times another sum."""
        terms, factor = self._terms, k._value
        for data, value in other._terms.items():
            terms[data] = (terms.get(data, 0) + factor * value) % q

    @property
    def weight(self) -> int:
        return len(self._terms)

    def holds(self) -> bool:
        return self.vanishes()

    def vanishes(self) -> bool:
        """Whether the sum is the identity. The compiled module, where there is one, may say so; its "no" is not relied on."""
        if len(self._terms) >= sums.LEAST_TERMS and (module := sums.compiled()) is not None:
            with suppress(ValueError, MemoryError):
                if self._total_of(module) == _ZERO:
                    return True
        return self.total().is_identity

    def _total_of(self, module: sums.Sums) -> bytes:
        """Return the sum, from the compiled module: at once, as that is quickest, or in slices if others are in a hurry."""
        scalars, points = [k % q for k in self._terms.values()], list(self._terms)
        size = SLICE if gives_way() else len(points)
        total = _ZERO
        for at in range(0, len(points), size):
            give_way()
            total = _plus(total, module.sum(scalars[at : at + size], points[at : at + size]))
        return total

    def total(self) -> Point:
        """Return the sum, from libsodium."""
        total = _ZERO
        for data, k in self._terms.items():
            k %= q
            if k == q - 1 and total != _ZERO:
                total = _minus(total, data)
            else:
                total = _plus(total, _times(k, data))
        return Point(total)


# --- points from hashes ---


def expand_message_xmd(message: bytes, domain: bytes, count: int) -> bytes:
    """Expand a message to `count` uniform bytes with SHA-512 (RFC 9380, section 5.3.1). `domain` has at most 255 bytes."""
    blocks = -(-count // 64)
    if blocks > 255 or count > 65535 or not 0 < len(domain) <= 255:
        raise ValueError("too many bytes, or a domain that does not fit")
    suffix = domain + bytes([len(domain)])
    first = sha512(bytes(128) + message + count.to_bytes(2, "big") + b"\0" + suffix).digest()
    block = sha512(first + b"\1" + suffix).digest()
    out = [block]
    for i in range(2, blocks + 1):
        mixed = bytes(a ^ b for a, b in zip(first, block, strict=True))
        block = sha512(mixed + bytes([i]) + suffix).digest()
        out.append(block)
    return b"".join(out)[:count]


def point_from_hash(data: bytes) -> Point:
    """Derive an element from 64 uniform bytes (RFC 9496, section 4.3.4)."""
    if len(data) != 64:
        raise ValueError("an element is derived from 64 bytes")
    return Point(load().from_hash(data))


def hash_to_group(domain: str, message: bytes) -> Point:
    """Hash to a point whose logarithm nobody knows: ristretto255_XMD:SHA-512 (RFC 9380, appendix B)."""
    return point_from_hash(expand_message_xmd(message, domain.encode(), 64))


def hash_to_scalar(label: str, *values: Value) -> Scalar:
    """Hash values to a scalar: `hash64`, reduced modulo q."""
    return Scalar.reduce(hash64(label, *values))


@cache
def _commitment_key(i: int) -> Point:
    return hash_to_group(COMMITMENT_KEY, i.to_bytes(4, "big"))


def commitment_keys(n: int) -> Sequence[Point]:
    """Return the commitment keys H_1 … H_n, which everyone derives."""
    return [_commitment_key(i) for i in range(1, n + 1)]
