"""Rows for `fairdeal verify`: how long a whole match takes, beside the bare operations of its signatures and proofs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from cli.bench.clock import per_call_s
from cli.bench.dealing import bare_operations
from cli.bench.program import RUN
from cli.bench.rows import Measurement
from cli.client.verifying import Verifier, cores
from protocol.dealing import library, sums
from protocol.dealing.costs import Ops
from protocol.ed25519 import KeyPair, is_valid
from protocol.table.verify import Report, verify

GAME = "crazy-eights"
SEATS = 4
FOR_FLOOR_S = 0.05
"""How long each operation of a floor is measured, in each turn."""


class CountingGroup:
    """A group that counts what it is asked for."""

    def __init__(self, group: library.LoadedGroup) -> None:
        self.source, self.version = group.source, group.version
        self.is_point, self.from_hash = group.is_point, group.from_hash
        self._group = group
        self._mul = self._base = self._add = 0

    @property
    def ops(self) -> Ops:
        return Ops(self._mul, self._base, self._add)

    def mul(self, k: bytes, p: bytes) -> bytes:
        self._mul += 1
        return self._group.mul(k, p)

    def mul_base(self, k: bytes) -> bytes:
        self._base += 1
        return self._group.mul_base(k)

    def add(self, p: bytes, r: bytes) -> bytes:
        self._add += 1
        return self._group.add(p, r)

    def sub(self, p: bytes, r: bytes) -> bytes:
        self._add += 1
        return self._group.sub(p, r)


def verify_rows(rounds: int, turns: int) -> list[Measurement]:
    """Measure verifying a match of so many rounds, in seconds per 1000 entries: processor time of all processes, and time by the
    clock, on one core and on all.

    The floor is what its group operations and signatures take one by one; by the clock, shared by the cores. Floor and
    verifications are measured in turns, and the median of each counts: a computer is not always as fast.
    """
    data = _match(rounds)
    ops, report = counted(data)
    floors: list[float] = []
    took: dict[int, list[tuple[float, float]]] = {count: [] for count in sorted({1, cores()})}
    for _ in range(turns):
        for count, found in took.items():
            found.append(_verified(data, count))
            signatures_s = report.checks["signatures"] * _signature_s()
            floors.append(bare_operations(FOR_FLOOR_S).floor_ms(ops) / 1000 + signatures_s)
    per_entry, rows = 1000 / max(report.heights, 1), []
    floor = median(floors) * per_entry
    params = {"game": GAME, "seats": SEATS, "rounds": report.rounds, "entries": report.heights}
    for count, found in took.items():
        processor, clock = (median(each) * per_entry for each in zip(*found, strict=True))
        on = params | {"cores": count}
        rows.append(Measurement("verify.match", on | {"of": "processor"}, processor, "s/1000", floor))
        rows.append(Measurement("verify.match", on | {"of": "clock"}, clock, "s/1000", floor / count))
    return rows


def _verified(data: bytes, count: int) -> tuple[float, float]:
    """Verify a file on so many cores; return how many seconds that took, of processor time and by the clock."""
    begun, begun_cpu = time.perf_counter(), _processor_s()
    with Verifier(count) as verifier:
        verifier.verify(data)
    return _processor_s() - begun_cpu, time.perf_counter() - begun


def _processor_s() -> float:
    """Return the processor time of this process and of those that it started and that have ended (on Windows without those)."""
    return sum(os.times()[:4])


def _match(rounds: int) -> bytes:
    """Return the transcript of a match between bots."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as home:
        file = Path(home) / "match.fairdeal"
        words = ["play", GAME, "--autoplay", "--seats", str(SEATS), "--rounds", str(rounds), "--transcript", str(file)]
        subprocess.run(
            [sys.executable, "-c", RUN, *words, "--home", home, "--pause", "0", "--option", "target=100000"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=True,
        )
        return file.read_bytes()


def counted(data: bytes) -> tuple[Ops, Report]:
    """Verify a transcript, and return the group operations that this took."""
    counting = CountingGroup(library.load())
    real, compiled = library.replace(counting), sums.compiled()
    sums.use(None)
    try:
        report = verify(data, os.urandom)
    finally:
        library.replace(real)
        sums.use(compiled)
    return counting.ops, report


def _signature_s() -> float:
    signer, message = KeyPair(os.urandom(32)), os.urandom(200)
    signature = signer.sign(message)
    return per_call_s(lambda: is_valid(signer.public, message, signature), FOR_FLOOR_S)
