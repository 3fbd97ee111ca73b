"""Homes with a match of an earlier version of the protocol, which nobody can play on with this one."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pytest

from tests.e2e.clients import free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

FOLDER = Path(__file__).parent
ARCHIVES = {"play": 3, "closing": 3, "sealing": 2}
"""Players of each archive."""


@pytest.mark.parametrize("name", ARCHIVES)
def test_an_old_match_does_not_stand_in_the_way_of_a_new_one(tmp_path: Path, name: str) -> None:
    with tarfile.open(FOLDER / f"{name}.tar.xz") as archive:
        archive.extractall(tmp_path, filter="data")
    old = {path: path.read_bytes() for path in tmp_path.rglob("transcripts/*.fairdeal")}
    assert len(old) == ARCHIVES[name]
    port = free_port()
    with party(tmp_path) as friends:
        options = ("--rounds", "1", "--seats", "2", "--autoplay", "--json")
        clients = [friends.start("0", "host", "crazy-eights", "--port", str(port), *options)]
        wait_for_port(port)
        clients.append(friends.start("1", "join", f"127.0.0.1:{port}", "--autoplay", "--json"))
        ended = [client.end() for client in clients]
    for each in ended:
        assert each.status == 0, each.err
    assert len({each.report["match"] for each in ended}) == 1
    assert all(each.report["verified"] for each in ended)
    for path, data in old.items():
        assert path.read_bytes() == data, "the old match's file was touched"


def test_every_archive_is_played() -> None:
    assert {path.name.removesuffix(".tar.xz") for path in FOLDER.glob("*.tar.xz")} == set(ARCHIVES)
