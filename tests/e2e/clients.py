"""Real programs in processes of their own, each with a home of its own, talking over loopback (or in a namespace)."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

WAIT_S = 150
REAL = "cli.main"
TOY = "tests.toy_program"
"""Where it matters what programs do to each other, and not what their proofs prove: deals cost next to nothing."""
HASTY = "tests.hasty_program"
"""The same where nobody looks at how bots take their time."""


def free_port() -> int:
    """A port that nobody uses now, and that no system gives away by chance: programs are started again on theirs."""
    while True:
        port = random.randrange(20_000, 30_000)
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


@dataclass
class Ended:
    """How a program ended."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """The object on the last line of its output."""
        found: dict[str, Any] = json.loads(self.out.strip().splitlines()[-1])
        return found


@dataclass
class Client:
    """One `fairdeal` process."""

    home: Path
    arguments: Sequence[str]
    process: subprocess.Popen[str]

    def end(self, timeout_s: float = WAIT_S) -> Ended:
        try:
            out, err = self.process.communicate(timeout=timeout_s)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, err = self.process.communicate()
            raise AssertionError(f"{' '.join(self.arguments)} did not end: {out}\n{err}") from None
        return Ended(self.process.returncode, out, err)

    def until_told(self, text: str) -> None:
        """Until it has written this to standard error."""
        assert self.process.stderr is not None
        while text not in (line := self.process.stderr.readline()):
            assert line, f"{' '.join(self.arguments)} has ended"

    def kill(self) -> None:
        """As a power cut would."""
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


@dataclass
class Party:
    """Starts programs and leaves none behind."""

    folder: Path
    program: str = REAL
    clients: list[Client] = field(default_factory=list)

    def start(
        self,
        home: str,
        *arguments: str,
        prefix: Sequence[str] = (),
        program: Sequence[str] = (),
        stdin: str | None = None,
        is_open: bool = False,
    ) -> Client:
        """`program`: another module than usual, and its words; `stdin`: what is typed; `is_open`: more could be typed."""
        path = self.folder / home
        environ = {key: value for key, value in os.environ.items() if key not in ("TERM", "LANG", "LC_ALL")}
        environ |= {"FAIRDEAL_HOME": str(path), "LANG": "C.UTF-8"}
        process = subprocess.Popen(
            [*prefix, sys.executable, "-m", *(program or (self.program,)), *arguments],
            stdin=subprocess.PIPE if stdin is not None else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environ,
        )
        if stdin is not None and process.stdin is not None:
            process.stdin.write(stdin)
            process.stdin.flush()
            if not is_open:
                process.stdin.close()
                process.stdin = None
        client = Client(path, arguments, process)
        self.clients.append(client)
        return client

    def run(self, home: str, *arguments: str, stdin: str | None = None, timeout_s: float = WAIT_S) -> Ended:
        return self.start(home, *arguments, stdin=stdin).end(timeout_s)

    def close(self) -> None:
        for client in self.clients:
            if client.process.poll() is None:
                client.kill()


@contextlib.contextmanager
def party(folder: Path, program: str = REAL) -> Iterator[Party]:
    """Programs for one test."""
    found = Party(folder, program)
    try:
        yield found
    finally:
        found.close()


def wait_for(condition: Callable[[], bool], what: str, timeout_s: float = WAIT_S) -> None:
    """Until it holds: looked at often, with an end."""
    end = time.monotonic() + timeout_s
    while not condition():
        assert time.monotonic() < end, what
        time.sleep(0.05)


def wait_for_port(port: int, timeout_s: float = WAIT_S) -> None:
    """Until somebody listens there: a condition, looked at often, with an end."""
    end = time.monotonic() + timeout_s
    while time.monotonic() < end:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
            return
        time.sleep(0.02)
    raise AssertionError(f"nobody listens on port {port}")
