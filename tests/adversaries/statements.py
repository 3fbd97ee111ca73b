"""What a modified program in the room says, and how it reaches another's client."""

from __future__ import annotations

import itertools
from typing import Any

from p2p.budgets import Rate
from p2p.node import Node
from protocol.room.statements import state

NAMES = ("Mia", "Jonas", "Lena")
COUNTER = itertools.count(1 << 39)
LITTLE = Rate(0.0001, 0.0001)
"""Hardly any computing is paid for."""


def says(node: Node, to: Node, kind: str, **body: Any) -> bytes:
    room = to.waiting_room.room
    assert room is not None
    return state(node.identity, room.id, to.identity.public, next(COUNTER), kind, **body)


def hears(node: Node, author: Node, data: bytes) -> None:
    """On the author's own link."""
    waiting = node.mesh._on_message(author.identity.public, data)
    if waiting is not None:
        waiting.close()  # type: ignore[attr-defined]  # its link would be read on later


def hears_passed_on(node: Node, relay: Node, author: Node, data: bytes) -> None:
    node.mesh._receive_passed_on(node.mesh.links[relay.identity.public], author.identity.public, data)


def heard_from(node: Node) -> list[bytes]:
    """What this node says from now on, and still sends."""
    said: list[bytes] = []
    send = node.mesh.send

    def noted(key: bytes, data: bytes) -> bool:
        said.append(data)
        return send(key, data)

    node.mesh.send = noted  # type: ignore[method-assign]
    return said


def sit_body(node: Node, **other: Any) -> dict[str, Any]:
    body: dict[str, Any] = {
        "name": "Mallory",
        "keeper": node.identity.public,
        "bot": False,
        "nonce": bytes(32),
        "phone": False,
    }
    return body | {"playing": False, "plays": True, "ready": False, "serves": 0} | other


def ready_body(ready: bool) -> dict[str, Any]:
    return {"ready": ready, "plays": True, "nonce": bytes(32)}
