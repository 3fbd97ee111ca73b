"""Matches of real processes on a network of several hosts, with trouble drawn from a seed.

`python -m tests.lan.evenings SEED [COUNT]` plays the matches SEED, SEED + 1, ...

Each match has a seed of its own, which draws the game, three to six computers, and what goes wrong: programs are killed and
started again, cables pulled, the network falls apart and heals, somebody leaves for good. In the end all programs have ended,
all who can know it name the same result, nobody is accused, and all files agree and verify. One line of JSON a match; where
it failed, also where the homes and the programs' words are.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.e2e.clients import Client, Ended, Party, party, wait_for
from tests.lan.lab import Host, Lab, hosts_on_a_lan
from tests.lan.test_match import on
from tests.lan.trouble import last_record

GAMES: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "crazy-eights": ((3, 4, 5, 6), ("hand=4",)),
    "two-four-jack": ((3, 4, 5, 6), ("hand=4",)),
    "mau-mau": ((3, 4, 5), ("hand=4",)),
    "macau-wars": ((3, 4), ("hand=4",)),
    "tichu": ((4,), ()),
}
"""For each game: how many may play, and its options."""
LEAVE_AFTER_S = 6
DEALT = 40
"""So many records are in every journal when the trouble begins."""
LIMIT_S = 420.0


@dataclass(eq=False)
class Seat:
    """One computer and the program on it."""

    host: Host
    words: tuple[str, ...]
    client: Client
    has_left: bool = False


@dataclass
class Evening:
    """One match and its trouble."""

    lab: Lab
    friends: Party
    random: Random
    game: str
    seats: list[Seat] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def sit_down(self) -> None:
        """Open the room, let everybody in, and wait until they play."""
        first, *others = self.lab.hosts
        options = [word for each in GAMES[self.game][1] for word in ("--option", each)]
        shared = ("--autoplay", "--json", "--wait", "100")
        table = ("--seats", str(len(self.lab.hosts)), "--rounds", str(self.random.choice((1, 2, 2))))
        recovery = ("--recovery", self.random.choice(("auto", "off")), "--leave-after", str(LEAVE_AFTER_S))
        words = ("host", self.game, "--name", "P1", *shared, *table, *recovery, *options)
        self.seats.append(Seat(first, words, on(self.friends, first, "1", *words)))
        for host in others:
            words = ("join", first.v4, "--name", f"P{host.number}", "--matches", "1", *shared)
            self.seats.append(Seat(host, words, on(self.friends, host, str(host.number), *words)))
        wait_for(
            lambda: all(last_record(seat.client.home) > DEALT for seat in self.seats), "the match never began", 120
        )

    def run(self) -> None:
        """Let happen what the seed says, one thing after the other."""
        troubles: list[Callable[[], None]] = [self.kill, self.kill, self.cut, self.part, self.leave]
        for trouble in self.random.choices(troubles, k=self.random.randint(1, 3)):
            time.sleep(self.random.uniform(0, 3))
            trouble()

    # --- what goes wrong ---

    def kill(self) -> None:
        """One program, or two at once, killed and started again after a while."""
        many = self.random.choice((1, 1, 2))
        away = self.random.choice((0.0, 3.0, 25.0))
        chosen = self.random.sample([seat for seat in self.seats if not seat.has_left], many)
        chosen = [seat for seat in chosen if is_playing(seat.client)]
        self.tell("kill", *(seat.host.number for seat in chosen), away)
        for seat in chosen:
            seat.client.kill()
        time.sleep(away)
        for seat in chosen:
            self.start_again(seat, *seat.words)

    def start_again(self, seat: Seat, *words: str) -> None:
        seat.client = on(self.friends, seat.host, str(seat.host.number), *words)

    def cut(self) -> None:
        """A cable is out."""
        seat, seconds = self.random.choice(self.seats), self.random.choice((2.0, 8.0, 25.0))
        self.tell("cut", seat.host.number, seconds)
        seat.host.unplug()
        time.sleep(seconds)
        seat.host.plug()

    def part(self) -> None:
        """The network falls in two, and heals."""
        hosts = self.random.sample(self.lab.hosts, len(self.lab.hosts))
        size, seconds = self.random.randint(1, len(hosts) // 2), self.random.choice((3.0, 10.0, 25.0))
        self.tell("part", [host.number for host in hosts[:size]], seconds)
        self.lab.part(hosts[size:], hosts[:size])
        time.sleep(seconds)
        self.lab.part(self.lab.hosts)

    def leave(self) -> None:
        """Somebody leaves for good; not more than one, so that the others can go on."""
        seat = self.random.choice(self.seats[1:])
        if any(each.has_left for each in self.seats) or not is_playing(seat.client):
            return
        self.tell("leave", seat.host.number)
        seat.client.kill()
        seat.has_left = True
        self.start_again(seat, "join", "192.0.2.1", "--fresh", "--autoplay", "--wait", "1")

    def tell(self, *what: object) -> None:
        self.told.append(" ".join(map(str, what)))

    # --- how it ends ---

    def faults(self) -> list[str]:
        """What is wrong at the end; nothing, if all is well."""
        until = time.monotonic() + LIMIT_S
        ended = {seat.host.number: end(seat.client, until) for seat in self.seats}
        for number, each in ended.items():
            (self.friends.folder / f"{number}.err").write_text(each.err)
            (self.friends.folder / f"{number}.out").write_text(each.out)
        wrong = [f"{number}: traceback" for number, each in ended.items() if "Traceback" in each.err]
        wrong += [f"{number}: somebody was accused" for number, each in ended.items() if "cheating" in each.err]
        players = {seat: ended[seat.host.number] for seat in self.seats if not seat.has_left}
        stayed = next((seat for seat, each in players.items() if has_ended(each)), None)
        for seat, each in players.items():
            if each.status == 3 and stayed is not None:
                players[seat] = self.learn_the_end(seat, stayed)
        wrong += [f"{seat.host.number}: status {each.status}" for seat, each in players.items() if not has_ended(each)]
        results = {str(each.report["match"]) for each in players.values() if has_ended(each)}
        if len(results) != 1:
            wrong.append(f"{len(results)} results")
        files = sorted(str(path) for path in self.friends.folder.glob("*/transcripts/*.fairdeal"))
        verdict = on(self.friends, self.lab.hosts[0], "stranger", "verify", *files).end()
        if verdict.status:
            wrong.append(f"verify: {verdict.out} {verdict.err}")
        return wrong

    def learn_the_end(self, seat: Seat, stayed: Seat) -> Ended:
        """Who was away when the others ended and went comes back when one of them is there again, with another room."""
        self.tell("late", seat.host.number)
        words = ("host", "mau-mau", "--autoplay", "--seats", "2", "--wait", "60")
        there = on(self.friends, stayed.host, str(stayed.host.number), *words)
        found = end(on(self.friends, seat.host, str(seat.host.number), *seat.words), time.monotonic() + 90)
        there.kill()
        (self.friends.folder / f"{seat.host.number}.late").write_text(found.out + found.err)
        return found


def end(client: Client, until: float) -> Ended:
    """Wait for a program's end; end it when the time (monotonic) is over, with status -9."""
    try:
        out, err = client.process.communicate(timeout=max(1.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        client.process.kill()
        out, err = client.process.communicate()
    return Ended(client.process.returncode, out, err)


def is_playing(client: Client) -> bool:
    """Whether the match is not over on this computer. Killed later, a program could not tell its result."""
    try:
        with closing(sqlite3.connect(f"file:{client.home / 'journal.sqlite'}?mode=ro", uri=True)) as journal:
            found = journal.execute("SELECT count(*) FROM matches WHERE status = 'open'").fetchone()
    except sqlite3.OperationalError:
        return False
    return client.process.poll() is None and bool(found[0])


def has_ended(ended: Ended) -> bool:
    """Whether the match was played to its end, or as far as its game goes with those who were left."""
    return ended.status == 0 or "needs all its players" in ended.err


def play(seed: int) -> dict[str, object]:
    """Play one match; return what is to be told of it."""
    random = Random(seed)
    game = random.choice(list(GAMES))
    peers = random.choice(GAMES[game][0])
    folder = Path(tempfile.mkdtemp(prefix=f"fairdeal-evening-{seed}-"))
    began = time.monotonic()
    told: dict[str, object] = {"seed": seed, "game": game, "peers": peers}
    with hosts_on_a_lan(peers) as lab, party(folder) as friends:
        evening = Evening(lab, friends, random, game)
        try:
            evening.sit_down()
            evening.run()
            wrong = evening.faults()
        except Exception as fault:  # a finding, whatever it is: the next match is played all the same
            wrong = [f"{type(fault).__name__}: {fault}"]
        told |= {"trouble": evening.told, "seconds": round(time.monotonic() - began)}
    if wrong:
        return told | {"wrong": wrong, "folder": str(folder)}
    shutil.rmtree(folder)
    return told


def main(first: int, count: int) -> int:
    """Play matches of these seeds; return how many failed."""
    failed = 0
    for seed in range(first, first + count):
        found = play(seed)
        failed += "wrong" in found
        print(json.dumps(found), flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(bool(main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1)))
