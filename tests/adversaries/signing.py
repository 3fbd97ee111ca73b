"""Second signatures: Ed25519 allows the owner of a key any number of signatures of one payload, each with another nonce."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha512

from protocol.identity import Identity
from protocol.signed import Signed, label
from protocol.wire import pack
from tests.vectors.make_signatures import BASE, Q, add, encode, mul

FIRST_NONCE = 12345


def resigner(identity: Identity) -> Callable[[Signed], bytes]:
    """Return a function that signs a message of this identity again, differently each time."""
    digest = bytearray(sha512(identity.secret_seed).digest()[:32])
    digest[0] &= 248
    digest[31] = digest[31] & 127 | 64
    secret = int.from_bytes(digest, "little")
    nonce, point = FIRST_NONCE, mul(FIRST_NONCE, BASE)

    def sign_again(old: Signed) -> bytes:
        nonlocal nonce, point
        nonce, point = nonce + 1, add(point, BASE)
        r = encode(point)
        text = label(old.message) + b"\0" + old.payload
        k = int.from_bytes(sha512(r + identity.public + text).digest(), "little") % Q
        signature = r + ((nonce + k * secret) % Q).to_bytes(32, "little")
        return pack(["m", old.payload, signature])

    return sign_again
