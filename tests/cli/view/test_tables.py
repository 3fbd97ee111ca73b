"""A table in a sentence: where it is, and what tells it from another of its name."""

from __future__ import annotations

import pytest

from cli.news import FoundTable
from cli.text import load_translator
from cli.view.tables import table_line
from protocol.identity import fingerprint
from protocol.values import replace

KEY = bytes(31) + b"\1"
TABLE = FoundTable("Kitchen", "mau-mau", 4, 1, "open", "id", (("192.0.2.7", 4711),), keys=(KEY.hex(),))
_ = load_translator("en")


def test_a_table_is_told_with_its_address_and_its_words() -> None:
    line = table_line(_, TABLE)
    assert line.startswith("Kitchen: mau-mau, 1 of 4 seats taken, seats free")
    assert line.endswith(f" · 192.0.2.7:4711 · {' '.join(fingerprint(KEY).split()[:4])}")


def test_an_address_of_ipv6_is_told_as_it_is_typed() -> None:
    assert "[fd00::2]:4711" in table_line(_, replace(TABLE, addresses=(("fd00::2", 4711),)))


@pytest.mark.parametrize("keys", [(), ("xyz",), ("",)])
def test_what_is_not_announced_is_left_out(keys: tuple[str, ...]) -> None:
    assert table_line(_, replace(TABLE, addresses=(), keys=keys)) == "Kitchen: mau-mau, 1 of 4 seats taken, seats free"
