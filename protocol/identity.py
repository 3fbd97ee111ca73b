"""Identify players by Ed25519 keys (RFC 8032). Names are only labels.

A signature covers a label, a zero byte and the message, so that it is valid for one purpose only.

Libraries disagree about keys and signatures that no honest signer makes: those with points of small order or in another
encoding than the canonical one. All of these are refused here, before the library is asked. (PROTOCOL.md, "Signed messages".)
"""

from __future__ import annotations

from functools import lru_cache

from protocol.checks import holds
from protocol.ed25519 import KeyPair, is_valid
from protocol.errors import BadMessage
from protocol.hashing import digest
from protocol.values import dataclass
from protocol.wordlist import words_of

KEY_BYTES = 32
SIGNATURE_BYTES = 64
FINGERPRINT_WORDS = 8

_P = 2**255 - 19
_D = -121665 * pow(121666, -1, _P) % _P
_Y8 = int("7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7", 16)
_SMALL_ORDER = frozenset({0, 1, _P - 1, _Y8, _P - _Y8})
"""The y of the curve's eight points of small order. RFC 8032 allows them as keys, but anyone can sign for such a key."""
_SIGN_BIT = 1 << 255


class Identity:
    """A key pair. The secret is never shown or compared."""

    __slots__ = ("_key", "_seed", "public")

    def __init__(self, seed: bytes) -> None:
        """`seed`: the 32 secret bytes of RFC 8032, section 5.1.5. Raises ValueError for another length."""
        if len(seed) != KEY_BYTES:
            raise ValueError("an identity's seed has 32 bytes")
        self._seed = seed
        self._key = KeyPair(seed)
        self.public: bytes = self._key.public

    def sign(self, label: bytes, message: bytes) -> bytes:
        """Return a signature of 64 bytes."""
        return self._key.sign(label + b"\0" + message)

    @property
    def secret_seed(self) -> bytes:
        """Return the seed. Only for the identity file and the link's certificate."""
        return self._seed

    def __repr__(self) -> str:
        return f"Identity({self.public.hex()[:8]}…)"


@dataclass(frozen=True, slots=True)
class SignatureClaim:
    """The claim that a signature is valid, by the equation without the cofactor. It is a `Check`."""

    public: bytes
    message: bytes
    signature: bytes

    @property
    def weight(self) -> int:
        return 2

    def holds(self) -> bool:
        return is_valid(self.public, self.message, self.signature)


def check_signature(public: bytes, label: bytes, message: bytes, signature: bytes) -> None:
    """Check a signature, by RFC 8032's equation without the cofactor. Raises BadMessage if it is not valid.

    Signatures are also refused if their R has small order, or if the key has small order or is not canonical: some libraries
    accept them. An R that is not canonical, and an S that is not below the order, are refused by every library.
    """
    if _is_weak(public) or _has_small_order(signature[:KEY_BYTES]):
        raise BadMessage("a signature is not valid")
    if not holds(SignatureClaim(public, label + b"\0" + message, signature)):
        raise BadMessage("a signature is not valid")


def check_public_key(public: bytes) -> None:
    """Check that a key is the canonical encoding of a point of the curve that has no small order. Raises BadMessage."""
    if not _is_key(public):
        raise BadMessage("a public key is not valid")


@lru_cache(maxsize=1024)  # the same keys come again and again, and a square root takes as long as half a signature
def _is_key(public: bytes) -> bool:
    y = int.from_bytes(public, "little") % _SIGN_BIT
    return len(public) == KEY_BYTES and not _is_weak(public) and _is_square((y * y - 1) * (_D * y * y + 1))


@lru_cache(maxsize=1024)
def _is_weak(public: bytes) -> bool:
    return int.from_bytes(public, "little") % _SIGN_BIT >= _P or _has_small_order(public)


def _has_small_order(point: bytes) -> bool:
    return int.from_bytes(point, "little") % _SIGN_BIT % _P in _SMALL_ORDER


@lru_cache(256)
def _is_square(value: int) -> bool:
    """Whether a number has a square root modulo p. Divided by a square, (y^2 - 1) (d y^2 + 1) is the x^2 of a point."""
    return pow(value, (_P - 1) // 2, _P) in (0, 1)


def fingerprint(public: bytes) -> str:
    """Return eight words (64 bits) that represent a key, for people who compare keys by voice."""
    return " ".join(words_of(digest("fingerprint", public), FINGERPRINT_WORDS))
