"""The links between the seats of one table, kept up: exactly one to each, called again when lost, gone round when blocked.

The owner names the peers it wants and their order; the mesh finds routes to them. Heartbeats list whom one reaches and
where, so a peer whose address nobody told is found through another, and when two cannot reach each other the lowest
seat in the order that reaches both passes their messages on: once, never further. Such a message arrives under the name
that the relay gives it, unproved; messages are signed, so a relay can delay and not forge. Strangers (somebody who wants
to sit down, a watcher) are let in when the owner says so. Knows nothing of tables and games. PROTOCOL.md: "Links".
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from p2p.dialing import dial
from p2p.errors import LinkLost
from p2p.frames import MAX_BODY_BYTES, MAX_MESSAGE_BYTES, RUN_BYTES, Hello, Kind, Timing, Value
from p2p.heartbeats import NO_HEARTBEAT, Heartbeat, decode_heartbeat
from p2p.interfaces import Address
from p2p.links import Link
from p2p.listening import Listener, listen
from p2p.tls import Credentials
from p2p.wanted_peer import WantedPeer

KEY_BYTES = 32
BACKOFF_S = (0.1, 0.2, 0.5, 1.0, 2.0)
SECOND_CALLER_WAIT_S = 0.05  # the larger key lets the smaller call first: most duels never happen
DUEL_S = 2.0  # of links this young both sides may have opened one; a second link later means that the first is lost
MAX_STRANGERS = 64
MAX_STRANGER_BYTES = 64 << 10
MAX_RELAYED_BYTES = 4 << 20  # waiting on one link for others; more is dropped rather than cutting the link


class Route(Enum):
    """How messages get to a peer now."""

    DIRECT = "direct"
    RELAYED = "relayed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class RouteChange:
    """A new route to a peer. What was sent before may be lost, so the owner sends again what the peer may lack.

    `via`: the relay, if RELAYED; `reason`: why the link ended, if it is known and the route is now NONE.
    """

    key: bytes
    route: Route
    via: bytes | None = None
    reason: str | None = None


class Mesh:
    """One client's links. Callbacks run in the event loop and must not raise.

    `on_message(author, data)`: may return an awaitable; that link is then read no further until it is done.
    `on_relayed(author, data)`: the same for what another brought in its name, unproved: what is wrong with it may be the
    bringer's doing.
    `on_change(change)`: a route to a peer, wanted or stranger, came, went or is another.
    `on_stranger(key, fields)`: None lets a stranger in, a short reason turns it away.
    """

    def __init__(
        self,
        credentials: Credentials,
        fields: Mapping[str, Value],
        on_message: Callable[[bytes, bytes], Awaitable[None] | None],
        on_change: Callable[[RouteChange], None],
        *,
        on_relayed: Callable[[bytes, bytes], Awaitable[None] | None] | None = None,
        on_stranger: Callable[[bytes, Mapping[str, Value]], str | None] = lambda _key, _fields: "closed",
        timing: Timing | None = None,
    ) -> None:
        self._credentials = credentials
        self._run = os.urandom(RUN_BYTES)
        self._on_message, self._on_change, self._on_stranger = on_message, on_change, on_stranger
        self._on_relayed = on_relayed or on_message
        self._timing = timing or Timing()
        self._listener: Listener | None = None
        self._wanted: dict[bytes, WantedPeer] = {}
        self._order: tuple[bytes, ...] = ()
        self._links: dict[bytes, Link] = {}
        self._all_links: set[Link] = set()  # those that are saying goodbye, too
        self._losers: dict[Link, Link] = {}  # of duels that are not over, by their winner
        self._heartbeats: dict[bytes, Heartbeat] = {}  # by a linked seat: its last heartbeat
        self._watcher_count = 0
        self._routes: dict[bytes, tuple[Route, bytes | None]] = {}
        self._is_closed = False
        self.key = credentials.public
        self.fields = dict(fields)
        """What our hello says from now on."""

    # What the owner asks for

    async def listen(self, port: int = 0, hosts: tuple[str, str] = ("0.0.0.0", "::")) -> int:
        """Lets peers call us; returns the port. PortTaken if another program has it."""
        self._listener = await listen(
            port, self._credentials, self._hello, self._admit, self._link_opened, timing=self._timing, hosts=hosts
        )
        return self._listener.port

    @property
    def port(self) -> int:
        return self._listener.port if self._listener else 0

    @property
    def watchers(self) -> int:
        """How many look on: through us, and as the seats that we are linked to say, through them. Who is no seat any more has
        no say, though its link may stay."""
        return self._watcher_count + sum(self._heartbeats.get(key, NO_HEARTBEAT).watchers for key in self._order)

    def set_watcher_count(self, count: int) -> None:
        """So many look on through us: the other seats are told."""
        if count != self._watcher_count:
            self._watcher_count = count
            self._send_heartbeats()

    def want(self, peers: Mapping[bytes, Iterable[Address]], order: Sequence[bytes] = ()) -> None:
        """Keeps a link to each of these keys and to no other; `order` lists all seats, ourselves too, the lowest first.

        Who is no longer wanted stays linked as a stranger until drop().
        """
        for key in self._wanted.keys() - peers.keys():
            task = self._wanted.pop(key).task
            if task is not None:
                task.cancel()
        self._order = tuple(order) or tuple(sorted({*peers, self.key}))
        for key in peers:
            if key not in self._wanted and key != self.key:
                peer = self._wanted[key] = WantedPeer(key)
                if key in self._links:
                    self._learn_address(self._links[key])
                    self._links[key].max_frame_bytes = MAX_BODY_BYTES
        for key, addresses in peers.items():
            self.add_addresses(key, addresses)
        for peer in self._wanted.values():
            if peer.task is None:
                peer.task = asyncio.create_task(self._keep_linked(peer), name=f"keep {peer.key.hex()[:8]}")
        self._send_heartbeats()
        self._update_routes()

    def add_addresses(self, key: bytes, addresses: Iterable[Address]) -> None:
        """More places where a wanted peer may be; new ones are tried at once."""
        if key in self._wanted:
            self._wanted[key].add_known(addresses)

    def addresses(self, key: bytes) -> tuple[Address, ...]:
        """Where a peer was reached or may be, the best first."""
        if key in self._wanted:
            return self._wanted[key].addresses
        link = self._links.get(key)
        return (link.address,) if link is not None and link.address is not None else ()

    async def call(self, addresses: Iterable[Address], expect: bytes | None = None) -> bytes:
        """Links to whoever answers there (`expect`: to nobody else) as to a stranger; returns the key. LinkLost, Refused."""
        link = await dial(addresses, self._credentials, self._hello(), expect=expect, timing=self._timing)
        self._link_opened(link)
        return link.peer

    def drop(self, key: bytes, reason: str) -> None:
        """Ends the link to a peer, and is not called again unless wanted again; the peer is told the reason."""
        peer = self._wanted.pop(key, None)
        if peer is not None and peer.task is not None:
            peer.task.cancel()
        self._links.pop(key, None)
        for link in [link for link in self._all_links if link.peer == key]:
            link.close(reason)
        self._heartbeats.pop(key, None)
        self._send_heartbeats()
        self._update_routes(reason)

    def send(self, key: bytes, data: bytes) -> bool:
        """Sends to a peer, through a relay if need be; False if there is no route now. True promises nothing: see RouteChange."""
        if len(data) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message of {len(data)} bytes is too long")
        route, via = self._routes.get(key, (Route.NONE, None))
        if route is Route.DIRECT:
            return self._links[key].send(data)
        if route is Route.RELAYED and via is not None:
            return self._links[via].send_frame(Kind.PASS_ON, key + data)
        return False

    def route(self, key: bytes) -> Route:
        return self._routes.get(key, (Route.NONE, None))[0]

    @property
    def calling(self) -> tuple[int, float]:
        """How often those who are missing were called in vain (the most), and in how many seconds the next call is."""
        missing = [peer for key, peer in self._wanted.items() if key not in self._links]
        next_at = min((peer.next_at for peer in missing), default=0.0)
        tries = max((peer.tries for peer in missing), default=0)
        return tries, max(0.0, next_at - asyncio.get_running_loop().time())

    @property
    def links(self) -> Mapping[bytes, Link]:
        """The open links by key, for looking at: hello, address, queued, drained()."""
        return self._links

    async def close(self, reason: str = "bye") -> None:
        """Says goodbye to all and lets go of everything; safe to call twice."""
        self._is_closed = True
        tasks = [peer.task for peer in self._wanted.values() if peer.task is not None]
        self._wanted.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._listener is not None:
            await self._listener.close()
        for link in list(self._all_links):
            link.close(reason)
        self._links.clear()
        self._routes.clear()
        await asyncio.gather(*(link.wait_closed() for link in list(self._all_links)))

    # Links come and go

    def _hello(self) -> Hello:
        return Hello(self._run, self.port, self.fields)

    def _admit(self, key: bytes, hello: Hello) -> str | None:
        if key in self._wanted:
            return None
        if key not in self._links and sum(k not in self._wanted for k in self._links) >= MAX_STRANGERS:
            return "full"
        return self._on_stranger(key, hello.fields)

    def _link_opened(self, link: Link) -> None:
        """A link is open: it is the peer's only one, or there is a duel."""
        self._all_links.add(link)
        link.heartbeat = lambda: self._heartbeat(link.peer)
        if link.peer not in self._wanted and not link.is_caller:
            link.max_frame_bytes = MAX_STRANGER_BYTES
        old = self._links.get(link.peer)
        is_duel = old is not None and self._is_duel(old, link)
        if old is not None and is_duel and old.is_caller == (self.key < link.peer):
            link.start(self._on_frame, self._on_closed)
            self._retire(link, old)
            return
        self._links[link.peer] = link
        self._learn_address(link)
        link.start(self._on_frame, self._on_closed)
        if old is not None:
            self._retire(old, link)
        if self._is_closed:
            self._links.pop(link.peer)
            link.close()
            return
        if not is_duel:
            # The owner must hear of it even if the route was direct before: what went into the old link may be lost.
            self._routes = {k: route for k, route in self._routes.items() if k != link.peer and route[1] != link.peer}
            self._heartbeats.pop(link.peer, None)
        self._send_heartbeats()
        self._update_routes()

    def _retire(self, loser: Link, winner: Link) -> None:
        """Ends the loser of a duel when the winner is open at the other end, too: until then they may have none but it."""
        if winner.has_received:
            loser.close("duel", listen=True)
        else:
            self._losers[winner] = loser

    def _is_duel(self, old: Link, new: Link) -> bool:
        """Whether both sides have called at once. Else the peer calls because its end of the old link is gone."""
        return (
            old.is_open
            and old.is_caller != new.is_caller
            and old.hello.run == new.hello.run
            and new.opened_at - old.opened_at < DUEL_S
        )

    def _on_closed(self, link: Link) -> None:
        self._all_links.discard(link)
        loser = self._losers.pop(link, None)
        if self._links.get(link.peer) is not link:
            return
        if loser is not None and loser.is_open:  # the winner never came to be
            self._links[link.peer] = loser
            return
        del self._links[link.peer]
        self._heartbeats.pop(link.peer, None)
        if link.peer in self._wanted:
            self._wanted[link.peer].wake.set()
        self._send_heartbeats()
        self._update_routes(link.reason)

    def _learn_address(self, link: Link) -> None:
        peer = self._wanted.get(link.peer)
        if peer is not None and link.address is not None:
            peer.add_linked(link.address)

    async def _keep_linked(self, peer: WantedPeer) -> None:
        """Calls a peer whenever there is no link to it."""
        failures = 0
        while True:
            peer.wake.clear()
            if peer.key in self._links:
                failures = peer.tries = 0
                await peer.wake.wait()
                continue
            if failures == 0 and self.key > peer.key:
                await asyncio.sleep(SECOND_CALLER_WAIT_S)
                if peer.key in self._links:
                    continue
            if peer.addresses:
                try:
                    link = await dial(
                        peer.addresses, self._credentials, self._hello(), expect=peer.key, timing=self._timing
                    )
                except LinkLost:
                    pass
                else:
                    self._link_opened(link)
                    continue
            wait_s = BACKOFF_S[min(failures, len(BACKOFF_S) - 1)] * random.uniform(0.8, 1.2)
            failures += 1
            peer.tries, peer.next_at = peer.tries + 1, asyncio.get_running_loop().time() + wait_s
            try:
                async with asyncio.timeout(wait_s):
                    await peer.wake.wait()
                failures = 0
                await asyncio.sleep(BACKOFF_S[0] / 2)  # however often somebody names new addresses
            except TimeoutError:
                pass

    # What arrives

    def _on_frame(self, link: Link, kind: Kind, payload: bytes) -> Awaitable[None] | None:
        loser = self._losers.pop(link, None)
        if loser is not None:
            loser.close("duel", listen=True)
        match kind:
            case Kind.DATA:
                return self._on_message(link.peer, payload)
            case Kind.BEAT:
                self._on_heartbeat(link, payload)
            case Kind.PASS_ON:
                self._pass_on(link.peer, payload)
            case Kind.PASSED_ON:
                author = payload[:KEY_BYTES]
                if link.peer in self._order and author in self._order and author not in (link.peer, self.key):
                    return self._on_relayed(author, payload[KEY_BYTES:])
        return None

    def _pass_on(self, author: bytes, payload: bytes) -> None:
        """Only what its author sent us on a link of its own, and only to a link of our own: a second hop is impossible."""
        target = payload[:KEY_BYTES]
        link = self._links.get(target)
        if author in self._order and target in self._order and link is not None and link.queued < MAX_RELAYED_BYTES:
            link.send_frame(Kind.PASSED_ON, author + payload[KEY_BYTES:])

    def _heartbeat(self, to: bytes) -> bytes:
        """What this peer is told of us: a seat all, a stranger nothing."""
        link = self._links.get(to)
        if to not in self._order or link is None:
            return b""
        others = [key for key in self._links if key != to and key in self._order and key in self._wanted]
        return Heartbeat(self._watcher_count, {key: list(self._wanted[key].known) for key in others}).encode(
            link.own_host
        )

    def _on_heartbeat(self, link: Link, payload: bytes) -> None:
        heartbeat = decode_heartbeat(payload)
        if link.peer not in self._order or self._links.get(link.peer) is not link:
            return
        for key, addresses in heartbeat.reached.items():
            peer = self._wanted.get(key)
            if peer is not None and key not in self._links:
                peer.add_reported(addresses)
        before = self._heartbeats.get(link.peer, NO_HEARTBEAT)
        self._heartbeats[link.peer] = heartbeat
        if before.reached.keys() != heartbeat.reached.keys():
            self._update_routes()

    def _send_heartbeats(self) -> None:
        """What our heartbeats say has changed: the others should not wait for the next one to know."""
        for link in list(self._links.values()):
            if link.peer in self._order:
                link.send_heartbeat()

    def _update_routes(self, reason: str | None = None) -> None:
        """Works out the route to each peer anew, and tells the owner what has changed."""
        routes: dict[bytes, tuple[Route, bytes | None]] = dict.fromkeys(self._links, (Route.DIRECT, None))
        for key in self._wanted.keys() - self._links.keys():
            for relay in self._order:
                if relay in self._links and key in self._heartbeats.get(relay, NO_HEARTBEAT).reached:
                    routes[key] = (Route.RELAYED, relay)
                    break
        before, self._routes = self._routes, routes
        for key in sorted(before.keys() | routes.keys()):
            now = routes.get(key, (Route.NONE, None))
            # The owner may answer one change with a deed that makes the next.
            if now != before.get(key, (Route.NONE, None)) and now == self._routes.get(key, (Route.NONE, None)):
                route, via = now
                self._on_change(RouteChange(key, route, via, reason if route is Route.NONE else None))
