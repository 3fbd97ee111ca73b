"""A real headless Chromium, driven over its own protocol: no driver package is needed, only `websockets`."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WAIT_S = 60.0


def browser_path() -> str | None:
    """Where the browser is: `CHROME`, or a usual name; None where there is none."""
    named = os.environ.get("CHROME")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


MOST_TAPS = 5
CLOSING_S = 5.0
"""How long a browser may take to exit by itself."""
LIVES_WITH_US = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""Runs a command with a pipe to read from as its file 3, and one to write to as 4, as `--remote-debugging-pipe` wants them. The
browser ends, with all its processes, when nobody holds the other end any more: also when we are killed."""
NAVIGATED = "Inspected target navigated or closed"


class Navigated(Exception):
    """The page went to another address before it had answered."""


class Tab:
    """One page."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._last = 0
        self.told: list[str] = []
        """The page's exceptions, and the errors in its console."""
        self.workers: list[str] = []
        """Its workers, as sessions for `call`."""
        self.call("Target.setAutoAttach", autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, session: str = "", **params: Any) -> dict[str, Any]:
        """`session`: which of its workers is asked."""
        self._last += 1
        asked = {"id": self._last, "method": method, "params": params}
        self._socket.send(json.dumps(asked | ({"sessionId": session} if session else {})))
        while True:
            heard = json.loads(self._socket.recv(timeout=WAIT_S))
            if heard.get("id") == self._last:
                if heard.get("error", {}).get("message") == NAVIGATED:
                    raise Navigated(method)
                assert "error" not in heard, (method, heard)
                result: dict[str, Any] = heard["result"]
                return result
            self._note(heard)

    def _note(self, heard: dict[str, Any]) -> None:
        if heard.get("method") == "Target.attachedToTarget" and heard["params"]["targetInfo"]["type"] == "worker":
            self.workers.append(heard["params"]["sessionId"])
        elif heard.get("method") == "Target.detachedFromTarget" and heard["params"]["sessionId"] in self.workers:
            self.workers.remove(heard["params"]["sessionId"])
        elif heard.get("method") == "Runtime.exceptionThrown":
            details = heard["params"]["exceptionDetails"]
            self.told.append(details.get("exception", {}).get("description") or details["text"])
        elif heard.get("method") == "Log.entryAdded" and heard["params"]["entry"]["level"] == "error":
            self.told.append(heard["params"]["entry"]["text"])

    def js(self, code: str) -> Any:
        """The value of an expression in the page."""
        found = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def _now(self, code: str) -> Any:
        """The value of an expression; None if the page goes to another address meanwhile."""
        try:
            return self.js(code)
        except Navigated:
            return None

    def open(self, address: str) -> None:
        self.call("Page.navigate", url=address)

    def size(self, width: int, height: int, touch: bool = True) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=touch)
        self.call("Emulation.setTouchEmulationEnabled", enabled=touch)

    def wait(self, code: str, wait_s: float = WAIT_S, look_s: float = 0.02) -> Any:
        """Until an expression is true; its value. `look_s`: how long between two looks, which may lay the page out."""
        until = time.monotonic() + wait_s
        while not (
            found := self._now(f"(() => {{ const found = {code}; return found instanceof Node ? true : found; }})()")
        ):
            assert time.monotonic() < until, (code, self.js("document.body.innerText"), self.told)
            time.sleep(look_s)
        return found

    def text(self) -> str:
        return str(self.js("document.body.innerText"))

    def middle_of(self, selector: str, wait_s: float = WAIT_S) -> tuple[float, float]:
        """Where its middle is, once it lies still."""
        self._middle(selector, wait_s)
        self.wait("document.getAnimations().every((each) => each.effect.getTiming().iterations === Infinity)")
        return self._middle(selector, wait_s)

    def _middle(self, selector: str, wait_s: float) -> tuple[float, float]:
        box = self.wait(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); if (!e) return null;"
            " const b = e.getBoundingClientRect(); return b.width ? [b.left + b.width / 2, b.top + b.height / 2] : null; })()",
            wait_s,
        )
        return box[0], box[1]

    def tap(self, selector: str, wait_s: float = WAIT_S) -> None:
        """A finger on its middle. What appears meanwhile may move it away: then once more."""
        for _attempt in range(MOST_TAPS):
            x, y = self.middle_of(selector, wait_s)
            self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
            if self.js(f"Boolean(document.elementFromPoint({x}, {y})?.closest({json.dumps(selector)}))"):
                self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
                return
            self.call("Input.dispatchTouchEvent", type="touchCancel", touchPoints=[])
        raise AssertionError(f"{selector} is covered by something else")

    def tap_at(self, x: float, y: float, selector: str = "*") -> None:
        """A finger there; it goes without a tap if something else has come to lie there."""
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": x, "y": y}])
        is_there = self.js(f"Boolean(document.elementFromPoint({x}, {y})?.closest({json.dumps(selector)}))")
        self.call("Input.dispatchTouchEvent", type="touchEnd" if is_there else "touchCancel", touchPoints=[])

    def drag(self, start: tuple[float, float], end: tuple[float, float], steps: int = 6) -> None:
        """A finger from one point to another."""
        self.call("Input.dispatchTouchEvent", type="touchStart", touchPoints=[{"x": start[0], "y": start[1]}])
        for step in range(1, steps + 1):
            x, y = (a + (b - a) * step / steps for a, b in zip(start, end, strict=True))
            self.call("Input.dispatchTouchEvent", type="touchMove", touchPoints=[{"x": x, "y": y}])
        self.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])

    def key(self, key: str, code: str = "") -> None:
        for kind in ("keyDown", "keyUp"):
            more = {"text": key} if len(key) == 1 and kind == "keyDown" else {}
            more |= {"text": "\r"} if key == "Enter" and kind == "keyDown" else {}
            numbers = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowRight": 39, "Tab": 9, " ": 32}
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=code or key,
                windowsVirtualKeyCode=numbers.get(key, 0),
                **more,
            )

    def picture(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


Inside = Callable[[], AbstractContextManager[None]]


class Chrome:
    """The browser; each tab is a separate page."""

    def __init__(self, port: int, process: subprocess.Popen[str], inside: Inside) -> None:
        self._port, self._process, self._inside = port, process, inside
        self._tabs = ExitStack()

    @property
    def group(self) -> int:
        """The number of the group of its processes."""
        return self._process.pid

    def tab(self, width: int = 390, height: int = 844, touch: bool = True) -> Tab:
        import urllib.request

        request = urllib.request.Request(f"http://127.0.0.1:{self._port}/json/new?about:blank", method="PUT")
        with self._inside():
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                where = json.load(answer)["webSocketDebuggerUrl"]
            socket = self._tabs.enter_context(connect(where, max_size=None, compression=None, ping_interval=None))
        tab = Tab(socket)
        tab.size(width, height, touch)
        return tab

    def kill(self) -> None:
        """Kill the browser without warning."""
        os.killpg(self.group, signal.SIGKILL)
        self._process.wait()

    def close(self) -> None:
        self._tabs.close()


@contextmanager
def chrome(
    path: str, profile: Path | None = None, prefix: Sequence[str] = (), inside: Inside = nullcontext
) -> Iterator[Chrome]:
    """A browser with a separate profile. `profile`: a folder that is kept; `prefix`: the command that runs it; `inside`: where
    it can be reached."""
    flags = (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-extensions",
        "--mute-audio",
    )
    quiet = ("--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder, closing(_Lifeline()) as lifeline:
        ends = [str(end) for end in lifeline.theirs]
        begun = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", "-c", LIVES_WITH_US, *ends),
                *(*prefix, path, *flags, *quiet),
                *("--remote-debugging-pipe", "--remote-debugging-port=0", f"--user-data-dir={profile or folder}"),
                "about:blank",
            ],
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            pass_fds=lifeline.theirs,
        )
        try:
            assert begun.stderr is not None
            said = _line(begun.stderr.readline, r"DevTools listening on ws://127\.0\.0\.1:(\d+)/")
            browser = Chrome(int(said[1]), begun, inside)
            yield browser
            browser.close()
        finally:
            lifeline.cut()
            _end(begun)


