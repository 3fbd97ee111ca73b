"""The full-screen client as people start it: several programs in tmux, played by what their screens show."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

TMUX = shutil.which("tmux")
PROGRAM = str(Path(sys.executable).with_name("fairdeal"))
pytestmark = [
    pytest.mark.slow,
    pytest.mark.sockets,
    pytest.mark.skipif(TMUX is None, reason="tmux is not installed"),
    pytest.mark.skipif(not Path(PROGRAM).exists(), reason="the program is not installed beside this Python"),
]


class Window:
    """One terminal with one client in it."""

    def __init__(self, desk: Desk, name: str, command: str) -> None:
        self.desk, self.name = desk, name
        environ = f"HOME={desk.folder} FAIRDEAL_HOME={desk.folder}/{name} LANG=C.UTF-8 TERM=xterm-256color"
        # The shell stays, so that what a program leaves behind on its terminal can be seen.
        desk.tmux(
            "new-session", "-d", "-s", name, "-x", "80", "-y", "24", f"cd {desk.folder}; exec env {environ} bash --norc"
        )
        self.press(command, "Enter")

    @property
    def screen(self) -> str:
        return self.desk.tmux("capture-pane", "-p", "-t", self.name)

    @property
    def prompt(self) -> str:
        lines = self.screen.rstrip("\n").splitlines()
        return lines[-2] if len(lines) > 1 else ""

    def press(self, *keys: str) -> None:
        self.desk.tmux("send-keys", "-t", self.name, *keys)

    def resize(self, columns: int, rows: int) -> None:
        self.desk.tmux("resize-window", "-t", self.name, "-x", str(columns), "-y", str(rows))

    def shows(self, text: str, within_s: float = 30.0) -> str:
        deadline = time.monotonic() + within_s
        while True:
            screen = self.screen
            if re.search(text, screen):
                return screen
            assert time.monotonic() < deadline, f"{self.name}: {text!r} is not on\n{screen}"
            time.sleep(0.1)

    def program(self) -> int:
        """The process of the client in this window."""
        shell = self.desk.tmux("display-message", "-p", "-t", self.name, "#{pane_pid}").strip()
        found = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=False).stdout.split()
        assert found, self.screen
        return int(found[0])

    def move(self) -> None:
        """Does what the screen says can be done."""
        screen = self.screen
        if "P passes" in self.prompt and re.search(r"nothing fits|cannot beat|does not beat", self.prompt):
            self.press("p")
        elif re.search(r"YOUR CHOICE|Enter: ready|Enter takes|Enter shows", screen):
            self.press("Enter")
        elif "Grand Tichu?" in screen:
            self.press("n")
        elif "Give one card" in screen:
            self.press("Home", "1", "Right", "2", "Right", "3", "Enter")
        elif "YOUR TURN" in screen:
            if re.search(r"nothing fits · D|D takes", screen):
                self.press("d")
            else:
                self.press("h")
                self.press("Enter")
        elif "does not" in self.prompt or "Allowed" in self.prompt:
            self.press("Enter")


class Desk:
    """A tmux server of the test's own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        # One server a test: the old one may still be dying when the next is asked for.
        self.socket = f"fairdeal-{os.getpid()}-{folder.name[-30:]}"

    def tmux(self, *words: str) -> str:
        assert TMUX is not None
        done = subprocess.run(
            [TMUX, "-L", self.socket, "-f", "/dev/null", *words], capture_output=True, text=True, check=True
        )
        return done.stdout

    def open(self, name: str, command: str) -> Window:
        return Window(self, name, f"{PROGRAM} {command}")


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    found = Desk(tmp_path)
    yield found
    subprocess.run([str(TMUX), "-L", found.socket, "kill-server"], capture_output=True, check=False)


def play_on(windows: list[Window], until: Callable[[], bool], within_s: float = 240.0) -> None:
    deadline = time.monotonic() + within_s
    while not until():
        assert time.monotonic() < deadline, "\n".join(window.screen for window in windows)
        for window in windows:
            window.move()
        time.sleep(0.25)


def test_the_lobby_opens_and_leaves_the_terminal_as_it_was(desk: Desk) -> None:
    window = desk.open("mia", "; echo left with $?")
    window.shows("Tables on this network")
    window.press("F2")
    window.shows("Language")
    window.press("Right")
    window.shows("言語")
    window.press("Left", "Escape")
    window.shows("Tables on this network")
    window.press("C-q")
    screen = window.shows("left with 0")
    assert "Tables on this network" not in screen


@pytest.mark.parametrize("game", ["crazy-eights", "tichu"])
def test_practice_against_bots_to_the_end(desk: Desk, game: str) -> None:
    window = desk.open(
        "mia",
        f"play {game} --rounds 1 --option target=0 ; echo left with $?"
        if game != "tichu"
        else "play tichu --rounds 1 ; echo left with $?",
    )
    window.shows("fair deal")
    play_on([window], lambda: "match is over" in window.screen)
    screen = window.shows("WINS")
    assert "whole transcript was checked: in order" in screen
    window.press("v")
    window.shows("the proof holds")
    window.press("Escape")
    window.press("Escape")
    window.shows("left with 0")


def test_two_clients_resize_lose_each_other_and_finish(desk: Desk) -> None:
    host = desk.open("mia", "host mau-mau --seats 2 --table Kitchen --rounds 1 --name Mia")
    port = re.search(r"fairdeal join \S*?:(\d+)", host.shows(r"fairdeal join|Friends"))
    address = f"127.0.0.1:{port[1]}" if port else "127.0.0.1:4711"
    guest = desk.open("jonas", f"join {address} --name Jonas")
    host.shows("Jonas")
    guest.shows("Waiting room")
    guest.press("/")
    guest.shows("Say:")
    guest.press("hello Mia", "Enter")
    host.shows("Jonas: hello Mia")
    host.press("Enter")
    guest.press("Enter")
    for window in (host, guest):
        window.shows("fair deal")
    for columns, rows, seen in ((60, 20, "Mau-Mau"), (40, 12, "Too small"), (80, 24, "Mau-Mau")):
        host.resize(columns, rows)
        host.shows(seen)
    os.kill(guest.program(), signal.SIGKILL)
    host.shows("Jonas is away|Paused")
    guest.press("reset", "Enter")
    guest.press(f"{PROGRAM}", "Enter")
    guest.shows("unfinished match")
    guest.press("u")
    host.shows("Jonas is back")
    guest.shows("Your hand")
    play_on([host, guest], lambda: all("match is over" in window.screen for window in (host, guest)))
    assert "WINS" in host.screen
    assert "WINS" in guest.screen
