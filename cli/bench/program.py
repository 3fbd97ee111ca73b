"""Rows for the whole program: how fast it starts and how much memory it uses. Each figure comes from its own process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from cli.bench.rows import Measurement
from cli.text import Translator

FIRST_SCREENS = {
    "help": ("--help",),
    "rules": ("rules", "tichu"),
    "tables": ("tables", "--seconds", "0"),
}
"""The commands to start; each exits by itself once it has shown something."""
LOBBY_LIMIT_S = 30.0
WHERE_AM_I = b"\x1b[6n"
RUN = "import sys; from cli.main import main; sys.exit(main())"
PEAK = """
import sys
from cli.bench.program import peak_mib
from cli.main import main
status = main()
print(peak_mib(), file=sys.stderr)
"""


def start_rows(times: int) -> list[Measurement]:
    """Measure from the start of the process to its end (median), beside Python's own startup time."""
    floor = median(_seconds(["-c", "pass"]) for _ in range(times)) * 1000
    return [
        Measurement(
            "start", {"shows": name}, median(_seconds(["-c", RUN, *words]) for _ in range(times)) * 1000, "ms", floor
        )
        for name, words in FIRST_SCREENS.items()
    ]


def lobby_rows(times: int) -> list[Measurement]:
    """Measure from starting the program in a terminal to the lobby on the screen (median). Empty on Windows."""
    if sys.platform == "win32":  # pragma: no cover - only there
        return []
    floor = median(_seconds(["-c", "pass"]) for _ in range(times)) * 1000
    return [
        Measurement("start", {"shows": "lobby"}, median(_lobby_seconds() for _ in range(times)) * 1000, "ms", floor)
    ]


def _lobby_seconds() -> float:
    import fcntl
    import pty
    import select
    import struct
    import termios

    title = Translator()("Tables on this network").encode()
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as home:
        begun = time.perf_counter()
        child, terminal = pty.fork()
        if child == 0:
            os.environ.update(FAIRDEAL_HOME=home, TERM="xterm-256color")
            os.execv(sys.executable, [sys.executable, "-c", RUN, "--lang", "en"])
        try:
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            shown = b""
            while title not in shown:
                left = begun + LOBBY_LIMIT_S - time.perf_counter()
                if left <= 0 or not select.select([terminal], [], [], left)[0]:
                    raise TimeoutError(f"no lobby after {LOBBY_LIMIT_S} s")
                read = os.read(terminal, 1 << 16)
                if WHERE_AM_I in read:  # answer the program's query for the cursor position, as a terminal would
                    os.write(terminal, b"\x1b[1;2R")
                shown += read
            return time.perf_counter() - begun
        finally:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            os.close(terminal)


def _seconds(words: list[str]) -> float:
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as home:
        begun = time.perf_counter()
        subprocess.run(
            [sys.executable, *words],
            env={**os.environ, "FAIRDEAL_HOME": home},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
        return time.perf_counter() - begun


def memory_row() -> Measurement:
    """Return the peak memory of a process that shows the rules of a game."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as home:
        done = subprocess.run(
            [sys.executable, "-c", PEAK, *FIRST_SCREENS["rules"]],
            env={**os.environ, "FAIRDEAL_HOME": home},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    return Measurement("memory", {"of": "rules"}, float(done.stderr.split()[-1]), "MiB")


def peak_mib() -> float:
    """Return the peak memory of this process, in MiB."""
    if sys.platform == "win32":  # pragma: no cover - only there
        import ctypes
        from ctypes import wintypes

        class Counters(ctypes.Structure):
            _fields_ = (
                ("cb", wintypes.DWORD),
                ("PageFaultCount", wintypes.DWORD),
                *((name, ctypes.c_size_t) for name in ("PeakWorkingSetSize", "a", "b", "c", "d", "e", "f", "g")),
            )

        counters = Counters()
        counters.cb = ctypes.sizeof(counters)
        ctypes.windll.kernel32.K32GetProcessMemoryInfo(
            wintypes.HANDLE(-1), ctypes.byref(counters), wintypes.DWORD(counters.cb)
        )
        return int(counters.PeakWorkingSetSize) / 2**20
    if sys.platform == "linux":  # what `getrusage` tells there includes the process that started this one
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) / 2**10
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Kilobytes on Linux, bytes on macOS.
    return peak / 2**20 if sys.platform == "darwin" else peak / 2**10