class _Lifeline:
    """Two pipes between us and a browser. `theirs`: what it reads from, and writes to."""

    def __init__(self) -> None:
        read, self._ours = os.pipe()
        self._told, write = os.pipe()
        # Neither 3 nor 4, which the browser needs.
        self.theirs = fcntl.fcntl(read, fcntl.F_DUPFD_CLOEXEC, 5), fcntl.fcntl(write, fcntl.F_DUPFD_CLOEXEC, 5)
        os.close(read)
        os.close(write)

    def cut(self) -> None:
        """Safe to call twice."""
        if self._ours >= 0:
            os.close(self._ours)
        self._ours = -1

    def close(self) -> None:
        self.cut()
        for end in (self._told, *self.theirs):
            os.close(end)


def _end(begun: subprocess.Popen[str]) -> None:
    """Wait for the browser to end, and kill what is left of it."""
    with suppress(subprocess.TimeoutExpired):
        begun.wait(CLOSING_S)
    with suppress(ProcessLookupError):
        os.killpg(begun.pid, signal.SIGKILL)
    begun.wait()
    if begun.stderr is not None:
        begun.stderr.close()


def _line(read: Callable[[], str], pattern: str) -> re.Match[str]:
    while line := read():
        if (found := re.search(pattern, line)) is not None:
            return found
    raise AssertionError("the browser did not start")
