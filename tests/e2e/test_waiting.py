"""Unattended clients whose friends go away: they say whom they wait for, and give up in the end."""

from __future__ import annotations

import re
import time
from pathlib import Path

import pytest

from tests.e2e.clients import TOY, WAIT_S, Client, free_port, party, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]


def until_dealt(client: Client, within_s: float = WAIT_S) -> None:
    """Until so many bytes, a round and more, are in its transcript: a condition, looked at often, with an end."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        if any(path.stat().st_size > 20_000 for path in client.home.glob("transcripts/*.fairdeal")):
            return
        time.sleep(0.02)
    raise AssertionError("nothing was dealt")


def test_who_is_left_alone_says_for_whom_it_waits_and_gives_up_with_its_seat_kept(tmp_path: Path) -> None:
    port = free_port()
    with party(tmp_path, TOY) as friends:
        options = ("--seats", "2", "--rounds", "8", "--option", "draw=one", "--wait", "20", "--autoplay", "--json")
        host = friends.start("host", "host", "mau-mau", "--port", str(port), *options)
        wait_for_port(port)
        guest = friends.start("guest", "join", f"127.0.0.1:{port}", "--autoplay", "--name", "Jonas")
        until_dealt(host)
        guest.kill()
        left = host.end()
        assert left.status == 3, left.err
        assert "Paused: waiting for Jonas." in left.err
        assert re.search(r"Jonas did not come back within 20 s", left.err)
        assert "Traceback" not in left.err

        clients = [friends.start("host", "host", "mau-mau", "--port", str(port), "--autoplay", "--json")]
        wait_for_port(port)
        clients.append(friends.start("guest", "join", f"127.0.0.1:{port}", "--matches", "1", "--autoplay", "--json"))
        ended = [client.end() for client in clients]
    assert [each.status for each in ended] == [0, 0], [each.err for each in ended]
    assert len({each.report["match"] for each in ended}) == 1
