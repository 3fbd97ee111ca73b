"""Serve phones: the page and the guest link on one port of this computer, for everybody on the network."""

from __future__ import annotations

import asyncio
import contextlib
import http
import ipaddress
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from websockets.datastructures import MultipleValuesError
from websockets.http11 import Request

from cli.phones import files
from cli.phones.files import FRESH, answer, prepare
from cli.phones.invitation import written
from p2p.errors import PortTaken
from p2p.guests.challenge import SOCKET, place_of
from p2p.guests.door import Doorkeeper, GuestDoor
from p2p.guests.page_server import PageResponse, PageServer
from p2p.guests.websocket import SocketCarrier
from p2p.interfaces import IP, LOOPBACK, interfaces, own_hosts
from p2p.links import Link
from p2p.listening import server_sockets
from p2p.network_adapters import for_friends
from p2p.node import Node

PORT = 4712
"""The port for phones if it is free: a phone's journal belongs to this address, so it should stay the same."""
EVERYWHERE = ("0.0.0.0", "::")
KNOWN_S = 3.0
"""How long we believe to know our own addresses: asking for them costs as much as all else of a request."""


class Phones:
    """The server for phones of one node. `loaded`: how many pages were fetched since the last address was shown."""

    def __init__(self, node: Node, hosts: tuple[str, ...] | None = None, port: int | None = None) -> None:
        """`hosts`: the addresses to tell, best first (default: this computer's); `port` default: PORT, or a free one."""
        self._node = node
        room = node.phones
        keeper = Doorkeeper(room.belongs, lambda: room.places, room.admit, room.vouches, room.other_servers)
        self._door = GuestDoor(node.mesh, node.identity, keeper)
        self._hosts = hosts
        self._wanted = port
        self._server: PageServer | None = None
        self._links: list[Link] = []
        self._own: frozenset[IP] = frozenset()
        self._own_until = 0.0
        self._next_host = 0
        self.loaded = 0
        self.port = 0

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def start(self) -> None:
        """Begin to serve. Raises NoAssets if the files for phones are not installed, PortTaken if no port is free."""
        await asyncio.to_thread(prepare)
        wanted = [self._wanted] if self._wanted is not None else [_remembered(self._node.home.path) or PORT, PORT, 0]
        for port in dict.fromkeys(wanted):
            with contextlib.suppress(OSError, PortTaken):
                self._server = PageServer(server_sockets(port, EVERYWHERE), self._reply, self._socket)
                break
        if self._server is None:
            raise PortTaken("port {port} is in use or not allowed: choose another with --port", port=wanted[0])
        self.port = self._server.port
        _remember(self._node.home.path, self.port)
        self._node.phones.serve(self.port, files.page_version())

    async def close(self) -> None:
        """Serve nobody any more. Safe to call twice."""
        self._door.invitations.end()
        if self._server is not None:
            self._node.phones.serve(0)
            server, self._server = self._server, None
            for link in self._links:
                link.abort("lost")
            await server.close()
            await asyncio.gather(*(link.wait_closed() for link in self._links))

    # --- addresses ---

    @property
    def hosts(self) -> tuple[str, ...]:
        """The addresses of this computer that phones may reach, the likeliest first."""
        if self._hosts is not None:
            return self._hosts
        found = [host for host in own_hosts(for_friends(interfaces())) if not host.startswith("fe80")]
        return tuple(sorted(found, key=lambda host: ":" in host)) or LOOPBACK[:1]

    @property
    def is_alone(self) -> bool:
        """Whether only this computer itself can reach us: it is in no network."""
        return all(ipaddress.ip_address(host).is_loopback for host in self.hosts)

    def invite(self) -> str:
        """Return a new address for phones: it carries an invitation, good for as many as there are places."""
        secret = self._door.invitations.renew(asyncio.get_running_loop().time())
        self.loaded = 0
        return f"http://{self.place}/#{written(secret, self._node.identity.public)}"

    @property
    def watching(self) -> bytes:
        """The invitation for who only watches."""
        return self._door.invitations.watching

    def uninvite(self) -> None:
        """Let no more phones in; those that are here stay, and may come back."""
        self._door.invitations.end()

    @property
    def place(self) -> str:
        """HOST:PORT as the address that is shown names this computer."""
        host = self.hosts[self._next_host % len(self.hosts)]
        return place_of(host, self.port)

    def next_host(self) -> None:
        """Show another of this computer's addresses: the first may be on the wrong network."""
        self._next_host += 1

    # --- requests ---

    def _reply(self, request: Request) -> PageResponse | None:
        """Answer what is not the socket; let the socket through if our own page asks for it."""
        try:
            host, origin = request.headers.get("Host"), request.headers.get("Origin")
        except MultipleValuesError:
            return _said(http.HTTPStatus.BAD_REQUEST, b"one host, please\n")
        if not self._is_own(host):
            return _said(http.HTTPStatus.FORBIDDEN, b"not this host\n")
        if request.method != "GET":
            return _said(http.HTTPStatus.METHOD_NOT_ALLOWED, b"files are read\n")
        path = request.path.partition("?")[0]
        if path == SOCKET:
            if self._is_ours(origin, host):
                return None
            return _said(http.HTTPStatus.FORBIDDEN, b"not from this page\n")
        found = answer(path, self._node.identity.public)
        if found is None:
            return _said(http.HTTPStatus.NOT_FOUND, b"no such file\n")
        if path == "/":
            self.loaded += 1
        return PageResponse(http.HTTPStatus.OK, *found)

    def _is_own(self, host: str | None) -> bool:
        """Whether a request names this server by a literal address of ours: a name that somebody points here does not."""
        name, _, port = (host or "").rpartition(":")
        if port != str(self.port) and not (self.port == 80 and not port):
            return False
        try:
            wanted = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        now = asyncio.get_running_loop().time()
        if now >= self._own_until:
            known = (*self.hosts, *LOOPBACK, *(each.host for each in interfaces()))
            self._own, self._own_until = frozenset(map(ipaddress.ip_address, known)), now + KNOWN_S
        return wanted in self._own

    def _is_ours(self, origin: str | None, host: str | None) -> bool:
        """Whether a page comes from us, or from another machine of our room that serves phones, or did."""
        if origin == f"http://{host}":
            return True
        try:
            parts = urlsplit(origin or "")
            return parts.scheme == "http" and (parts.hostname or "", parts.port or 80) in self._node.phones.origins
        except ValueError:
            return False

    async def _socket(self, carrier: SocketCarrier, host: str, place: str, is_known: Callable[[], None]) -> None:
        link = await self._door.serve(carrier, host, place, is_known)
        self._links = [each for each in self._links if each.is_open]
        if link is not None:
            self._links.append(link)


def _said(status: http.HTTPStatus, what: bytes) -> PageResponse:
    return PageResponse(status, "text/plain", what, FRESH)


def _remembered(home: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        port = int((home / "phones-port").read_text())
        return port if 0 < port < 1 << 16 else None
    return None


def _remember(home: Path, port: int) -> None:
    with contextlib.suppress(OSError):
        (home / "phones-port").write_text(str(port))
