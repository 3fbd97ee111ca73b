"""Across the room nobody scrolls: a table is seen whole, and a long score sheet, with the last rounds and the totals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

import pytest

from cli.bench.chrome import Chrome, browser_path, chrome
from cli.news import Paused
from cli.terminal.settings import TerminalSettings
from cli.view.actions import LIST
from cli.view.inputs import Input
from cli.view.settings import Settings
from cli.view.views import Frame, ScoreView
from cli.web.app import WebApp
from cli.web.server import Server
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted, tichu_lead
from tests.web.overlaps import overlaps

FOUND = browser_path()
pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(FOUND is None, reason="no Chromium here (CHROME names one)"),
]
ROUNDS, PLAYERS = 30, 10
CUT = """(() => {
  const [main, holder] = ["main.scores", ".scroll-x"].map((each) => document.querySelector(each));
  const total = document.querySelector(".total").getBoundingClientRect();
  const code = document.querySelector(".join").getBoundingClientRect();
  return main.scrollHeight - main.clientHeight > 1 || holder.scrollWidth - holder.clientWidth > 1 || total.right > code.left;
})()"""
SEEN = "[...document.querySelectorAll('thead th')].filter((each) => !each.hidden).map((each) => each.textContent)"


class Sheet:
    """A score sheet of a long match between many."""

    place = LIST
    window_title = "Scores"

    def __init__(self) -> None:
        self.rounds = ROUNDS

    def update(self, _given: Input) -> tuple[()]:
        return ()

    def view(self) -> ScoreView:
        points = tuple("125" for _ in range(self.rounds))
        rows = tuple((f"Maximiliane {number}", points, "3750", "WON"[: 3 * (number == 0)]) for number in range(PLAYERS))
        rounds = tuple(f"R{number}" for number in range(1, self.rounds + 1))
        return ScoreView(Frame("Mau-Mau"), "Final scores", rounds, rows, "Total", winners=1)


def test_a_long_score_sheet_is_seen_whole() -> None:
    asyncio.run(looked_at())


async def looked_at() -> None:
    assert FOUND is not None
    app, sheet = WebApp(Settings(), is_big=True, address="http://192.0.2.7:4712/#code"), Sheet()
    server = Server(app)
    app.show(app.screen_of(sheet))
    async with server.running():
        with chrome(FOUND) as browser:
            tab = await asyncio.to_thread(browser.tab, 1920, 1080, False)
            await asyncio.to_thread(tab.open, server.address())
            await asyncio.to_thread(
                tab.wait, "document.querySelector('.scores .total') && document.querySelector('.join svg')"
            )
            assert not await asyncio.to_thread(tab.js, CUT)
            seen = await asyncio.to_thread(tab.js, SEEN)
            assert len(seen) > 6 and seen[-2:] == [f"R{ROUNDS}", "Total"]
            await asyncio.to_thread(tab.size, 1280, 720, False)
            await asyncio.to_thread(tab.wait, f"innerWidth === 1280 && !{CUT}")
            sheet.rounds = 3
            app.redraw()
            await asyncio.to_thread(tab.wait, f"{SEEN}.length === 5 && !{CUT}")


COVERED = """(() => {
  const all = (which) => [...document.querySelectorAll(which)];
  const box = (each) => each.getBoundingClientRect();
  const isBeside = (one, other) => one.left >= other.right || other.left >= one.right;
  const isOver = (one, other) => !isBeside(one, other) && one.top < other.bottom && other.top < one.bottom;
  const cards = all(".heap .card, .stack, .needs, .sides, .speaker .round").map(box);
  const isCovered = (each) => cards.some((card) => isOver(box(each), card));
  return all(".seat .portrait, .seat .name, .seat .under").filter(isCovered).map((each) => each.closest('.seat').innerText);
})()"""


FIRST = ("Maximiliane", "Wolfgang A.", "Johann S.", "Bartholomew", "Annegret")
LONG = tuple(f"{first} {last}" for last in ("von und zu", "Mozartina") for first in FIRST)


def shedding(players: int) -> Stage:
    *hands, up, stock = [f"{rank}{suit}" for rank in "23456789T" for suit in "shdc"][: players + 2]
    return Stage(scripted("crazy-eights", hands, up, stock), None, names=LONG)


def teams() -> Stage:
    return Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 1), None, names=LONG)


@pytest.mark.parametrize("stage_of", [teams, *(partial(shedding, number) for number in (2, 3, 5, 7, 9, 10))])
def test_who_sits_there_is_not_covered_by_anything(browser: Chrome, stage_of: Callable[[], Stage]) -> None:
    asyncio.run(sat_around(browser, stage_of()))


async def sat_around(browser: Chrome, stage: Stage) -> None:
    app = WebApp(TerminalSettings(), is_big=True, address="http://192.0.2.7:4712/#code")
    app.show(app.screen_of(stage.model))
    seats = f"document.querySelectorAll('.seat').length === {stage.table.game.seats}"
    server = Server(app)
    async with server.running():
        tab = await asyncio.to_thread(browser.tab, 1920, 1080, False)
        await asyncio.to_thread(tab.open, server.address())
        for width, height in ((1920, 1080), (1280, 720), (1024, 768)):
            await asyncio.to_thread(tab.size, width, height, False)
            await asyncio.to_thread(tab.wait, f"innerWidth === {width} && {seats}")
            assert await asyncio.to_thread(overlaps, tab) == []  # once all lies still
            assert await asyncio.to_thread(tab.js, COVERED) == []


SMALLEST = """Math.min(...[...document.querySelectorAll("h1, .titles p, .seat .name, .seat .under, .event .said, .prompt")]
  .map((each) => parseFloat(getComputedStyle(each).fontSize)))"""


def test_it_can_be_read_on_a_tablet_and_a_phone_that_stand_upright(browser: Chrome) -> None:
    asyncio.run(read_upright(browser))


async def read_upright(browser: Chrome) -> None:
    app = WebApp(TerminalSettings(), is_big=True, address="http://192.0.2.7:4712/#code")
    app.show(app.screen_of(shedding(3).model))
    async with (server := Server(app)).running():
        tab = await asyncio.to_thread(browser.tab)
        await asyncio.to_thread(tab.open, server.address())
        for width, height in ((820, 1180), (390, 844)):
            await asyncio.to_thread(tab.size, width, height, False)
            await asyncio.to_thread(tab.wait, f"innerWidth === {width} && document.querySelector('.seat')")
            assert await asyncio.to_thread(overlaps, tab) == []
            assert await asyncio.to_thread(tab.js, SMALLEST) >= 12


SOUNDS = """(() => {
  globalThis.notes = 0;
  const value = { setValueAtTime() {}, linearRampToValueAtTime() {}, exponentialRampToValueAtTime() {} };
  const node = { frequency: {}, gain: value, connect: () => node, start: () => (notes += 1), stop() {} };
  globalThis.AudioContext = class {
    state = "suspended";
    currentTime = 0;
    resume() { this.state = "running"; return Promise.resolve(); }
    createOscillator() { return node; }
    createGain() { return node; }
  };
})()"""
BELL = 2
"""So many notes are one."""


def test_it_rings_for_whom_the_table_waits_where_somebody_has_turned_that_on(browser: Chrome) -> None:
    asyncio.run(rung(browser, shedding(3)))


async def rung(browser: Chrome, stage: Stage) -> None:
    app = WebApp(Settings(), is_big=True, address="http://192.0.2.7:4712/#code")
    shown = app.screen_of(stage.model)
    app.show(shown)
    server = Server(app)

    def wait(seat: int | None) -> None:
        shown.hear(Paused(() if seat is None else (seat,)))
        shown.tick()
        app.after()

    async with server.running():
        tab = await asyncio.to_thread(browser.tab, 1920, 1080, False)
        await asyncio.to_thread(tab.open, server.address())
        await asyncio.to_thread(tab.wait, "document.querySelector('.speaker [aria-pressed=false]')")
        await asyncio.to_thread(tab.js, SOUNDS)
        wait(0)
        await asyncio.to_thread(tab.wait, "document.querySelector('.box')?.innerText.includes('Paused: waiting for')")
        assert await asyncio.to_thread(tab.js, "notes") == 0
        wait(None)
        await asyncio.to_thread(tab.tap, "[data-key=sound]")
        await asyncio.to_thread(tab.wait, f"document.querySelector('[aria-pressed=true]') && notes === {BELL}")
        wait(1)
        await asyncio.to_thread(tab.wait, f"notes === {2 * BELL}")
        wait(None)
        await asyncio.to_thread(tab.tap, "[data-key=sound]")
        await asyncio.to_thread(tab.wait, "document.querySelector('.speaker [aria-pressed=false]')")
        wait(2)
        await asyncio.to_thread(tab.wait, "document.querySelector('.box')")
        assert await asyncio.to_thread(tab.js, "notes") == 2 * BELL
