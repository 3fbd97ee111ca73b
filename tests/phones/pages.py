"""Phones without a browser: nodes whose links are those of a page, over real WebSockets, beside computers that serve them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.asyncio.client import connect as dial
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from cli.phones.invitation import read
from cli.phones.serving import Phones
from p2p.guests.links import Connect, GuestLinks
from p2p.home import open_home
from p2p.node import Node, Owner
from p2p.ports import Ports, native_ports
from p2p.settings import NodeSettings, TablePlan
from p2p.workers import Workers
from protocol.games.catalogue import load
from protocol.table.roster import TableOptions
from tests.p2p.aio import LOOPBACK


class Carried:
    """A client's WebSocket as a carrier."""

    own_host = "127.0.0.1"
    queued = 0

    def __init__(self, socket: ClientConnection, wire: bytearray | None = None) -> None:
        """`wire`: gets all that passes through."""
        self._socket = socket
        self._wire = bytearray() if wire is None else wire
        self._tasks: set[asyncio.Task[None]] = set()
        self._turn = asyncio.Lock()

    async def receive(self) -> bytes:
        try:
            data = await self._socket.recv()
        except ConnectionClosed as fault:
            raise OSError("closed") from fault
        assert isinstance(data, bytes)
        self._wire += data
        return data

    def send(self, data: bytes) -> None:
        self._wire += data
        task = asyncio.create_task(self._send(data))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _send(self, data: bytes) -> None:
        async with self._turn:
            try:
                await self._socket.send(data)
            except ConnectionClosed:
                return

    def close(self) -> None:
        self._socket.transport.close()


class Kitchen:
    """Computers and phones in one room."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.phones: dict[str, Phones] = {}
        self.wire = bytearray()
        """All that passed between phones and the computers that serve them, in both directions."""
        self._servers: dict[str, bytes] = {}

    async def computer(self, name: str, serves: bool = True) -> Node:
        """A client of a person. It is in no room yet."""
        node = await self._node(name, NodeSettings(name, hosts=LOOPBACK, auto_ready=False), None)
        if serves:
            served = Phones(node, hosts=("127.0.0.1",), port=0)
            self.phones[name] = await self._stack.enter_async_context(served)
            self._servers[name] = node.identity.public
        return node

    async def host(self, name: str, serves: bool = True, seats: int = 4) -> Node:
        """The computer that opens the room."""
        node = await self.computer(name, serves)
        node.waiting_room.open(TablePlan(load("crazy-eights", seats, {}), "Kitchen", TableOptions()))
        return node

    async def restart_server(self, name: str, node: Node) -> None:
        """Serve phones anew, as a program that was started again: at the same address, and nobody is remembered."""
        port = self.phones[name].port
        await self.phones[name].close()
        self.phones[name] = await self._stack.enter_async_context(Phones(node, hosts=("127.0.0.1",), port=port))

    async def phone(self, name: str, through: str, address: str = "") -> Node:
        """A page that this computer serves, and that has asked to be let in. `address`: with another invitation."""
        place, _, fragment = (address or self.phones[through].invite()).removeprefix("http://").partition("/#")
        invitation, _beginning = read(fragment)
        server = self._servers[through]

        ports = Ports(
            native_ports().open_journal,
            lambda seed: GuestLinks(seed, place, server, invitation, self._dial(place)),
            has_disk=False,
        )
        node = await self._node(name, NodeSettings(name, auto_ready=False, keeper=server), ports)
        host, _, port = place.rpartition(":")
        await node.waiting_room.join([(host, int(port))])
        return node

    def screen(self, through: str, seed: bytes, invitation: bytes | None = None, **more: Any) -> GuestLinks:
        """The links of a page that only watches, with the invitation of the computer that serves it, or with this one."""
        phones = self.phones[through]
        wanted = phones.watching if invitation is None else invitation
        return GuestLinks(seed, phones.place, self._servers[through], wanted, self._dial(phones.place), **more)

    def _dial(self, place: str) -> Connect:
        async def connect(url: str) -> Carried:
            try:
                socket = await dial(url, origin=f"http://{place}", compression=None)  # type: ignore[arg-type]
                return Carried(socket, self.wire)
            except InvalidHandshake as fault:
                raise OSError("not let in") from fault

        return connect

    async def _node(self, name: str, settings: NodeSettings, ports: Ports | None) -> Node:
        home, workers = open_home(self._folder / name), Workers()
        self._stack.callback(home.close)
        self._stack.callback(workers.close)
        node = Node(home, settings, Owner(), workers, ports)
        await node.open()
        self._stack.push_async_callback(node.close)
        return node


@asynccontextmanager
async def kitchen(folder: Path) -> AsyncIterator[Kitchen]:
    async with AsyncExitStack() as stack:
        yield Kitchen(folder, stack)
