"""Ed25519 (RFC 8032) from a library: no other module imports one.

In a browser (Pyodide) that is libsodium in JavaScript, see `protocol.browser`; anywhere else the package `cryptography`. Where
libsodium is loaded, since cards are dealt, it checks signatures, in half the time. They agree on everything that
`protocol.identity` lets through. `p2p.tls` takes the key types for its certificates from here.
"""

from __future__ import annotations

import sys

__all__ = ["KeyPair", "PrivateKey", "PublicKey", "is_valid"]

if sys.platform == "emscripten":
    from protocol.browser import KeyPair, is_valid
else:
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey as PrivateKey
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey as PublicKey

    from protocol.dealing import library

    KEY_BYTES = 32
    SIGNATURE_BYTES = 64

    class KeyPair:
        """A key pair from a seed of 32 bytes (RFC 8032, section 5.1.5)."""

        __slots__ = ("_key", "public")

        def __init__(self, seed: bytes) -> None:
            self._key = PrivateKey.from_private_bytes(seed)
            self.public: bytes = self._key.public_key().public_bytes_raw()

        def sign(self, message: bytes) -> bytes:
            """Return a signature of 64 bytes."""
            return self._key.sign(message)

    def is_valid(public: bytes, message: bytes, signature: bytes) -> bool:
        """Whether a signature is valid, by the equation without the cofactor."""
        if len(public) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
            return False
        if (is_signed := library.signature_check()) is not None:
            return is_signed(public, message, signature)
        return is_valid_by_openssl(public, message, signature)

    def is_valid_by_openssl(public: bytes, message: bytes, signature: bytes) -> bool:
        """What `is_valid` asks where libsodium is not loaded."""
        try:
            PublicKey.from_public_bytes(public).verify(signature, message)
        except (InvalidSignature, ValueError):
            return False
        return True
