"""Rows for what a phone's page, its browser and the program that serves it hold more after each round of a match.

Read every few rounds, from when nothing is loaded for the first time any more, and the browser has put away what only the start
needed. For each reading the serving program stands still, so that nothing moves on the page; what nobody needs is collected in
the page and in its worker, and the browser gives back what it kept in reserve. A figure is how much the line through all readings
rises in so many rounds: the browser's database gathers up to 4 MB before it puts them in order, and lets go of them all at once.
A page that waits in the room as long as the match took ("rounds": 0) shows how exact that is; the record of the match, which each
player holds until it is saved and can be verified, how much there has to be.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from statistics import linear_regression
from typing import Any

from cli.bench.chrome import Chrome, Tab, chrome
from cli.bench.rows import Measurement
from cli.bench.thumbs import LOOK_S, READY, ROUND_S, ROUNDS, START_S

Serving = Callable[..., AbstractContextManager[tuple[str, int, Path]]]
WARM_S = 90.0
"""Until the browser has put away what only the start needed: 9 MB, after about a minute."""
ALL_ROUNDS = 1000
"""More than are played."""
EACH = 5
"""So many rounds lie between two readings."""
STILL_S = 1.0
"""Until all that was on its way to the page is there, and all cards lie."""
SETTLE_S = 2.0
"""Memory that was given up is handed back to the system a moment later."""
TABLE = "document.querySelector('.table')"
"""A score sheet gets longer each round: nothing is read while it covers the table."""
CLOSES = "[data-kind=scores] [data-key=play]"
CLOSE = f"setInterval(() => document.querySelector('{CLOSES}')?.click(), 200)"
"""As people do. A page that plays by itself leaves the sheet there, and draws it anew with each move."""
SERVING = "serving program"
COUNTED = ("nodes", "listeners")
Held = dict[tuple[str, str], float]
"""By what is counted and where: figures that may grow."""


def growth_rows(path: str, serving: Serving, rounds: int, readings: int) -> Iterator[Measurement]:
    """`path`: the browser; `serving`: a host that plays by itself, as its address for phones, its process and its home."""
    words = ("--seats", "2", "--rounds", str(ALL_ROUNDS), "--option", "target=10000")
    with serving(*words) as (address, host, home), chrome(path) as browser:
        tab = browser.tab()
        tab.open(f"{address}&autoplay=1&name=Lena")
        tab.tap(CLOSES, START_S)  # from a finger's first tap on, the page may sound
        tab.js(CLOSE)
        time.sleep(WARM_S)
        first, began = int(tab.js(ROUNDS)), time.monotonic()
        held = []
        for number in range(readings):
            rounds_over = first + EACH * number
            tab.wait(f"{ROUNDS} >= {rounds_over} && {TABLE}", ROUND_S * rounds_over, LOOK_S)
            held.append(_held(browser, tab, host, home))
        took_s = time.monotonic() - began
    yield from _risen(held, rounds / EACH, {"rounds": rounds})
    with serving("--seats", "2", "--wait", "3600") as (address, host, home), chrome(path) as browser:
        tab = browser.tab()
        tab.open(f"{address}&name=Lena")
        tab.wait(READY, START_S)
        time.sleep(WARM_S)
        held, began = [], time.monotonic()
        for number in range(readings):
            time.sleep(max(0.0, began + took_s * number / readings - time.monotonic()))
            held.append(_held(browser, tab, host, home))
    yield from _risen(held, rounds / EACH, {"rounds": 0})


def _risen(held: Sequence[Held], steps: float, params: dict[str, Any]) -> Iterator[Measurement]:
    """A process that has only now been started, or has ended, is left out: it is none of ours."""
    always = sorted(set(held[0]).intersection(*held))
    ours = [key for key in always if key[0] == "memory" and key[1] != SERVING]
    was, rise = _line([sum(each[key] for key in ours) for each in held], steps)
    yield Measurement("phones.growth", params | {"of": "memory", "before": round(was), "goal": "0"}, rise, "MB")
    for kind, where in always:
        was, rise = _line([each[kind, where] for each in held], steps)
        shown = params | {"of": kind, "in": where, "before": round(was, 1)}
        yield Measurement("phones.growth", shown, rise, "" if kind in COUNTED else "MB")


def _line(values: Sequence[float], steps: float) -> tuple[float, float]:
    """Where the line that fits best begins, and how much it rises in so many steps from one to the next."""
    slope, start = linear_regression(range(len(values)), values)
    return start, slope * steps


def _held(browser: Chrome, tab: Tab, host: int, home: Path) -> Held:
    os.kill(host, signal.SIGSTOP)
    try:
        time.sleep(STILL_S)
        record = sum(each.stat().st_size for each in (home / "transcripts").glob("*"))
        return _read(browser, tab, host) | {("record", "match"): record / 1e6}
    finally:
        os.kill(host, signal.SIGCONT)


def _read(browser: Chrome, tab: Tab, host: int) -> Held:
    targets = ("", *tab.workers)
    for session in targets:
        for _ in range(2):  # what the first time set free may have held something
            tab.call("HeapProfiler.collectGarbage", session)
    tab.call("Memory.simulatePressureNotification", level="critical")
    time.sleep(SETTLE_S)
    found: Held = {}
    for session in targets:
        where = "worker" if session else "page"
        usage = tab.call("Runtime.getHeapUsage", session)
        found["objects", where] = usage["usedSize"] / 1e6
        found["buffers", where] = usage["backingStorageSize"] / 1e6
        if session:
            found["wasm", where] = _wasm_mb(tab, session)
    tab.call("Performance.enable")
    metrics = {each["name"]: int(each["value"]) for each in tab.call("Performance.getMetrics")["metrics"]}
    found["nodes", "page"], found["listeners", "page"] = metrics["Nodes"], metrics["JSEventListeners"]
    return found | {("memory", where): mb for where, mb in _memory_mb(browser, host).items()}


def _wasm_mb(tab: Tab, session: str) -> float:
    """What all WebAssembly there has reserved."""
    kind = tab.call("Runtime.evaluate", session, expression="WebAssembly.Memory.prototype")["result"]["objectId"]
    found = tab.call("Runtime.queryObjects", session, prototypeObjectId=kind)["objects"]["objectId"]
    code = "function () { return this.reduce((sum, each) => sum + each.buffer.byteLength, 0); }"
    told = tab.call("Runtime.callFunctionOn", session, objectId=found, functionDeclaration=code, returnByValue=True)
    return float(told["result"]["value"]) / 1e6


def _memory_mb(browser: Chrome, host: int) -> dict[str, float]:
    """What each process has in memory of its own, and of its programs."""
    told = subprocess.run(
        ["ps", "-A", "-o", "pid=,pgid=,rss=,args="], capture_output=True, text=True, check=True
    ).stdout
    found = {}
    for line in told.splitlines():
        with suppress(ValueError):  # a process without a command
            pid, group, kib, command = line.split(None, 3)
            kind = re.search(r"--type=(\S+)", command)
            name = SERVING if int(pid) == host else f"{kind[1] if kind else 'browser'} {pid}"
            if int(pid) == host or int(group) == browser.group:
                found[name] = (int(kib) - _shared_kib(pid)) * 1024 / 1e6
    return found


def _shared_kib(pid: str) -> int:
    """What processes give each other, mostly pictures of what is on the screen just then: 8 to 14 MB, in two of them each. Where
    the system does not tell, it is counted."""
    with suppress(OSError):
        found = re.search(r"RssShmem:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
        return int(found[1]) if found else 0
    return 0
