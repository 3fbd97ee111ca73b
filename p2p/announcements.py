"""What an announcement on the network says, in bounds: written small, read with distrust. No network here.

mDNS is unauthenticated and its texts (TXT records) break in silence when they grow: an entry over 254 bytes is an error, a
total of some kilobytes is sent and never arrives. Nothing read here is believed; a link's keys are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from p2p.interfaces import Address, Interface, parse, scoped
from p2p.text import clean

SERVICE = "_fairdeal._tcp.local."
MAX_TEXT_BYTES = 400  # of all properties together, as they travel
MAX_VALUE_BYTES = 200
MAX_PROPERTIES = 16
MAX_ADDRESSES = 16
KEY = re.compile(r"[a-z][a-z0-9]{0,15}")
INSTANCE = re.compile(r"[A-Za-z0-9-]{1,63}")


@dataclass(frozen=True, slots=True)
class Sighting:
    """Something announced on this network, which may be gone or a lie: `name` is the session's, the rest is for trying."""

    name: str
    addresses: tuple[Address, ...]
    properties: Mapping[str, str]


def write_properties(properties: Mapping[str, str]) -> dict[str, bytes]:
    """Properties as they are announced: cleaned, the longest values cut until the total fits. ValueError for odd keys."""
    if len(properties) > MAX_PROPERTIES:
        raise ValueError(f"{len(properties)} properties are too many")
    for key in properties:
        if not KEY.fullmatch(key):
            raise ValueError(f"no key of a property: {key!r}")
    values = {key: clean(value, MAX_VALUE_BYTES) for key, value in properties.items()}
    while (excess := text_size(values) - MAX_TEXT_BYTES) > 0:
        longest = max(values, key=lambda key: len(values[key].encode()))
        # Little by little, so that two long values end up equally short.
        values[longest] = clean(values[longest], len(values[longest].encode()) - min(excess, 8))
    return {key: value.encode() for key, value in values.items()}


def text_size(values: Mapping[str, str]) -> int:
    """Bytes of a TXT record: each entry is a length, the key, an equals sign and the value."""
    return sum(2 + len(key) + len(value.encode()) for key, value in values.items())


def read_properties(found: Mapping[bytes, bytes | None]) -> dict[str, str]:
    """Properties that a stranger announced: those with sound keys, cleaned and bounded."""
    read: dict[str, str] = {}
    for raw_key, value in found.items():
        key = raw_key[:32].decode("ascii", "replace").lower()
        if KEY.fullmatch(key) and value is not None and len(read) < MAX_PROPERTIES:
            read[key] = clean(value[: 2 * MAX_VALUE_BYTES].decode("utf-8", "replace"), MAX_VALUE_BYTES)
    return read


def read_name(full: str) -> str | None:
    """The session in a full service name; None if that is not one of ours."""
    instance, dot, rest = full.partition(".")
    return instance if dot and rest.lower() == SERVICE and INSTANCE.fullmatch(instance) else None


def read_addresses(hosts: Iterable[str], port: int | None, adapters: Iterable[Interface]) -> tuple[Address, ...]:
    """Where to call: literal addresses, link-local ones once for each card when they came without one."""
    adapters = tuple(adapters)
    if not port or not 0 < port < 1 << 16:
        return ()
    found: dict[Address, None] = {}
    for host in hosts:
        ip = parse(host)
        if ip is not None and not ip.is_multicast and not ip.is_unspecified:
            for full in scoped(host, adapters):
                found[full, port] = None
    return tuple(found)[:MAX_ADDRESSES]
