"""The second verifier in the toy group, where a test is about what it makes of a match and not about what proofs prove."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from protocol.dealing.library import ONE
from protocol.errors import BadMessage
from tests import sodium
from tests.independent import dealing, encoding
from tests.simulator import toy


def is_valid(key: bytes, signature: bytes, signed: bytes) -> bool:
    label, _, message = signed.partition(b"\0")
    try:
        toy.check_signature(key, label, message, signature)
    except BadMessage:
        return False
    return True


@contextlib.contextmanager
def toy_group() -> Iterator[None]:
    """Of both verifiers."""
    library = toy.Library()
    with toy.toy_group(), pytest.MonkeyPatch.context() as patch:
        for name, function in {
            "crypto_scalarmult_ristretto255": lambda k, p: toy.times(int.from_bytes(k, "little"), p),
            "crypto_scalarmult_ristretto255_base": lambda k: toy.times(int.from_bytes(k, "little"), ONE),
            "crypto_core_ristretto255_add": toy.plus,
            "crypto_core_ristretto255_sub": toy.minus,
            "crypto_core_ristretto255_from_hash": library.from_hash,
            "crypto_core_ristretto255_is_valid_point": library.is_point,
        }.items():
            patch.setattr(sodium, name, function)
        patch.setattr(encoding, "_is_valid", is_valid)
        _forget()
        yield
    _forget()


def _forget() -> None:
    """Points of one group mean nothing in the other."""
    for each in vars(dealing).values():
        if hasattr(each, "cache_clear"):
            each.cache_clear()
