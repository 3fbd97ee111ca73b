"""A match on several hosts while another host floods one of them: `python -m tests.lan.hostile [FLOOD...]`.

Four hosts play one long match by themselves. A fifth floods the first of them, or, for control, a sixth that has only a
room open; both take turns of some seconds. For each flood, one line of JSON: the pace under attack against control, in
records a second, how much memory and how many files the flooded client has more, and the seconds until a friend's link
is open. The multicast floods reach all alike: there the control goes to a group that nobody listens to.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cli.bench.floods import FLOODS, MDNS_GROUP
from tests.lan.lab import ROOT, Host
from tests.lan.trouble import Match, long_match

PORT = 4711
PART_S = 4.0
TURNS = 4
OTHER_GROUP = "224.0.0.250"
JOIN = """
import asyncio, sys, time
from cli.bench.floods import Target, new_identity
async def join():
    began = time.monotonic()
    while time.monotonic() - began < 30:
        try:
            link = await Target(sys.argv[1], int(sys.argv[2]), "").link(new_identity(), "look")
        except Exception:
            await asyncio.sleep(0.5)
            continue
        link.start(lambda *_: None)
        return time.monotonic() - began
    return 30.0
print(asyncio.run(join()))
"""


@contextmanager
def flooding(flood: str, source: Host, target: Host, group: str) -> Iterator[None]:
    """Flood from one host to another."""
    command = ["ip", "netns", "exec", source.namespace, sys.executable, "-m", "cli.bench.floods", flood, target.v4]
    process = subprocess.Popen([*command, str(PORT), source.v4, group], stdin=subprocess.PIPE, cwd=ROOT)
    try:
        yield
    finally:
        process.kill()
        process.communicate()


def memory_mib(process: int) -> float:
    return int(Path(f"/proc/{process}/statm").read_text(encoding="ascii").split()[1]) * 4096 / (1 << 20)


def files(process: int) -> int:
    return len(os.listdir(f"/proc/{process}/fd"))


def seconds_to_join(friend: Host, target: Host) -> float:
    command = ["ip", "netns", "exec", friend.namespace, sys.executable, "-c", JOIN, target.v4, str(PORT)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout)


def under(flood: str, match: Match) -> dict[str, object]:
    """Measure one flood."""
    target, attacker, other = match.lab.hosts[0], match.lab.hosts[4], match.lab.hosts[5]
    client = match.clients[0].process.pid
    memory, open_files = memory_mib(client), files(client)
    most_memory, most_files = memory, open_files
    records = {"attack": 0.0, "control": 0.0}
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
                records[kind] += (sum(match.heights()) - before) / (time.monotonic() - began) / len(match.homes)
                if kind == "attack":
                    join_s = max(join_s, seconds_to_join(other, target))
    pace = {kind: round(total / TURNS, 1) for kind, total in records.items()}
    return {
        "flood": flood,
        "pace": pace,
        "ratio": round(pace["attack"] / pace["control"], 2) if pace["control"] else None,
        "memory": round(most_memory - memory, 1),
        "files": most_files - open_files,
        "join": round(join_s, 2),
    }


if __name__ == "__main__":
    for name in sys.argv[1:] or FLOODS:
        with long_match(hosts=6) as running:
            running.open_room(running.lab.hosts[5])
            print(json.dumps(under(name, running)), flush=True)
