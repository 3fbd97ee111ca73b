"""Every target on mutated inputs, the same each time; `make fuzz` goes on for longer. And one file, changed everywhere."""

from __future__ import annotations

from random import Random

import pytest

from protocol.errors import BadMessage
from protocol.signed import decode_signed
from protocol.table.verify import Follower
from protocol.wire import frame, frames
from tests.adversaries.declared import By, attack
from tests.fuzz.mutation import mutated
from tests.fuzz.targets import SEEDED, TARGETS, real_frames, seeds, verify_any
from tests.independent.games import short
from tests.table.tables import stream

COUNTS = {
    "decoders": 1500,
    "bodies": 500,
    "announcements": 200,
    "transcripts": 6,
    "messages": 60,
    "letters": 200,
    "meshes": 500,
    "sockets": 300,
    "doors": 100,
    "pages": 100,
}


@pytest.mark.sample
@attack(
    By.STRANGER,
    "Every message and file is changed at random, over and over.",
    "At once: each is refused, and nothing else happens.",
)
@pytest.mark.parametrize("name", TARGETS)
def test_mutated_inputs(name: str) -> None:
    rng, corpus = Random(1), seeds(name)
    for data in corpus:
        if name != "transcripts":
            TARGETS[name](data)
    for _ in range(COUNTS[name]):
        data = mutated(rng.choice(corpus), rng)
        try:
            TARGETS[name](data)
        except Exception as error:
            raise AssertionError(data.hex()) from error


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Somebody’s program sends all kinds of altered messages, signed or not, in every phase of a match.",
    "At once: invalid messages are dropped, and contradictory ones convict their sender alone.",
    evidence="the cheater, by its own messages",
)
@pytest.mark.parametrize("seed", [20, *(pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 25))])
def test_matches_with_somebody_who_sends_anything(seed: int) -> None:
    """Of the long runs of `make fuzz` a few: one without a word that convicts, and one that once divided the honest."""
    assert SEEDED["matches"](seed) > 50


@pytest.mark.slow
@attack(
    By.ROOM,
    "Somebody in the room, or its host, sends all kinds of altered messages, signed or not.",
    "At once: each is dropped, and nothing else happens.",
)
@pytest.mark.parametrize("seed", [1, 2])
def test_rooms_with_somebody_who_says_anything(seed: int) -> None:
    assert SEEDED["rooms"](seed) > 100


@pytest.mark.slow
def test_a_file_changed_at_every_byte_is_refused_there() -> None:
    """Each byte of the first message of each kind, and some of the others, with one bit changed: its signature no longer holds,
    or it does not decode."""
    tables = short()
    signers = {place: tables.clients[place].identity.public for place in range(2)}
    seating = tables.clients[0].table.record.seating
    follower = Follower(real_frames()[0], stream(1))
    kinds = set[str]()
    for data in real_frames()[1:]:
        signed = decode_signed(data)
        step = 1 if signed.message.kind not in kinds else 7
        kinds.add(signed.message.kind)
        for at in range(0, len(data), step):
            changed = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
            try:
                other = decode_signed(changed)
                place = other.seat if other.message.kind in ("seal", "nonce") else seating[other.seat]
                other.verify(signers[place])
            except (BadMessage, IndexError, KeyError):
                continue
            raise AssertionError(f"{signed.message.kind}: byte {at}")
        assert follower.feed(data) is not None and follower.report.failed is None


@pytest.mark.slow
def test_a_file_cut_at_every_byte_ends_at_a_message() -> None:
    whole = b"".join(map(frame, real_frames()[:12]))
    starts = [at for at, _ in frames(whole)] + [len(whole)]
    for end in range(len(whole)):
        read = []
        try:
            for _, data in frames(whole[:end]):
                read.append(data)
            assert end in starts
        except BadMessage:
            assert end not in starts
        assert read == list(real_frames()[: len(read)])
    for end in range(1, len(whole), 997):
        assert verify_any(whole[:end]) == ()


@attack(
    By.OUTSIDE,
    "A file is changed to make an honest player look like a cheat.",
    "When the file is verified: it is rejected at the changed place.",
    "nobody: anyone who has a file can change it",
)
@pytest.mark.slow
def test_messages_left_out_doubled_or_exchanged_convict_nobody() -> None:
    rows = list(real_frames())
    for at in range(1, len(rows), 5):
        for new in (
            [*rows[:at], *rows[at + 1 :]],
            [*rows[: at + 1], *rows[at:]],
            [*rows[: at - 1], rows[at], rows[at - 1], *rows[at + 1 :]] if at > 1 else rows[1:],
        ):
            assert verify_any(b"".join(map(frame, new))) == ()
