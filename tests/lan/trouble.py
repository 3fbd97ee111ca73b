"""The ordinary trouble of a real network, and how fast a running match is over it: `python -m tests.lan.trouble`.

Four hosts play one long match by themselves. A cable is out for a while, two hosts cannot reach each other, the network
falls into two parts, a host gets other addresses, the air is bad. For each, one line of JSON: seconds from the moment
when the trouble is over (or, where it stays, when it began) until every host's match goes on, or records a second.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from tests.e2e.clients import Client, Party, party
from tests.lan.lab import ROOT, Host, Lab, hosts_on_a_lan, ip
from tests.lan.test_match import on

SEATS = 4
LIMIT_S = 120.0
MORE = 3
"""A match goes on once every journal holds this many records more."""


class Match:
    """A running match on the lab's hosts, one seat a host; it is long enough for any trouble."""

    def __init__(self, lab: Lab, friends: Party) -> None:
        self.lab, self.friends = lab, friends
        self.homes = [friends.folder / str(host.number) for host in lab.hosts[:SEATS]]
        self.clients: list[Client] = []

    def open_room(self, host: Host, *more: str) -> Client:
        """Let a host that does not play open a room of its own."""
        words = ("host", "crazy-eights", "--autoplay", "--seats", "4", "--json", *more)
        return on(self.friends, host, f"room {host.number}", *words)

    def heights(self) -> list[int]:
        return [last_record(home) for home in self.homes]

    def seconds_until_it_goes_on(self, since: float, before: Sequence[int]) -> float:
        """Seconds from `since` (monotonic) until every seat has recorded more than `before`."""
        while not all(now >= then + MORE for now, then in zip(self.heights(), before, strict=True)):
            if time.monotonic() - since > LIMIT_S:
                return LIMIT_S
            time.sleep(0.02)
        return time.monotonic() - since

    def records_a_second(self, seconds: float) -> float:
        before, began = sum(self.heights()), time.monotonic()
        time.sleep(seconds)
        return (sum(self.heights()) - before) / (time.monotonic() - began) / len(self.homes)


def last_record(home: Path) -> int:
    """The number of the last record in a home's journal."""
    try:
        with closing(sqlite3.connect(f"file:{home / 'journal.sqlite'}?mode=ro", uri=True)) as journal:
            return int(journal.execute("SELECT max(rowid) FROM records").fetchone()[0] or 0)
    except sqlite3.OperationalError:
        return 0


def breathe(lab: Lab, *, delay_ms: int, loss_percent: int) -> None:
    """Replace the hosts' cables by air that delays and loses what passes."""
    for host in lab.hosts:
        ip("-n", host.namespace, "link", "del", "eth0")
    words = [str(delay_ms), str(loss_percent), *(host.namespace for host in lab.hosts)]
    air = subprocess.Popen(
        [sys.executable, "-m", "tests.lan.air", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT
    )
    lab.hosts[0].adopt(air)
    assert air.stdout is not None
    air.stdout.readline()
    for host in lab.hosts:
        host.plug()


@contextmanager
def long_match(is_air_bad: bool = False, hosts: int = SEATS, more: Sequence[str] = ()) -> Iterator[Match]:
    """Four autoplaying clients on the first hosts, once they have played a little. `more`: options of the first."""
    with hosts_on_a_lan(hosts) as lab, tempfile.TemporaryDirectory(prefix="fairdeal-trouble-") as folder:
        if is_air_bad:
            breathe(lab, delay_ms=50, loss_percent=5)
        with party(Path(folder)) as friends:
            first, *others = lab.hosts[:SEATS]
            match = Match(lab, friends)
            words = (
                "crazy-eights",
                "--autoplay",
                "--seats",
                str(SEATS),
                "--rounds",
                "200",
                "--option",
                "target=100000",
                "--json",
            )
            match.clients.append(on(friends, first, "1", "host", *words, *more))
            for host in others:
                match.clients.append(on(friends, host, str(host.number), "join", first.v4, "--autoplay", "--json"))
            until = time.monotonic() + 60
            while min(match.heights()) < 80:
                ended = [client.end() for client in match.clients if client.process.poll() is not None]
                if ended or time.monotonic() > until:
                    raise RuntimeError(f"the match never began: {ended}")
                time.sleep(0.1)
            yield match


def cut(match: Match, seconds: float) -> float:
    """One host's cable is out."""
    host = match.lab.hosts[1]
    host.unplug()
    time.sleep(seconds)
    before = match.heights()
    host.plug()
    return match.seconds_until_it_goes_on(time.monotonic(), before)


def blocked_pair(match: Match) -> float:
    """Two hosts cannot reach each other any more, and it stays so: somebody has to relay."""
    match.lab.wall_off(*match.lab.hosts[1:3])
    began, before = time.monotonic(), match.heights()
    time.sleep(0.5)  # what was under way does not count
    return match.seconds_until_it_goes_on(began, [max(pair) for pair in zip(before, match.heights(), strict=True)])


def partition(match: Match, seconds: float) -> float:
    """Two and two hosts, who do not reach each other."""
    one, two, three, four = match.lab.hosts
    match.lab.part([one, two], [three, four])
    time.sleep(seconds)
    before = match.heights()
    match.lab.part([one, two, three, four])
    return match.seconds_until_it_goes_on(time.monotonic(), before)


def changed_address(match: Match) -> float:
    """One host gets other addresses, as after a return to the network."""
    host = match.lab.hosts[2]
    host.strip("eth0")
    host.v4, host.v6 = f"10.77.0.{host.number + 100}", f"fd77::{host.number + 100}"
    host.address()
    began, before = time.monotonic(), match.heights()
    time.sleep(0.5)
    return match.seconds_until_it_goes_on(began, [max(pair) for pair in zip(before, match.heights(), strict=True)])


BAD_AIR = "50 ms and 5 % loss, records a second"
TROUBLES: dict[str, Callable[[Match], float]] = {
    "calm, records a second": lambda match: match.records_a_second(10),
    "cut of 5 s, seconds": lambda match: cut(match, 5),
    "cut of 60 s, seconds": lambda match: cut(match, 60),
    "blocked pair, seconds": blocked_pair,
    "partition of 10 s, seconds": lambda match: partition(match, 10),
    "changed address, seconds": changed_address,
    BAD_AIR: lambda match: match.records_a_second(30),
}

if __name__ == "__main__":
    wanted = sys.argv[1:]
    for name, trouble in TROUBLES.items():
        if wanted and not any(name.startswith(wish) for wish in wanted):
            continue
        try:
            with long_match(name == BAD_AIR) as running:
                print(json.dumps({name: round(trouble(running), 2)}), flush=True)
        except (TimeoutError, subprocess.SubprocessError) as fault:
            print(json.dumps({name: str(fault)}), flush=True)
