"""Rows for a phone's page, in a headless Chromium on this computer, with the native client beside it in the same run.

`floor` is what the figure is compared with: the start of bare Pyodide, as npm brings it, or a deal between native clients. `goal`
is what the figure should be at most, unless it says otherwise.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median

from cli.bench.chrome import Tab, browser_path, chrome
from cli.bench.growth import growth_rows
from cli.bench.rows import Measurement
from cli.bench.tables import deal_ms, measure
from cli.bench.thumbs import ON_TURN, thumb_rows
from cli.faults import WrongUse
from cli.phones import assets
from cli.phones.files import download_bytes

WAIT_S = 120.0
WAITED_S = 2.0
GAME = "crazy-eights"
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
READY = "document.querySelector('[data-key=ready]')"
HAND = "(document.querySelector('.hand')?.innerText ?? '')"
BARE = """(async () => {
  const { assets } = await (await fetch("build.json")).json();
  const begun = performance.now();
  const { loadPyodide } = await import(`${assets}/pyodide.mjs`);
  await loadPyodide({ indexURL: `${assets}/` });
  return performance.now() - begun;
})()"""


def phones_rows(quick: bool) -> Iterator[Measurement]:
    """Measure all of them. Raises WrongUse without a browser, NoAssets without what phones need."""
    path = browser_path()
    if path is None:
        raise WrongUse("Chromium was not found on this computer: set CHROME to its path")
    assets.folder()
    yield _download()
    yield from _starts(path, 1 if quick else 3)
    yield _reloads(path, 1 if quick else 5)
    yield _deals(path, 3 if quick else 5)
    yield from thumb_rows(path, _hosting, quick)
    yield from growth_rows(path, _serving, *((5, 2) if quick else (20, 11)))


def _download() -> Measurement:
    """What a phone loads the first time, as it is sent."""
    return Measurement("phones.download", {"goal": "8 MB"}, download_bytes() / 1e6, "MB")


@contextmanager
def _hosting(*words: str) -> Iterator[str]:
    """A host of this computer that plays by itself; the address for phones."""
    with _serving(*words) as (address, _process, _home):
        yield address


@contextmanager
def _serving(*words: str) -> Iterator[tuple[str, int, Path]]:
    """The same, the number of its process, and its home."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as home:
        command = [sys.executable, "-m", "cli.main", "host", GAME, "--autoplay", "--json", "--phones", "--port", "0"]
        environ = {**os.environ, "FAIRDEAL_HOME": home}
        process = subprocess.Popen(
            [*command, *words], env=environ, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        try:
            assert process.stdout is not None
            place, _, fragment = str(json.loads(process.stdout.readline())["phones"]).partition("#")
            yield f"http://127.0.0.1:{place.rstrip('/').rpartition(':')[2]}/#{fragment}", process.pid, Path(home)
        finally:
            process.kill()
            process.communicate()


def _starts(path: str, times: int) -> Iterator[Measurement]:
    """From calling the address, in a browser that was never there."""
    drawn, ready, bare = [], [], []
    with _hosting("--seats", "10", "--wait", "600") as address:
        for number in range(times):
            with chrome(path) as browser:
                tab = browser.tab()
                begun = time.perf_counter()
                tab.open(f"{address}&name=Lena{number}")
                tab.wait(READY, WAIT_S)
                ready.append((time.perf_counter() - begun) * 1000)
                drawn.append(float(tab.wait(PAINTED)))
            with chrome(path) as browser:
                tab = browser.tab()
                tab.call("Page.setBypassCSP", enabled=True)  # the page itself may not run WebAssembly
                tab.open(address)
                tab.wait("document.querySelector('form')", WAIT_S)
                bare.append(float(tab.js(BARE)))
    yield Measurement("phones.drawn", {"goal": "1000 ms"}, median(drawn), "ms")
    yield Measurement("phones.ready", {"goal": "1.3 floors"}, median(ready), "ms", median(bare))


def _reloads(path: str, times: int) -> Measurement:
    """From calling the address again in the middle of a round, in the same browser, until the same hand is there."""
    took = []
    with _hosting("--seats", "2", "--rounds", "1") as address, chrome(path) as browser:
        tab = browser.tab()
        tab.open(f"{address}&name=Lena")
        tab.wait(READY, WAIT_S)
        tab.js(f"{READY}.click()")
        tab.wait(ON_TURN, WAIT_S)
        hand = tab.js(HAND)
        for _ in range(times):
            tab.open("about:blank")
            tab.wait("location.href === 'about:blank'")
            begun = time.perf_counter()
            tab.open(address.partition("#")[0])
            tab.wait(f"{HAND} === {json.dumps(hand)}", WAIT_S)
            took.append((time.perf_counter() - begun) * 1000)
    return Measurement("phones.reload", {"count": times}, median(took), "ms")


def _deals(path: str, times: int) -> Measurement:
    """A deal between three native clients and a phone, beside one between four native clients: one after the other, as single
    deals differ by half, and what else the computer does changes both."""
    found, natives = [], []
    with chrome(path) as browser:
        for _ in range(times):
            natives.append(deal_ms(measure(GAME, 4)))
            tab = browser.tab()
            found.append(deal_ms(measure(GAME, 4, phone=partial(_sit, tab))))
            tab.call("Page.close")
    params = {"game": GAME, "seats": 4, "count": times, "goal": "2 floors"}
    return Measurement("phones.deal", params, median(found), "ms", median(natives))


def _sit(tab: Tab, address: str) -> None:
    """Sit down, wait a moment as people do, and be ready."""
    tab.open(f"{address}&name=Lena")
    tab.wait(READY, WAIT_S)
    time.sleep(WAITED_S)
    tab.js(f"{READY}.click()")
