"""The encoding of plain data and of frames: one value, one spelling, and a limit for everything."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgpack
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgpack import Timestamp

from protocol.errors import BadMessage
from protocol.wire import MAX_DEPTH, MAX_FRAME_BYTES, MAX_ITEMS, frame, frames, pack, unpack, unpack_any
from tests.adversaries.declared import By, attack

LEAVES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(1 << 63), (1 << 64) - 1),
    st.binary(max_size=40),
    st.text(max_size=20).filter(lambda text: text.encode("utf-8", "ignore").decode() == text),
)
PLAIN = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=6), inner, max_size=4),
    ),
    max_leaves=12,
)


@given(PLAIN)
def test_what_is_packed_is_read_again(value: Any) -> None:
    data = pack(value)
    assert unpack(data) == value
    assert pack(unpack(data)) == data


@given(st.binary(max_size=200))
def test_any_bytes_are_one_value_or_refused(data: bytes) -> None:
    try:
        value = unpack(data)
    except BadMessage:
        return
    assert pack(value) == data, "a second spelling of one value"


@given(PLAIN, st.data())
def test_a_changed_byte_never_means_the_same(value: Any, drawn: st.DataObject) -> None:
    data = pack(value)
    at = drawn.draw(st.integers(0, len(data) - 1))
    other = data[:at] + bytes([data[at] ^ drawn.draw(st.integers(1, 255))]) + data[at + 1 :]
    try:
        found = unpack(other)
    except BadMessage:
        return
    assert pack(found) == other
    assert found != value or type(found) is not type(value) or repr(found) != repr(value)


@given(PLAIN, st.data())
def test_bytes_that_are_cut_off_or_too_many_are_refused(value: Any, drawn: st.DataObject) -> None:
    data = pack(value)
    cut = drawn.draw(st.integers(0, len(data) - 1))
    for other in (data[:cut], data + b"\x00", data + data):
        with pytest.raises(BadMessage):
            unpack(other)


def test_maps_are_written_with_their_keys_in_order() -> None:
    assert pack({"b": 1, "a": 2}) == pack({"a": 2, "b": 1}) == bytes.fromhex("82a16102a16201")
    with pytest.raises(BadMessage, match="canonical"):
        unpack(bytes.fromhex("82a16201a16102"))


@pytest.mark.parametrize("value", [1.5, float("nan"), {1: 2}, {None: 0}, {b"a": 0}, {"a": 1.0}, [b"x", 0.5]], ids=str)
def test_what_is_no_plain_data_is_not_read(value: Any) -> None:
    """Floats, and keys that are no text."""
    with pytest.raises(BadMessage):
        unpack(bytes(msgpack.packb(value, use_bin_type=True)))


@attack(
    By.STRANGER,
    "A message is crafted so that merely reading it takes seconds: a map whose keys all have the same hash.",
    "At once: it is refused at the first of these keys.",
)
@pytest.mark.parametrize("read", [unpack, unpack_any])
def test_keys_that_are_no_text_are_never_hashed(
    read: Callable[[bytes], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hash of a text is salted anew in every process. Anybody can compute that of a time: a map of 4000 times with one hash,
    in 64 KiB, once kept a processor busy for half a second."""
    hashed: list[Timestamp] = []

    def one_hash(stamp: Timestamp) -> int:
        hashed.append(stamp)
        return 7

    monkeypatch.setattr(Timestamp, "__hash__", one_hash)
    keys = [Timestamp(second, 1) for second in range(8)]
    assert hash(keys[0]) == 7 and hashed.pop()
    for depth in range(3):
        data = b"\x91" * depth + b"\x88" + b"".join(bytes(msgpack.packb(key)) + b"\xc0" for key in keys)
        with pytest.raises(BadMessage):
            read(data)
    assert not hashed


@pytest.mark.parametrize("length", [1, 2, 4, 8, 12, 16, 100])
@pytest.mark.parametrize("read", [unpack, unpack_any])
def test_extensions_are_not_read(read: Callable[[bytes], object], length: int) -> None:
    for code in (-1, 0, 5):
        for value in (msgpack.ExtType(code, bytes(length)),) if code >= 0 else (Timestamp(0), Timestamp(1 << 40, 3)):
            with pytest.raises(BadMessage):
                read(bytes(msgpack.packb([value])))


