"""Which signatures and keys count, so that no two clients disagree about what somebody has signed."""

from __future__ import annotations

import ctypes
import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocol.errors import BadMessage
from protocol.identity import Identity, check_public_key, check_signature
from tests.independent.encoding import is_key, is_small
from tests.sodium import native

VECTORS = json.loads((Path(__file__).parent / "vectors" / "signatures.json").read_text())
LABEL = VECTORS["label"].encode()


def parts(case: dict[str, Any]) -> tuple[bytes, bytes, bytes]:
    return bytes.fromhex(case["key"]), bytes.fromhex(case["message"]), bytes.fromhex(case["signature"])


@pytest.mark.parametrize("case", VECTORS["cases"], ids=[case["about"] for case in VECTORS["cases"]])
def test_a_signature_counts_or_not(case: dict[str, Any]) -> None:
    key, message, signature = parts(case)
    if case["valid"]:
        check_signature(key, LABEL, message, signature)
    else:
        with pytest.raises(BadMessage):
            check_signature(key, LABEL, message, signature)


@pytest.mark.parametrize("case", VECTORS["cases"], ids=[case["about"] for case in VECTORS["cases"]])
def test_libsodium_says_the_same(case: dict[str, Any]) -> None:
    """Without any check of ours: its own rules are the ones that PROTOCOL.md asks for."""
    key, message, signature = parts(case)
    signed = LABEL + b"\0" + message
    verify = native().sodium.crypto_sign_ed25519_verify_detached
    result = verify(signature, signed, ctypes.c_ulonglong(len(signed)), key)
    assert (result == 0) == case["valid"]


def test_openssl_alone_disagrees() -> None:
    """Else the rule would not be needed: these are the cases that OpenSSL accepts and libsodium refuses."""
    accepted = set()
    for case in VECTORS["cases"]:
        key, message, signature = parts(case)
        try:
            Ed25519PublicKey.from_public_bytes(key).verify(signature, LABEL + b"\0" + message)
        except (InvalidSignature, ValueError):
            continue
        if not case["valid"]:
            accepted.add(case["about"])
    assert "R is the neutral element; the equation holds" in accepted
    assert "R has order 8, the key a part of order 8; the equation holds" in accepted


def test_keys_are_checked_as_the_second_implementation_checks_them() -> None:
    numbers = [*range(300), *(2**255 - 19 + count for count in range(-40, 19))]
    seen = set()
    for number in numbers:
        for sign in (0, 2**255):
            key = (number + sign).to_bytes(32, "little")
            try:
                check_public_key(key)
            except BadMessage:
                assert not is_key(key)
            else:
                assert is_key(key) and not is_small(key)
                Ed25519PublicKey.from_public_bytes(key)
            seen.add(is_key(key))
    assert seen == {True, False}


def test_keys_that_are_made_here_count() -> None:
    for count in range(50):
        check_public_key(Identity(count.to_bytes(32, "big")).public)


@pytest.mark.parametrize("size", [0, 31, 33])
def test_a_key_has_32_bytes(size: int) -> None:
    with pytest.raises(BadMessage):
        check_public_key(bytes([3]) * size)
