"""Identity keys of small order: for them anyone can sign anything, so that a signature would bind nobody and convict nobody."""

from __future__ import annotations

import pytest

from protocol.errors import BadMessage
from protocol.identity import Identity, check_signature

P = 2**255 - 19
Y8 = int("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16)
"""A point of order 8 has this y, or its opposite."""
SMALL = [0, 1, P - 1, Y8, P - Y8]
SPELLINGS = [y + lift + sign for y in SMALL for lift in (0, P) for sign in (0, 2**255) if y + lift < 2**255]


def test_the_points_are_of_small_order() -> None:
    """Computed here by the curve's own addition (RFC 8032, section 5.1.4): eight times each is the neutral element."""
    d = -121665 * pow(121666, -1, P) % P

    def double(x: int, y: int) -> tuple[int, int]:
        k = d * x * x * y * y % P
        return 2 * x * y * pow(1 + k, -1, P) % P, (y * y + x * x) * pow(1 - k, -1, P) % P

    for y in SMALL:
        squared = (y * y - 1) * pow(d * y * y + 1, -1, P) % P
        root = pow(squared, (P + 3) // 8, P)
        x = root if root * root % P == squared else root * pow(2, (P - 1) // 4, P) % P
        assert x * x % P == squared
        for _ in range(3):
            x, y = double(x, y)
        assert (x, y) == (0, 1)


@pytest.mark.parametrize("number", SPELLINGS)
def test_nobody_signs_for_a_key_of_small_order(number: int) -> None:
    """R the neutral element and S = 0: right for one message in eight at least, without knowing any secret."""
    key = number.to_bytes(32, "little")
    forged = (1).to_bytes(32, "little") + bytes(32)
    for count in range(100):
        with pytest.raises(BadMessage):
            check_signature(key, b"label", count.to_bytes(2, "big"), forged)


def test_keys_that_are_made_here_are_not_among_them() -> None:
    for count in range(20):
        identity = Identity(count.to_bytes(32, "big"))
        check_signature(identity.public, b"label", b"message", identity.sign(b"label", b"message"))
