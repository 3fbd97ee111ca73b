"""Look at a table without watching it: what the computer there says of itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from p2p.interfaces import Address
from p2p.mesh import Mesh
from p2p.ports import native_ports
from protocol.identity import Identity
from protocol.table.roster import PROTOCOL_VERSION


async def hello_of(identity: Identity, addresses: Iterable[Address]) -> tuple[bytes, Mapping[str, Any]]:
    """Return the key that answers there, and the fields of its hello. Raises LinkLost or TimeoutError."""
    fields: Mapping[str, Any] = {"v": PROTOCOL_VERSION, "want": "look"}
    mesh = Mesh(native_ports().links(identity.secret_seed), fields, lambda _author, _data: None, lambda _change: None)
    try:
        key = await mesh.call(addresses)
        link = mesh.links.get(key)
        return key, {} if link is None else link.hello.fields
    finally:
        await mesh.close()
