"""Matches that an earlier version left behind are played to their end by this one."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from tests.e2e.clients import Client, free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

FOLDER = Path(__file__).parent
TABLES = {
    "sealing": ("crazy-eights", 2),
    "preparing": ("crazy-eights", 2),
    "dealing": ("crazy-eights", 3),
    "play": ("crazy-eights", 3),
    "draw": ("crazy-eights", 2),
    "macau-wars": ("macau-wars", 3),
    "exchange": ("tichu", 4),
    "closing": ("crazy-eights", 3),
    "between-rounds": ("crazy-eights", 2),
}
"""Matches of a host and others, each with a home of its own: game and seats."""


def unpack(name: str, folder: Path) -> None:
    with tarfile.open(FOLDER / f"{name}.tar.xz") as archive:
        archive.extractall(folder, filter="data")


def check(clients: list[Client]) -> None:
    """All played to the end, and agree on a match that was checked."""
    ended = [client.end() for client in clients]
    for each in ended:
        assert each.status == 0, each.err
    reports = [each.report for each in ended]
    assert all(report["verified"] for report in reports)
    assert len({report["match"] for report in reports}) == 1
    assert len({report["seat"] for report in reports}) == len(reports)


def unfinished(folder: Path) -> set[str]:
    """The matches whose file lies in a home: each home had begun one."""
    return {path.name for path in folder.rglob("transcripts/*.fairdeal")}


def resume(name: str, folder: Path, game: str, homes: list[str]) -> None:
    """Start the programs of the match again, each in its home."""
    unpack(name, folder)
    begun = unfinished(folder)
    port = free_port()
    with party(folder) as friends:
        clients = [friends.start(homes[0], "host", game, "--autoplay", "--json", "--port", str(port))]
        wait_for_port(port)
        for home in homes[1:]:
            clients.append(friends.start(home, "join", f"127.0.0.1:{port}", "--autoplay", "--json"))
        check(clients)
    assert unfinished(folder) == begun, "a new match was begun instead"


@pytest.mark.parametrize("name", TABLES)
def test_a_match_is_taken_up_where_it_was_killed(tmp_path: Path, name: str) -> None:
    game, seats = TABLES[name]
    resume(name, tmp_path, game, [str(number) for number in range(seats)])


def test_a_guest_comes_back_as_the_same_guest(tmp_path: Path) -> None:
    resume("guest", tmp_path, "crazy-eights", ["0", "0"])


@pytest.mark.parametrize(("name", "game"), [("bots", "mau-mau"), ("config", "two-four-jack")])
def test_bots_come_back_with_their_keeper(tmp_path: Path, name: str, game: str) -> None:
    unpack(name, tmp_path)
    begun = unfinished(tmp_path)
    config = tmp_path / "0" / "config.toml"
    settings = config.read_bytes() if config.exists() else b""
    with party(tmp_path) as friends:
        check([friends.start("0", "play", game, "--autoplay", "--json")])
    assert unfinished(tmp_path) == begun, "a new match was begun instead"
    assert (config.read_bytes() if config.exists() else b"") == settings


def test_every_archive_is_played() -> None:
    assert {path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz")} == {
        *TABLES,
        "guest",
        "bots",
        "config",
    }
