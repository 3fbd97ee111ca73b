"""Heartbeats, read by the second program and by ours."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2p.heartbeats import Heartbeat, decode_heartbeat
from protocol.errors import BadMessage
from tests.independent.encoding import Refused, encode
from tests.independent.links import read_beat

KEYS = st.binary(min_size=32, max_size=32)
HOSTS = st.one_of(st.ip_addresses(v=4).map(str), st.ip_addresses(v=6).map(str))
ADDRESSES = st.tuples(HOSTS, st.integers(1, 65535))
ANY_PORT = st.one_of(st.integers(-1, 65537), st.booleans(), st.none())
ANY_HOST = st.one_of(HOSTS, st.sampled_from(["", "a name.example", "fe80::1%2", "1.2.3", "fe80::1%" + "9" * 60]))
ANY_ENTRY = st.tuples(st.one_of(KEYS, st.binary(max_size=33)), st.lists(st.tuples(ANY_HOST, ANY_PORT), max_size=5))
WATCH = st.one_of(st.integers(-1, 9), st.booleans())
ANYTHING = st.one_of(
    st.tuples(WATCH, st.lists(ANY_ENTRY, max_size=3)),
    st.tuples(WATCH, st.lists(ANY_ENTRY, max_size=3), st.lists(st.binary(min_size=31, max_size=33), max_size=34)),
)


def test_a_heartbeat_byte_by_byte() -> None:
    """An array of two: 3 watch, and one seat is linked, at one address."""
    data = bytes.fromhex("92 03 91 92 c420" + "ab" * 32 + "91 92 a8") + b"10.0.0.5" + bytes.fromhex("cd 1267")
    key = b"\xab" * 32
    assert Heartbeat(3, {key: [("10.0.0.5", 4711)]}).encode("10.0.0.1") == data
    assert read_beat(data) == (3, {key: [("10.0.0.5", 4711)]})
    assert read_beat(b"") == (0, {}), "to others than seats"


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(0, 8), st.dictionaries(KEYS, st.lists(ADDRESSES, max_size=6), max_size=34))
def test_what_we_say_the_other_program_reads(onlookers: int, reached: dict[bytes, list[tuple[str, int]]]) -> None:
    found = read_beat(Heartbeat(onlookers, reached).encode("192.0.2.1"))
    assert found[0] == onlookers
    assert list(found[1]) == list(reached)[:32]
    assert all(len(addresses) <= 4 for addresses in found[1].values())


@given(ANYTHING)
def test_both_refuse_the_same(value: Any) -> None:
    data = encode(value)
    try:
        other: Any = read_beat(data)
    except Refused:
        other = None
    try:
        heartbeat = decode_heartbeat(data)
        ours: Any = (heartbeat.watchers, {key: list(addresses) for key, addresses in heartbeat.reached.items()})
    except BadMessage:
        ours = None
    assert ours == other
