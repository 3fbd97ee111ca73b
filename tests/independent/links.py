"""What goes over links besides signed messages, from PROTOCOL.md, "Encoding" and "Links", alone."""

from __future__ import annotations

import ipaddress
from typing import Any

from tests.independent.encoding import Refused, decode, demand, raw, seq, text, uint


def read_beat(data: bytes) -> tuple[int, dict[bytes, list[tuple[str, int]]]]:
    """A heartbeat: how many watch through the sender, and the seats that it is linked to with their addresses."""
    if not data:
        return 0, {}
    value = decode(data)
    demand(type(value) is list and len(value) in (2, 3) and uint(8)(value[0]), "no heartbeat")
    demand(len(value) == 2 or seq(raw(32), 1, 32)(value[2]), "malformed sleepers")
    demand(seq(_is_seat, 0, 32)(value[1]), "malformed seats")
    return value[0], {key: [(host, port) for host, port in addresses] for key, addresses in value[1]}


def _is_seat(value: Any) -> bool:
    return type(value) is list and len(value) == 2 and raw(32)(value[0]) and seq(_is_address, 0, 4)(value[1])


def _is_address(value: Any) -> bool:
    if type(value) is not list or len(value) != 2 or not text(1, 64)(value[0]) or not uint(65535)(value[1]):
        return False
    try:
        ipaddress.ip_address(value[0])
    except ValueError:
        return False
    return bool(value[1] > 0)


__all__ = ["Refused", "read_beat"]
