"""Keeps exactly one link to each seat of a table: calls again when a link is lost, relays when two seats are blocked.

The owner names the wanted peers and their order; the mesh finds routes to them. Heartbeats list whom a seat reaches and
where, so a peer whose address is unknown is found through another. If two seats cannot reach each other, the lowest
seat in the order that reaches both relays their messages, over one hop only. A relayed message carries the author's
name on the relay's word; messages are signed, so a relay can delay but not forge. Strangers (new players, watchers) are
admitted when the owner says so. Knows nothing of tables and games. PROTOCOL.md: "Links".
"""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence

from p2p import strangers
from p2p.budgets import CALLED, LINES, Bucket, Buckets, FrameBudgets, PassedOn, PeerRank
from p2p.charges import Charges
from p2p.duels import Duels, is_duel
from p2p.errors import LinkLost
from p2p.frames import MAX_BODY_BYTES, MAX_MESSAGE_BYTES, PHONES, RUN_BYTES, FrameKind, Hello, Timing, Value
from p2p.heartbeats import NO_HEARTBEAT, Heartbeat, decode_heartbeat
from p2p.interfaces import Address, is_plausible
from p2p.links import Link, Streams
from p2p.opening import open_link
from p2p.ports import Links, Listening
from p2p.routes import Route, RouteChange, Routes
from p2p.strangers import Stranger
from p2p.troubles import Trouble, Troubles
from p2p.wanted_peer import WantedPeer

KEY_BYTES = 32
BACKOFF_S = (0.1, 0.2, 0.5, 1.0, 2.0)
SECOND_CALLER_WAIT_S = 0.05  # the larger key lets the smaller one call first, which avoids most duels
PROBE_S = 1.0
"""A peer answers within so long who has just woken."""
MAX_STRANGER_BYTES = 64 << 10
MAX_RELAYED_BYTES = 4 << 20  # queue limit for relaying on a link; more is dropped rather than cutting the link