@pytest.mark.parametrize("value", [object(), {1, 2}, 1 << 64, -(1 << 63) - 1])
def test_what_cannot_be_packed_is_a_mistake_of_ours(value: Any) -> None:
    with pytest.raises((TypeError, OverflowError)):
        pack(value)


def nested(depth: int) -> Any:
    value: Any = 0
    for _ in range(depth):
        value = [value]
    return value


def test_nesting_is_bounded() -> None:
    assert unpack(pack(nested(MAX_DEPTH))) == nested(MAX_DEPTH)
    with pytest.raises(BadMessage, match="deeply"):
        unpack(pack(nested(MAX_DEPTH + 1)))
    for depth in (100, 1000, 100_000):
        with pytest.raises(BadMessage):
            unpack(b"\x91" * depth + b"\x00")
        with pytest.raises(BadMessage):
            unpack(b"\x81\xa1a" * depth + b"\x00")


def test_the_number_of_items_is_bounded() -> None:
    assert unpack(pack([0] * MAX_ITEMS)) == [0] * MAX_ITEMS
    with pytest.raises(BadMessage):
        unpack(pack([0] * (MAX_ITEMS + 1)))
    with pytest.raises(BadMessage):
        unpack(pack({f"{i:05}": 0 for i in range(MAX_ITEMS + 1)}))


@pytest.mark.parametrize("head", ["dd", "df", "c6", "db", "c9"], ids=["array", "map", "bytes", "text", "extension"])
def test_a_length_that_is_claimed_costs_no_memory(head: str) -> None:
    """Four thousand million items announced in five bytes."""
    with pytest.raises(BadMessage):
        unpack(bytes.fromhex(head) + b"\xff\xff\xff\xff")


def test_the_size_is_bounded_before_anything_is_read() -> None:
    assert unpack(pack(bytes(MAX_FRAME_BYTES - 5))) == bytes(MAX_FRAME_BYTES - 5)
    with pytest.raises(BadMessage, match="too long"):
        unpack(pack(bytes(MAX_FRAME_BYTES - 4)))
    with pytest.raises(BadMessage, match="too long"):
        unpack(b"\xc0\xc0", limit=1)


def test_text_that_is_none_is_refused() -> None:
    for text in (b"\xff", b"\xed\xa0\x80", b"\xc0\x80"):  # no UTF-8, half of a pair, an overlong zero
        with pytest.raises(BadMessage):
            unpack(bytes([0xA0 + len(text)]) + text)


# --- frames ---


@given(st.lists(st.binary(max_size=60), max_size=6))
def test_frames_come_back_as_they_were(contents: list[bytes]) -> None:
    data = b"".join(map(frame, contents))
    found = list(frames(data))
    assert [content for _, content in found] == contents
    assert [at for at, _ in found] == [sum(4 + len(each) for each in contents[:i]) for i in range(len(contents))]


@given(st.lists(st.binary(max_size=60), min_size=1, max_size=4), st.data())
def test_a_file_that_is_cut_off_shows_its_whole_frames(contents: list[bytes], drawn: st.DataObject) -> None:
    data = b"".join(map(frame, contents))
    last = len(data) - len(contents[-1]) - 4
    cut = drawn.draw(st.integers(last + 1, len(data) - 1))
    reading = frames(data[:cut])
    assert [next(reading)[1] for _ in contents[:-1]] == contents[:-1]
    with pytest.raises(BadMessage):
        next(reading)


def test_frames_have_a_limit() -> None:
    assert len(frame(bytes(MAX_FRAME_BYTES))) == MAX_FRAME_BYTES + 4
    with pytest.raises(ValueError, match="too long"):
        frame(bytes(MAX_FRAME_BYTES + 1))
    with pytest.raises(BadMessage, match="too long"):
        list(frames((MAX_FRAME_BYTES + 1).to_bytes(4, "big") + bytes(MAX_FRAME_BYTES + 1)))
    assert list(frames(b"")) == []
