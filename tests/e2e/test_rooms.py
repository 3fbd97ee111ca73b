"""Rooms between real processes: one group, many matches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.clients import TOY, Ended, free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
SHORT = ("--rounds", "1", "--option", "hand=3", "--json", "--autoplay")


def reports(ended: Ended) -> list[dict[str, Any]]:
    """One result object for each match."""
    assert ended.status == 0, ended.err
    assert "Traceback" not in ended.err
    return [json.loads(line) for line in ended.out.strip().splitlines()]


def test_two_matches_in_one_room(tmp_path: Path) -> None:
    with party(tmp_path, TOY) as friends:
        port = free_port()
        host = friends.start("0", "host", "crazy-eights", *SHORT, "--seats", "2", "--matches", "2", "--port", str(port))
        wait_for_port(port)
        kept = ("--transcript", str(tmp_path / "evening.fairdeal"))
        guest = friends.start("1", "join", f"127.0.0.1:{port}", "--autoplay", "--json", *kept)
        told = [reports(client.end()) for client in (host, guest)]
        assert [len(each) for each in told] == [2, 2]
        for match in zip(*told, strict=True):
            assert len({report["match"] for report in match}) == 1
            assert len({report["words"] for report in match}) == 1
            assert {report["seat"] for report in match} == {0, 1}
            assert all(report["verified"] for report in match)
        verdict = friends.run("stranger", "verify", *(report["transcript"] for each in told for report in each))
        assert verdict.status == 0, verdict.err + verdict.out
        assert len({report["match"] for report in told[0]}) == 2
        names = [Path(report["transcript"]).name for report in told[1]]
        assert names == ["evening.fairdeal", "evening-2.fairdeal"]


def test_who_comes_late_plays_in_the_next_match(tmp_path: Path) -> None:
    with party(tmp_path, TOY) as friends:
        port = free_port()
        more = ("--seats", "3", "--start-after", "8", "--matches", "2", "--rounds", "4", "--port", str(port))
        host = friends.start("0", "host", "mau-mau", "--option", "draw=one", *SHORT, *more)
        wait_for_port(port)
        here = f"127.0.0.1:{port}"
        first = friends.start("1", "join", here, "--autoplay", "--json")
        host.until_told("Secret-check words")
        late = friends.start("2", "join", here, "--autoplay", "--json", "--matches", "1")
        told = [reports(client.end()) for client in (host, first, late)]
        assert [[report["seats"] for report in each] for each in told] == [[2, 3], [2, 3], [3]]
        assert told[0][1]["match"] == told[2][0]["match"]


def test_a_room_outlives_its_host(tmp_path: Path) -> None:
    """The host is killed before the match: the others play without it."""
    with party(tmp_path, TOY) as friends:
        port = free_port()
        host = friends.start(
            "0", "host", "mau-mau", "--option", "draw=one", *SHORT, "--seats", "4", "--port", str(port)
        )
        wait_for_port(port)
        here = f"127.0.0.1:{port}"
        first = friends.start("1", "join", here, *SHORT[4:], "--start-after", "1", "--matches", "1")
        first.until_told("In the room: ")  # who came first hosts next, and starts
        second = friends.start("2", "join", here, *SHORT[4:], "--matches", "1")
        for client in (first, second):
            client.until_told("One seat is free")
        host.kill()
        told = [reports(client.end()) for client in (first, second)]
        assert told[0][0]["match"] == told[1][0]["match"]
        assert told[0][0]["seats"] == 2
