"""A match on several hosts while another host floods one of them: `python -m tests.lan.hostile [FLOOD...]`.

Four hosts play one long match by themselves. A fifth floods the first of them, or, for control, a sixth that has only a
room open; both take turns of some seconds. For each flood, one line of JSON: the pace under attack and under control, in
records a second, and the median of the turns' ratios; how much memory and how many files the flooded client has more; and
the seconds until a friend's link is open, or a friend's phone is in. The multicast floods reach all alike: there the control
goes to a group that nobody listens to. The floods of the phones' page need `make phones`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import fmean, median

from cli.bench.floods import FLOODS, MDNS_GROUP, PAGE_FLOODS
from cli.phones.serving import PORT as PAGE_PORT
from tests.e2e.clients import Client
from tests.lan.lab import ROOT, Host
from tests.lan.trouble import Match, long_match

PORT = 4711
PART_S = 4.0
TURNS = 4
OTHER_GROUP = "224.0.0.250"
JOIN = """
import asyncio, sys, time
from cli.bench.floods import Target, new_identity
from p2p.errors import LinkLost
async def join():
    began = time.monotonic()
    while time.monotonic() - began < 30:
        try:
            link = await Target(sys.argv[1], int(sys.argv[2]), "").link(new_identity(), "look")
        except (LinkLost, OSError):
            await asyncio.sleep(0.5)
            continue
        link.start(lambda *_: None)
        return time.monotonic() - began
    return 30.0
print(asyncio.run(join()))
"""
COME_IN = """
import asyncio, sys
from cli.bench.guests import seconds_to_come_in
print(asyncio.run(seconds_to_come_in(sys.argv[1], "", 30.0)))
"""


@contextmanager
def flooding(flood: str, source: Host, target: Host, group: str) -> Iterator[None]:
    """Flood from one host to another."""
    command = ["ip", "netns", "exec", source.namespace, sys.executable, "-m", "cli.bench.floods", flood, target.v4]
    port = PAGE_PORT if flood in PAGE_FLOODS else PORT
    process = subprocess.Popen([*command, str(port), source.v4, group], stdin=subprocess.PIPE, cwd=ROOT)
    try:
        yield
    finally:
        process.kill()
        process.communicate()


def memory_mib(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * 4096 / (1 << 20)


def files(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


def seconds_to_join(friend: Host, target: Host, page: str) -> float:
    """`page`: the address for phones, to come in by phone."""
    program = [COME_IN, page] if page else [JOIN, target.v4, str(PORT)]
    command = ["ip", "netns", "exec", friend.namespace, sys.executable, "-c", *program]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def page_of(client: Client) -> str:
    """Return the address for phones that a client has told."""
    assert client.process.stdout is not None
    return next(str(json.loads(line)["phones"]) for line in client.process.stdout if '"phones"' in line)


@dataclass(frozen=True, slots=True)
class Figures:
    """What one flood does to a match. `attack`, `control`: records a second and seat; `ratio`: the median of the turns' ratios;
    the rest is of the flooded client."""

    flood: str
    attack: float
    control: float
    ratio: float
    memory_mib: float
    files: int
    join_s: float


def under(flood: str, match: Match) -> Figures:
    """Measure one flood."""
    target, attacker, other = match.lab.hosts[0], match.lab.hosts[4], match.lab.hosts[5]
    client = match.clients[0].process.pid
    page = page_of(match.clients[0]) if flood in PAGE_FLOODS else ""
    memory, open_files = memory_mib(client), files(client)
    most_memory, most_files = memory, open_files
    records: dict[str, list[float]] = {"attack": [], "control": []}
    join_s = 0.0
    for turn in range(TURNS):
        for kind in ("control", "attack") if turn % 2 else ("attack", "control"):
            victim, group = (target, MDNS_GROUP) if kind == "attack" else (other, OTHER_GROUP)
            with flooding(flood, attacker, victim, group):
                time.sleep(1.5)
                began, before = time.monotonic(), sum(match.heights())
                while time.monotonic() - began < PART_S:
                    time.sleep(0.2)
                    if kind == "attack":
                        most_memory, most_files = max(most_memory, memory_mib(client)), max(most_files, files(client))
                made = sum(match.heights()) - before
                records[kind].append(made / (time.monotonic() - began) / len(match.homes))
                if kind == "attack":
                    join_s = max(join_s, seconds_to_join(other, target, page))
    attack, control = (round(fmean(records[kind]), 1) for kind in ("attack", "control"))
    turns = zip(records["attack"], records["control"], strict=True)
    ratio = round(median(one / other if other else 0.0 for one, other in turns), 2)
    more = round(most_memory - memory, 1)
    return Figures(flood, attack, control, ratio, more, most_files - open_files, round(join_s, 2))


if __name__ == "__main__":
    for name in sys.argv[1:] or FLOODS:
        more = ("--phones",) if name in PAGE_FLOODS else ()
        with long_match(hosts=6, more=more) as running:
            running.open_room(running.lab.hosts[5], *more)
            print(json.dumps(asdict(under(name, running))), flush=True)
