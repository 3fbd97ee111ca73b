"""Who somebody is: an Ed25519 key (RFC 8032). A person is their key; names are labels.

Signatures are made over a label, a zero byte and the message, so that a signature for one purpose serves no other.

The one module that imports Ed25519; p2p.tls takes the key types from here, for its certificates.
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
"""The y of the curve's eight points of small order. RFC 8032 lets them be keys, and then anyone can sign for them."""


class Identity:
    """A key pair. The secret stays inside: it is neither shown nor compared."""

    __slots__ = ("_key", "_seed", "public")

    def __init__(self, seed: bytes) -> None:
        """`seed`: the 32 secret bytes of RFC 8032, section 5.1.5. Raises ValueError for another length."""
        if len(seed) != KEY_BYTES:
            raise ValueError("an identity's seed has 32 bytes")
        self._seed = seed
        self._key = PrivateKey.from_private_bytes(seed)
        self.public: bytes = self._key.public_key().public_bytes_raw()

    def sign(self, label: bytes, message: bytes) -> bytes:
        """64 bytes that only this identity can make."""
        return self._key.sign(label + b"\0" + message)

    @property
    def secret_seed(self) -> bytes:
        """The seed, for the identity file and the link's certificate alone."""
        return self._seed

    def __repr__(self) -> str:
        return f"Identity({self.public.hex()[:8]}…)"


def check_signature(public: bytes, label: bytes, message: bytes, signature: bytes) -> None:
    """Raises BadMessage unless this key signed this message for this purpose. A key of small order signs nothing: what it
    seems to have signed, anyone may have made, and it would convict nobody."""
    if int.from_bytes(public, "little") % 2**255 % _P in _SMALL_ORDER:
        raise BadMessage("a signature is not valid")
    try:
        PublicKey.from_public_bytes(public).verify(signature, label + b"\0" + message)
    except (InvalidSignature, ValueError) as error:
        raise BadMessage("a signature is not valid") from error


def fingerprint(public: bytes) -> str:
    """Eight words (64 bits) that stand for a key when people compare by voice."""
    return " ".join(words_of(digest("fingerprint", public), FINGERPRINT_WORDS))
