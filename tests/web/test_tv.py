"""Across the room nobody scrolls: a long score sheet is seen whole, with the last rounds and the totals."""

from __future__ import annotations

import asyncio

import pytest

from cli.bench.chrome import browser_path, chrome
from cli.view.actions import LIST
from cli.view.inputs import Input
from cli.view.settings import Settings
from cli.view.views import Frame, ScoreView
from cli.web.app import WebApp
from cli.web.server import Server

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
