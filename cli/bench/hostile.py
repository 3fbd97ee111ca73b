"""Rows for a match under attack: its pace, what the flood costs in processor time and memory, and a friend who joins.

Four peers play on this computer while a stranger floods one of them, or, for comparison, another program of the same kind
that takes no part. Both last some seconds and take turns, so that whatever else this computer does spoils both alike.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from cli.bench.floods import FLOODS, MDNS_GROUP, PAGE_FLOODS, Target, new_identity
from cli.bench.guests import seconds_to_come_in
from cli.bench.rows import Measurement
from cli.bench.tables import free_port
from cli.phones import assets
from p2p.errors import LinkLost

SEATS = 4
PART_S = 2.0
REPORT_S = 0.05
MANY_MOVES = 1_000_000
BEGIN_LIMIT_S = 60.0
WARM_UP_S = 5.0
"""At first the next round is prepared beside the play, which would be charged to the first that is flooded."""
JOIN_LIMIT_S = 15.0
OTHER_GROUP = "224.0.0.250"
HOME, STRANGER, FRIEND = "127.0.0.1", "127.0.0.66", "127.0.0.77"


FOR_ALL = ("announcements", "packets")
"""Floods that every program of a network receives."""


class BenchProcess:
    """A process of the bench that reports its match's height."""

    def __init__(self, folder: Path, number: int, port: int, seats: int, serves: bool = False) -> None:
        """`serves`: it lets phones in."""
        arguments: dict[str, Any] = {
            "home": str(folder / f"{port}-{number}"),
            "library": str(folder / "library"),
            "number": number,
            "port": port,
            "game": "crazy-eights",
            "seats": seats,
            "options": {"hand": 7, "target": 100_000},
            "rounds": 1000,
            "moves": MANY_MOVES,
            "still_s": 0.0,
            "is_announced": True,
            "report_s": REPORT_S,
            "phones": serves,
        }
        command = [sys.executable, "-m", "cli.bench.peer", json.dumps(arguments)]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.height = 0
        self.page = ""
        """The address for phones."""
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said = json.loads(line)
            self.height, self.page = said.get("height", self.height), said.get("phones", self.page)

    @property
    def page_port(self) -> int:
        """The port of the phones' page."""
        return int(self.page.partition("/#")[0].rpartition(":")[2])

    @property
    def memory_mib(self) -> float:
        """Resident memory; 0 where the system does not tell."""
        try:
            words = Path(f"/proc/{self.process.pid}/statm").read_text(encoding="ascii").split()
        except OSError:
            return 0.0
        return int(words[1]) * 4096 / (1 << 20)

    @property
    def files(self) -> int:
        """Open files and sockets; 0 where the system does not tell."""
        try:
            return sum(1 for _ in Path(f"/proc/{self.process.pid}/fd").iterdir())
        except OSError:
            return 0

    @property
    def cpu_s(self) -> float:
        """Processor time used, in seconds; 0 where the system does not tell."""
        try:
            words = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        except OSError:
            return 0.0
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def end(self) -> None:
        self.process.kill()
        self.process.wait()


def hostile_rows(turns: int) -> Iterator[Measurement]:
    """Yield rows for each flood. `turns`: how often the target and the other program are flooded, PART_S each time."""
    source = STRANGER if sys.platform == "linux" else ""
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder, ExitStack() as stack:
        port, elsewhere = free_port(), free_port()
        serves = _has_phones()
        other = BenchProcess(Path(folder), 0, elsewhere, SEATS, serves)
        stack.callback(other.end)
        for flood in FLOODS if serves else FLOODS.keys() - PAGE_FLOODS:
            with ExitStack() as match:
                peers = []
                for number in range(SEATS):
                    serves = flood in PAGE_FLOODS and not number
                    peers.append(BenchProcess(Path(folder) / flood, number, port, SEATS, serves))
                    match.callback(peers[-1].end)
                _wait_for(peers, 20)
                time.sleep(WARM_UP_S)
                yield from _rows_under(flood, peers, other, turns, port, elsewhere, source)


def _has_phones() -> bool:
    try:
        assets.folder()
    except assets.NoAssets:
        return False
    return True


def _wait_for(peers: list[BenchProcess], height: int) -> None:
    until = time.monotonic() + BEGIN_LIMIT_S
    while min(peer.height for peer in peers) < height:
        if time.monotonic() > until:
            raise TimeoutError("the match does not begin")
        time.sleep(0.05)


def _rows_under(
    flood: str, peers: list[BenchProcess], other: BenchProcess, turns: int, port: int, elsewhere: int, source: str
) -> Iterator[Measurement]:
    host = peers[0]
    moves = {port: 0, elsewhere: 0}
    memory, files = host.memory_mib, host.files
    most_memory, most_files = memory, files
    join_s = cpu_s = 0.0
    idle = port if flood in FOR_ALL else elsewhere  # when the program that takes no part is flooded
    for turn in range(turns):
        for victim in (elsewhere, port) if turn % 2 else (port, elsewhere):
            page = {port: host, elsewhere: other}[victim].page_port if flood in PAGE_FLOODS else victim
            with _flooding(flood, page, source, MDNS_GROUP if victim == port else OTHER_GROUP):
                time.sleep(0.5)
                before, cpu_before, began = peers[-1].height, other.cpu_s, time.monotonic()
                end = time.monotonic() + PART_S
                while time.monotonic() < end:
                    time.sleep(0.1)
                    if victim == port:
                        most_memory, most_files = max(most_memory, host.memory_mib), max(most_files, host.files)
                moves[victim] += peers[-1].height - before
                if victim == idle:
                    cpu_s += (other.cpu_s - cpu_before) * PART_S / (time.monotonic() - began)
                if victim == port and turn == turns - 1:
                    join_s = asyncio.run(_seconds_to_join(port, host.page if flood in PAGE_FLOODS else ""))
    params = {"flood": flood, "seats": SEATS}
    control = moves[elsewhere] / (turns * PART_S)
    yield Measurement("hostile.pace", params, moves[port] / (turns * PART_S), "moves/s", control)
    yield Measurement("hostile.cpu", params, 100 * cpu_s / (turns * PART_S), "% of a core")
    yield Measurement("hostile.memory", params, most_memory - memory, "MiB more")
    yield Measurement("hostile.files", params, most_files - files, "more")
    yield Measurement("hostile.join", params, join_s, "s")


@contextmanager
def _flooding(flood: str, port: int, source: str, group: str) -> Iterator[None]:
    command = [sys.executable, "-m", "cli.bench.floods", flood, HOME, str(port), source, group]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.kill()
        process.communicate()


async def _seconds_to_join(port: int, page: str) -> float:
    """Return the seconds until a friend's link is open, trying again as clients do; JOIN_LIMIT_S if it never is.

    `page`: where the friend comes in by phone.
    """
    loop = asyncio.get_running_loop()
    began = loop.time()
    source = FRIEND if sys.platform == "linux" else ""
    if page:
        return await seconds_to_come_in(page, source, JOIN_LIMIT_S)
    friend = Target(HOME, port, source)
    while loop.time() - began < JOIN_LIMIT_S:
        try:
            link = await friend.link(new_identity(), "watch")
        except (LinkLost, OSError):
            await asyncio.sleep(0.5)
            continue
        took = loop.time() - began
        link.start(lambda *_: None)
        link.close()
        await link.wait_closed()
        return took
    return JOIN_LIMIT_S
