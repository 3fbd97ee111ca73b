"""Rows for what a phone's page, its browser and the program that serves it hold more after each round of a match.

Read when nothing is loaded for the first time any more, and after so many rounds more; before each reading, what nobody needs is
collected in the page and in its worker, and the browser gives back what it kept in reserve. A page that waits in the room as long
as the match took ("rounds": 0) shows how exact that is.
"""

from __future__ import annotations

import re
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from typing import Any

from cli.bench.chrome import Chrome, Tab, chrome
from cli.bench.rows import Measurement
from cli.bench.thumbs import READY, START_S, WARM_ROUNDS, await_rounds

Serving = Callable[..., AbstractContextManager[tuple[str, int]]]
SETTLE_S = 2.0
"""Memory that was given up is handed back to the system a moment later."""
SERVING = "serving program"
COUNTED = ("nodes", "listeners")
Held = dict[tuple[str, str], float]
"""By what is counted and where: figures that may grow."""


def growth_rows(path: str, serving: Serving, rounds: int) -> Iterator[Measurement]:
    """`path`: the browser; `serving`: a host that plays by itself, as its address for phones and its process."""
    began = time.monotonic()
    words = ("--seats", "2", "--rounds", str(WARM_ROUNDS + rounds + 1), "--option", "target=5000")
    with serving(*words) as (address, host), chrome(path) as browser:
        tab = browser.tab()
        tab.open(f"{address}&autoplay=1&name=Lena")
        tab.wait("document.querySelector('.table')", START_S)
        await_rounds(tab, WARM_ROUNDS)
        before = _held(browser, tab, host)
        await_rounds(tab, WARM_ROUNDS + rounds)
        after = _held(browser, tab, host)
    yield from _compared(before, after, {"rounds": rounds})
    took_s = time.monotonic() - began
    with serving("--seats", "2", "--wait", "3600") as (address, host), chrome(path) as browser:
        tab = browser.tab()
        tab.open(f"{address}&name=Lena")
        tab.wait(READY, START_S)
        time.sleep(SETTLE_S)
        before = _held(browser, tab, host)
        time.sleep(took_s)
        after = _held(browser, tab, host)
    yield from _compared(before, after, {"rounds": 0})


def _compared(before: Held, after: Held, params: dict[str, Any]) -> Iterator[Measurement]:
    """A process that has only now been started, or has ended, is left out: it is none of ours."""
    both = sorted(before.keys() & after.keys())
    ours = [key for key in both if key[0] == "memory" and key[1] != SERVING]
    was, now = (sum(held[key] for key in ours) for held in (before, after))
    yield Measurement("phones.growth", params | {"of": "memory", "before": round(was), "goal": "0"}, now - was, "MB")
    for kind, where in both:
        was, now = before[kind, where], after[kind, where]
        shown = params | {"of": kind, "in": where, "before": round(was, 1)}
        yield Measurement("phones.growth", shown, now - was, "" if kind in COUNTED else "MB")


def _held(browser: Chrome, tab: Tab, host: int) -> Held:
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
    """What each process has in memory; what several share counts for each."""
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
                found[name] = int(kib) * 1024 / 1e6
    return found
