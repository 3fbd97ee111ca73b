"""What a page keeps for as long as it is open: nothing of what it shows no more, and nothing for each time that it is drawn."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from cli.bench.chrome import Chrome, Tab, browser_path
from cli.terminal.settings import TerminalSettings
from cli.view.effects import ShowModel
from cli.web.app import WebApp
from cli.web.server import Server
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted
from tests.web.test_tv import PLAYERS, ROUNDS, Sheet

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(browser_path() is None, reason="no Chromium here (CHROME names one)"),
]
SHEET, TABLE = "document.querySelector('.scores td')", "!document.querySelector('.scores')"
CELLS = ROUNDS * PLAYERS
STYLED = 2000
LEAST_BYTES = 50
"""Anything that is kept takes more."""
STYLE = f"""(() => {{
  const [table, head] = ["table", "thead"].map((each) => document.querySelector(each));
  for (let each = 0; each < {STYLED}; each++) {{
    table.style.color = each % 2 ? "red" : "blue";
    getComputedStyle(head).color;
  }}
}})()"""


def collect(tab: Tab) -> None:
    for _ in range(3):  # what the first time set free may have held something
        tab.call("HeapProfiler.collectGarbage")


def nodes(tab: Tab) -> int:
    collect(tab)
    return int(tab.call("Memory.getDOMCounters")["nodes"])


def instead(app: WebApp, stage: Stage) -> Callable[[], None]:
    """As between two rounds."""
    table = app.presenter
    assert table is not None
    app.show(app.screen_of(Sheet()))
    return lambda: app.show(table)


def over(app: WebApp, stage: Stage) -> Callable[[], None]:
    """As where it was asked for."""
    shown = app.presenter
    assert shown is not None
    shown.take((ShowModel(Sheet()),))
    app.redraw()

    def close() -> None:
        shown.overlay = None
        app.redraw()

    return close


@pytest.mark.parametrize("put", [instead, over])
def test_a_score_sheet_that_is_closed_is_not_kept(
    browser: Chrome, put: Callable[[WebApp, Stage], Callable[[], None]]
) -> None:
    """It gets longer each round."""
    asyncio.run(closed(browser, put))


async def closed(browser: Chrome, put: Callable[[WebApp, Stage], Callable[[], None]]) -> None:
    stage = Stage(scripted("crazy-eights", ["2s 3h", "4d 5c"], "6s", "7h"), None)
    app = WebApp(TerminalSettings(), is_still=True)
    app.show(app.screen_of(stage.model))
    server = Server(app)
    async with server.running():
        tab = await asyncio.to_thread(browser.tab)
        await asyncio.to_thread(tab.open, server.address())
        await asyncio.to_thread(tab.wait, "document.querySelector('.table .seat')")
        before = await asyncio.to_thread(nodes, tab)
        close = put(app, stage)
        await asyncio.to_thread(tab.wait, SHEET)
        assert await asyncio.to_thread(nodes, tab) - before > CELLS
        close()
        await asyncio.to_thread(tab.wait, TABLE)
        assert await asyncio.to_thread(nodes, tab) - before < CELLS / 2


def test_nothing_is_kept_of_each_time_that_a_score_sheet_is_drawn(browser: Chrome) -> None:
    """Chromium does so where its own rule for <thead> counts."""
    asyncio.run(styled(browser))


async def styled(browser: Chrome) -> None:
    app = WebApp(TerminalSettings(), is_still=True)
    app.show(app.screen_of(Sheet()))
    server = Server(app)
    async with server.running():
        tab = await asyncio.to_thread(browser.tab)
        await asyncio.to_thread(tab.open, server.address())
        await asyncio.to_thread(tab.wait, SHEET)
        await asyncio.to_thread(tab.js, STYLE)  # what is made once
        before = await asyncio.to_thread(held, tab)
        await asyncio.to_thread(tab.js, STYLE)
        assert await asyncio.to_thread(held, tab) - before < STYLED * LEAST_BYTES


def held(tab: Tab) -> int:
    collect(tab)
    return int(tab.call("Runtime.getHeapUsage")["embedderHeapUsedSize"])
