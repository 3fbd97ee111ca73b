"""The links between the seats of one table, kept up: exactly one to each, called again when lost, gone round when blocked.

The owner names the peers it wants and their order; the mesh finds ways to them. Heartbeats list whom one reaches and
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
from dataclasses import dataclass, field
from enum import Enum

from p2p.beats import SILENCE, Beat, decode_beat
from p2p.dialing import dial
from p2p.errors import LinkLost
from p2p.frames import MAX_BODY_BYTES, MAX_MESSAGE_BYTES, RUN_BYTES, Hello, Kind, Timing, Value
from p2p.interfaces import Address
from p2p.links import Link
from p2p.listening import Listener, listen
from p2p.tls import Credentials

KEY_BYTES = 32
BACKOFF_S = (0.1, 0.2, 0.5, 1.0, 2.0)
SECOND_CALLER_WAIT_S = 0.05  # the larger key lets the smaller call first: most duels never happen
DUEL_S = 2.0  # of links this young both sides may have opened one; a second link later means that the first is lost
MAX_STRANGERS = 64
MAX_STRANGER_BYTES = 64 << 10
MAX_RELAYED_BYTES = 4 << 20  # waiting on one link for others; more is dropped rather than cutting the link
MAX_ADDRESSES = 16  # of a peer, from its owner and its links
MAX_HEARD = 8  # of a peer, from others' heartbeats


class Way(Enum):
    """How messages get to a peer now."""

    DIRECT = "direct"
    RELAYED = "relayed"
    NONE = "none"


@dataclass(frozen=True, slots=True)
class Change:
    """A new way to a peer. What was sent before may be lost, so the owner sends again what the peer may lack.

    `via`: the relay, if RELAYED; `reason`: why the link ended, if it is known and the way is now NONE.
    """

    key: bytes
    way: Way
    via: bytes | None = None
    reason: str | None = None


@dataclass(slots=True)
class Wanted:
    """A peer to keep linked. `sure`: addresses from the owner and from links; `heard`: from others, so never trusted much."""

    key: bytes
    sure: dict[Address, None] = field(default_factory=dict)
    heard: dict[Address, None] = field(default_factory=dict)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    tries: int = 0
    """Calls in vain since there was a link."""
    next_at: float = 0.0
    """When the loop's clock shows this, it is called again."""
    task: asyncio.Task[None] | None = None

    @property
    def addresses(self) -> tuple[Address, ...]:
        return tuple(dict.fromkeys((*self.sure, *self.heard)))


