"""Whole matches with a client that sends, beside what it should, all kinds of changed messages: of its own and of others, signed
anew or not, in every phase, while links break, programs die and the others play on without somebody.

A match is the simulator's, in its toy group. Nothing but a declared error may come of a message; nobody honest is accused,
the match ends, and all files agree and verify.
"""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from random import Random
from typing import Any

from protocol.errors import BadMessage
from protocol.messages import ALL
from protocol.signed import Page, Signed, decode, decode_body, decode_signed, sign
from protocol.table.store import MAX_HELD
from protocol.table.table import Table
from protocol.values import replace
from protocol.wire import pack, unpack
from tests.fuzz.mutation import altered, mutated
from tests.simulator.checks import faults
from tests.simulator.setting import Setting, draw
from tests.simulator.toy import toy_group
from tests.simulator.world import Client, World

KINDS = sorted(message.kind for message in ALL)
AT_ONCE = 4
"""How many changed messages follow a real one."""
REMEMBERED = 200
DYING = ("crash", "all", "goodbye", "die")


def setting_of(seed: int) -> Setting:
    """The simulator's setting, with somebody in it who lies and never dies."""
    drawn = next(each for each in (draw(seed + at * 1_000_003) for at in range(100)) if each.seats > 2)
    liar = drawn.liar if drawn.liar is not None else Random(f"liar {seed}").choice(sorted(set(drawn.keepers)))
    kept = tuple(fault for fault in drawn.faults if fault.kind not in DYING or liar not in fault.who)
    return replace(drawn, faults=kept, liar=liar)


class Hex:
    """Bytes, written only where somebody reads them."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def __str__(self) -> str:
        return self._data.hex()


class HostileWorld(World):
    """One match. `count`: so many changed messages were received."""

    def __init__(self, seed: int) -> None:
        super().__init__(setting_of(seed))
        self.rng = Random(f"fuzz {seed}")
        self.count = 0
        self.heard: deque[Signed] = deque(maxlen=REMEMBERED)
        """What anybody said lately."""
        self.shamelessness = self.rng.choice((0.0, 0.0005, 0.01, 0.2))
        """How often the liar signs what it has changed: most of that convicts it."""

    def _lie(self) -> None:
        """It has no second face here."""

    def _deliver(self, client: Client, other: Client, life: int, pair: tuple[int, int], data: bytes) -> None:
        super()._deliver(client, other, life, pair, data)
        is_there = other.is_up and other.life == life and pair in self.joined
        with suppress(BadMessage):
            found = decode(data)
            self.heard += (found,) if isinstance(found, Signed) else map(decode_signed, found.messages)
        if client.index != self.setting.liar or not is_there:
            return
        seat = other.table.record.seating.index(client.index)
        for _ in range(AT_ONCE):
            changed = self._changed(client, data)
            self.count += 1
            self.note(f"{client.index} -> {other.index}, changed:", Hex(changed))
            with suppress(BadMessage):
                self._enter(other, lambda table, changed=changed: table.receive(seat, changed, self.now))  # type: ignore[misc]
        self._check_bounds(other.table)

    def _changed(self, client: Client, data: bytes) -> bytes:
        if self.heard and self.rng.random() < self.shamelessness:
            with suppress(BadMessage, OverflowError):
                return self._signed_anew(client)
        match self.rng.randrange(4):
            case 0 if self.heard:
                return mutated(self.rng.choice(self.heard).data, self.rng)
            case 1 if self.heard:
                some = [mutated(each.data, self.rng) for each in self.rng.choices(self.heard, k=3)]
                return Page(self.rng.randrange(4), self.rng.random() < 0.5, tuple(some)).encode()
            case _:
                return mutated(data, self.rng)

    def _signed_anew(self, client: Client) -> bytes:
        """What somebody said, with one field changed or none, in an epoch nearby, signed by the liar for its seat or another."""
        real, record = self.rng.choice(self.heard), client.table.record
        body: Any = unpack(pack(real.message.body()))
        kind = real.message.kind if self.rng.randrange(8) else self.rng.choice(KINDS)
        if self.rng.randrange(4):
            body = altered(body, self.rng)
        message = decode_body(kind, body)
        epoch = real.epoch if self.rng.randrange(4) else max(0, real.epoch + self.rng.choice((-1, 1)))
        epoch_hash = real.epoch_hash if self.rng.randrange(4) else record.epoch_hash
        seat = client.table.seat if self.rng.randrange(8) else self.rng.randrange(record.size)
        return sign(client.identity, record.table, epoch, epoch_hash, seat, message).data

    @property
    def stops_somebody_before_it_begins(self) -> bool:
        """Whether two nonces end the match for some, while others go on: those lost the evidence on the way, or held all votes
        of the first height before it came, and now wait for who has ended. Nobody has seen a card by then.

        Who has ended is back in the room, and knows whom to thank for it.
        """
        records = [client.table.record for client in self.clients]
        ended = [record.broken for record in records if record.broken is not None and not record.certified_height]
        is_by_liar = any(end.seat == self.setting.liar for end in ended)
        left = [end for client in self.outsiders if (end := client.table.record.broken) is not None]
        is_first = all(record.certified_height <= 1 for record in records)
        return any(end.seat == self.setting.liar for end in left) or (is_by_liar and is_first)

    def _check_bounds(self, table: Table) -> None:
        """However much it says, little is kept."""
        assert self.setting.liar is not None
        held = table.record.ledger.store.held
        assert all(each <= MAX_HELD for each in held), held


def match(seed: int) -> int:
    """Play one match; return how many changed messages were received in it. Raises AssertionError with what went wrong."""
    with toy_group():
        world = HostileWorld(seed)
        world.run()
        wrong = [] if world.stops_somebody_before_it_begins else faults(world)
        assert not wrong, f"seed {seed}: {wrong}"
    return world.count
