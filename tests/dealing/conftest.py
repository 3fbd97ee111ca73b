"""A small table to deal at, made from seeds: every run is the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from protocol.cards import PACK_52
from protocol.dealing import sums
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, starting_deck
from protocol.dealing.group import Point, Scalar, weighted_sum
from protocol.dealing.hashing import Rng, Stream
from protocol.dealing.keys import RoundKey, RoundSecret, joint_key, make_round_key
from protocol.dealing.shuffle import ShuffleWitness, prove_shuffle, shuffle
from protocol.values import replace

SHUFFLE = ProofContext(table=bytes(range(32)), epoch=1, round=2, deck=3, step=4, seat=0, purpose="shuffle")
IDENTITIES = [bytes([seat]) * 32 for seat in range(10)]


def rng_of(name: str) -> Rng:
    """Random bytes that are the same in every run."""
    return Stream("test", name, expected=4096).read


def elsewhere(ctx: ProofContext) -> list[ProofContext]:
    """The same place but for one field, each field in turn."""
    return [
        replace(ctx, table=bytes(reversed(ctx.table))),
        replace(ctx, epoch=ctx.epoch + 1),
        replace(ctx, round=ctx.round + 1),
        replace(ctx, deck=ctx.deck + 1),
        replace(ctx, step=ctx.step + 1),
        replace(ctx, seat=ctx.seat + 1),
        replace(ctx, purpose=ctx.purpose + "!"),
        replace(ctx, receiver=1 if ctx.receiver is None else None),
        replace(ctx, receiver=0 if ctx.receiver is None else ctx.receiver + 1),
        replace(ctx, version=ctx.version + 1),
    ]


@dataclass(frozen=True)
class Seats:
    """Seats with their round keys."""

    secrets: Sequence[RoundSecret]
    keys: Sequence[RoundKey]

    @property
    def joint(self) -> Point:
        return joint_key(self.keys)

    @property
    def x_sum(self) -> Scalar:
        return sum((secret.x for secret in self.secrets), Scalar(0))


@dataclass(frozen=True)
class Shuffled:
    """One seat's shuffle and its proof."""

    ctx: ProofContext
    joint: Point
    before: Deck
    after: Deck
    witness: ShuffleWitness
    proof: bytes


def key_context(seat: int) -> ProofContext:
    return replace(SHUFFLE, step=0, seat=seat, purpose="key")


def make_seats(count: int) -> Seats:
    rng = rng_of("seats")
    pairs = [make_round_key(key_context(seat), IDENTITIES[seat], rng) for seat in range(count)]
    return Seats([secret for secret, _ in pairs], [key for _, key in pairs])


def make_shuffled(seats: Seats, n: int, seat: int = 0, before: Deck | None = None) -> Shuffled:
    """A shuffle of n cards (or of `before`) by a seat; by default the deck has been shuffled once already."""
    joint = seats.joint
    if before is None:
        other = replace(SHUFFLE, seat=9)
        before, _ = shuffle(other, joint, bytes(32), starting_deck(PACK_52[:n]))
    ctx = replace(SHUFFLE, seat=seat)
    after, witness = shuffle(ctx, joint, seats.secrets[seat].seed, before)
    proof = prove_shuffle(ctx, joint, before, after, witness, rng_of(f"proof {n} {seat}"))
    return Shuffled(ctx, joint, before, after, witness, proof)


@pytest.fixture(scope="session")
def seats() -> Seats:
    return make_seats(4)


@pytest.fixture(scope="session")
def shuffled(seats: Seats) -> Callable[[int], Shuffled]:
    """The shuffle of n cards, made once."""
    made: dict[int, Shuffled] = {}

    def of(n: int) -> Shuffled:
        if n not in made:
            made[n] = make_shuffled(seats, n)
        return made[n]

    return of


class Libsodium:
    """Stands for the compiled module, and counts."""

    def __init__(self) -> None:
        self.count = 0

    def sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        self.count += 1
        return weighted_sum(map(Scalar, scalars), map(Point, points)).encode()


@pytest.fixture(params=["one by one", "as one sum"])
def module(request: pytest.FixtureRequest) -> Iterator[Libsodium | None]:
    before, found = sums.compiled(), Libsodium() if request.param == "as one sum" else None
    sums.use(found)
    yield found
    sums.use(before)
