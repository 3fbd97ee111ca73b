"""Somebody plays with two bots; a friend comes in the middle of the first round and plays the second one with a bot's points."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.e2e.clients import TOY, Client, free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]
OPTIONS = (
    "--bots",
    "2",
    "--seats",
    "3",
    "--rounds",
    "2",
    "--option",
    "hand=2",
    "--option",
    "draw=one",
    "--pause",
    "1",
    "--plain",
)
MOVES = "moves 1\n" * 1000


def test_a_friend_takes_over_a_bots_seat(tmp_path: Path) -> None:
    port = free_port()
    with party(tmp_path, TOY) as friends:
        words = ("--name", "Mia", "--port", str(port), *OPTIONS)
        mia = friends.start("host", "host", "crazy-eights", *words, stdin="", is_open=True)
        wait_for_port(port)
        read_until(mia, "Your turn.")
        kim = friends.start("Kim", "join", f"127.0.0.1:{port}", "--name", "Kim", "--plain", stdin="", is_open=True)
        read_until(kim, "type sit to take over from Bot")
        type_in(kim, "sit\n" + MOVES)
        wanted = read_until(mia, "takes over the seat of Bot")
        type_in(mia, MOVES)
        ended, told = mia.end(), kim.end()
        (bot,) = re.findall(r"Kim takes over the seat of (Bot \w+) when the round is over", wanted)
        assert f"Kim took over the seat of {bot}." in ended.out, ended.out + ended.err
        assert f"You took over the seat of {bot} and its points." in told.out, told.out + told.err
        assert "finishes last" not in ended.out, "whoever made room did not leave"
        files = [path for each in (ended, told) for path in re.findall(r"Transcript: (\S+\.fairdeal)", each.out)]
        checked = friends.run("host", "verify", "--json", *files)
        assert checked.status == 0, checked.out
        rows = [json.loads(line) for line in checked.out.splitlines()]
        assert len(rows) == 2 and all(row["complete"] for row in rows)
        assert [each["name"] for each in rows[0]["replaced"]] == [bot]
        assert Path(files[0]).read_bytes() == Path(files[1]).read_bytes()


def read_until(client: Client, text: str) -> str:
    """What it says up to this."""
    said = ""
    assert client.process.stdout is not None
    while text not in said:
        line = client.process.stdout.readline()
        assert line, said
        said += line
    return said


def type_in(client: Client, lines: str) -> None:
    assert client.process.stdin is not None
    client.process.stdin.write(lines)
    client.process.stdin.flush()
