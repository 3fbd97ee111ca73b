"""libsodium's functions under rbcl's names: the raw group for the second implementations, which share no other code with ours."""

from __future__ import annotations

import ctypes
from typing import Any

from protocol.dealing.library import Library, load


def crypto_scalarmult_ristretto255(k: bytes, p: bytes) -> bytes:
    return _call("crypto_scalarmult_ristretto255", k, p)


def crypto_scalarmult_ristretto255_base(k: bytes) -> bytes:
    return _call("crypto_scalarmult_ristretto255_base", k)


def crypto_core_ristretto255_add(p: bytes, r: bytes) -> bytes:
    return _call("crypto_core_ristretto255_add", p, r)


def crypto_core_ristretto255_sub(p: bytes, r: bytes) -> bytes:
    return _call("crypto_core_ristretto255_sub", p, r)


def crypto_core_ristretto255_from_hash(data: bytes) -> bytes:
    return _call("crypto_core_ristretto255_from_hash", data)


def crypto_core_ristretto255_is_valid_point(data: bytes) -> bool:
    return bool(native().sodium.crypto_core_ristretto255_is_valid_point(data) == 1)


def native() -> Library:
    """The shared library itself."""
    library = load()
    assert isinstance(library, Library)
    return library


def _call(name: str, *values: bytes) -> bytes:
    out: Any = (ctypes.c_char * 32)()
    if getattr(native().sodium, name)(out, *values):
        raise RuntimeError("not a point, or the identity")
    return bytes(out.raw)
