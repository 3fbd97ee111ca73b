"""Serve phones: the page and the guest link on one port of this computer, for everybody on the network."""

from __future__ import annotations

import asyncio
import contextlib
import http
import ipaddress
import logging
import socket
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Self
from urllib.parse import urlsplit

from websockets.asyncio.server import Server, ServerConnection, serve
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from cli.phones import assets, files
from cli.phones.bundle import bundle
from cli.phones.files import FRESH, answer, build
from cli.phones.invitation import written
from p2p.errors import PortTaken
from p2p.guests.challenge import SOCKET
from p2p.guests.door import GuestDoor
from p2p.guests.limits import limited
from p2p.guests.websocket import SocketCarrier
from p2p.interfaces import LOOPBACK, interfaces, own_hosts
from p2p.network_adapters import for_friends
from p2p.node import Node

PORT = 4712
"""The port for phones if it is free: a phone's journal belongs to this address, so it should stay the same."""
OPEN_S = 5.0
"""So long a connection has to say what it wants."""
MAX_FRAME_BYTES = (1 << 20) + 16


class Phones:
    """The server for phones of one node. `loaded`: how many pages were fetched since the last address was shown."""

    def __init__(self, node: Node, hosts: tuple[str, ...] | None = None, port: int | None = None) -> None:
        """`hosts`: the addresses to tell, best first (default: this computer's); `port` default: PORT, or a free one."""
        self._node = node
        self._door = GuestDoor(node.mesh, node.identity, self._may_return, node.settings.phones.add)
        self._hosts = hosts
        self._wanted = port
        self._server: Server | None = None
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
        await asyncio.to_thread(_prepare)
        wanted = [self._wanted] if self._wanted is not None else [_remembered(self._node.home.path) or PORT, PORT, 0]
        for port in dict.fromkeys(wanted):
            with contextlib.suppress(OSError):
                self._server = await self._serve(port or _free_port())
                break
        if self._server is None:
            raise PortTaken("port {port} is in use or not allowed: choose another with --port", port=wanted[0])
        self.port = next(iter(self._server.sockets)).getsockname()[1]
        _remember(self._node.home.path, self.port)
        self._node.serve_phones(self.port, files.page_version())

    async def _serve(self, port: int) -> Server:
        quiet = logging.getLogger("cli.phones.sockets")
        quiet.propagate = False
        return await serve(
            self._socket,
            None,
            port,
            create_connection=limited(),
            open_timeout=OPEN_S,
            process_request=self._request,
            max_size=MAX_FRAME_BYTES,
            max_queue=4,
            compression=None,
            close_timeout=1,
            ping_interval=None,
            logger=quiet,
        )

    async def close(self) -> None:
        """Serve nobody any more. Safe to call twice."""
        self._door.invitations.end()
        if self._server is not None:
            self._node.serve_phones(0)
            self._server.close()
            await self._server.wait_closed()
            self._server = None

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
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"

    def next_host(self) -> None:
        """Show another of this computer's addresses: the first may be on the wrong network."""
        self._next_host += 1

    # --- requests ---

    def _may_return(self, key: bytes) -> bool:
        """Whether this key sits at our table or is in our room."""
        room, driver = self._node.waiting_room.room, self._node.driver
        return (driver is not None and driver.seat_of(key) is not None) or (
            room is not None and room.guest(key) is not None
        )

    def _request(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer what is not the socket; let the socket through if our own page asks for it."""
        host = request.headers.get("Host")
        if not self._is_own(host):
            return _response(http.HTTPStatus.FORBIDDEN, "text/plain", b"not this host\n", FRESH)
        path = request.path.partition("?")[0]
        if path == SOCKET:
            if self._is_ours(request.headers.get("Origin"), host):
                return None
            return _response(http.HTTPStatus.FORBIDDEN, "text/plain", b"not from this page\n", FRESH)
        found = answer(path, self._node.identity.public)
        if found is None:
            return _response(http.HTTPStatus.NOT_FOUND, "text/plain", b"no such file\n", FRESH)
        if path == "/":
            self.loaded += 1
        return _response(http.HTTPStatus.OK, *found)

    def _is_own(self, host: str | None) -> bool:
        """Whether a request names this server by a literal address of ours: a name that somebody points here does not."""
        name, _, port = (host or "").rpartition(":")
        if port != str(self.port) and not (self.port == 80 and not port):
            return False
        try:
            wanted = ipaddress.ip_address(name.strip("[]"))
        except ValueError:
            return False
        own = {ipaddress.ip_address(each) for each in (*self.hosts, *LOOPBACK, *(one.host for one in interfaces()))}
        return wanted in own

    def _is_ours(self, origin: str | None, host: str | None) -> bool:
        """Whether a page comes from us, or from another machine of our room that serves phones, or did."""
        if origin == f"http://{host}":
            return True
        try:
            parts = urlsplit(origin or "")
            return parts.scheme == "http" and (parts.hostname or "", parts.port or 80) in self._node.origins
        except ValueError:
            return False

    async def _socket(self, connection: ServerConnection) -> None:
        where, here = connection.remote_address, connection.local_address
        assert connection.request is not None
        carrier = SocketCarrier(connection, here[0])
        sending = asyncio.create_task(carrier.run())
        try:
            await self._door.serve(carrier, where[0], connection.request.headers["Host"])
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)


def _prepare() -> None:
    """Read and pack everything once, off the event loop. Raises NoAssets."""
    for name in assets.NAMES:
        assets.asset(name)
    bundle()
    build(b"")


def _response(status: http.HTTPStatus, kind: str, body: bytes, headers: Mapping[str, str]) -> Response:
    fields = {"Content-Type": kind, "Content-Length": str(len(body)), "Connection": "close", **headers}
    return Response(status.value, status.phrase, Headers(fields), body)


def _free_port() -> int:
    """Return a port that nobody uses. Asked for port 0, IPv4 and IPv6 would get different ones."""
    with socket.socket() as probe:
        probe.bind(("", 0))
        return int(probe.getsockname()[1])


def _remembered(home: Path) -> int | None:
    with contextlib.suppress(OSError, ValueError):
        port = int((home / "phones-port").read_text())
        return port if 0 < port < 1 << 16 else None
    return None


def _remember(home: Path, port: int) -> None:
    with contextlib.suppress(OSError):
        (home / "phones-port").write_text(str(port))
