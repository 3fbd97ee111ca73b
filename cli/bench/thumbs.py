"""Rows for what a thumb feels on a phone's page: how soon a tap shows, how smoothly cards move.

All in a headless Chromium on this computer, which draws without a graphics card.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from statistics import median
from typing import Any

from cli.bench.chrome import Tab, chrome
from cli.bench.rows import Measurement

START_S = 120.0
ROUND_S = 60.0
TAPS = 20
TAPS_S = 90.0
STEP_S = 0.1
LOOK_S = 1.0
SLOWED = 4
"""How many times slower than this computer a cheap phone is taken to be."""
WARM_ROUNDS = 3
"""Rounds until nothing is loaded for the first time any more."""
SLOW_ROUNDS = 2
"""Rounds at the end, in which frames are counted on a slowed page."""
GOALS = {"shown": "100 ms", "named": "150 ms"}
"""Of a tap, on a page that is not slowed: what shows within a tenth of a second is felt as at once."""
Hosting = Callable[..., AbstractContextManager[str]]

READY = "document.querySelector('[data-key=ready]')"
ON_TURN = "document.querySelector('.table .prompt[data-mood=turn]') && document.querySelectorAll('.slot').length > 1"
LISTEN = """(() => {
  globalThis.taps = [];
  const root = document.querySelector(".table");
  addEventListener("pointerup", () => taps.push({ at: performance.now() }), true);
  new MutationObserver((changes) => {
    const tap = taps.at(-1);
    if (!tap) return;
    const took = performance.now() - tap.at;
    for (const { target } of changes) {
      const element = target.nodeType === Node.ELEMENT_NODE ? target : target.parentElement;
      if (element?.closest(".slot")) tap.shown ??= took;
      if (element?.closest(".prompt, .actions")) tap.named ??= took;
    }
  }).observe(root, { subtree: true, childList: true, characterData: true, attributes: true });
})()"""
"""Notes, for each tap, after how many milliseconds a card in the hand changed, and the words or buttons below the table."""
STEP = """(() => {
  const one = (selector) => document.querySelector(selector);
  const press = (...keys) => keys.map((key) => one(`[data-key=${key}]`)).find(Boolean)?.click();
  const slots = [...document.querySelectorAll(".slot")];
  if (one(".answers button")) one(".answers button").click();
  else if (one(".scores")) press("play");
  else if (one(".table .prompt[data-mood=turn]")) {
    if (one(".slot[aria-selected=true]")) return press("play");
    const card = slots.find((each) => each.getAttribute("aria-label").includes("playable"));
    if (!card) return press("draw", "pass");
    if (card.getAnimations({ subtree: true }).length) return;
    const at = card.getBoundingClientRect();
    return [at.left + 16, at.top + 20];
  }
})()"""
"""Does what can be done, or returns where a card lies, and flies no more, that can be played."""
NAMED_S = 5.0
TAPPED = (
    f"taps.length >= %d && (taps.at(-1).named !== undefined || performance.now() - taps.at(-1).at > {NAMED_S * 1000})"
)
FRAMES = """(() => {
  globalThis.frames_ms = [];
  let last = null;
  const flights = document.getElementById("flights");
  const each = (now) => {
    const isMoving = flights.childElementCount > 0;
    if (isMoving && last !== null) frames_ms.push(now - last);
    last = isMoving ? now : null;
    requestAnimationFrame(each);
  };
  requestAnimationFrame(each);
})()"""
"""Notes, while a card flies, how long each frame was."""
ROUNDS = """Math.max(
  Number(document.querySelector(".table")?.innerText.match(/round (\\d+)/)?.[1] ?? 1) - 1,
  document.querySelectorAll(".scores thead th").length - 2,
)"""
"""How many are over: what the table calls the round that is played, or the columns of the score sheet."""


def thumb_rows(path: str, hosting: Hosting, quick: bool) -> Iterator[Measurement]:
    """Measure all of them. `path`: the browser; `hosting`: a host that plays by itself, as its address for phones."""
    for slowed in (1, SLOWED):
        yield from _taps(path, hosting, slowed)
    yield from _flights(path, hosting, WARM_ROUNDS + (1 if quick else 4))


def _taps(path: str, hosting: Hosting, slowed: int) -> Iterator[Measurement]:
    """From a finger's leaving the page, while the next deal is computed behind it: until the card moves, until it is named."""
    with hosting("--seats", "2", "--rounds", "9", "--option", "target=1000") as address, chrome(path) as browser:
        tab = browser.tab()
        tab.open(f"{address}&name=Lena")
        tab.wait(READY, START_S)
        tab.js(f"{READY}.click()")
        tab.wait(ON_TURN, START_S)
        tab.js(LISTEN)
        tab.call("Emulation.setCPUThrottlingRate", rate=slowed)
        until, number = time.monotonic() + TAPS_S, 0
        while number < TAPS and time.monotonic() < until:
            if (place := tab.js(STEP)) is None:
                time.sleep(STEP_S)
                continue
            number += 1
            tab.tap_at(*place)
            tab.wait(TAPPED % number)
        taps = tab.js("taps")
    for name in ("shown", "named"):
        times = [float(tap[name]) for tap in taps if name in tap]
        params: dict[str, Any] = {"until": name, "slowed": slowed, "count": f"{len(times)}/{len(taps)}"}
        params |= {"goal": GOALS[name] if slowed == 1 else "all answered"}
        if times:
            yield Measurement("phones.tap", params | {"figure": "median"}, median(times), "ms")
            yield Measurement("phones.tap", params | {"figure": "max"}, max(times), "ms")


def _flights(path: str, hosting: Hosting, rounds: int) -> Iterator[Measurement]:
    """A page that plays by itself: frames while cards fly."""
    words = ("--seats", "2", "--rounds", str(rounds + SLOW_ROUNDS), "--option", "target=1000")
    with hosting(*words) as address, chrome(path) as browser:
        tab = browser.tab()
        tab.open(f"{address}&autoplay=1&name=Lena")
        tab.wait("document.querySelector('.table')", START_S)
        tab.js(FRAMES)
        await_rounds(tab, WARM_ROUNDS)
        await_rounds(tab, rounds)
        frames = tab.js("frames_ms")
        tab.js("frames_ms.length = 0")
        tab.call("Emulation.setCPUThrottlingRate", rate=SLOWED)
        await_rounds(tab, rounds + SLOW_ROUNDS)
        slow_frames = tab.js("frames_ms")
    yield from _frames(frames, 1)
    yield from _frames(slow_frames, SLOWED)


def _frames(frames: list[float], slowed: int) -> Iterator[Measurement]:
    if frames:
        late = sum(each > 2 * 1000 / 60 for each in frames) / len(frames)
        params: dict[str, Any] = {"slowed": slowed, "count": len(frames), "late": f"{late:.0%}"}
        params |= {"goal": "60 /s"} if slowed == 1 else {}
        yield Measurement("phones.frames", params, 1000 * len(frames) / sum(frames), "/s")


def await_rounds(tab: Tab, rounds: int) -> None:
    """Until so many rounds are on the score sheet."""
    tab.wait(f"{ROUNDS} >= {rounds}", ROUND_S * rounds, LOOK_S)
