"""Homes of an earlier version: identity, name, settings and scores stay; an unfinished match is set aside, with a copy."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from p2p.home import read_home
from p2p.journal import Journal
from p2p.saved import copy_path
from tests.e2e.clients import TOY, free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets]

FOLDER = Path(__file__).parent
ARCHIVES = sorted(path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz"))


def unpack(name: str, folder: Path) -> None:
    with tarfile.open(FOLDER / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")


def homes(folder: Path) -> list[Path]:
    """All homes in there: of people, their guests and their bots."""
    return sorted(path.parent for path in folder.rglob("journal.sqlite"))


@pytest.mark.parametrize("name", ARCHIVES)
def test_who_one_is_stays_and_the_match_is_set_aside(tmp_path: Path, name: str) -> None:
    unpack(name, tmp_path)
    has_match = 0
    for path in homes(tmp_path):
        home = read_home(path)
        seed, called = home.seed(), home.name
        files = {each: each.read_bytes() for each in path.glob("transcripts/*")}
        before = Journal.read_only(home.journal)
        assert before.unfinished() == [], "nothing offers to continue it"
        assert before.tombstone(bytes(16)) is None
        over = before.finished()
        before.close()
        journal = Journal.open(home.journal)
        has_match += len(journal.set_aside)
        assert [match.status for match in journal.set_aside] == ["open"] * len(journal.set_aside)
        assert (journal.unfinished(), journal.finished()) == ([], over)
        journal.close()
        again = Journal.open(home.journal)
        assert again.set_aside == (), "it is said once"
        again.close()
        copy = copy_path(home.journal)
        assert copy.stat().st_mode & 0o777 == 0o600
        assert Journal.read_only(copy)._about("schema") == "1"
        assert (home.seed(), home.name) == (seed, called)
        assert {each: each.read_bytes() for each in path.glob("transcripts/*")} == files
    assert has_match


@pytest.mark.slow
def test_the_next_match_is_played_from_there(tmp_path: Path) -> None:
    unpack("play", tmp_path)
    port = free_port()
    with party(tmp_path, TOY) as friends:
        who = friends.run("0", "whoami").out
        options = ("--rounds", "1", "--seats", "2", "--autoplay", "--json")
        clients = [friends.start("0", "host", "crazy-eights", "--port", str(port), *options)]
        wait_for_port(port)
        clients.append(friends.start("1", "join", f"127.0.0.1:{port}", "--autoplay", "--json"))
        ended = [client.end() for client in clients]
        assert friends.run("0", "whoami").out == who
    for number, each in enumerate(ended):
        assert each.status == 0, [one.err for one in ended]
        assert each.report["verified"]
        assert "older version" in each.err
        assert str(copy_path(tmp_path / str(number) / "journal.sqlite")) in each.err
    assert len({each.report["match"] for each in ended}) == 1


@pytest.mark.slow
def test_so_is_one_with_ones_own_bots(tmp_path: Path) -> None:
    unpack("bots", tmp_path)
    with party(tmp_path, TOY) as friends:
        ended = friends.start(
            "0", "play", "mau-mau", "--option", "hand=2", "--autoplay", "--rounds", "1", "--json"
        ).end()
    assert ended.status == 0, ended.err
    assert ended.report["verified"]
