"""A player whose program is killed comes back in a real terminal, in each phase of a round of Tichu, which goes on."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.clients import free_port
from tests.e2e.windows import PROGRAM, TMUX, TOY_PROGRAM, Desk, Window, play_on

pytestmark = [
    pytest.mark.slow,
    pytest.mark.sockets,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed"),
    pytest.mark.skipif(not Path(PROGRAM).exists(), reason="the program is not installed beside this Python"),
]
RESULT = "WON|DRAW"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path)
    yield found
    subprocess.run([str(TMUX), "-L", found.socket, "kill-server"], capture_output=True, check=False)


def come_back(window: Window, killed: bool = True) -> None:
    """Kill the program in this window, start it again, and rejoin."""
    if killed:
        os.kill(window.program(), signal.SIGKILL)
    window.press("reset", "Enter")
    window.press("clear", "Enter")
    window.press(TOY_PROGRAM, "Enter")
    window.shows("Rejoin your match")
    window.press("u")


def test_tichu_is_left_and_taken_up_again_in_every_phase(desk: Desk) -> None:
    port = free_port()
    host = desk.open_hasty("mia", f"host tichu --bots 2 --name Mia --rounds 1 --port {port}")
    host.shows("Room")
    guest = desk.open("jonas", f"join 127.0.0.1:{port} --name Jonas", program=TOY_PROGRAM)
    for window in (host, guest):
        window.gets_ready()
    guest.shows(r"Grand Tichu\?")
    come_back(guest)
    guest.shows(r"Grand Tichu\?")
    play_on([host, guest], lambda: "Pass one card to each player" in guest.screen)
    come_back(guest)
    guest.shows("Pass one card to each player")
    play_on([host, guest], lambda: "to each player" not in guest.screen and "YOUR TURN" in guest.screen)
    come_back(guest)
    guest.shows("YOUR TURN")
    # Its move is made, and it is its turn again; a match goes on to its end in test_screen.py after somebody came back.
    play_on([host, guest], lambda: "YOUR TURN" not in guest.screen)
    play_on([host, guest], lambda: re.search("YOUR TURN|" + RESULT, guest.screen) is not None)
