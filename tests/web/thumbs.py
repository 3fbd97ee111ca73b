"""A person with a browser: the program with `--browser`, and a thumb on what the page offers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from cli.bench.chrome import Tab
from tests.e2e.clients import REAL

ROOT = Path(__file__).parents[2]


@contextmanager
def program(home: Path, *words: str, path: Path | None = None, module: str = REAL) -> Iterator[subprocess.Popen[str]]:
    """The program with a home of its own. `path`: where more packages are. `module`: itself, or the program in the toy group."""
    env = os.environ | {
        "FAIRDEAL_HOME": str(home),
        "PYTHONPATH": os.pathsep.join(str(each) for each in (ROOT, path) if each),
        "PYTHONUNBUFFERED": "1",
    }
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        env.pop(name, None)
    with (home.parent / f"{home.name}.err").open("w") as errors:
        begun = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            cwd=home.parent,
        )
    try:
        yield begun
    finally:
        begun.terminate()
        begun.communicate(timeout=240)


def address_of(begun: subprocess.Popen[str]) -> str:
    """Where the page is, as the program tells it."""
    assert begun.stdout is not None
    while line := begun.stdout.readline():
        if (found := re.search(r"http://127\.0\.0\.1:\d+/#t=[0-9a-f]{32}", line)) is not None:
            return found[0]
    raise AssertionError("no address was told")


STATE = """(() => {
  const prompt = document.querySelector('.table .prompt');
  const has = (key) => Boolean(document.querySelector(`.table [data-key="${key}"]`));
  const slots = [...document.querySelectorAll('.slot')];
  return JSON.stringify({
    scores: Boolean(document.querySelector('main.scores')),
    mood: prompt?.dataset.mood ?? '',
    prompt: prompt?.innerText ?? '',
    answers: document.querySelectorAll('.answers button').length,
    proposed: Boolean(document.querySelector('.answers .primary')),
    places: Boolean(document.querySelector('.places')),
    given: document.querySelectorAll('.places .card').length,
    hint: has('hint'), play: has('play'), draw: has('draw'), pass: has('pass'),
    picked: slots.filter((each) => each.getAttribute('aria-selected') === 'true').length,
    playable: slots.findIndex((each) => each.getAttribute('aria-label').includes('playable')),
    cards: slots.length,
    event: document.querySelector('.event')?.innerText ?? '',
  });
})()"""
TURN_S = 30.0


class Thumb:
    """Plays by taps alone. `done`: what was tapped."""

    def __init__(self, tab: Tab, drags: bool = False) -> None:
        """`drags`: cards are thrown on the table instead of being tapped."""
        self.tab = tab
        self.drags = drags
        self.done: set[str] = set()
        self.has_scores = False
        self._answered: set[str] = set()

    def state(self) -> dict[str, object]:
        found: dict[str, object] = json.loads(self.tab.js(STATE))
        return found

    def play_round(self, wait_s: float) -> None:
        """Until the score sheet is there."""
        play_round((self,), wait_s)

    def play_on(self) -> bool:
        """Tap once if there is something to do; return whether the score sheet is there, or was."""
        now = self.state()
        self.has_scores |= bool(now["scores"])
        if now["mood"] in ("turn", "no") and not self.has_scores and self._act(now):
            self._changed(now)
        return self.has_scores

    def _changed(self, before: dict[str, object]) -> None:
        until = time.monotonic() + 1.0
        while self.state() == before and time.monotonic() < until:
            time.sleep(0.02)

    def _act(self, now: dict[str, object]) -> bool:
        """One tap; whether there was something to tap."""
        if now["answers"]:
            prompt = str(now["prompt"])
            # What was proposed may have led back here: "Keep the bomb", where nothing else can be played.
            is_new = prompt not in self._answered
            self._answered.add(prompt)
            return self._tap(".answers .primary" if now["proposed"] and is_new else ".answers button", "answer")
        if now["places"] and int(str(now["given"])) < 3:
            return self._tap_card(int(str(now["given"])) * 4 + 1, "gift")
        if now["places"]:
            return self._tap('[data-key="play"]', "give")
        if now["picked"] and now["mood"] == "no" and now["hint"]:  # it can be played with others only
            return self._tap('[data-key="hint"]', "hint")
        if now["picked"] and now["play"]:
            return self._tap('[data-key="play"]', "play")
        playable = int(str(now["playable"]))
        if playable >= 0 and self.drags:
            return self._throw(playable)
        # One of the cards by a tap of its own, the others by what the hint picks.
        if playable >= 0 and now["cards"] == 5:
            return self._tap_card(playable, "card")
        if playable >= 0 and now["hint"]:
            return self._tap('[data-key="hint"]', "hint")
        for name in ("pass", "draw", "play"):
            if now[name]:
                return self._tap(f'[data-key="{name}"]', name)
        return False

    def _tap(self, selector: str, name: str) -> bool:
        try:
            self.tab.tap(f".table {selector}", 1.0)  # not what is in the same place when the score sheet comes
        except AssertionError:
            return False  # it is there no more: the table has moved on
        self.done.add(name)
        return True

    def _tap_card(self, place: int, name: str) -> bool:
        self.done.add(name)
        x, y = self._place(place)
        self.tab.tap_at(x, y, ".slot")
        return True

    def _throw(self, place: int) -> bool:
        self.done.add("drag")
        x, y = self._place(place)
        self.tab.drag((x, y), (195, 380))
        return True

    def _place(self, place: int) -> tuple[float, float]:
        x, y = self.tab.js(
            f"(() => {{ const b = document.querySelectorAll('.slot')[{place}].getBoundingClientRect();"
            " return [b.left + 16, b.top + 20]; })()"
        )
        return x, y


def play_round(thumbs: Sequence[Thumb], wait_s: float) -> None:
    """Until all of them have the score sheet."""
    until = time.monotonic() + wait_s
    are_done = [False]
    while not all(are_done):
        are_done = [thumb.play_on() for thumb in thumbs]
        assert time.monotonic() < until, [(each.state(), each.tab.told, each.tab.text()) for each in thumbs]
        time.sleep(0.05)
