"""Whoever waits asks again and again, and is shown what it knows: that must cost nothing, and put nothing off."""

from __future__ import annotations

import pytest

from protocol.messages import Hints
from protocol.signed import Page, sign
from protocol.table.events import HintsChanged
from protocol.table.showing import UNASKED
from protocol.table.step import Step
from protocol.table.table import Table
from tests.table.waiting import Waiting

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def tables() -> Waiting:
    """Everybody thinks."""
    tables = Waiting()
    tables.until_thinking()
    return tables


def page_of(table: Table) -> bytes:
    """All that it holds of the open height, as another seat shows it."""
    said = table.record.ledger.store.said.values()
    return Page(UNASKED, True, tuple(signed.data for signed in said)).encode()


def test_what_is_known_is_not_looked_at(tables: Waiting, monkeypatch: pytest.MonkeyPatch) -> None:
    table = tables.clients[0].table
    steps: list[float] = []
    monkeypatch.setattr(table, "_step", steps.append)
    for _ in range(3):
        assert table.receive(1, page_of(table), tables.now + 0.01) == Step()
    assert steps == []


def test_it_keeps_nobody_from_what_is_due(tables: Waiting) -> None:
    table = tables.clients[0].table
    table.lost(1, tables.now)
    deadline = table.deadline
    assert deadline is not None
    for late in (-0.01, 0.01, 60.0):
        table.receive(3, page_of(table), deadline + late)
        assert table.deadline == deadline


def test_what_is_said_beside_the_match_is_looked_at(tables: Waiting) -> None:
    table, record = tables.clients[0].table, tables.clients[0].table.record
    hints = sign(tables.clients[1].identity, record.table, record.epoch, record.epoch_hash, 1, Hints(1, 2))
    step = table.receive(1, Page(UNASKED, True, (hints.data,)).encode(), tables.now + 0.01)
    assert HintsChanged({1: 2}) in step.events
