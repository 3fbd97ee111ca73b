"""Windows of a terminal multiplexer with a client in each, and somebody who does what their screens say."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.e2e.clients import HASTY, TOY

TMUX = shutil.which("tmux")
PROGRAM = str(Path(sys.executable).with_name("fairdeal"))
ROOT = Path(__file__).parents[2]
TOY_PROGRAM = shlex.join([sys.executable, "-m", TOY])


class Window:
    """One terminal with one client in it."""

    def __init__(self, desk: Desk, name: str, command: str, home: str = "") -> None:
        self.desk, self.name = desk, name
        self._held: str | None = None
        homes = f"HOME={desk.folder} FAIRDEAL_HOME={desk.folder}/{home or name}"
        environ = f"{homes} LANG=C.UTF-8 TERM=xterm-256color PYTHONPATH={ROOT}"
        # The shell stays, so that what a program leaves behind on its terminal can be seen.
        desk.tmux(
            "new-session", "-d", "-s", name, "-x", "80", "-y", "24", f"cd {desk.folder}; exec env {environ} bash --norc"
        )
        self.press(command, "Enter")

    @property
    def screen(self) -> str:
        return self._look() if self._held is None else self._held

    def _look(self) -> str:
        return self.desk.tmux("capture-pane", "-p", "-t", self.name)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Meanwhile `screen` stays what it is now: whether to go on and what to do are judged by one look."""
        self._held = self._look()
        try:
            yield
        finally:
            self._held = None

    def press(self, *keys: str) -> None:
        self.desk.tmux("send-keys", "-t", self.name, *keys)

    def resize(self, columns: int, rows: int) -> None:
        self.desk.tmux("resize-window", "-t", self.name, "-x", str(columns), "-y", str(rows))

    def shows(self, text: str, within_s: float = 120.0) -> str:
        deadline = time.monotonic() + within_s
        while True:
            screen = self.screen
            if re.search(text, screen):
                return screen
            assert time.monotonic() < deadline, f"{self.name}: {text!r} is not on\n{screen}"
            time.sleep(0.05)

    def sits(self) -> str:
        """Wait until this client has a place in the room: before, its screen is the room's already, and takes no keys."""
        return self.shows(r"(not yet|✓ ready) .*\byou\b")

    def gets_ready(self) -> None:
        """Press Enter in the room as soon as that means being ready."""
        self.sits()
        self.press("Enter")

    def program(self) -> int:
        """The process of the client in this window."""
        shell = self.desk.tmux("display-message", "-p", "-t", self.name, "#{pane_pid}").strip()
        found = subprocess.run(["pgrep", "-P", shell], capture_output=True, text=True, check=False).stdout.split()
        assert found, self.screen
        return int(found[0])

    def move(self) -> None:
        """Does what the screen says can be done."""
        screen = self.screen
        lines = screen.rstrip("\n").splitlines()
        prompt = lines[-2] if len(lines) > 1 else ""
        if "P: pass" in prompt and re.search(r"ou can’t (play|beat)|does not beat", prompt):
            self.press("p")
        elif re.search(r"YOUR CHOICE|Enter: (ready|scores|show|take)|press Enter to take", screen):
            self.press("Enter")
        elif "Grand Tichu?" in screen:
            self.press("n")
        elif "Pass a card to each player" in screen:
            self.press("Home", "1", "Right", "2", "Right", "3", "Enter")
        elif "YOUR TURN" in screen:
            if "D: draw" in screen[screen.rfind("YOUR TURN") :]:
                self.press("d")
            else:
                self.press("h")
                self.press("Enter")
        elif re.search(r"Playable|Option \d+ of", prompt):
            self.press("Enter")  # a refusal lapses by itself: pressed again, Enter would be refused for ever


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

    def open(self, name: str, command: str, home: str = "", program: str = PROGRAM) -> Window:
        """A window of this name where the program was started; its home has the same name, or `home`."""
        return Window(self, name, f"{program} {command}", home)

    def open_hasty(self, name: str, command: str) -> Window:
        """A window with a program in the toy group, whose bots do not take a person's time to think."""
        return self.open(name, command, program=shlex.join([sys.executable, "-m", HASTY]))


def play_on(windows: Sequence[Window], until: Callable[[], bool], within_s: float = 240.0) -> None:
    """All of them play what their screens say can be played."""
    deadline = time.monotonic() + within_s
    while True:
        with ExitStack() as stack:
            for window in windows:
                stack.enter_context(window.held())
            if until():
                return
            assert time.monotonic() < deadline, "\n".join(window.screen for window in windows)
            for window in windows:
                window.move()
        time.sleep(0.15)
