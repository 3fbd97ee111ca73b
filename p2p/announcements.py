"""Encode and decode the mDNS announcement of a table, within size limits. No network access.

mDNS is unauthenticated, so nothing read here is trusted: a link proves the peer's key. TXT records fail silently when
they grow: an entry over 254 bytes is an error, and a record of a few kilobytes is sent but never arrives.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from p2p.interfaces import Address, Interface, parse, scoped
from p2p.text import clean
from protocol.values import dataclass

SERVICE = "_fairdeal._tcp.local."
MAX_TEXT_BYTES = 448  # all properties together, encoded
MAX_VALUE_BYTES = 200
MAX_PROPERTIES = 16
MAX_ADDRESSES = 16
KEY = re.compile(r"[a-z][a-z0-9]{0,15}")
WHOLE = frozenset({"v", "id", "key"})
"""What means something else if it is cut."""
INSTANCE = re.compile(r"[A-Za-z0-9-]{1,63}")


@dataclass(frozen=True, slots=True)
class Sighting:
    """A service announced on this network. It may be gone or forged.

    `name` is the random session name; `addresses` and `properties` are unverified.
    """

    name: str
    addresses: tuple[Address, ...]
    properties: Mapping[str, str]


def write_properties(properties: Mapping[str, str]) -> dict[str, bytes]:
    """Encode properties for a TXT record: cleaned, with the longest texts cut until the total fits MAX_TEXT_BYTES.

    Raises ValueError for a malformed key or more than MAX_PROPERTIES properties.
    """
    if len(properties) > MAX_PROPERTIES:
        raise ValueError(f"{len(properties)} properties are too many")
    for key in properties:
        if not KEY.fullmatch(key):
            raise ValueError(f"no key of a property: {key!r}")
    values = {key: clean(value, MAX_VALUE_BYTES) for key, value in properties.items()}
    while (excess := text_size(values) - MAX_TEXT_BYTES) > 0:
        longest = max(values.keys() - WHOLE, key=lambda key: (len(values[key].encode()), key))
        # Cut in small steps, so that two long values end up equally short.
        values[longest] = clean(values[longest], len(values[longest].encode()) - min(excess, 8))
    return {key: value.encode() for key, value in values.items()}


def text_size(values: Mapping[str, str]) -> int:
    """Return the size of a TXT record in bytes: each entry is a length byte, the key, an equals sign and the value."""
    return sum(2 + len(key) + len(value.encode()) for key, value in values.items())


def read_properties(found: Mapping[bytes, bytes | None]) -> dict[str, str]:
    """Decode a stranger's properties: entries with valid keys, cleaned and bounded."""
    read: dict[str, str] = {}
    for raw_key, value in found.items():
        key = raw_key[:32].decode("ascii", "replace").lower()
        if KEY.fullmatch(key) and value is not None and len(read) < MAX_PROPERTIES:
            read[key] = clean(value[: 2 * MAX_VALUE_BYTES].decode("utf-8", "replace"), MAX_VALUE_BYTES)
    return read


def read_name(full: str) -> str | None:
    """Return the session name in a full service name, or None if the service is not ours."""
    instance, dot, rest = full.partition(".")
    return instance if dot and rest.lower() == SERVICE and INSTANCE.fullmatch(instance) else None


def read_addresses(hosts: Iterable[str], port: int | None, adapters: Iterable[Interface]) -> tuple[Address, ...]:
    """Return the literal addresses to call. A link-local IPv6 address without a scope appears once per adapter."""
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
