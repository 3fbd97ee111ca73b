"""Every message on the wire: its form, its limits, its signature; against the vectors that other programs check too."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.messages import ALL, BY_KIND, Message, Proposal
from protocol.signed import MAX_SAID_BYTES, Page, decode, decode_body, decode_signed, label
from protocol.wire import frame, frames, pack, unpack
from tests.rows import row
from tests.vectors import make_messages as make

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "vectors" / "messages.json").read_text(encoding="utf-8"))


# --- the table of messages ---


def test_every_kind_has_one_name_and_one_label() -> None:
    assert len(BY_KIND) == len(ALL)
    assert all(kind and kind.isascii() for kind in BY_KIND)
    assert len({label(message) for message in make.samples()}) == len(ALL)


def test_every_field_has_its_form() -> None:
    for each in ALL:
        assert len(fields(each)) == len(each.codecs), each.kind


def test_all_that_a_seat_may_say_at_a_height_as_its_vote_shares_one_slot() -> None:
    """A proposal is its author's vote: two of them, or one of each, are two versions."""
    for message in make.samples():
        if isinstance(message, Proposal):
            assert message.slot == ("vote", message.height)


def test_there_is_a_sample_of_every_kind() -> None:
    assert {message.kind for message in make.samples()} == set(BY_KIND)


# --- vectors ---


def test_the_vectors_are_those_that_the_program_makes() -> None:
    assert make.vectors() == VECTORS


@pytest.mark.parametrize("vector", VECTORS["valid"], ids=lambda v: v["kind"])
def test_valid_messages(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["data"])
    signed = decode_signed(data)
    assert signed.message.kind == vector["kind"]
    assert signed.data == data
    assert signed.payload == bytes.fromhex(vector["payload"])
    assert signed.signature == bytes.fromhex(vector["signature"])
    assert (signed.table, signed.epoch, signed.seat) == (bytes.fromhex(VECTORS["table"]), 0, VECTORS["seat"])
    assert signed.epoch_hash == bytes.fromhex(VECTORS["epoch_hash"])
    assert [make.shown(each) for each in signed.message.body()] == vector["fields"]
    slot = signed.message.slot
    assert (None if slot is None else list(slot)) == vector["slot"]
    signed.verify(bytes.fromhex(VECTORS["key"]))
    identity = Identity(bytes.fromhex(VECTORS["key_seed"]))
    assert identity.sign(vector["label"].encode(), signed.payload) == signed.signature


def test_bytes_that_are_no_message() -> None:
    for vector in VECTORS["invalid"]:
        with row(vector["why"]):
            with pytest.raises(BadMessage) as found:
                decode(make.lengthened(vector["data"]))
            assert str(found.value) == vector["refused"]


@pytest.mark.parametrize("vector", VECTORS["forged"], ids=lambda v: v["why"])
def test_signatures_that_do_not_hold(vector: dict[str, Any]) -> None:
    signed = decode_signed(bytes.fromhex(vector["data"]))
    with pytest.raises(BadMessage, match="signature"):
        signed.verify(bytes.fromhex(VECTORS["key"]))


def test_pages_and_frames() -> None:
    for vector in VECTORS["pages"]:
        page = decode(bytes.fromhex(vector["data"]))
        assert page == Page(vector["index"], vector["last"], tuple(map(bytes.fromhex, vector["messages"])))
        assert isinstance(page, Page) and page.encode().hex() == vector["data"]
    for vector in VECTORS["frames"]:
        assert frame(bytes.fromhex(vector["content"])).hex() == vector["frame"]
    for vector in VECTORS["not_frames"]:
        with pytest.raises(BadMessage):
            list(frames(bytes.fromhex(vector["data"])))


# --- properties ---

SAMPLES = st.sampled_from(make.samples())


@given(SAMPLES)
def test_a_message_is_read_as_it_was_signed(message: Message) -> None:
    signed = make.signed_sample(message)
    again = decode_signed(signed.data)
    assert again == signed
    again.verify(make.IDENTITY.public)


@given(SAMPLES, st.data())
def test_any_flipped_bit_is_noticed(message: Message, drawn: st.DataObject) -> None:
    data = make.signed_sample(message).data
    at = drawn.draw(st.integers(0, len(data) * 8 - 1))
    flipped = data[: at // 8] + bytes([data[at // 8] ^ (1 << at % 8)]) + data[at // 8 + 1 :]
    with pytest.raises(BadMessage):
        decode_signed(flipped).verify(make.IDENTITY.public)


@given(
    SAMPLES,
    st.integers(0, 9),
    st.one_of(st.none(), st.booleans(), st.integers(), st.binary(max_size=70), st.text(max_size=9)),
)
def test_any_other_field_is_read_or_refused(message: Message, index: int, other: Any) -> None:
    """Whatever stands in a field: a message that says the same when it is written again, or BadMessage."""
    body = message.body()
    if not body:
        return
    body[index % len(body)] = other
    try:
        found = decode_body(message.kind, body)
    except BadMessage:
        return
    assert found.body() == body


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        decode(data)
    except BadMessage:
        return


@given(SAMPLES, st.data())
def test_payloads_in_another_order_are_refused(message: Message, drawn: st.DataObject) -> None:
    signed = make.signed_sample(message)
    inner = unpack(signed.payload)
    order = drawn.draw(st.permutations(range(6)))
    if [inner[i] for i in order] == inner:
        return
    data = pack(["m", pack([inner[i] for i in order]), signed.signature])
    with pytest.raises(BadMessage):
        decode_signed(data).verify(make.IDENTITY.public)


def test_a_signature_of_one_kind_serves_no_other() -> None:
    """Two kinds with the same fields: the label is in the signature, and the kind in the payload."""
    vote = make.signed_sample(next(each for each in make.samples() if each.kind == "closed"))
    inner = unpack(vote.payload)
    assert inner[0] == "closed"
    inner[0] = "nonce"
    forged = decode_signed(pack(["m", pack(inner), vote.signature]))
    with pytest.raises(BadMessage, match="signature"):
        forged.verify(make.IDENTITY.public)


def test_all_samples_that_bind_their_seat_fit_into_evidence() -> None:
    for message in make.samples():
        if message.slot is not None:
            assert len(make.signed_sample(message).data) <= MAX_SAID_BYTES
