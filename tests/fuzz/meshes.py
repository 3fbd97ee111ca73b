"""Frames of any bytes at a mesh: heartbeats, and what is (to be) passed on, from seats, members and strangers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from contextlib import suppress
from functools import cache
from typing import Any

from p2p.budgets import PeerRank
from p2p.errors import LinkLost
from p2p.frames import FrameKind, Hello, Timing
from p2p.heartbeats import Heartbeat
from p2p.mesh import Mesh
from p2p.routes import MAX_INTRODUCED
from p2p.wanted_peer import MAX_REPORTED
from protocol.errors import BadMessage
from protocol.identity import KEY_BYTES

OWN, SEAT, ABSENT, MEMBER, LOOKER, CHOSEN = (bytes([number]) * KEY_BYTES for number in range(1, 7))
"""We and two other seats, one of which is not linked; a member of the room; a stranger who looks; one whom we called."""
SENDERS = (SEAT, MEMBER, LOOKER, CHOSEN)
FRAMES = (FrameKind.BEAT, FrameKind.PASS_ON, FrameKind.PASSED_ON, FrameKind.DATA)
EVERY = 500
"""After so many frames the mesh is made anew."""


class Wire:
    """A link of which a test sees what is sent. It never opens a connection."""

    def __init__(self, peer: bytes) -> None:
        self.peer, self.host, self.own_host = peer, f"192.0.2.{peer[0]}", "192.0.2.1"
        self.is_caller, self.is_open, self.has_received = peer == CHOSEN, True, True
        self.hello, self.opened_at, self.queued, self.reason = Hello(bytes(8), 0, {}), 0.0, 0, ""
        self.address, self.heartbeat, self.meter, self.max_frame_bytes = None, None, None, 0
        self.sent: list[tuple[FrameKind, bytes]] = []

    def start(self, *_handlers: Any) -> None:
        """It reads nothing by itself."""

    def send_frame(self, kind: FrameKind, payload: bytes = b"") -> None:
        self.sent.append((kind, payload))

    def send(self, data: bytes) -> None:
        self.sent.append((FrameKind.DATA, data))

    def send_heartbeat(self) -> None:
        """Nobody listens."""

    def cut(self, reason: str, *_more: Any) -> None:
        self.is_open, self.reason = False, reason

    close = abort = cut


class NoLinks:
    """What a mesh needs of the system: nobody can be called."""

    public = OWN

    async def dial(self, *_where: Any, **_how: Any) -> Any:
        raise LinkLost("nobody answers", reason="refused")

    def phones_are_served(self, ports: Any) -> None:
        """Nobody does."""


class Table:
    """A mesh between these peers, and what its owner was told."""

    def __init__(self) -> None:
        self.heard: list[tuple[bytes, bytes, bytes]] = []
        self.introduced: list[tuple[bytes, bytes]] = []
        standings = {MEMBER: PeerRank.MEMBER}
        self.mesh = Mesh(
            NoLinks(),  # type: ignore[arg-type]  # it has what is used here
            {},
            lambda author, data: self.heard.append((author, author, data)),
            lambda change: None,
            on_relayed=lambda author, via, data: self.heard.append((author, via, data)),
            on_introduced=lambda author, via, data: self.introduced.append((author, via)),
            serves=lambda key: key == MEMBER,
            standing=lambda key: standings.get(key, PeerRank.LOOKER),
            timing=Timing(),
        )
        self.mesh.want({SEAT: [], ABSENT: [], MEMBER: []}, [OWN, SEAT, ABSENT], [MEMBER])
        self.wires = {key: Wire(key) for key in SENDERS}
        for wire in self.wires.values():
            self.mesh._link_opened(wire)  # type: ignore[arg-type]
        self.count = 0


@cache
def runner() -> asyncio.Runner:
    return asyncio.Runner()


@cache
def tables() -> list[Table]:
    return []


async def _frame(sender: bytes, kind: FrameKind, payload: bytes) -> None:
    if not tables() or tables()[0].count >= EVERY:
        tables()[:] = [Table()]
    table = tables()[0]
    table.count += 1
    table.heard.clear()
    table.introduced.clear()
    for wire in table.wires.values():
        wire.sent.clear()
        wire.is_open = True
    mesh, wire = table.mesh, table.wires[sender]
    with suppress(BadMessage):
        done = mesh._on_frame(wire, kind, payload)  # type: ignore[arg-type]
        if isinstance(done, Awaitable):
            asyncio.ensure_future(done).cancel()  # it would wait for no reason but its cost
    for author, via, _data in table.heard:
        assert via == sender and author != OWN, "nobody speaks for us, or through another link"
        assert author == sender or {author, sender} <= {SEAT, ABSENT}, "only seats pass on what seats say"
    assert all(via == sender and author not in (OWN, sender) for author, via in table.introduced)
    for key, each in table.wires.items():
        for sent, data in each.sent:
            is_relayed = sent is FrameKind.PASSED_ON
            assert not is_relayed or (key != sender and data[:KEY_BYTES] == sender), "passed on under another name"
            assert is_relayed or sent in (FrameKind.BEAT, FrameKind.BYE)
            assert not is_relayed or kind is FrameKind.PASS_ON, "a second hop"
    assert mesh._heartbeats.keys() <= {SEAT} and len(mesh._routes.introduced) <= MAX_INTRODUCED
    assert all(len(peer.reported) <= MAX_REPORTED for peer in mesh._wanted.values())
    assert 0 <= mesh.watchers <= 8 * len(mesh._order)


def meshes(data: bytes) -> None:
    """The first byte names who sends, the second the kind of frame, the rest is what it holds."""
    if len(data) >= 2:
        runner().run(_frame(SENDERS[data[0] % len(SENDERS)], FRAMES[data[1] % len(FRAMES)], data[2:]))


def mesh_seeds() -> list[bytes]:
    """Frames as honest peers send them."""
    beats = [
        Heartbeat(0, {}),
        Heartbeat(2, {ABSENT: [("192.0.2.7", 4711), ("fe80::1", 4711)], OWN: [("192.0.2.1", 1)]}, frozenset({ABSENT})),
    ]
    payloads = {
        FrameKind.BEAT: [b"", *(each.encode("192.0.2.9") for each in beats)],
        FrameKind.PASS_ON: [key + b"\x93\xa1w words" for key in (SEAT, ABSENT, MEMBER, LOOKER, OWN)],
        FrameKind.PASSED_ON: [key + b"\x93\xa1m words" for key in (SEAT, ABSENT, MEMBER, LOOKER, OWN)],
        FrameKind.DATA: [b"\x93\xa1m words"],
    }
    return [
        bytes([sender, FRAMES.index(kind)]) + payload
        for sender in range(len(SENDERS))
        for kind, found in payloads.items()
        for payload in found
    ]
