"""Whole matches between real processes over loopback: the same hash everywhere, and files that hold."""

from __future__ import annotations

import random
import re
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from tests.e2e.clients import TOY, Client, Ended, Party, free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]


def begin(friends: Party, game: str, seats: int, *more: str) -> list[Client]:
    port = free_port()
    host = friends.start("0", "host", game, "--autoplay", "--json", "--seats", str(seats), "--port", str(port), *more)
    wait_for_port(port)
    return [
        host,
        *(friends.start(str(n), "join", f"127.0.0.1:{port}", "--autoplay", "--json") for n in range(1, seats)),
    ]


def check(friends: Party, ended: list[Ended]) -> None:
    """All ended well, agree, and hold files that a stranger accepts."""
    for each in ended:
        assert each.status == 0, each.err
        assert "Traceback" not in each.err
    reports = [each.report for each in ended]
    assert len({report["match"] for report in reports}) == 1
    assert len({report["words"] for report in reports}) == 1
    assert all(report["seats"] == reports[0]["seats"] for report in reports)
    assert len({report["seat"] for report in reports}) == len(reports)
    assert all(report["verified"] for report in reports)
    files = [report["transcript"] for report in reports]
    assert len({Path(file).read_bytes() for file in files}) == 1
    verdict = friends.run("stranger", "verify", *files)
    assert verdict.status == 0, verdict.err + verdict.out


@pytest.mark.parametrize(
    ("game", "seats", "more"),
    [
        ("crazy-eights", 2, ("--rounds", "1", "--option", "hand=3")),
        pytest.param("crazy-eights", 3, ("--rounds", "1", "--option", "hand=3"), marks=pytest.mark.soak),
        pytest.param(
            *("crazy-eights", 4, ("--option", "hand=3", "--option", "teams=true", "--option", "target=0")),
            marks=pytest.mark.soak,
        ),
        pytest.param("two-four-jack", 3, ("--rounds", "1", "--option", "hand=3"), marks=pytest.mark.soak),
        pytest.param("mau-mau", 4, ("--rounds", "1", "--option", "hand=3", "--lots"), marks=pytest.mark.soak),
        pytest.param("macau-wars", 3, ("--rounds", "1", "--option", "hand=3"), marks=pytest.mark.soak),
        pytest.param("tichu", 4, ("--rounds", "1"), marks=pytest.mark.soak),
    ],
)
def test_a_match_between_processes(tmp_path: Path, game: str, seats: int, more: tuple[str, ...]) -> None:
    with party(tmp_path) as friends:
        ended = [client.end() for client in begin(friends, game, seats, *more)]
        check(friends, ended)
        assert sorted(each.report["seat"] for each in ended) == list(range(seats))


@pytest.mark.soak
def test_eight_players_with_two_decks(tmp_path: Path) -> None:
    with party(tmp_path) as friends:
        clients = begin(friends, "mau-mau", 8, "--rounds", "1", "--option", "hand=2")
        check(friends, [client.end() for client in clients])


def test_bots_of_one_machine_are_peers(tmp_path: Path) -> None:
    with party(tmp_path) as friends:
        short = ("--rounds", "1", "--option", "hand=3", "--option", "draw=one")  # else one round in 400 is very long
        ended = friends.run("0", "play", "mau-mau", "--seats", "3", "--autoplay", "--json", *short, timeout_s=120)
        assert ended.status == 0, ended.err
        assert ended.report["verified"]
        homes = list((tmp_path / "0" / "bots").iterdir())
        assert len(homes) == 2
        assert len({(home / "identity").read_bytes() for home in homes}) == 2


def test_a_match_without_a_person_ends_with_its_result(tmp_path: Path) -> None:
    with party(tmp_path, TOY) as friends:
        short = ("--rounds", "1", "--option", "hand=3", "--option", "draw=one")
        ended = friends.run("0", "play", "mau-mau", "--seats", "2", "--autoplay", *short)
    assert ended.status == 0, ended.err
    result, checked, transcript = ended.out.splitlines()
    assert re.fullmatch(r"Mau-Mau: .+ \d+.* · Bot \w+ \d+.*", result)
    assert checked.startswith("Every deal and every move was rechecked")
    assert Path(transcript.removeprefix("Transcript: ")).is_file()


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 8))
def test_players_killed_at_any_time_come_back(tmp_path: Path, seed: int) -> None:
    """Somebody's program is killed again and again, the host's too, and each time started again with the same home."""
    chance = random.Random(seed)
    with party(tmp_path) as friends:
        port = free_port()
        first = ("host", "crazy-eights", "--autoplay", "--json", "--seats", "3", "--rounds", "2", "--port", str(port))
        commands = [first, *[("join", f"127.0.0.1:{port}", "--autoplay", "--json")] * 2]
        clients = [friends.start("0", *commands[0])]
        wait_for_port(port)
        clients += [friends.start(str(n), *commands[n]) for n in (1, 2)]
        for home in range(3):
            wait_for_seal(tmp_path / str(home))
        at_the_end: set[int] = set()
        for _ in range(4):
            victim = chance.choice([home for home in range(3) if home not in at_the_end])
            try:
                clients[victim].process.wait(timeout=chance.uniform(0.2, 1.5))
            except subprocess.TimeoutExpired:
                clients[victim].kill()
                if has_kept_its_match(tmp_path / str(victim)):
                    at_the_end.add(victim)  # it had only to print its report: a new start would look for a new table
                else:
                    clients[victim] = friends.start(str(victim), *commands[victim])
        ended = [clients[home].end() for home in range(3) if home not in at_the_end]
        check(friends, ended)
        file = Path(ended[0].report["transcript"])
        for home in range(3):
            assert has_kept_its_match(tmp_path / str(home))
            assert (tmp_path / str(home) / file.parent.name / file.name).read_bytes() == file.read_bytes()


def has_kept_its_match(home: Path) -> bool:
    """The match of this home is over, and nothing of it is left to do."""
    with closing(sqlite3.connect(f"file:{home / 'journal.sqlite'}?mode=ro", uri=True)) as journal:
        return any(status == "finished" for (status,) in journal.execute("SELECT status FROM matches"))


def wait_for_seal(home: Path) -> None:
    """Until the table is sealed here: before that a killed client has no seat to come back to."""
    end = time.monotonic() + 30
    while time.monotonic() < end:
        try:
            with closing(sqlite3.connect(f"file:{home / 'journal.sqlite'}?mode=ro", uri=True)) as journal:
                if journal.execute("SELECT count(*) FROM records WHERE kind = 'mark'").fetchone()[0]:
                    return
        except sqlite3.OperationalError:
            pass
        time.sleep(0.05)
    raise AssertionError("the table was never sealed")