class Mesh:
    """One client's links. Callbacks run in the event loop and must not raise.

    `on_message(author, data)`: may return an awaitable; that link is then read no further until it is done.
    `on_passed_on(author, data)`: the same for what another brought in its name, unproved: what is wrong with it may be the
    bringer's doing.
    `on_change(change)`: a way to a peer, wanted or stranger, came, went or is another.
    `on_stranger(key, fields)`: None lets a stranger in, a short reason turns it away.
    """

    def __init__(
        self,
        credentials: Credentials,
        fields: Mapping[str, Value],
        on_message: Callable[[bytes, bytes], Awaitable[None] | None],
        on_change: Callable[[Change], None],
        *,
        on_passed_on: Callable[[bytes, bytes], Awaitable[None] | None] | None = None,
        on_stranger: Callable[[bytes, Mapping[str, Value]], str | None] = lambda _key, _fields: "closed",
        timing: Timing | None = None,
    ) -> None:
        self._credentials = credentials
        self._run = os.urandom(RUN_BYTES)
        self._on_message, self._on_change, self._on_stranger = on_message, on_change, on_stranger
        self._on_passed_on = on_passed_on or on_message
        self._timing = timing or Timing()
        self._listener: Listener | None = None
        self._wanted: dict[bytes, Wanted] = {}
        self._order: tuple[bytes, ...] = ()
        self._links: dict[bytes, Link] = {}
        self._all_links: set[Link] = set()  # those that are saying goodbye, too
        self._losers: dict[Link, Link] = {}  # of duels that are not over, by their winner
        self._beats: dict[bytes, Beat] = {}  # by a linked seat: its last heartbeat
        self._onlookers = 0
        self._ways: dict[bytes, tuple[Way, bytes | None]] = {}
        self._is_closed = False
        self.key = credentials.public
        self.fields = dict(fields)
        """What our hello says from now on."""

    # What the owner asks for

    async def listen(self, port: int = 0, hosts: tuple[str, str] = ("0.0.0.0", "::")) -> int:
        """Lets peers call us; returns the port. PortTaken if another program has it."""
        self._listener = await listen(
            port, self._credentials, self._hello, self._admit, self._joined, timing=self._timing, hosts=hosts
        )
        return self._listener.port

    @property
    def port(self) -> int:
        return self._listener.port if self._listener else 0

    @property
    def onlookers(self) -> int:
        """How many look on: through us, and as the seats that we are linked to say, through them. Who is no seat any more has
        no say, though its link may stay."""
        return self._onlookers + sum(self._beats.get(key, SILENCE).onlookers for key in self._order)

    def watched_by(self, count: int) -> None:
        """So many look on through us: the other seats are told."""
        if count != self._onlookers:
            self._onlookers = count
            self._tell_all()

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
                peer = self._wanted[key] = Wanted(key)
                if key in self._links:
                    self._learn_from(self._links[key])
                    self._links[key].limit = MAX_BODY_BYTES
        for key, addresses in peers.items():
            self.add_addresses(key, addresses)
        for peer in self._wanted.values():
            if peer.task is None:
                peer.task = asyncio.create_task(self._keep(peer), name=f"keep {peer.key.hex()[:8]}")
        self._tell_all()
        self._find_ways()

    def add_addresses(self, key: bytes, addresses: Iterable[Address]) -> None:
        """More places where a wanted peer may be; new ones are tried at once."""
        peer = self._wanted.get(key)
        if peer is None:
            return
        fresh = [address for address in addresses if address not in peer.sure]
        for address in fresh[:MAX_ADDRESSES]:
            peer.sure[address] = None
            if len(peer.sure) > MAX_ADDRESSES:
                del peer.sure[
                    list(peer.sure)[-2]
                ]  # the newest stays, and so do those that have worked, which are first
        if fresh:
            peer.wake.set()

    def addresses(self, key: bytes) -> tuple[Address, ...]:
        """Where a peer was reached or may be, the best first."""
        if key in self._wanted:
            return self._wanted[key].addresses
        link = self._links.get(key)
        return (link.address,) if link is not None and link.address is not None else ()

    def hurry(self) -> None:
        """The network has changed, or this machine was asleep: calls again now, and looks whether the links still live."""
        for peer in self._wanted.values():
            peer.wake.set()
        for link in self._links.values():
            link.send_beat()

    async def call(self, addresses: Iterable[Address], expect: bytes | None = None) -> bytes:
        """Links to whoever answers there (`expect`: to nobody else) as to a stranger; returns the key. LinkLost, Refused."""
        link = await dial(addresses, self._credentials, self._hello(), expect=expect, timing=self._timing)
        self._joined(link)
        return link.peer

    def drop(self, key: bytes, reason: str) -> None:
        """Ends the link to a peer, and is not called again unless wanted again; the peer is told the reason."""
        peer = self._wanted.pop(key, None)
        if peer is not None and peer.task is not None:
            peer.task.cancel()
        self._links.pop(key, None)
        for link in [link for link in self._all_links if link.peer == key]:
            link.close(reason)
        self._beats.pop(key, None)
        self._tell_all()
        self._find_ways(reason)

    def send(self, key: bytes, data: bytes) -> bool:
        """Sends to a peer, through a relay if need be; False if there is no way now. True promises nothing: see Change."""
        if len(data) > MAX_MESSAGE_BYTES:
            raise ValueError(f"a message of {len(data)} bytes is too long")
        way, via = self._ways.get(key, (Way.NONE, None))
        if way is Way.DIRECT:
            return self._links[key].send(data)
        if way is Way.RELAYED and via is not None:
            return self._links[via].send_frame(Kind.PASS_ON, key + data)
        return False

    def broadcast(self, data: bytes) -> frozenset[bytes]:
        """Sends to all wanted peers; returns those to whom there is no way now."""
        return frozenset(key for key in list(self._wanted) if not self.send(key, data))

    def way(self, key: bytes) -> Way:
        return self._ways.get(key, (Way.NONE, None))[0]

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
        self._ways.clear()
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

    def _joined(self, link: Link) -> None:
        """A link is open: it is the peer's only one, or there is a duel."""
        self._all_links.add(link)
        link.beat = lambda: self._heartbeat(link.peer)
        if link.peer not in self._wanted and not link.is_caller:
            link.limit = MAX_STRANGER_BYTES
        old = self._links.get(link.peer)
        is_duel = old is not None and self._is_duel(old, link)
        if old is not None and is_duel and old.is_caller == (self.key < link.peer):
            link.start(self._on_frame, self._on_closed)
            self._retire(link, old)
            return
        self._links[link.peer] = link
        self._learn_from(link)
        link.start(self._on_frame, self._on_closed)
        if old is not None:
            self._retire(old, link)
        if self._is_closed:
            self._links.pop(link.peer)
            link.close()
            return
        if not is_duel:
            # The owner must hear of it even if the way was direct before: what went into the old link may be lost.
            self._ways = {k: way for k, way in self._ways.items() if k != link.peer and way[1] != link.peer}
            self._beats.pop(link.peer, None)
        self._tell_all()
        self._find_ways()

    def _retire(self, loser: Link, winner: Link) -> None:
        """Ends the loser of a duel when the winner is open at the other end, too: until then they may have none but it."""
        if winner.has_heard:
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
        self._beats.pop(link.peer, None)
        if link.peer in self._wanted:
            self._wanted[link.peer].wake.set()
        self._tell_all()
        self._find_ways(link.reason)

    def _learn_from(self, link: Link) -> None:
        peer = self._wanted.get(link.peer)
        if peer is not None and link.address is not None:
            peer.sure = dict.fromkeys((link.address, *peer.sure))
            while len(peer.sure) > MAX_ADDRESSES:
                peer.sure.popitem()

    async def _keep(self, peer: Wanted) -> None:
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
                    self._joined(link)
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
                self._take_heartbeat(link, payload)
            case Kind.PASS_ON:
                self._pass_on(link.peer, payload)
            case Kind.PASSED_ON:
                author = payload[:KEY_BYTES]
                if link.peer in self._order and author in self._order and author not in (link.peer, self.key):
                    return self._on_passed_on(author, payload[KEY_BYTES:])
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
        return Beat(self._onlookers, {key: list(self._wanted[key].sure) for key in others}).encode(link.own_host)

    def _take_heartbeat(self, link: Link, payload: bytes) -> None:
        beat = decode_beat(payload)
        if link.peer not in self._order or self._links.get(link.peer) is not link:
            return
        for key, addresses in beat.reached.items():
            peer = self._wanted.get(key)
            if peer is None or key in self._links:
                continue
            fresh = [address for address in addresses if address not in peer.addresses]
            if fresh:
                peer.heard = dict.fromkeys((*fresh, *peer.heard))
                while len(peer.heard) > MAX_HEARD:
                    peer.heard.popitem()
                peer.wake.set()
        before = self._beats.get(link.peer, SILENCE)
        self._beats[link.peer] = beat
        if before.reached.keys() != beat.reached.keys():
            self._find_ways()

    def _tell_all(self) -> None:
        """What our heartbeats say has changed: the others should not wait for the next one to know."""
        for link in list(self._links.values()):
            if link.peer in self._order:
                link.send_beat()

    def _find_ways(self, reason: str | None = None) -> None:
        """Works out the way to each peer anew, and tells the owner what has changed."""
        ways: dict[bytes, tuple[Way, bytes | None]] = dict.fromkeys(self._links, (Way.DIRECT, None))
        for key in self._wanted.keys() - self._links.keys():
            for relay in self._order:
                if relay in self._links and key in self._beats.get(relay, SILENCE).reached:
                    ways[key] = (Way.RELAYED, relay)
                    break
        before, self._ways = self._ways, ways
        for key in sorted(before.keys() | ways.keys()):
            now = ways.get(key, (Way.NONE, None))
            # The owner may answer one change with a deed that makes the next.
            if now != before.get(key, (Way.NONE, None)) and now == self._ways.get(key, (Way.NONE, None)):
                way, via = now
                self._on_change(Change(key, way, via, reason if way is Way.NONE else None))
