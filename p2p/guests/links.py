"""A phone's links: to the machine that serves its page, and to others of the room that serve phones."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence

from p2p.errors import LinkLost, LinkRefused
from p2p.frames import Hello, Timing
from p2p.guests.challenge import (
    NONCE_BYTES,
    SOCKET,
    Challenge,
    ChallengeAnswer,
    Code,
    GuestRefused,
    Voucher,
    Welcome,
    check_welcome,
    place_of,
)
from p2p.guests.streams import Carrier, streams_over
from p2p.interfaces import Address
from p2p.links import Link
from p2p.opening import Admit, open_link
from p2p.ports import Links, Listening
from protocol.errors import BadMessage
from protocol.identity import Identity

OPENING_S = 15.0
"""The exchange of keys, on a phone that may be busy with a proof."""
TRIES, RETRY_S = 3, 1.0
"""So often, and so long after, a phone asks again that has to give way to others."""
REFUSED = frozenset({"version", "older", "newer", *(code.value for code in Code)})
"""Reasons for which a machine refuses us that may come of another version: it does not go on with our match, for example."""
Connect = Callable[[str], Awaitable[Carrier]]
"""Opens a WebSocket to an address. Raises OSError."""


class _PageLinks:
    """What all links of a page have in common."""

    async def listen(
        self,
        port: int,
        hosts: tuple[str, str],
        hello: Callable[[], Hello],
        admit: Admit,
        on_link: Callable[[Link], None],
        timing: Timing,
    ) -> Listening:
        """Nobody can call a page."""
        return _Closed()


class _Closed:
    port = 0

    async def close(self) -> None:
        """There is nothing to close."""


class GuestLinks(_PageLinks):
    """See `p2p.ports.Links`."""

    def __init__(
        self,
        seed: bytes,
        place: str,
        server: bytes,
        invitation: bytes,
        connect: Connect,
        page: str = "",
        on_skew: Callable[[bool], None] = lambda _is_stuck: None,
        on_moved: Callable[[], None] = lambda: None,
        voucher: Voucher | None = None,
        on_voucher: Callable[[Voucher], None] = lambda _voucher: None,
    ) -> None:
        """`place`: HOST:PORT of the page; `server`: the key of the machine that serves it; `page`: its version.

        `on_moved()`: that machine is gone and we watch at another one from now on, or it was started anew: our invitation is
        not good any more.

        `voucher`: what we were given when we watched before; `on_voucher(voucher)`: we were given one.

        `on_skew(is_stuck)`: that machine may serve another version now; `is_stuck`: it refuses us, and nobody else links us to
        the room.
        """
        self._identity, self._connect = Identity(seed), connect
        self._page, self._on_skew, self._on_moved = page, on_skew, on_moved
        self._opened: list[Link] = []
        self._watching: dict[bytes, tuple[str, bytes]] = {}
        """Invitations to watch, by server, with its place."""
        self.public = self._identity.public
        self._place, self._server, self._invitation = place, server, invitation
        self._ports: Mapping[bytes, int] = {}
        self._welcome, self._on_voucher = Welcome(b"", voucher), on_voucher
        """What the machine that serves us told us last."""
        self.refused: GuestRefused | None = None
        """Why the machine that serves this page does not let us in."""

    @property
    def is_unwelcome(self) -> bool:
        """Whether the machine that serves this page will not let us in later either."""
        return self.refused is not None and self.refused.code is not Code.FULL

    def phones_are_served(self, ports: Mapping[bytes, int]) -> None:
        self._ports = dict(ports)

    def watching(self, seed: bytes) -> Links:
        """Return the links of somebody who only watches, at the machines that have let us in."""
        doors = [
            GuestLinks(seed, place, server, invitation, self._connect)
            for server, (place, invitation) in self._watching.items()
        ]
        return WatchLinks(Identity(seed).public, doors)

    async def dial(self, addresses: Iterable[Address], hello: Hello, *, expect: bytes | None, timing: Timing) -> Link:
        """Link to the server of this page, or to another machine that serves phones: a page reaches nobody else."""
        server = self._server if expect is None else expect
        port = self._ports.get(server)
        places = [self._place] if server == self._server else []
        places += [place_of(host, port) for host, _port in addresses if port is not None]
        lost = LinkLost("there is no address to connect to", reason="unreachable")
        for place in dict.fromkeys(places):
            try:
                link = await self._open_in_time(place, server, hello, timing)
            except LinkLost as fault:
                lost = fault
            else:
                self._opened = [link, *(each for each in self._opened if each.is_open)]
                if server == self._server and link.hello.fields.get("page", self._page) != self._page:
                    self._on_skew(False)
                return link
        is_watching = expect is None and hello.fields.get("want") == "watch"
        if is_watching and not isinstance(lost, LinkRefused):  # that machine is gone
            other = await self._open_elsewhere(hello, timing)
            if other is not None:
                return other
        if server == self._server and lost.reason in REFUSED:
            self._on_skew(not any(each.is_open for each in self._opened))
        raise lost

    async def _open_elsewhere(self, hello: Hello, timing: Timing) -> Link | None:
        """Watch at another machine of the room from now on, and return the link; None if there is none."""
        for server, place in self._welcome.elsewhere:
            with contextlib.suppress(LinkLost):
                link = await self._open(place, server, hello, timing)
                self._server, self._place, self.refused = server, place, None
                self._on_moved()
                return link
        return None

    async def _open_in_time(self, place: str, server: bytes, hello: Hello, timing: Timing) -> Link:
        """Ask again for a while if there are too many others. Raises LinkLost or LinkRefused."""
        for _ in range(TRIES):
            try:
                return await self._open(place, server, hello, timing)
            except LinkLost as fault:
                if fault.reason != Code.FULL:
                    raise
            await asyncio.sleep(RETRY_S)
        return await self._open(place, server, hello, timing)

    async def _open(self, place: str, server: bytes, hello: Hello, timing: Timing) -> Link:
        """Raises LinkLost or LinkRefused."""
        try:
            async with asyncio.timeout(timing.dial_s):
                socket = await self._connect(f"ws://{place}{SOCKET}")
        except OSError as fault:
            raise LinkLost("no answer from that address", reason="lost") from fault
        try:
            async with asyncio.timeout(OPENING_S):
                is_watching = hello.fields.get("want") == "watch"
                await self._exchange(socket, place, server, self._welcome.voucher if is_watching else None)
                return await open_link(
                    streams_over(socket),
                    lambda: server,
                    self.public,
                    hello,
                    is_caller=True,
                    peer_host=place.rpartition(":")[0].strip("[]"),
                    expect=server,
                    admit=lambda _key, _hello, _host: None,
                    timing=timing,
                )
        except GuestRefused as refused:
            socket.close()
            if place == self._place:
                self.refused = refused
            raise LinkLost(refused.template, reason=refused.code) from refused
        except (OSError, BadMessage) as fault:
            socket.close()
            raise LinkLost("no answer from that address", reason="lost") from fault
        except BaseException:  # cancelled, too: nobody else will close it
            socket.close()
            raise

    async def _exchange(self, socket: Carrier, place: str, server: bytes, voucher: Voucher | None) -> None:
        challenge = Challenge.decode(await socket.receive())
        if (challenge.place, challenge.server) != (place, server):
            raise LinkLost("someone else answers at that address", reason="identity")
        is_own = server == self._server
        invitation = self._invitation if is_own else b""
        answer = ChallengeAnswer.to(challenge, self._identity, os.urandom(NONCE_BYTES), invitation, voucher)
        socket.send(answer.encode())
        told = check_welcome(await socket.receive(), challenge, answer)
        _, known = self._watching.get(server, (place, told.watching))
        self._watching[server] = place, told.watching
        if is_own and known != told.watching:
            self._on_moved()
        if is_own:
            self._invitation = b""
        if is_own or voucher is not None:
            self._welcome = told
            if told.voucher is not None:
                self._on_voucher(told.voucher)


class WatchLinks(_PageLinks):
    """See `p2p.ports.Links`. `doors`: where a match may be seen."""

    def __init__(self, public: bytes, doors: Sequence[GuestLinks]) -> None:
        self.public, self._doors = public, doors

    def phones_are_served(self, ports: Mapping[bytes, int]) -> None:
        """Nothing changes: where we may watch is known."""

    async def dial(self, addresses: Iterable[Address], hello: Hello, *, expect: bytes | None, timing: Timing) -> Link:
        """Link to the first of these machines at which a match is played, whatever the addresses are."""
        lost = LinkLost("the match can’t be watched from here right now", reason="closed")
        for door in self._doors:
            try:
                return await door.dial((), hello, expect=None, timing=timing)
            except LinkLost as fault:
                lost = fault
        raise lost
