"""A bot without a seat holds nobody up: it was too late for one, or has left with its keeper."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.bot_process import BotNodes
from p2p.home import open_home
from p2p.node import Node


class Driver:
    """A bot's part in a match."""

    def __init__(self, is_present: bool) -> None:
        self.finished, self.changed, self.fault = asyncio.Event(), asyncio.Event(), None
        self.table = SimpleNamespace(is_present=is_present)
        self.ended_as: str | None = None

    def finish(self, _at: float, _result: dict[str, Any], status: str) -> None:
        self.ended_as = status


async def ends(folder: Path, leaves: bool) -> None:
    home = open_home(folder)
    bots = BotNodes(home, bytes(32), ("127.0.0.1", "::1"), 0.0, lambda _line: None)
    late, sits = Driver(is_present=False), Driver(is_present=True)
    released: list[bool] = []
    for name, driver in (("late", late), ("sits", sits)):
        bots._by_name[name] = cast(Node, SimpleNamespace(driver=driver, release=released.append))
    waiting = asyncio.create_task(bots.finished())
    await asyncio.sleep(0)
    assert not waiting.done(), "who sits there may have something to send"
    if leaves:
        sits.table.is_present = False
        sits.changed.set()
    else:
        sits.finished.set()
    async with asyncio.timeout(10):
        await waiting
    del bots._by_name["sits"]
    await bots.finish("table", "finished")
    assert late.ended_as == "abandoned" and released == [True]
    bots._by_name.clear()
    await bots.close()
    home.close()


@pytest.mark.parametrize("leaves", [False, True])
def test_a_bot_without_a_seat_holds_nobody_up(tmp_path: Path, leaves: bool) -> None:
    asyncio.run(ends(tmp_path, leaves))
