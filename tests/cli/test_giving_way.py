"""A bot whose seat somebody took leaves the match and the room, once nobody can need it any more."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from cli.client.giving_way import came_too_late, given_away, let_bots_go
from protocol.table.record import Phase
from tests.simulator.toy import toy_group
from tests.table.test_bots_that_give_way import come, playing


def test_a_bot_is_let_go_when_all_have_voted_where_somebody_else_sits() -> None:
    with toy_group():
        table = playing((0, 0, 0))
        keeper = table.clients[0]
        newcomer = come(table, 2)
        assert not given_away(keeper.table.record, keeper.identity.public)
        table.until_seated(newcomer)
        record = keeper.table.record
        assert record.phase is Phase.BETWEEN and not given_away(record, keeper.identity.public), "all may go back"
        table.until_height(record.height + 1)
        assert given_away(keeper.table.record, keeper.identity.public) == ["P2"]
        assert not given_away(keeper.table.record, table.clients[newcomer].identity.public)


def test_a_bot_that_came_for_a_seat_is_let_go_when_somebody_else_has_it_for_good() -> None:
    """Else it would stay in the room, and play the next match instead of somebody."""
    with toy_group():
        table = playing((0, 0, 0))
        newcomer = come(table, 2)
        ours, theirs = (2, b"k" * 32), (2, table.clients[newcomer].identity.public)
        record = table.clients[0].table.record
        table.until_seated(newcomer)
        assert not came_too_late(record, {"Bot Emmy": ours}), "all may go back"
        table.until_height(record.height + 1)
        assert came_too_late(table.clients[0].table.record, {"Bot Emmy": ours, "Kim": theirs}) == ["Bot Emmy"]


def test_only_bots_of_this_computer_are_let_go_and_each_once() -> None:
    with toy_group():
        table = playing((0, 0, 0))
        table.until_seated(come(table, 2))
        table.until_height(table.clients[0].table.record.height + 1)
    dismissed: list[str] = []
    driver = SimpleNamespace(
        table=table.clients[0].table, finished=asyncio.Event(), changed=asyncio.Event(), names=["P1", "P2"]
    )

    async def dismiss(name: str) -> None:
        dismissed.append(name)
        driver.names.remove(name)

    session: Any = SimpleNamespace(
        driver=driver,
        node=SimpleNamespace(identity=table.clients[0].identity),
        bots=SimpleNamespace(names=driver.names, filling={}),
        dismiss_bot=dismiss,
    )

    async def deed() -> None:
        task = asyncio.create_task(let_bots_go(session))
        for _ in range(3):
            await asyncio.sleep(0)
            driver.changed.set()
        driver.finished.set()
        driver.changed.set()
        await task

    asyncio.run(deed())
    assert dismissed == ["P2"]
