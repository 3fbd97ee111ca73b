"""What announcements say, and what strangers may make them say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.announcements import MAX_TEXT_BYTES, read_addresses, read_name, read_properties, write_properties
from p2p.interfaces import Interface, is_near, own_hosts, scoped

ETH = [Interface("eth0", 2, "192.0.2.2", 24), Interface("eth0", 2, "fd00::2", 64), Interface("eth0", 2, "fe80::2", 64)]
WIFI = [Interface("wlan0", 3, "fe80::3", 64)]
LO = [Interface("lo", 1, "127.0.0.1", 8), Interface("lo", 1, "::1", 128)]


def as_travelling(values: dict[str, bytes]) -> bytes:
    entries = [key.encode() + b"=" + value for key, value in values.items()]
    return b"".join(bytes([len(entry)]) + entry for entry in entries)


def test_properties_come_back() -> None:
    said = {"table": "Ann’s table", "game": "tichu", "seats": "4"}
    assert read_properties({k.encode(): v for k, v in write_properties(said).items()}) == said


@pytest.mark.slow
@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9]{0,7}", fullmatch=True), st.text(max_size=400), max_size=10))
def test_whatever_people_call_their_tables_it_travels(said: dict[str, str]) -> None:
    values = write_properties(said)
    assert len(as_travelling(values)) <= MAX_TEXT_BYTES
    assert values.keys() == said.keys()
    for value in values.values():
        value.decode("utf-8")


def test_the_long_are_cut_and_the_short_kept() -> None:
    values = write_properties({"table": "t" * 500, "host": "h" * 500, "game": "tichu", "state": "open"})
    assert (values["game"], values["state"]) == (b"tichu", b"open")
    assert len(values["table"]) > 150
    assert abs(len(values["table"]) - len(values["host"])) <= 8


@pytest.mark.parametrize(
    "said", [{"": "x"}, {"Table": "x"}, {"a=b": "x"}, {"x" * 17: "x"}, {f"k{n}": "" for n in range(17)}]
)
def test_odd_keys_are_our_own_mistake(said: dict[str, str]) -> None:
    with pytest.raises(ValueError):
        write_properties(said)


def test_what_strangers_announce_is_cleaned_and_bounded() -> None:
    found = {
        b"table": b"\x1b[2Jhi\xe2\x80\xae\xff",
        b"no value": None,
        b"none": None,
        b"\xff": b"x",
        b"big": b"x" * 5000,
    }
    read = read_properties(found)
    assert read == {"table": "[2Jhi\ufffd", "big": "x" * 200}
    assert len(read_properties({f"k{n}".encode(): b"" for n in range(100)})) == 16


@given(st.dictionaries(st.binary(max_size=20), st.none() | st.binary(max_size=50), max_size=30))
def test_any_properties_are_read(found: dict[bytes, bytes | None]) -> None:
    assert len(read_properties(found)) <= 16


@pytest.mark.parametrize(
    ("full", "name"),
    [
        ("abc-1._fairdeal._tcp.local.", "abc-1"),
        ("abc._FairDeal._tcp.local.", "abc"),
        ("a b._fairdeal._tcp.local.", None),
        ("._fairdeal._tcp.local.", None),
        ("x" * 64 + "._fairdeal._tcp.local.", None),
        ("a.b._fairdeal._tcp.local.", None),
        ("abc._other._tcp.local.", None),
        ("", None),
    ],
)
def test_names_of_sessions(full: str, name: str | None) -> None:
    assert read_name(full) == name


def test_link_local_addresses_get_a_card_each() -> None:
    cards = [*ETH, *WIFI, *LO]
    assert scoped("fe80::9", cards) == ("fe80::9%2", "fe80::9%3")
    assert scoped("fe80::9%7", cards) == ("fe80::9%7",)
    assert scoped("fd00::9", cards) == ("fd00::9",)
    assert scoped("a-host.example", cards) == ("a-host.example",)
    hosts = ["192.0.2.9", "fe80::9", "192.0.2.9", "224.0.0.251", "::", "not an address"]
    assert read_addresses(hosts, 7, cards) == (("192.0.2.9", 7), ("fe80::9%2", 7), ("fe80::9%3", 7))
    assert (
        read_addresses(hosts, None, cards)
        == read_addresses(hosts, 0, cards)
        == read_addresses(hosts, 1 << 16, cards)
        == ()
    )


def test_which_addresses_are_near() -> None:
    cards = [*ETH, *LO]
    near = ["192.0.2.77", "fd00::77", "fe80::1%2", "127.0.0.5", "::1"]
    far = ["192.0.3.1", "fd01::1", "8.8.8.8", "a-host.example"]
    assert [is_near(host, cards) for host in near + far] == [True] * len(near) + [False] * len(far)


def test_what_we_say_of_ourselves() -> None:
    assert own_hosts([*LO, *ETH]) == ("192.0.2.2", "fd00::2", "fe80::2")
    assert own_hosts(LO) == own_hosts([]) == ("127.0.0.1",)
