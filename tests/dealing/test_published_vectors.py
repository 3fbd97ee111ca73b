"""The group against what its documents publish (`tests/vectors/ristretto255.json`)."""

from __future__ import annotations

import json
from hashlib import sha512
from pathlib import Path
from typing import Any

import pytest

from protocol.dealing.group import (
    IDENTITY,
    G,
    Scalar,
    decode_point,
    decode_scalar,
    expand_message_xmd,
    hash_to_group,
    point_from_hash,
)
from protocol.errors import BadMessage

PUBLISHED: dict[str, Any] = json.loads((Path(__file__).parents[1] / "vectors" / "ristretto255.json").read_text())


def test_small_multiples_of_the_generator() -> None:
    total = IDENTITY
    encodings = PUBLISHED["generator_multiples"]["encodings"]
    assert len(encodings) == 16
    for i, encoding in enumerate(encodings):
        assert total.encode().hex() == (Scalar(i) * G).encode().hex() == encoding
        assert decode_point(bytes.fromhex(encoding), identity_ok=True) == total
        total = total + G


INVALID = {
    f"{kind} {i}": encoding
    for kind, encodings in PUBLISHED["invalid_encodings"].items()
    if kind != "source"
    for i, encoding in enumerate(encodings)
}


@pytest.mark.parametrize("encoding", INVALID.values(), ids=INVALID.keys())
def test_invalid_encodings(encoding: str) -> None:
    with pytest.raises(BadMessage):
        decode_point(bytes.fromhex(encoding), identity_ok=True)


def test_there_are_as_many_as_published() -> None:
    assert len(INVALID) == 29


def test_elements_derived_from_uniform_bytes() -> None:
    derivation = PUBLISHED["element_derivation"]
    for case in derivation["cases"]:
        assert point_from_hash(bytes.fromhex(case["input"])).encode().hex() == case["output"]
    for text, case in zip(derivation["texts"], derivation["cases"], strict=False):
        assert sha512(text.encode()).hexdigest() == case["input"]


def test_message_expansion() -> None:
    expansion = PUBLISHED["expand_message_xmd"]
    for case in expansion["cases"]:
        expected = bytes.fromhex(case["output"])
        assert expand_message_xmd(case["message"].encode(), expansion["domain"].encode(), len(expected)) == expected


def test_hashing_to_the_group() -> None:
    published = PUBLISHED["hash_to_group"]
    domain = bytes.fromhex(published["domain_hex"]).decode()
    for case in published["cases"]:
        blind = decode_scalar(bytes.fromhex(case["blind"]))
        assert (blind * hash_to_group(domain, bytes.fromhex(case["input"]))).encode().hex() == case["blinded"]
