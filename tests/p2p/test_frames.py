"""Frames, hellos and the pulse, without sockets."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.frames import (
    MAX_BODY_BYTES,
    MAX_OPENING_BYTES,
    FrameKind,
    Hello,
    Pulse,
    PulseAction,
    Timing,
    Value,
    encode_frame,
    pack,
    read_frame,
)
from protocol.errors import BadMessage
from tests.p2p.aio import run

scalars = st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.text(max_size=20) | st.binary(max_size=20)
fields = st.dictionaries(st.text(max_size=10), scalars | st.lists(scalars, max_size=5), max_size=5)


async def read(data: bytes, limit: int = MAX_BODY_BYTES) -> tuple[FrameKind, bytes]:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return await read_frame(reader, limit)


def test_the_bytes_of_a_frame() -> None:
    assert encode_frame(FrameKind.DATA, b"abc") == b"\0\0\0\x04\x05abc"
    assert run(read(b"\0\0\0\x04\x05abc")) == (FrameKind.DATA, b"abc")
    assert run(read(b"\0\0\0\x01\x04")) == (FrameKind.BEAT, b"")


@pytest.mark.parametrize(
    "data", [b"\0\0\0\0", b"\0\0\0\x01\x63", b"\0\0\0\x01\0", b"\xff\xff\xff\xff", b"\0\x10\0\x01" + bytes(99)]
)
def test_what_is_no_frame(data: bytes) -> None:
    with pytest.raises(BadMessage):
        run(read(data))


@pytest.mark.parametrize("data", [b"", b"\0\0", b"\0\0\0\x04\x05ab"])
def test_a_frame_that_is_cut_is_not_taken(data: bytes) -> None:
    with pytest.raises(asyncio.IncompleteReadError):
        run(read(data))


def test_the_longest_frame_and_one_byte_more() -> None:
    longest = encode_frame(FrameKind.DATA, bytes(MAX_BODY_BYTES - 1))
    assert len(run(read(longest))[1]) == MAX_BODY_BYTES - 1
    with pytest.raises(ValueError):
        encode_frame(FrameKind.DATA, bytes(MAX_BODY_BYTES))
    with pytest.raises(BadMessage):
        run(read(encode_frame(FrameKind.HELLO, bytes(50)), limit=50))


@given(fields)
def test_a_hello_comes_back(value: dict[str, Value]) -> None:
    hello = Hello(b"r" * 8, 7777, value)
    assert Hello.decode(hello.encode()) == hello


@given(st.binary(max_size=60))
def test_any_bytes_are_a_hello_or_a_bad_message(data: bytes) -> None:
    with contextlib.suppress(BadMessage):
        Hello.decode(data)


@pytest.mark.parametrize(
    "value",
    [
        [1, b"r" * 8, 7777],
        [1, b"r" * 8, 7777, {}, 1],
        [1, b"r" * 7, 7777, {}],
        [1, b"r" * 8, 70000, {}],
        [1, b"r" * 8, True, {}],
        [True, b"r" * 8, 1, {}],
        [1, b"r" * 8, 7777, {b"a": 1}],
        [1, b"r" * 8, 7777, {"a": {}}],
        [1, b"r" * 8, 7777, {"a": [[]]}],
        [1, b"r" * 8, 7777, {"a": 1.5}],
        [1, b"r" * 8, 7777, {str(n): n for n in range(33)}],
        {"a": 1},
    ],
)
def test_hellos_that_are_refused(value: object) -> None:
    with pytest.raises(BadMessage):
        Hello.decode(pack(value))


def test_of_another_version_only_the_version_is_read() -> None:
    assert Hello.decode(pack([2, "what this means is not ours to know"])).version == 2


def test_a_hello_that_others_would_refuse_is_not_sent() -> None:
    with pytest.raises(ValueError):
        Hello(b"r" * 8, 1, {"a": "x" * MAX_OPENING_BYTES}).encode()


TIMING = Timing(heartbeat_s=2, timeout_s=6)


def test_the_heart_beats_every_two_seconds_from_the_start() -> None:
    pulse = Pulse(TIMING, now=100)
    beats = []
    now = 100.0
    while now < 110:
        pulse.received(now)
        if pulse.check(now) is PulseAction.BEAT:
            beats.append(now)
        now = pulse.deadline
    assert beats == [100, 102, 104, 106, 108]


def test_a_silent_peer_is_gone_after_six_seconds() -> None:
    pulse = Pulse(TIMING, now=100)
    pulse.received(101)
    now, signs = 100.0, []
    while PulseAction.GONE not in signs:
        signs.append(pulse.check(now))
        last, now = now, pulse.deadline
    assert last == 107
    assert signs.count(PulseAction.BEAT) == 4


def test_after_standing_still_the_peer_gets_a_fresh_chance() -> None:
    pulse = Pulse(TIMING, now=100)
    pulse.check(100)
    assert pulse.check(3700) is PulseAction.BEAT
    assert pulse.deadline == 3702
    for now in (3702, 3704):
        assert pulse.check(now) is PulseAction.BEAT
    assert pulse.check(3706) is PulseAction.GONE
