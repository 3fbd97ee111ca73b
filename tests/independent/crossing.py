"""Match files with epochs, changed as somebody with the keys of some seats could, or who colludes with all of them.

`python -m tests.independent.crossing FIRST LAST [WAY]` searches; WAY is one of the simulator's.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import fields
from random import Random
from typing import Any

from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.messages import Closed, Evidence, Goodbye, Lost, Message, Vote, Without
from protocol.signed import Signed, decode_signed, sign
from protocol.table.epochs import FURTHEST, Attempt, attempt_of, goodbye_hash, without
from protocol.table.record import Record
from protocol.table.verify import Follower
from protocol.values import replace
from protocol.wire import frame
from tests.simulator import setting
from tests.simulator.search import simulate
from tests.table.tables import stream

WAYS: dict[str, Callable[[int], setting.Setting]] = {
    "lies": setting.draw_lies,
    "seats": setting.draw_seats,
    "votes": setting.draw_votes,
    "ends": setting.draw_ends,
    "room": setting.draw_room,
    "any": setting.draw,
}
MOST = 900
"""Longer files take too long."""


class Crossing:
    """Changes one file. `identities`: all who may ever have sat at the table."""

    def __init__(self, frames: Sequence[bytes], identities: Iterable[Identity], random: Random) -> None:
        self.random = random
        self.identities = {identity.public: identity for identity in identities}
        self.frames = list(frames)
        self.strangers = [Identity(bytes([200 + number]) * 32) for number in range(2)]
        self.said = [decode_signed(each) for each in self.frames[1:]]
        self.withouts = [each for each in self.said if isinstance(each.message, Without)]

    def changed(self) -> list[bytes]:
        """The file with some things done to it."""
        at = self._place()
        record = self._at(at)
        new: list[bytes] = []
        for _ in range(self.random.choice([1, 1, 2, 3, 5])):
            new += self._more(record)
        rest = self.frames[at:]
        match self.random.randrange(8):
            case 0:
                rest = []
            case 1 | 2:
                del rest[: self.random.randrange(1, 6)]
            case 3:
                rest = [*rest[3:], *rest[:3]]
            case _:
                pass
        if self.random.random() < 0.2:
            self.random.shuffle(new)
        if self.random.random() < 0.15 and len(new) > 1:
            new.append(self.random.choice(new))
        first = self.frames[:at]
        if self.random.random() < 0.1:
            del first[-1:]
        return [*first, *new, *rest]

    def _place(self) -> int:
        """Somewhere in the file: often near where an epoch begins."""
        near = [index for index, each in enumerate(self.said, 1) if isinstance(each.message, Without | Goodbye)]
        if near and self.random.random() < 0.6:
            return min(max(1, self.random.choice(near) + self.random.randrange(-4, 6)), len(self.frames))
        return self.random.randrange(1, len(self.frames) + 1)

    def _at(self, place: int) -> Record:
        follower = Follower(self.frames[0], stream(1))
        follower.wants_snapshots = False
        for each in self.frames[1:place]:
            follower.feed(each)
        return follower.record

    def _more(self, record: Record) -> list[bytes]:
        random = self.random
        kind = random.choice(["set"] * 6 + ["one", "one", "bye", "old", "other", "other", "evidence", "lost", "closed"])
        with contextlib.suppress(BadMessage, ValueError, IndexError, StopIteration):
            if kind == "set":
                return self._set(record)
            if kind == "one":
                return [self._without(record, self._number(record), None, random.choice(range(record.size)))]
            if kind == "bye":
                return [self._goodbye(record, random.choice(range(record.size)))]
            if kind == "old":
                return [random.choice(self.frames[1:])]
            if kind == "other":
                return [self._other(random.choice(self.said[-80:] if random.random() < 0.5 else self.said))]
            if kind == "evidence":
                return [self._evidence(record)]
            seat = random.choice(range(record.size))
            if kind == "lost":
                return [self._sign(record, seat, Lost(record.rounds_closed + random.choice([1, 1, 2])))]
            certificate = random.choice([record.previous, bytes(32)])
            return [self._sign(record, seat, Closed(certificate))]
        return []

    def _sign(
        self, record: Record, seat: int, message: Message, at: tuple[int, bytes] | None = None, key: bytes | None = None
    ) -> bytes:
        epoch, hash = at or (record.epoch, record.epoch_hash)
        identity = self.identities.get(key or record.key(seat), self.strangers[0])
        if key is not None:
            identity = next((each for each in self.strangers if each.public == key), identity)
        return sign(identity, record.table, epoch, hash, seat, message).data

    def _number(self, record: Record) -> int:
        held = [number for number, _ in record.ledger.departures.withouts]
        last = record.epoch
        return max(
            1,
            self.random.choice(
                [last + 1, last + 1, last + 2, last + 3, last, max([last, *held]) + 1, *held, last + FURTHEST]
            ),
        )

    def _ground(self, record: Record) -> tuple[int, bytes, tuple[int, ...]]:
        """An epoch that a promise may name as its last, and who is present there."""
        random, sizes = self.random, range(record.size)
        found = [(record.epoch, record.epoch_hash, record.present)] * 8
        for number, hash in record.ledger.departures.epochs.items():
            found.append((number, hash, record.present))
        found += [(record.epoch, bytes(32), record.present), (record.epoch + 1, bytes(32), record.present)]
        found += [(each.epoch, each.epoch_hash, without(each).base) for each in self.withouts[-3:]]
        number, hash, present = random.choice(found)
        if random.random() < 0.05:
            present = tuple(sorted(random.sample(sizes, random.randrange(1, record.size + 1))))
        return number, hash, present

    def _certificate(self, record: Record) -> tuple[int, bytes, bytes | None]:
        """A height, the certificate there, and a vote above that."""
        random, height = self.random, record.certified_height
        votes = [each.message for each in self.said if isinstance(each.message, Vote)]
        above = [each for each in votes if each.height == height + 1 and each.previous == record.previous]
        vote = random.choice([None, None, above[0].choice if above else None, bytes(32)])
        known = [(height, record.previous)] * 6
        known += [(each.now.match.height - 1, hash) for hash, each in record.certificates.items()]
        known += [
            (height + 1, bytes(32)),
            (height, bytes(32)),
            (max(0, height - 1), record.table),
            (1 << 31, bytes(32)),
        ]
        return (*random.choice(known), vote)

    def _attempts(self, record: Record, above: int, below: int, of: Iterable[Attempt]) -> tuple[Attempt, ...]:
        random = self.random
        found = {each[0]: each for each in of}
        if random.random() < 0.25:
            for _ in range(random.randrange(1, 3)):
                seats = tuple(sorted(random.sample(range(record.size), random.randrange(record.size + 1))))
                keepers = tuple(sorted(each.public for each in self.strangers[: random.choice([0, 0, 1, 2])]))
                number = random.randrange(above, max(below, above) + 1)
                found[number] = number, seats, keepers
        if random.random() < 0.1:
            found.clear()
        return tuple(found[number] for number in sorted(found) if above < number < below)

    def _out(self, record: Record) -> tuple[tuple[int, bytes | None], ...]:
        random, departures = self.random, record.ledger.departures
        out = dict(departures.out)
        said = {seat: goodbye_hash(each) for seat, each in departures.goodbyes.items()}
        if random.random() < 0.12:
            seat = random.randrange(record.size)
            out[seat] = random.choice([None, said.get(seat), bytes(32)])
        if random.random() < 0.08 and out:
            out.pop(random.choice(list(out)))
        return tuple(sorted(out.items()))

    def _added(self, record: Record) -> tuple[tuple[int, bytes, bytes, str, bool], ...]:
        random = self.random
        empty = [seat for seat in range(record.size) if seat not in record.present]
        if not empty and random.random() < 0.9:
            return ()
        taken = random.sample(empty, random.randrange(1, len(empty) + 1)) if empty else [random.randrange(record.size)]
        found = []
        for seat in sorted(taken):
            keys = [record.key(seat), *(each.public for each in self.strangers), *self.identities]
            key = random.choice([keys[0], *keys[1:3], random.choice(keys)])
            bot = random.random() < 0.3
            keepers = [record.key(each) for each in record.present]
            keeper = random.choice([*keepers, *keys[1:3]]) if bot else key
            found.append((seat, key, keeper, "N", bot))
        return tuple(found)

    def _without(
        self,
        record: Record,
        number: int,
        like: Without | None,
        seat: int,
        at: tuple[int, bytes, tuple[int, ...]] | None = None,
    ) -> bytes:
        random = self.random
        epoch, hash, base = at or self._ground(record)
        if random.random() < 0.15:
            epoch, hash, base = self._ground(record)
        height, certificate, vote = record.certified_height, record.previous, None
        if random.random() < 0.2:
            height, certificate, vote = self._certificate(record)
        stay = like.stay if like is not None else tuple(each for each in base if each == seat or random.random() < 0.7)
        if random.random() < 0.9:
            number = max(number, epoch + 1)
        added = like.added if like is not None else self._added(record) if random.random() < 0.3 else ()
        own = [
            attempt_of(each)
            for (_, by), each in record.ledger.departures.withouts.items()
            if by == seat and without(each).number < number
        ]
        message = Without(
            number,
            stay if not added else base,
            base,
            height,
            certificate,
            like.vote if like is not None and vote is None else vote,
            self._attempts(record, epoch, number, own),
            tuple(each for each in self._out(record) if each[0] not in stay),
            added,
        )
        keys = {each[0]: each[1] for each in added}
        key = keys.get(seat)
        if random.random() < 0.04:
            key = random.choice([*self.identities, *(each.public for each in self.strangers)])
        return self._sign(record, seat, message, (epoch, hash), key)

    def _set(self, record: Record) -> list[bytes]:
        """The promises of all who go on, some of whom lie."""
        random, number = self.random, self._number(record)
        at = self._ground(record)
        convicted = record.ledger.departures.convicted
        gone = {*convicted, *record.ledger.departures.goodbyes}
        stay = tuple(each for each in at[2] if each not in gone or random.random() < 0.05)
        if random.random() < 0.5 and len(stay) > 2:
            stay = tuple(sorted(random.sample(stay, len(stay) - random.choice([1, 1, 2]))))
        added = self._added(record) if random.random() < 0.3 else ()
        if added:
            stay = at[2]
        _, _, vote = self._certificate(record) if random.random() < 0.3 else (0, b"", None)
        like = Without(number, stay, at[2], record.certified_height, record.previous, vote, (), (), added)
        seats = [*stay, *(each[0] for each in added)]
        return [self._without(record, number, like, seat, at) for seat in seats]

    def _goodbye(self, record: Record, seat: int) -> bytes:
        random = self.random
        number = record.epoch + random.choice([0, 0, 1, 2, 9])
        attempts = self._attempts(record, -1, number + 1, [])
        epoch = (record.epoch, record.epoch_hash)
        return self._sign(record, seat, Goodbye(number, attempts), epoch)

    def _other(self, said: Signed) -> bytes:
        """Something else for the same slot, or the same for another epoch, by whoever has said it."""
        random, message = self.random, said.message
        identity = next((each for each in self.identities.values() if said.is_by(each.public)), self.strangers[0])
        epoch, hash = said.epoch, said.epoch_hash
        if random.random() < 0.3:
            epoch, hash = random.choice([(each.epoch, each.epoch_hash) for each in self.said])
        if random.random() < 0.8:
            message = self._altered(message)
        return sign(identity, said.table, epoch, hash, said.seat, message).data

    def _altered(self, message: Message) -> Message:
        names = [each.name for each in fields(message)]
        if not names:
            return message
        name = self.random.choice(names)
        value: Any = getattr(message, name)
        if type(value) is int:
            value = max(0, value + self.random.choice([-1, 1, 2]))
        elif type(value) is bytes and value:
            value = value[:-1] + bytes([value[-1] ^ 1])
        elif type(value) is tuple and value:
            value = value[:-1] if self.random.random() < 0.5 else value[::-1]
        elif value is None:
            value = bytes(32)
        return replace(message, **{name: value})

    def _evidence(self, record: Record) -> bytes:
        random = self.random
        first = random.choice(self.said)
        inner = [first.data]
        for _ in range(random.choice([0, 1, 1, 2])):
            inner.append(self._other(random.choice([first, *(each for each in self.said if each.seat == first.seat)])))
        by = random.choice(record.present)
        return self._sign(record, by, Evidence(first.seat, "two-versions", tuple(inner[:4])))


def files(seed: int, way: str) -> list[tuple[list[bytes], list[Identity]]]:
    """The files of a run, and the identities of all who took part."""
    world, wrong = simulate(seed, drawn=WAYS[way])
    assert not wrong, (seed, wrong)
    identities = [*(client.identity for client in world.clients), *world.spare_identities]
    found = {b"".join(client.transcript): client.transcript for client in world.clients}
    return [(each, identities) for each in found.values() if 10 < len(each) < MOST]


def differences(seed: int, way: str, count: int) -> list[str]:
    """What the verifiers say differently of files of this seed, changed so often."""
    from tests.independent.test_matches import both

    random, found = Random(f"{way} {seed}"), list[str]()
    known = files(seed, way)
    for number in range(count if known else 0):
        frames, identities = random.choice(known)
        data = b"".join(map(frame, Crossing(frames, identities, random).changed()))
        try:
            theirs, ours = both(data)
            epochs = list(theirs.epochs)
            assert not theirs.ok or len(epochs) == max(1, len(ours.sitters)), (epochs, len(ours.sitters))
        except AssertionError as fault:
            lines = str(fault).splitlines()
            found.append(f"{way} {seed} {number}: {lines[0] if lines else fault!r}")
        except Exception as fault:  # whatever one of them raises is a finding
            found.append(f"{way} {seed} {number}: {fault!r}")
    return found


def main() -> None:
    from tests.independent.toy import toy_group

    first, last = int(sys.argv[1]), int(sys.argv[2])
    ways = sys.argv[3:4] or list(WAYS)
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    done = 0
    with toy_group():
        for seed in range(first, last):
            for way in ways:
                for line in differences(seed, way, count):
                    print(line, flush=True)
                done += count
        print(f"{done} files", flush=True)


if __name__ == "__main__":
    main()
