"""Vectors of signatures on which libraries disagree, with the one verdict that holds here. (PROTOCOL.md, "Signed messages".)

Made with the curve's own arithmetic (RFC 8032, section 5.1.4), as no library makes such signatures.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha512
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
LABEL = "fairdeal/v1/message/seal"

Point = tuple[int, int]
NEUTRAL: Point = (0, 1)


def add(one: Point, other: Point) -> Point:
    (x1, y1), (x2, y2) = one, other
    k = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + k, -1, P) % P
    return x, (y1 * y2 + x1 * x2) * pow(1 - k, -1, P) % P


def mul(k: int, point: Point) -> Point:
    found = NEUTRAL
    while k:
        if k & 1:
            found = add(found, point)
        point, k = add(point, point), k >> 1
    return found


def with_y(y: int) -> Point:
    """One of the two points with this y, or the only one."""
    squared = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(squared, (P + 3) // 8, P)
    if x * x % P != squared:
        x = x * pow(2, (P - 1) // 4, P) % P
    assert x * x % P == squared
    return (P - x if x & 1 else x), y


def encode(point: Point) -> bytes:
    x, y = point
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = with_y(4 * pow(5, -1, P) % P)
EIGHTH = with_y(Y8)
"""A point of order 8."""
SECRET, NONCE = 0x1234567890ABCDEF**4 % Q, 0xFEDCBA0987654321**4 % Q
KEY = mul(SECRET, BASE)


def challenge(r: bytes, key: bytes, message: bytes) -> int:
    return int.from_bytes(sha512(r + key + LABEL.encode() + b"\0" + message).digest(), "little") % Q


def signature(r: bytes, key: bytes, message: bytes, secret: int = SECRET, nonce: int = NONCE) -> bytes:
    """S for any R and key: the honest one is with R = nonce B, key = secret B."""
    return r + ((nonce + challenge(r, key, message) * secret) % Q).to_bytes(32, "little")


def searched(holds: Callable[[bytes], bool]) -> bytes:
    """The first message for which something holds that one in eight has."""
    return next(text for count in range(1000) if holds(text := f"message {count}".encode()))


def cases() -> list[dict[str, Any]]:
    key, r = encode(KEY), encode(mul(NONCE, BASE))
    mixed = encode(add(KEY, EIGHTH))
    right, small_r, plain = signature(r, key, b"message"), encode(NEUTRAL), b"message"
    eighths = {k: encode(mul(8 - k % 8, EIGHTH)) for k in range(8)}

    def with_r_of_order_8(text: bytes) -> bool:
        return challenge(eighths[1], mixed, text) % 8 == 1

    def with_mixed_key(text: bytes) -> bool:
        return challenge(r, mixed, text) % 8 == 0

    def beside_mixed_key(text: bytes) -> bool:
        return challenge(r, mixed, text) % 8 == 4

    lifted = (P + 3).to_bytes(32, "little")  # another spelling of y = 3, which is on the curve
    odd, whole, off = searched(with_r_of_order_8), searched(with_mixed_key), searched(beside_mixed_key)
    s = int.from_bytes(right[32:], "little")
    found: list[tuple[str, bytes, bytes, bytes, bool]] = [
        ("an ordinary signature", key, plain, right, True),
        ("another message", key, b"massage", right, False),
        ("S not below the order", key, plain, right[:32] + (s + Q).to_bytes(32, "little"), False),
        ("R is the neutral element; the equation holds", key, plain, signature(small_r, key, plain, nonce=0), False),
        ("R has order 8, the key a part of order 8; the equation holds", mixed, odd,
         signature(eighths[1], mixed, odd, nonce=0), False),
        ("R is the neutral element in another encoding", key, plain,
         signature((P + 1).to_bytes(32, "little"), key, plain, nonce=0), False),
        ("the key has a part of order 8; the equation holds", mixed, whole, signature(r, mixed, whole), True),
        ("the key has a part of order 8; the equation holds only times 8", mixed, off,
         signature(r, mixed, off), False),
        ("the key is the neutral element; the equation holds", small_r, plain,
         signature(encode(mul(NONCE, BASE)), small_r, plain, secret=0), False),
        ("the key is no canonical encoding", lifted, plain, right, False),
        ("the key is no point of the curve", (2).to_bytes(32, "little"), plain, right, False),
    ]  # fmt: skip
    names = ("about", "key", "message", "signature", "valid")
    return [dict(zip(names, (each[0], *(part.hex() for part in each[1:4]), each[4]), strict=True)) for each in found]


def main() -> None:
    data = {
        "about": "Signatures of a text under a label, and whether they are valid.",
        "label": LABEL,
        "cases": cases(),
    }
    (HERE / "signatures.json").write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
