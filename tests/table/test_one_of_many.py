"""Of a vote, or of shares, nothing comes before the others' are there: a table does not look at each for itself."""

from __future__ import annotations

import pytest

from protocol.messages import Shares, Vote
from protocol.signed import decode_signed
from protocol.table.step import Step
from protocol.table.table import LOOK_S
from tests.table.matches import assert_nobody_accused
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")

DRAW = {"do": "draw"}


def drawing() -> tuple[Tables, int]:
    """A table of four where somebody has just chosen to draw, and who that is."""
    tables = Tables("crazy-eights", 4, {"draw": "one"}, seed=5)
    tables.start()
    tables.run(lambda: tables.is_quiet() and any(client.table.can_move for client in tables.clients))
    mover = next(
        index
        for index, client in enumerate(tables.clients)
        if client.table.seat in client.table.game.awaited(client.table.record.state)
    )
    table = tables.clients[mover].table
    draw = next(move for move in table.legal() if table.game.encode(move) == DRAW)
    tables.take(mover, table.act(draw, tables.now))
    return tables, mover


def held_back(tables: Tables, to: int) -> list[tuple[int, bytes]]:
    """Play on as far as possible, but keep what this client is sent by way of votes and shares."""
    kept: list[tuple[int, bytes]] = []

    def tamper(sender: int, receiver: int, data: bytes) -> bytes | None:
        if receiver == to and isinstance(decode_signed(data).message, Vote | Shares):
            kept.append((sender, data))
            return None
        return data

    tables.tamper = tamper
    while not tables.is_quiet():
        tables.turn()
    return kept


def hear(tables: Tables, to: int, sender: int, data: bytes) -> Step:
    step = tables.clients[to].table.receive(tables.seat_of(sender), data, tables.now)
    tables.take(to, step)
    return step


def test_votes_and_shares_are_looked_at_when_all_are_there() -> None:
    tables, mover = drawing()
    here = next(index for index in range(4) if index != mover)
    table = tables.clients[here].table
    height = table.record.height
    kept = held_back(tables, here)
    for kind in (Vote, Shares):
        of_kind = [each for each in kept if isinstance(decode_signed(each[1]).message, kind)]
        *others, (last, data) = of_kind
        assert len(others) == 1, "of the author nobody waits for a vote, nor for shares of its own hand"
        for sender, early in others:
            assert hear(tables, here, sender, early) == Step()
            assert table.deadline == tables.now + LOOK_S
            assert table.record.height == height
        step = hear(tables, here, last, data)
        heard = [entry.data for entry in step.records if entry.kind == "in"]
        assert heard == [each for _, each in of_kind], "all of them are saved before what follows is sent"
        assert table.deadline is None or table.deadline > tables.now + LOOK_S
        while not tables.is_quiet():  # what it works on for the next message is done
            tables.turn()
    tables.run(lambda: table.record.height == height + 1)
    assert_nobody_accused(tables)


def test_what_stays_one_of_many_is_saved_a_little_later() -> None:
    tables, mover = drawing()
    here = next(index for index in range(4) if index != mover)
    table = tables.clients[here].table
    (sender, data), *_ = held_back(tables, here)
    assert hear(tables, here, sender, data) == Step()
    step = table.wake(tables.now + LOOK_S)
    assert [(entry.kind, entry.data) for entry in step.records] == [("in", data)]
    assert table.deadline is None or table.deadline > tables.now + LOOK_S
