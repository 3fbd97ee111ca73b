"""Tichu needs four: one of them is killed for good, and a bot, or somebody who waited in the room, takes the seat."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.e2e.clients import TOY, free_port, party, wait_for, wait_for_port

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

OPTIONS = ("--seats", "4", "--rounds", "2", "--leave-after", "8", "--recovery", "off", "--autoplay", "--json")
UNATTENDED = ("--autoplay", "--json", "--wait", "90")


@pytest.mark.parametrize(
    "with_newcomer", [pytest.param(False, id="a bot", marks=pytest.mark.soak), pytest.param(True, id="a newcomer")]
)
def test_a_seat_that_is_empty_for_good_is_taken(tmp_path: Path, with_newcomer: bool) -> None:
    port = free_port()
    with party(tmp_path, TOY) as friends:
        clients = [friends.start("host", "host", "tichu", "--name", "Mia", "--port", str(port), *OPTIONS)]
        wait_for_port(port)
        where = f"127.0.0.1:{port}"
        for name in ("Jonas", "Lena"):
            clients.append(friends.start(name, "join", where, "--name", name, "--matches", "1", *UNATTENDED))
        gone = tmp_path / "gone"
        dying = ("tests.e2e.dying", "1", "6", str(gone))
        lost = friends.start("Lukas", "join", where, "--name", "Lukas", *UNATTENDED, program=dying)
        if with_newcomer:
            clients[0].until_told("Secret-check words")
            begun = tmp_path / "log"
            words = ("--name", "Kim", "--matches", "1", "--log", str(begun), *UNATTENDED)
            clients.append(friends.start("Kim", "join", where, *words))
            wait_for(begun.exists, "it never began")  # the others wait for Lukas for ten seconds more
        gone.touch()
        lost.end()
        ended = [client.end() for client in clients]
        for each in ended:
            assert each.status == 0, each.err
            assert each.report["verified"], each.err
        assert len({each.report["match"] for each in ended}) == 1
        found = re.search(r"^(.+) took over an empty seat\.$", ended[1].err, re.MULTILINE)
        assert found is not None, ended[1].err
        taker = found[1]
        assert taker == "Kim" if with_newcomer else taker.startswith("Bot "), taker
        checked = friends.run("host", "verify", "--json", *(each.report["transcript"] for each in ended))
        assert checked.status == 0, checked.out
        rows = [json.loads(line) for line in checked.out.splitlines()]
        assert all(row["complete"] for row in rows)
        assert {player["name"] for player in rows[0]["players"]} == {"Mia", "Jonas", "Lena", taker}
