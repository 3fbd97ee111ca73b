"""How soon a key is answered on the screen while a deal is computed: python -m tests.answering [SEATS] [RUNS].

Starts the program as a person does, in a terminal of its own (a pseudo-terminal, so not on Windows), with bots on all other
seats, and types into the chat line from the table's sealing until the deal is checked. Prints the milliseconds from each key
to the moment at which its letter stands on the screen.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import tempfile
import termios
import time
from statistics import median, quantiles

import pyte

COLUMNS, ROWS = 80, 24
LETTERS = "the quick brown fox jumps over the lazy dog"
PAUSE_S = 0.02
LIMIT_S = 60.0


class Screen:
    """A program on a terminal that can be read."""

    def __init__(self, words: list[str], home: str) -> None:
        self.shown = pyte.Screen(COLUMNS, ROWS)
        self.stream = pyte.ByteStream(self.shown)
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.environ.update(FAIRDEAL_HOME=home, TERM="xterm-256color", LANG="C.UTF-8")
            os.execv(
                sys.executable,
                [sys.executable, "-c", "import sys; from cli.main import main; sys.exit(main())", *words],
            )
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    @property
    def text(self) -> str:
        return "\n".join(self.shown.display)

    def read(self, wait_s: float) -> None:
        """What has been written, waiting for it at most this long."""
        if select.select([self.file], [], [], wait_s)[0]:
            self.stream.feed(os.read(self.file, 1 << 16))

    def until(self, *words: str) -> None:
        deadline = time.perf_counter() + LIMIT_S
        while not any(word in self.text for word in words):
            self.read(0.05)
            if time.perf_counter() > deadline:
                raise SystemExit(f"none of {words} on the screen:\n{self.text}")

    def type(self, keys: str) -> None:
        os.write(self.file, keys.encode())

    def close(self) -> None:
        os.kill(self.pid, 9)
        os.waitpid(self.pid, 0)
        os.close(self.file)


def answers(seats: int) -> list[float]:
    """Milliseconds from key to screen, for the keys typed while one deal was computed."""
    with tempfile.TemporaryDirectory() as home:
        screen = Screen(["play", "crazy-eights", "--seats", str(seats)], home)
        try:
            screen.until("Shuffling")
            screen.type("/")
            screen.until("Say:")
            taken = []
            for number in range(1, len(LETTERS)):
                begun = time.perf_counter()
                screen.type(LETTERS[number - 1])
                while f"Say: {LETTERS[:number].rstrip()}" not in screen.text:
                    screen.read(1.0)
                    if time.perf_counter() - begun > LIMIT_S:
                        raise SystemExit(f"a key was not answered:\n{screen.text}")
                taken.append((time.perf_counter() - begun) * 1000)
                if "fair deal" in screen.text or "deal proven" in screen.text:
                    return taken
                resume = time.perf_counter() + PAUSE_S
                while (left := resume - time.perf_counter()) > 0:
                    screen.read(left)
            return taken
        finally:
            screen.close()


def main() -> None:
    seats, runs = (int(word) for word in (sys.argv[1:] + ["8", "3"][len(sys.argv) - 1 :])[:2])
    for run in range(runs):
        taken = answers(seats)
        p95 = quantiles(taken, n=20, method="inclusive")[18]
        print(
            f"run {run + 1}: {len(taken)} keys while {seats} seats dealt: median {median(taken):.1f} ms, "
            f"95 % {p95:.1f} ms, worst {max(taken):.1f} ms"
        )


if __name__ == "__main__":
    main()
