"""One of four is killed for good in the middle of a round: the others play on, and it learns how that went."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from tests.e2e.clients import TOY, WAIT_S, Client, free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

LONG = ("--rounds", "4", "--option", "target=1000", "--option", "hand=3", "--option", "draw=one")
"""Still played when who was lost is back, whatever the cards are."""
OPTIONS = ("--wait", "90", "--seats", "4", *LONG, "--leave-after", "4", "--autoplay", "--json")
UNATTENDED = ("--autoplay", "--json", "--wait", "90")
ONE_MATCH = ("--matches", "1", *UNATTENDED)


def until_gone_on(client: Client, within_s: float = WAIT_S) -> None:
    """Until its transcript says that the others go on: a condition, looked at often, with an end."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if any(b"without" in path.read_bytes() for path in client.home.glob("transcripts/*.fairdeal")):
            return
        time.sleep(0.02)
    raise AssertionError("nobody went on")


@pytest.mark.parametrize(
    ("recovery", "said"),
    [
        pytest.param("off", "This round doesn’t count.", marks=pytest.mark.soak),
        ("on", "That hand is now open, and the computer plays it."),
    ],
)
def test_three_play_on_without_the_fourth_and_it_learns_how_it_ended(tmp_path: Path, recovery: str, said: str) -> None:
    port = free_port()
    with party(tmp_path, TOY) as friends:
        clients = [friends.start("host", "host", "mau-mau", "--port", str(port), "--recovery", recovery, *OPTIONS)]
        wait_for_port(port)
        for name in ("Jonas", "Mia"):
            clients.append(friends.start(name, "join", f"127.0.0.1:{port}", "--name", name, *ONE_MATCH))
        # In the middle of a round after the first: only then can its hand be recovered.
        dying = ("tests.e2e.dying", "2", "3", str(tmp_path))
        lost = friends.start("Lukas", "join", f"127.0.0.1:{port}", "--name", "Lukas", *ONE_MATCH, program=dying)
        lost.end()
        until_gone_on(clients[0])
        back = friends.start("Lukas", "join", f"127.0.0.1:{port}", "--name", "Lukas", *ONE_MATCH)
        ended = [client.end() for client in clients]
        for each in ended:
            assert each.status == 0, each.err
            assert "Paused: waiting for Lukas. In 4 s the table can vote to play on without Lukas." in each.err
            assert f"You play on without Lukas. {said}" in each.err
            assert each.report["verified"], each.err
        returned = back.end()
        assert "The match continues without you. You are back next round." in returned.err, returned.err
        assert "You are back in the game." in returned.err, returned.err
        assert all("Lukas is back in the game." in each.err for each in ended)
        assert returned.status == 0, returned.err
        ended.append(returned)
        assert len({each.report["match"] for each in ended}) == 1
        checked = friends.run("host", "verify", "--json", *(each.report["transcript"] for each in ended))
        assert checked.status == 0, checked.out
        assert all(json.loads(line)["complete"] for line in checked.out.splitlines())


@pytest.mark.soak
def test_who_comes_when_the_match_has_long_been_over_learns_its_end_and_plays_the_next(tmp_path: Path) -> None:
    """The others are back in their room: what followed they tell from their files."""
    port = free_port()
    played = (
        "--rounds",
        "2",
        "--option",
        "hand=3",
        "--option",
        "target=1000",
        "--leave-after",
        "6",
        "--recovery",
        "off",
    )
    with party(tmp_path, TOY) as friends:
        options = ("--seats", "4", "--matches", "2", "--start-after", "120", *played, *UNATTENDED)
        clients = [friends.start("host", "host", "mau-mau", "--port", str(port), *options)]
        wait_for_port(port)
        for name in ("Jonas", "Mia"):
            more = ("--matches", "2", *UNATTENDED)
            clients.append(friends.start(name, "join", f"127.0.0.1:{port}", "--name", name, *more))
        words = ("join", f"127.0.0.1:{port}", "--name", "Lukas", "--matches", "2", *UNATTENDED)
        lost = friends.start("Lukas", *words, program=("tests.e2e.dying", "2", "3", str(tmp_path)))
        lost.end()
        assert clients[0].process.stdout is not None
        first = json.loads(clients[0].process.stdout.readline())
        time.sleep(10)  # not for a race: longer than anybody stays at a table that is over
        back = friends.start("Lukas", *words)
        returned = [json.loads(line) for line in back.end().out.splitlines()]
        assert returned[0]["match"] == first["match"]
        others = [client.end() for client in clients]
        assert {each.status for each in others} == {0}, [each.err for each in others]
        assert {each.report["match"] for each in others} == {returned[1]["match"]}
        checked = friends.run("host", "verify", *(each["transcript"] for each in returned))
        assert checked.status == 0, checked.out
