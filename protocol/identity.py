"""Identify players by Ed25519 keys (RFC 8032). Names are only labels.

A signature covers a label, a zero byte and the message, so that it is valid for one purpose only.

This is the only module that imports Ed25519; p2p.tls takes the key types for its certificates from here.
"""

from __future__ import annotations

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey as PrivateKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey as PublicKey

from protocol.errors import BadMessage
from protocol.hashing import digest
from protocol.wordlist import words_of

__all__ = ["Identity", "PrivateKey", "PublicKey", "check_signature", "fingerprint"]

KEY_BYTES = 32
SIGNATURE_BYTES = 64
FINGERPRINT_WORDS = 8

_P = 2**255 - 19
_Y8 = int("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16)
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})
"""The y of the curve's eight points of small order. RFC 8032 allows them as keys, but anyone can sign for such a key."""


class Identity:
    """A key pair. The secret is never shown or compared."""

    __slots__ = ("_key", "_seed", "public")

    def __init__(self, seed: bytes) -> None:
        """`seed`: the 32 secret bytes of RFC 8032, section 5.1.5. Raises ValueError for another length."""
        if len(seed) != KEY_BYTES:
            raise ValueError("an identity's seed has 32 bytes")
        self._seed = seed
        self._key = PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def sign(self, label: bytes, message: bytes) -> bytes:
        """Return a signature of 64 bytes."""
        return self._key.sign(label + b"\0" + message)

    @property
    def secret_seed(self) -> bytes:
        """Return the seed. Only for the identity file and the link's certificate."""
        return self._seed

    def __repr__(self) -> str:
        return f"Identity({self.public.hex()[:8]}…)"


def check_signature(public: bytes, label: bytes, message: bytes, signature: bytes) -> None:
    """Check a signature. Raises BadMessage if it is wrong or the key has small order, as anyone can sign for such a key."""
    if int.from_bytes(public, "little") % 2**255 % _P in _SMALL_ORDER:
        raise BadMessage("a signature is not valid")
    try:
        PublicKey.from_public_bytes(public).verify(signature, label + b"\0" + message)
    except (InvalidSignature, ValueError) as error:
        raise BadMessage("a signature is not valid") from error


def fingerprint(public: bytes) -> str:
    """Return eight words (64 bits) that represent a key, for people who compare keys by voice."""
    return " ".join(words_of(digest("fingerprint", public), FINGERPRINT_WORDS))
