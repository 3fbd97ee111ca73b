"""Which signatures and keys count, so that no two clients disagree about what somebody has signed."""

from __future__ import annotations

import ctypes
import json
from collections import Counter
from collections.abc import Iterator
from hashlib import sha512
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from protocol.dealing import library
from protocol.ed25519 import is_valid, is_valid_by_openssl
from protocol.errors import BadMessage
from protocol.identity import Identity, check_public_key, check_signature
from protocol.messages import Ready
from protocol.signed import decode_signed, sign
from tests.independent.encoding import is_key, is_small
from tests.sodium import native
from tests.vectors import make_signatures as curve

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


@pytest.mark.parametrize("case", VECTORS["cases"], ids=[case["about"] for case in VECTORS["cases"]])
def test_a_signature_counts_or_not_before_libsodium_is_loaded(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "_is_signed", None)
    test_a_signature_counts_or_not(case)


def test_libsodium_checks_signatures_where_it_is_loaded() -> None:
    assert library.load() is native()
    assert library.signature_check() == native().is_signed


def strange_signatures() -> Iterator[tuple[bytes, bytes, bytes, bool]]:
    """Keys, messages and signatures with parts of every small order, in other encodings and with a larger S, and whether they are
    valid: by the numbers from which they are made, without any curve."""
    parts = [curve.mul(count, curve.EIGHTH) for count in range(8)]
    keys = [(count, curve.encode(curve.add(curve.KEY, part))) for count, part in enumerate(parts)]
    first = curve.mul(curve.NONCE, curve.BASE)
    rs = [(count, curve.NONCE, curve.encode(curve.add(first, part))) for count, part in enumerate(parts)]
    rs += [(count, 0, curve.encode(part)) for count, part in enumerate(parts)]
    for key_part, key in keys:
        for (r_part, nonce, r), text in product(rs, (b"one", b"two", b"three")):
            k = curve.challenge(r, key, text)
            is_right = nonce != 0 and (r_part + k * key_part) % 8 == 0
            s = int.from_bytes(curve.signature(r, key, text, nonce=nonce)[32:], "little")
            for other in (s, s + curve.Q, s + 14 * curve.Q, s ^ 1, s | 1 << 255):
                yield key, text, r + other.to_bytes(32, "little"), is_right and other == s
            for flipped in (r[:31] + bytes([r[31] ^ 0x80]), lifted(r)):
                yield key, text, flipped + s.to_bytes(32, "little"), False
            if key_part == 0:
                yield key[:31] + bytes([key[31] ^ 0x80]), text, r + s.to_bytes(32, "little"), False
    for number in (*range(19), *(curve.P + count for count in range(-2, 19))):
        for odd in (key, rs[0][2]), (rs[0][2], key):
            spelled = [number.to_bytes(32, "little"), (number | 1 << 255).to_bytes(32, "little")]
            yield from ((each, b"one", odd[0] + bytes(32), False) for each in spelled)
            yield from ((odd[0], b"one", each + bytes(32), False) for each in spelled)


def lifted(point: bytes) -> bytes:
    """Another encoding of the same point, if there is one; else another point."""
    number = int.from_bytes(point, "little")
    y = number % (1 << 255)
    return (number + curve.P if y < 19 else number ^ 2).to_bytes(32, "little")


def test_both_libraries_judge_strange_signatures_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: Counter[bool] = Counter()
    for key, text, signature, expected in strange_signatures():
        for check in (native().is_signed, None):
            monkeypatch.setattr(library, "_is_signed", check)
            try:
                check_signature(key, LABEL, text, signature)
            except BadMessage:
                assert not expected, (check, key.hex(), text, signature.hex())
            else:
                assert expected, (check, key.hex(), text, signature.hex())
        counted[expected] += 1
    assert counted[True] >= 20 and counted[False] >= 2000


@pytest.mark.parametrize(("key", "signature"), [(31, 64), (33, 64), (32, 63), (32, 65), (0, 64), (32, 0)])
def test_a_key_or_signature_of_another_length_is_refused(key: int, signature: int) -> None:
    assert not is_valid(bytes(key), b"message", bytes(signature))


def test_a_library_with_another_rule_checks_no_signatures() -> None:
    """Some versions of libsodium multiply by the cofactor, and some builds take any S."""

    def by_the_cofactor(public: bytes, message: bytes, signature: bytes) -> bool:
        return native().is_signed(public, message, signature) or signature[32:] == library.LOOSE[1]

    def any_s(public: bytes, message: bytes, signature: bytes) -> bool:
        s = int.from_bytes(signature[32:], "little") % library.ORDER
        return native().is_signed(public, message, signature[:32] + s.to_bytes(32, "little"))

    assert library.is_exact(native().is_signed) and library.is_exact(is_valid_by_openssl)
    assert not library.is_exact(by_the_cofactor)
    assert not library.is_exact(any_s)
    assert not library.is_exact(lambda *_: True)
    assert not library.is_exact(lambda *_: False)


@pytest.mark.parametrize(("sample", "part"), [(library.EXACT, 0), (library.LOOSE, 4)])
def test_the_samples_are_made_like_the_vectors(sample: tuple[bytes, bytes], part: int) -> None:
    """Times 8 both equations hold: what is left over is the part of order 8, times k."""
    text, s = sample
    assert curve.encode(curve.add(curve.KEY, curve.EIGHTH)) == library.MIXED_KEY
    assert curve.encode(curve.mul(curve.NONCE, curve.BASE)) == library.MIXED_R
    k = int.from_bytes(sha512(library.MIXED_R + library.MIXED_KEY + text).digest(), "little") % curve.Q
    assert k % 8 == part
    assert int.from_bytes(s, "little") == (curve.NONCE + k * curve.SECRET) % curve.Q


def test_only_who_has_just_signed_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    mine, other = Identity(bytes(32)), Identity(bytes([1]) * 32)
    signed = sign(mine, bytes(32), 0, bytes(32), 0, Ready(1))
    decoded = decode_signed(signed.data)
    assert decoded == signed
    decoded.verify(mine.public)
    for each in (signed, decoded):
        with pytest.raises(BadMessage):
            each.verify(other.public)
    monkeypatch.setattr(library, "_is_signed", lambda *_: False)
    signed.verify(mine.public)
    with pytest.raises(BadMessage):
        decoded.verify(mine.public)


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
        for sign_bit in (0, 2**255):
            key = (number + sign_bit).to_bytes(32, "little")
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
