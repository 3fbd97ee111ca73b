"""While a move is under way, the preparation of the next round gives way to it."""

from __future__ import annotations

import pytest

from protocol.table.record import Phase
from protocol.table.work import Pace, Urgency
from tests.table.test_ahead import draws_of, kind_of, match

pytestmark = pytest.mark.usefixtures("toy")


@pytest.mark.parametrize(("lost", "phase"), [("vote", Phase.PLAYING), ("shares", Phase.SETTLING)])
def test_a_move_is_under_way_from_its_proposal_until_all_have_what_follows(lost: str, phase: Phase) -> None:
    tables = match("any", 5, draw="one")

    def paces() -> list[Pace]:
        return [client.table.turn.pace for client in tables.clients]

    tables.start()
    assert set(paces()) == {Pace.FULL}, "nothing was dealt"
    tables.run(lambda: any(draws_of(client.table) for client in tables.clients) and tables.is_quiet())
    assert set(paces()) == {Pace.EASY}
    mover = next(index for index, client in enumerate(tables.clients) if draws_of(client.table))
    table = tables.clients[mover].table
    height = table.record.height
    tables.tamper = lambda sender, to, data: None if kind_of(data) == lost else data
    tables.take(mover, table.act(draws_of(table)[0], tables.now))
    assert [index for index, pace in enumerate(paces()) if pace is Pace.STILL] == [mover]
    while not tables.is_quiet():
        tables.turn()
    assert {client.table.record.phase for client in tables.clients} == {phase}
    assert set(paces()) == {Pace.STILL}
    tables.tamper = lambda sender, to, data: data
    tables.run(lambda: tables.is_quiet() and all(client.table.record.height > height for client in tables.clients))
    assert set(paces()) == {Pace.EASY}


def test_the_next_round_is_prepared_later_and_a_round_that_is_awaited_now() -> None:
    tables = match("any", 5, draw="one")
    found: set[tuple[int, Urgency]] = set()
    tables.start()
    while all(client.table.record.rounds_closed == 0 for client in tables.clients):
        tables.move_someone()
        for _, job in tables.jobs:
            if job.name[0] == "chain" or (job.name[0] == "own" and job.name[-1] in ("shuffle", "proof")):
                found.add((job.name[1], job.urgency))
        assert tables.turn()
    assert found == {(1, Urgency.NOW), (2, Urgency.LATER)}
