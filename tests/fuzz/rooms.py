"""Whole evenings in a room with a member, or a host, that says all kinds of changed things beside what it should.

Real waiting rooms over links that only pass bytes on, in an event loop whose time leaps. Nothing that is said may raise anything:
what is wrong is dropped. However much is said, a room stays small, and honest members can still be ready together.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from random import Random
from types import SimpleNamespace
from typing import Any

from p2p.errors import LinkLost
from p2p.interfaces import Address
from p2p.room.owner import RoomOwner
from p2p.room.waiting_room import WaitingRoom
from p2p.routes import Route, RouteChange
from p2p.settings import NodeSettings, TablePlan
from protocol.errors import BadMessage, FairdealError
from protocol.games.catalogue import load
from protocol.identity import Identity
from protocol.room.refusals import RoomRefusal
from protocol.room.statements import Statement, read_statement, state
from protocol.room.values import MAX_MEMBERS, MAX_REFUSED
from protocol.table.roster import PROTOCOL_VERSION, Roster, TableOptions
from protocol.wire import pack, unpack
from tests.fuzz.mutation import altered, mutated
from tests.table.tables import stream

GAMES = (("mau-mau", 4), ("tichu", 4), ("crazy-eights", 3))
STEPS = 400
REMEMBERED = 60


class Leaping(asyncio.SelectorEventLoop):
    """A loop that waits for nobody: its time goes on when it is told to."""

    ahead_s = 0.0

    def time(self) -> float:
        return super().time() + self.ahead_s


class Links:
    """One member's links, as far as a room needs them: to everybody, at once, as long as nobody is dropped."""

    def __init__(self, evening: Evening, key: bytes) -> None:
        self._evening, self._key = evening, key

    @property
    def links(self) -> dict[bytes, Any]:
        def link(key: bytes) -> Any:
            hello = SimpleNamespace(fields=self._evening.hello(key))
            host = self.host_of(key)
            return SimpleNamespace(hello=hello, address=("127.0.0.1", 1), host=host, own_host="192.168.1.1")

        return {key: link(key) for key in self._evening.members if self.route(key) is Route.DIRECT}

    def send(self, key: bytes, data: bytes) -> bool:
        self._evening.post(self._key, key, data)
        return True

    def route(self, key: bytes) -> Route:
        is_open = frozenset((self._key, key)) not in self._evening.broken and key in self._evening.members
        return Route.DIRECT if is_open else Route.NONE

    def addresses(self, key: bytes) -> tuple[Address, ...]:
        return (("127.0.0.1", 1),)

    def add_addresses(self, key: bytes, addresses: Iterable[Address]) -> None:
        assert all(isinstance(host, str) and 0 < port < 1 << 16 for host, port in addresses)

    def reach(self, key: bytes, via: bytes) -> None:
        pass

    def drop(self, key: bytes, reason: str) -> None:
        pass

    def host_of(self, key: bytes) -> str:
        return "192.168.1.7" if key == self._evening.bad else "127.0.0.1"

    def report(self, host: str, what: str) -> None:
        assert host == "192.168.1.7"

    async def call(self, addresses: Iterable[Address], expect: bytes | None = None) -> bytes:
        host = self._evening.host()
        if host is None or host == self._key:
            raise LinkLost("nobody hosts", reason="lost")
        return host


class Owner(RoomOwner):
    """Hears what a person would, in words."""

    def on_refused(self, reason: FairdealError) -> None:
        assert str(reason)

    def on_not_done(self, reason: RoomRefusal) -> None:
        assert str(reason)

    def on_declined(self, key: bytes, reason: RoomRefusal) -> None:
        assert str(reason)


@dataclass
class Member:
    """A person's client, as a room needs it."""

    identity: Identity
    mesh: Any
    settings: NodeSettings
    driver: Any = None
    sealed: int = 0

    def seal(self, roster: Roster) -> None:
        self.sealed += 1

    def abandon(self, silent: Iterable[bytes]) -> None:
        pass

    def room_changed(self) -> None:
        pass

    def is_over(self, match: bytes) -> bool:
        return False


