"""libsodium in a browser: Ed25519 and the group for Pyodide, which has neither of the native libraries.

The page's worker loads libsodium-wrappers-sumo and sets the global `sodium` before any of our modules is imported, and `sums` to
what adds up many multiples there. Only `protocol.ed25519`, `protocol.dealing.library` and `protocol.dealing.sums` import this,
and only on the platform "emscripten".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import js
from js import sodium
from pyodide.ffi import JsException, to_js

SIGNATURE_BYTES = 64
KEY_BYTES = 32


def _call(function: Callable[..., Any], *args: bytes) -> bytes:
    """Call a function on byte strings. Raises ValueError for what the library refuses."""
    try:
        return bytes(function(*map(to_js, args)).to_bytes())
    except JsException as fault:
        raise ValueError(str(fault)) from fault


class KeyPair:
    """A key pair from a seed of 32 bytes (RFC 8032, section 5.1.5)."""

    __slots__ = ("_secret", "public")

    def __init__(self, seed: bytes) -> None:
        pair = sodium.crypto_sign_seed_keypair(to_js(seed))
        self._secret: bytes = bytes(pair.privateKey.to_bytes())
        self.public: bytes = bytes(pair.publicKey.to_bytes())

    def sign(self, message: bytes) -> bytes:
        """Return a signature of 64 bytes."""
        return _call(sodium.crypto_sign_detached, message, self._secret)


def is_valid(public: bytes, message: bytes, signature: bytes) -> bool:
    """Whether a signature is valid, by the equation without the cofactor."""
    if len(public) != KEY_BYTES or len(signature) != SIGNATURE_BYTES:
        return False
    try:
        return bool(sodium.crypto_sign_verify_detached(to_js(signature), to_js(message), to_js(public)))
    except JsException:
        return False


class BrowserGroup:
    """The operations of `protocol.dealing.library.Library` by libsodium in JavaScript. Same arguments, results and errors."""

    source = "libsodium.js"

    def __init__(self) -> None:
        self.version: str = str(sodium.sodium_version_string())

    def mul(self, k: bytes, p: bytes) -> bytes:
        """Return k p."""
        return _call(sodium.crypto_scalarmult_ristretto255, k, p)

    def mul_base(self, k: bytes) -> bytes:
        """Return k G, for the generator G."""
        return _call(sodium.crypto_scalarmult_ristretto255_base, k)

    def add(self, p: bytes, r: bytes) -> bytes:
        """Return p + r."""
        return _call(sodium.crypto_core_ristretto255_add, p, r)

    def sub(self, p: bytes, r: bytes) -> bytes:
        """Return p - r."""
        return _call(sodium.crypto_core_ristretto255_sub, p, r)

    def is_point(self, data: bytes) -> bool:
        """Whether 32 bytes encode a point."""
        return bool(sodium.crypto_core_ristretto255_is_valid_point(to_js(data)))

    def from_hash(self, data: bytes) -> bytes:
        """Derive an element from 64 uniform bytes (RFC 9496, section 4.3.4)."""
        return _call(sodium.crypto_core_ristretto255_from_hash, data)


class PageSums:
    """Sums of many multiples by the page's own `sums.js`. The constructor raises AttributeError where it does not run.

    See `protocol.dealing.sums`, which tests it.
    """

    def __init__(self) -> None:
        self._sums = js.sums

    def sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        """Return Σ k_i P_i, encoded. Scalars are below the group's order. Raises ValueError for bytes that are not a point, and
        MemoryError."""
        encoded = b"".join([scalar.to_bytes(32, "little") for scalar in scalars])
        try:
            found = self._sums.sum(to_js(encoded), to_js(b"".join(points)))
        except JsException as fault:
            raise MemoryError from fault
        if found is None:
            raise ValueError("not a point of the group")
        return bytes(found.to_bytes())