class Mesh:
    """One client's links. Callbacks run in the event loop and must not raise.

    `on_message(author, data)` may return an awaitable; that link is not read further until it is done.
    `on_relayed(author, via, data)` is the same for a relayed message: an invalid one may be the relay's fault.
    `on_introduced(author, via, data)`: a peer passes on what somebody says whom we do not know; `serves(key)`: whether others
    reach this key, which has no seat, through us.
    `on_change(change)`: the route to a peer or stranger has changed. `on_stranger(key, fields)` returns None to admit a
    stranger, otherwise a short reason. `standing(key)`: what a peer without a seat is to the owner, which decides what
    it may send. `on_trouble(trouble)`: a host behaves as no honest one does; `on_flood(key, host)`: a peer was cut off, since
    its own words cost too much (see `charges`).
    `on_asleep(key, is_asleep)`: nobody looks at the page of a seat that has a route, or somebody does again.
    """

    def __init__(
        self,
        links: Links,
        fields: Mapping[str, Value],
        on_message: Callable[[bytes, bytes], Awaitable[None] | None],
        on_change: Callable[[RouteChange], None],
        *,
        on_relayed: Callable[[bytes, bytes, bytes], Awaitable[None] | None] | None = None,
        on_introduced: Callable[[bytes, bytes, bytes], None] = lambda _author, _via, _data: None,
        serves: Callable[[bytes], bool] = lambda _key: False,
        on_stranger: Callable[[bytes, Mapping[str, Value]], str | None] = lambda _key, _fields: "closed",
        standing: Callable[[bytes], PeerRank] = lambda _key: PeerRank.LOOKER,
        on_trouble: Callable[[Trouble], None] = lambda _trouble: None,
        on_flood: Callable[[bytes, str], None] = lambda _key, _host: None,
        on_asleep: Callable[[bytes, bool], None] = lambda _key, _is_asleep: None,
        timing: Timing | None = None,
    ) -> None:
        self._opening = links
        self._run = os.urandom(RUN_BYTES)
        self._on_message, self._on_change, self._on_stranger = on_message, on_change, on_stranger
        self._on_relayed = on_relayed or (lambda author, _via, data: on_message(author, data))
        self._on_introduced, self._serves = on_introduced, serves
        self._standing_of, self._on_asleep = standing, on_asleep
        self._on_flood = on_flood
        self.charges = Charges(self._bar)
        self._called = Bucket(CALLED, 0.0)
        self._budgets: FrameBudgets[Link] = FrameBudgets()
        self._passed_on = PassedOn()
        self._troubles = Troubles(on_trouble)
        self._sweep: asyncio.TimerHandle | None = None
        self._timing = timing or Timing()
        self._listener: Listening | None = None
        self._wanted: dict[bytes, WantedPeer] = {}
        self._order: tuple[bytes, ...] = ()
        self._members: frozenset[bytes] = frozenset()  # wanted, but without a seat
        self._links: dict[bytes, Link] = {}
        self._all_links: set[Link] = set()  # including those that are closing
        self._duels = Duels()
        self._heartbeats: dict[bytes, Heartbeat] = {}  # the last heartbeat of each linked seat
        self._watcher_count = 0
        self._is_asleep = False
        self._naps: Buckets[bytes] = Buckets(LINES)
        self._asleep: set[bytes] = set()
        """The peers that sleep, as far as is known: of those that no route reaches, what was heard last."""
        self._routes = Routes()
        self._is_closed = False
        self._second_probe: asyncio.TimerHandle | None = None
        self.key = links.public
        self.fields = dict(fields)
        """The fields of our hello from now on."""

    # --- for the owner ---

    async def listen(self, port: int = 0, hosts: tuple[str, str] = ("0.0.0.0", "::")) -> int:
        """Let peers call us; return the port. Raises PortTaken if another program has it."""
        self._listener = await self._opening.listen(
            port, hosts, self._hello, self._admit, self._link_opened, self._timing
        )
        return self._listener.port

    @property
    def port(self) -> int:
        return self._listener.port if self._listener else 0

    @property
    def watchers(self) -> int:
        """The number of watchers: our own, and those that linked seats report. Former seats are not counted."""
        return self._watcher_count + sum(self._heartbeats.get(key, NO_HEARTBEAT).watchers for key in self._order)

    def set_watcher_count(self, count: int) -> None:
        """Set the number of our own watchers. The next heartbeats tell it: strangers who come and go do not cause any."""
        self._watcher_count = count

    def sleep(self, is_asleep: bool) -> None:
        """Tell the other seats whether somebody looks at our page."""
        if is_asleep != self._is_asleep:
            self._is_asleep = is_asleep
            self._send_heartbeats()

    def wake(self) -> None:
        """Somebody looks at our page again, or the network has come back: do now what is due.

        A link that was lost meanwhile may look as if it were open. Seats answer who wakes, so we say that we do, even if nobody
        heard that we slept, and give up the links that stay silent. Peers without a link are called at once. All are asked twice:
        what was still on its way from before may look like the first answer.
        """
        self._probe_links()
        if self._second_probe is not None:
            self._second_probe.cancel()
        self._second_probe = asyncio.get_running_loop().call_later(PROBE_S, self._probe_again)
        for peer in self._wanted.values():
            peer.wake.set()

    def _probe_again(self) -> None:
        if not self._is_closed and not self._is_asleep:
            self._probe_links()

    def _probe_links(self) -> None:
        """Ask every seat for a word, and give up the links on which nothing comes."""
        self.sleep(True)
        self.sleep(False)
        for link in list(self._links.values()):
            if link.peer in self._order:
                link.probe(PROBE_S)

    def want(
        self, peers: Mapping[bytes, Iterable[Address]], order: Sequence[bytes] = (), members: Iterable[bytes] = ()
    ) -> None:
        """Keep a link to each of these keys and to no other; `order` lists all seats, including ours, lowest first.

        `members` are those among them that have no seat. A peer that is no longer wanted stays linked as a stranger until
        drop().
        """
        self._members = frozenset(members)
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
        """Add addresses of a wanted peer; new ones are tried at once."""
        if key in self._wanted:
            self._wanted[key].add_known(addresses)

    def addresses(self, key: bytes) -> tuple[Address, ...]:
        """Return where a peer was reached or may be, best first."""
        if key in self._wanted:
            return self._wanted[key].addresses
        link = self._links.get(key)
        return (link.address,) if link is not None and link.address is not None else ()

    async def call(self, addresses: Iterable[Address], expect: bytes | None = None) -> bytes:
        """Link to any key that answers, or only to `expect`, as to a stranger; return the key. Raises LinkLost or LinkRefused."""
        link = await self._opening.dial(addresses, self._hello(), expect=expect, timing=self._timing)
        self._link_opened(link)
        return link.peer

    async def answer(self, streams: Streams, key: bytes, host: str, only: str | None = None) -> Link:
        """Open a link on a connection that a peer made by another way than `listen`, and that has proved its key.

        `only`: all that it may want here; then our hello does not say where to sit down. Raises LinkLost or LinkRefused, and
        TimeoutError.
        """

        def admit(key: bytes, hello: Hello, host: str) -> str | None:
            return "closed" if only not in (None, hello.fields.get("want")) else self._admit(key, hello, host)

        shown = {name: value for name, value in self.fields.items() if only is None or name != PHONES}
        async with asyncio.timeout(self._timing.opening_s):
            link = await open_link(
                streams,
                lambda: key,
                self.key,
                Hello(self._run, self.port, shown),
                is_caller=False,
                peer_host=host,
                expect=None,
                admit=admit,
                timing=self._timing,
            )
        self._link_opened(link)
        return link

    def reach(self, key: bytes, via: bytes) -> None:
        """Reach this key through a linked peer where there is no better route, until that link ends."""
        self._routes.introduce(key, via)
        self._update_routes()

    def hear_out(self, key: bytes) -> None:
        """Take long messages from a stranger, too: it shows what it has said in a match that we remember."""
        if key in self._links:
            self._links[key].max_frame_bytes = MAX_BODY_BYTES

    def drop(self, key: bytes, reason: str) -> None:
        """End the link to a peer, with a reason, and do not call it again unless it is wanted again."""
        self._routes.drop(key)
        peer = self._wanted.pop(key, None)
        if peer is not None and peer.task is not None:
            peer.task.cancel()
        self._links.pop(key, None)
        for link in self._all_of(key):
            link.close(reason)
        self._heartbeats.pop(key, None)
        self._tell_of(key)
        self._update_routes(reason)

    def host_of(self, key: bytes) -> str:
        """Return at which host a peer is, or the peer that passes its messages on to us; empty if it is not reached."""
        link = self._links.get(key)
        if link is None:
            _route, via = self._routes.way(key)
            link = self._links.get(via) if via is not None else None
        return link.host if link is not None else ""

    def send(self, key: bytes, data: bytes) -> bool:
        """Send to a peer, through a relay if needed; return False if there is no route. Messages can be lost."""
        if len(data) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message of {len(data)} bytes is too long")
        route, via = self._routes.way(key)
        if route is Route.DIRECT:
            return self._links[key].send(data)
        if route is Route.RELAYED and via is not None:
            return self._links[via].send_frame(FrameKind.PASS_ON, key + data)
        return False

    def route(self, key: bytes) -> Route:
        return self._routes.way(key)[0]

    @property
    def asleep(self) -> Collection[bytes]:
        """The seats at whose pages nobody looks, as far as is known."""
        return self._asleep

    @property
    def calling(self) -> tuple[int, float]:
        """The most failed calls to any missing peer, and the seconds until the next call."""
        missing = [peer for key, peer in self._wanted.items() if key not in self._links]
        next_at = min((peer.next_at for peer in missing), default=0.0)
        tries = max((peer.tries for peer in missing), default=0)
        return tries, max(0.0, next_at - asyncio.get_running_loop().time())

    @property
    def links(self) -> Mapping[bytes, Link]:
        """The open links by key, for reading only: hello, address, queued, drained()."""
        return self._links

    async def close(self, reason: str = "bye") -> None:
        """Say goodbye to everyone and release everything. Safe to call twice."""
        self._is_closed = True
        if self._second_probe is not None:
            self._second_probe.cancel()
        tasks = [peer.task for peer in self._wanted.values() if peer.task is not None]
        self._wanted.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._sweep is not None:
            self._sweep.cancel()
        if self._listener is not None:
            await self._listener.close()
        for link in list(self._all_links):
            link.close(reason)
        self._links.clear()
        self._routes.clear()
        await asyncio.gather(*(link.wait_closed() for link in list(self._all_links)))

    # --- opening and closing links ---

    def _hello(self) -> Hello:
        return Hello(self._run, self.port, self.fields)

    def _admit(self, key: bytes, hello: Hello, host: str) -> str | None:
        if self._is_closed:
            return "closed"  # phones still come in through their own door
        if self.charges.barred_s(key):
            return "flood"
        if key in self._wanted:
            return None
        objection = self._on_stranger(key, hello.fields)
        if objection is None and key not in self._links and not self._make_room(host):
            self.report(host, "full")
            return "full"
        return objection

    def _strangers(self) -> list[Stranger]:
        """Return the links of strangers, the oldest first."""
        links = [link for link in self._links.values() if link.peer not in self._wanted and not link.is_caller]
        return [(link, self.standing(link)) for link in links]

    def _make_room(self, host: str) -> bool:
        """Return whether there is room for one more stranger from this host; somebody gives way if need be."""
        found = self._strangers()
        if not strangers.is_full(found, host):
            return True
        loser = strangers.loser(found, host, asyncio.get_running_loop().time())
        if loser is None:
            return False
        self.report(loser.host, "full")
        self.drop(loser.peer, "full")
        return True

    def standing(self, link: Link) -> PeerRank:
        """Return what a linked peer is to us now."""
        if link.peer in self._members:
            return max(self._standing_of(link.peer), PeerRank.MEMBER)
        if link.peer in self._wanted or link.peer in self._order:
            return PeerRank.SEAT
        return max(self._standing_of(link.peer), PeerRank.CHOSEN if link.is_caller else PeerRank.LOOKER)

    def cut(self, key: bytes, reason: str) -> None:
        """End a stranger's link at once, from within `on_message`, for a message that no honest peer sends."""
        link = self._links.get(key)
        if link is not None and self.standing(link) < PeerRank.MEMBER:
            self.report(link.host, reason)
            link.cut(reason)

    def _bar(self, key: bytes) -> None:
        """What this peer says costs us too much: end its links, and tell the owner."""
        host = self.host_of(key)
        for link in self._all_of(key):
            link.cut("flood")
        self._on_flood(key, host)

    def _spend(self, link: Link, kind: FrameKind, size: int) -> float | None:
        """Count a frame; return the seconds to wait before it is handled, or None to cut the link."""
        now, is_data, standing = asyncio.get_running_loop().time(), kind is not FrameKind.BEAT, self.standing(link)
        if link.max_frame_bytes > MAX_STRANGER_BYTES:
            standing = max(standing, PeerRank.MEMBER)  # whoever is heard out needs as much
        wait_s = self._budgets.spend(link, link.host, standing, size, is_data, now)
        if wait_s is None:
            self.report(link.host, "flood")
        return wait_s

    def report(self, host: str, what: str) -> None:
        """Tell the owner of trouble with this host, once in a while."""
        self._troubles.report(host, what, asyncio.get_running_loop().time())

    def _send_idle_away(self) -> None:
        """Send away who has been looking for too long, and wanted nothing; look again while there are strangers."""
        self._sweep = None
        loop = asyncio.get_running_loop()
        found = self._strangers()
        for link in strangers.idle(found, loop.time()):
            self.drop(link.peer, "idle")
        if found and not self._is_closed:
            self._sweep = loop.call_later(strangers.LOOK_S / 6, self._send_idle_away)

    def _link_opened(self, link: Link) -> None:
        """Register a link that has just opened: the peer's only one, or one of two in a duel."""
        self._all_links.add(link)
        is_stranger = link.peer not in self._wanted and not link.is_caller
        if is_stranger and link.peer not in self._links and not self._make_room(link.host):
            link.start(self._on_frame, self._on_closed)  # others were admitted at the same time
            link.close("full")
            return
        link.heartbeat = lambda: self._heartbeat(link.peer)
        link.meter = self._spend
        link.is_seated = lambda: self.standing(link) >= PeerRank.CHOSEN
        if is_stranger:
            link.max_frame_bytes = MAX_STRANGER_BYTES
            if self._sweep is None:
                self._sweep = asyncio.get_running_loop().call_later(strangers.LOOK_S / 6, self._send_idle_away)
        old = self._links.get(link.peer)
        is_second = old is not None and is_duel(old, link)
        if old is not None and is_second and old.is_caller == (self.key < link.peer):
            link.start(self._on_frame, self._on_closed)
            self._duels.retire(link, old, self._all_of(link.peer))
            return
        self._links[link.peer] = link
        self._learn_address(link)
        link.start(self._on_frame, self._on_closed)
        if old is not None:
            self._duels.retire(old, link, self._all_of(link.peer))
        if self._is_closed:
            self._links.pop(link.peer)
            link.close()
            return
        if not is_second:
            self._routes.renew(link.peer)
            self._heartbeats.pop(link.peer, None)
        self._tell_of(link.peer)
        self._update_routes()

    def _all_of(self, peer: bytes) -> list[Link]:
        """Return all links of a peer, also those that are closing."""
        return [link for link in self._all_links if link.peer == peer]

    def _on_closed(self, link: Link) -> None:
        self._all_links.discard(link)
        self._budgets.forget(link)
        other = self._duels.lose(link)
        if self._links.get(link.peer) is not link:
            return
        if other is not None:
            self._links[link.peer] = other
            return
        del self._links[link.peer]
        self._heartbeats.pop(link.peer, None)
        self._routes.lose(link.peer)
        if link.peer in self._wanted:
            self._wanted[link.peer].wake.set()
        self._tell_of(link.peer)
        self._update_routes(link.reason)

    def _learn_address(self, link: Link) -> None:
        peer = self._wanted.get(link.peer)
        if peer is not None and link.address is not None:
            peer.add_linked(link.address)

    async def _keep_linked(self, peer: WantedPeer) -> None:
        """Call a peer whenever there is no link to it."""
        failures = 0
        while True:
            peer.wake.clear()
            if peer.key in self._links:
                failures = peer.tries = 0
                await peer.wake.wait()
                continue
            if barred_s := self.charges.barred_s(peer.key):
                await asyncio.sleep(barred_s)
                continue
            if failures == 0 and self.key > peer.key:
                await asyncio.sleep(SECOND_CALLER_WAIT_S)
                if peer.key in self._links:
                    continue
            if peer.addresses:
                if wait_s := self._called.spend(len(peer.addresses), asyncio.get_running_loop().time()):
                    await asyncio.sleep(wait_s)
                    if peer.key in self._links:
                        continue
                try:
                    link = await self._opening.dial(peer.addresses, self._hello(), expect=peer.key, timing=self._timing)
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
                await asyncio.sleep(BACKOFF_S[0] / 2)  # new addresses may arrive very often
            except TimeoutError:
                pass

    # --- receiving ---

    def _on_frame(self, link: Link, kind: FrameKind, payload: bytes) -> Awaitable[None] | None:
        self._duels.decide(link)
        if kind is not FrameKind.BEAT and self.standing(link) <= PeerRank.WATCHER:
            return self._receive_from_stranger(link, kind, payload)
        match kind:
            case FrameKind.DATA:
                return self._on_message(link.peer, payload)
            case FrameKind.BEAT:
                return self.charges.charged(link.peer, lambda: self._on_heartbeat(link, payload))
            case FrameKind.PASS_ON:
                return self.charges.charged(link.peer, lambda: self._pass_on(link.peer, payload))
            case FrameKind.PASSED_ON:
                return self._receive_passed_on(link, payload[:KEY_BYTES], payload[KEY_BYTES:])
        return None

    def _receive_passed_on(self, link: Link, author: bytes, data: bytes) -> Awaitable[None] | None:
        is_ours = link.peer in self._order
        if author in (link.peer, self.key):
            return None
        if is_ours and author in self._order:
            return self._on_relayed(author, link.peer, data)
        if is_ours or link.is_caller:
            self._on_introduced(author, link.peer, data)
        return None

    def _receive_from_stranger(self, link: Link, kind: FrameKind, payload: bytes) -> Awaitable[None] | None:
        """Handle what a stranger sends: a request of a looker goes to the owner, all else ends the link."""
        if self.standing(link) is PeerRank.LOOKER:
            if kind is FrameKind.DATA:
                return self._on_message(link.peer, payload)
            if kind is FrameKind.PASS_ON and self._serves(link.peer):  # it asks the host to let it in
                return self.charges.charged(link.peer, lambda: self._pass_on(link.peer, payload))
        self.report(link.host, "uninvited")
        link.cut("uninvited")
        return None

    def _pass_on(self, author: bytes, payload: bytes) -> None:
        """Relay a message between two seats linked to us, or between one and whom we serve: a second hop is impossible."""
        target = payload[:KEY_BYTES]
        link = self._links.get(target)
        ends = [each for each in (author, target) if each in self._order]
        is_ours = len(ends) == 2 or (len(ends) == 1 and self._serves(author if ends == [target] else target))
        if not is_ours or target == author or link is None or link.queued >= MAX_RELAYED_BYTES:
            return
        if self._passed_on.takes(author, target, asyncio.get_running_loop().time()):
            link.send_frame(FrameKind.PASSED_ON, author + payload[KEY_BYTES:])

    def _heartbeat(self, to: bytes) -> bytes:
        """Encode our heartbeat for this peer; strangers are told nothing."""
        link = self._links.get(to)
        if to not in self._order or link is None:
            return b""
        others = [key for key in self._links if key != to and key in self._order and key in self._wanted]
        asleep = {key for key in others if key in self._heartbeats.get(key, NO_HEARTBEAT).asleep}
        asleep |= {self.key} if self._is_asleep else set()
        reached = {key: list(self._wanted[key].known) for key in others}
        return Heartbeat(self._watcher_count, reached, frozenset(asleep)).encode(link.own_host)

    def _on_heartbeat(self, link: Link, payload: bytes) -> None:
        if link.peer not in self._order or self._links.get(link.peer) is not link:
            return  # strangers have nothing to tell
        heartbeat = decode_heartbeat(payload)
        for key, addresses in heartbeat.reached.items():
            peer = self._wanted.get(key)
            if peer is not None and key not in self._links:
                peer.add_reported(each for each in addresses if is_plausible(each, link.host))
        before = self._heartbeats.get(link.peer, NO_HEARTBEAT)
        self._heartbeats[link.peer] = heartbeat
        if link.peer in before.asleep and link.peer not in heartbeat.asleep:
            link.send_heartbeat()  # it wants to know whether this link still carries anything
        if before.reached.keys() != heartbeat.reached.keys():
            self._update_routes()
        self._update_asleep()

    def _update_asleep(self) -> None:
        """Each seat says it for itself; who reaches it directly passes it on."""
        for key in self._order:
            route, via = self._routes.way(key)
            teller = key if route is Route.DIRECT else via
            if teller not in self._heartbeats:
                continue  # nothing was heard: a phone's link may be lost because it sleeps
            is_asleep = key in self._heartbeats[teller].asleep
            if is_asleep != (key in self._asleep) and self._naps.takes(key, asyncio.get_running_loop().time()):
                self._asleep ^= {key}  # else the next heartbeat says it again
                self._on_asleep(key, is_asleep)

    def _tell_of(self, key: bytes) -> None:
        """Tell all seats that a link was opened or lost, if it was a seat's: heartbeats say nothing of strangers."""
        if key in self._order:
            self._send_heartbeats()

    def _send_heartbeats(self) -> None:
        """Tell all seats at once that the content of our heartbeat has changed."""
        for link in list(self._links.values()):
            if link.peer in self._order:
                link.send_heartbeat()

    def _update_routes(self, reason: str | None = None) -> None:
        """Recompute the route to each peer, and tell the owner what has changed."""
        for change in self._routes.update(self._links, self._wanted, self._order, self._heartbeats, reason):
            self._on_change(change)