class Evening:
    """`count`: so many changed statements were received."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(f"room {seed}")
        self.members: dict[bytes, tuple[Member, WaitingRoom]] = {}
        self.broken: set[frozenset[bytes]] = set()
        self.queue: deque[tuple[bytes, bytes, bytes]] = deque()
        self.heard: deque[bytes] = deque(maxlen=REMEMBERED)
        self.count = 0
        for at in range(4):
            identity = Identity(stream(seed * 10 + at)(32))
            settings = NodeSettings(f"P{at}", start_after_s=self.rng.choice((None, 5.0)))
            member = Member(identity, Links(self, identity.public), settings)
            self.members[identity.public] = member, WaitingRoom(member, Owner())
        self.bad = self.rng.choice(list(self.members))

    def room_of(self, key: bytes) -> WaitingRoom:
        return self.members[key][1]

    def host(self) -> bytes | None:
        return next((key for key in self.members if self.room_of(key).is_host), None)

    def hello(self, key: bytes) -> dict[str, Any]:
        room = self.room_of(key).room
        return {"v": PROTOCOL_VERSION, "host": self.room_of(key).is_host, "room": room.id if room is not None else None}

    def post(self, sender: bytes, to: bytes, data: bytes) -> None:
        self.queue.append((sender, to, data))

    async def run(self) -> None:
        first, *others = self.members
        game, seats = self.rng.choice(GAMES)
        self.room_of(first).open(TablePlan(load(game, seats), "Kitchen", TableOptions()))
        for key in others:
            await self.room_of(key).join([("127.0.0.1", 1)])
            self.deliver_all()
        for _ in range(STEPS):
            self.live(self.rng.choice(list(self.members)))
            for _ in range(self.rng.randrange(6)):
                self.lie()
            self.deliver_all()
            if not self.rng.randrange(20):
                loop = asyncio.get_running_loop()
                assert isinstance(loop, Leaping)
                loop.ahead_s += self.rng.choice((0.1, 1.0, 6.0, 20.0))
                await asyncio.sleep(0)
                await asyncio.sleep(0)
            self.check()
        for _, room in self.members.values():
            room.close()

    def deliver_all(self) -> None:
        for _ in range(10_000):
            if not self.queue:
                return
            sender, to, data = self.queue.popleft()
            self.heard.append(data)
            if frozenset((sender, to)) not in self.broken and to in self.members:
                self.room_of(to).receive(sender, data)
        raise AssertionError("they never stop talking")

    def live(self, key: bytes) -> None:
        """What a person does, or what happens to a cable."""
        room = self.room_of(key)
        with suppress(FairdealError):
            match self.rng.randrange(12):
                case 0 | 1 | 2:
                    room.ready(self.rng.random() < 0.7)
                case 3:
                    room.say("hello")
                case 4:
                    room.move_to(self.rng.randrange(4))
                case 5:
                    room.play(self.rng.random() < 0.8)
                case 6:
                    room.start()
                case 7:
                    game, seats = self.rng.choice(GAMES)
                    room.choose(TablePlan(load(game, seats), "Hut", TableOptions()))
                case 8:
                    room.hand_over(self.rng.choice(list(self.members)))
                case 9:
                    self._cut(key, self.rng.choice(list(self.members)))
                case 10 if self.rng.randrange(5) == 0:
                    room.leave()
                case 11:
                    room.returned(True)

    def _cut(self, key: bytes, other: bytes) -> None:
        pair = frozenset((key, other))
        if len(pair) < 2:
            return
        self.broken ^= {pair}
        route, reason = (Route.NONE, self.rng.choice(("lost", "bye"))) if pair in self.broken else (Route.DIRECT, None)
        for one, two in ((key, other), (other, key)):
            self.room_of(one).route_changed(RouteChange(two, route, reason=reason))

    def lie(self) -> None:
        """The bad one says something to somebody: garbled, out of place, or signed anew with other contents."""
        to = self.rng.choice([key for key in self.members if key != self.bad])
        data = self._said(to)
        self.count += 1
        self.room_of(to).receive(self.bad, data)

    def _said(self, to: bytes) -> bytes:
        if not self.heard or not self.rng.randrange(3):
            return mutated(self.rng.choice(self.heard) if self.heard else b"\x93\xa1w", self.rng)
        real = self.rng.choice(self.heard)
        if not self.rng.randrange(6):
            return real
        try:
            statement: Statement = read_statement(real, None)
            body = dict(statement.body)
            if self.rng.randrange(4):
                body = altered(body, self.rng)
            elif "room" in body:
                body["room"] = pack(altered(unpack(body["room"]), self.rng))
            me = self.members[self.bad][0].identity
            return state(me, statement.room, to, self.rng.randrange(1 << 20), statement.kind, **body)
        except (BadMessage, AssertionError, OverflowError, TypeError, ValueError):
            return mutated(real, self.rng)  # nobody could have encoded that

    def check(self) -> None:
        for key, (_, waiting) in self.members.items():
            room = waiting.room
            if room is not None and key != self.bad:
                assert len(room.members) <= MAX_MEMBERS
                assert len(room.refused) <= MAX_REFUSED


def evening(seed: int) -> int:
    """Spend one evening; return how many changed statements were received in it."""
    found = Evening(seed)
    with asyncio.Runner(loop_factory=Leaping) as runner:
        runner.run(found.run())
    return found.count
