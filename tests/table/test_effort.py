"""The fairness report's figures: what was checked of this round, counted and timed by whoever ran it."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.table.effort import Effort
from protocol.table.events import Moved
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.values import replace
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")

TOOK_S = 0.25
"""What every job is said to have taken."""


class Timed(Tables):
    """Whoever runs the jobs measures them."""

    def turn(self) -> bool:
        if self.jobs:
            index, job = self.jobs.pop(0)
            if not self.clients[index].is_down:
                result = replace(job.run(), took_s=TOOK_S)
                self.take(index, self.clients[index].table.done(job, result, self.now))
            return True
        return super().turn()


def dealt(seats: int = 3, seed: int = 1, **options: Any) -> Timed:
    tables = Timed("crazy-eights", seats, {"hand": 4, **options}, seed, table=TableOptions(pause=0, grace=0, rounds=2))
    tables.start()
    tables.run(lambda: tables.is_quiet() and all(c.table.record.phase is Phase.PLAYING for c in tables.clients))
    return tables


def figures(effort: Effort, seats: int = 3) -> dict[str, tuple[int, float]]:
    return {each.what: (each.count, each.took_s) for each in effort.checks(seats)}


def test_a_deal_shows_its_shuffles_and_its_hands() -> None:
    tables = dealt()
    for client in tables.clients:
        assert figures(client.table.effort) == {
            "own-shuffle": (1, 2 * TOOK_S),  # made, and proven
            "shuffles": (3, TOOK_S),
            "hands": (3, TOOK_S),
        }


def test_each_move_that_was_checked_is_counted() -> None:
    tables = dealt()
    while tables.clients[0].table.record.height < 6:
        tables.move_someone()
        tables.turn()
    while not tables.is_quiet():
        tables.turn()
    told = [event for event in tables.clients[0].events if isinstance(event, Moved)]
    moves = len([event for event in told if event.seat != tables.clients[0].table.seat])
    assert 0 < moves < len(told), "its own it does not check"
    assert figures(tables.clients[0].table.effort)["moves"] == (moves, moves * TOOK_S)


@pytest.mark.slow
def test_the_next_round_counts_anew_with_the_deck_that_was_prepared_before() -> None:
    tables = dealt()
    while not all(c.table.record.rounds_closed == 1 for c in tables.clients):
        tables.move_someone()
        tables.turn()
    assert figures(tables.clients[0].table.effort)["round"] == (1, TOOK_S), "the score sheet shows it still"
    tables.run(
        lambda: (
            tables.is_quiet()
            and all(c.table.record.phase is Phase.PLAYING and c.table.record.round for c in tables.clients)
        )
    )
    effort = tables.clients[0].table.effort
    assert effort.round == 2
    assert figures(effort) == {"own-shuffle": (1, 2 * TOOK_S), "shuffles": (3, TOOK_S), "hands": (3, TOOK_S)}


@pytest.mark.slow
def test_the_shuffles_of_the_pile_are_counted_apart_from_those_of_the_deck() -> None:
    tables = dealt(recycle=True, hand=14, target=500, seed=1)
    table = tables.clients[0].table
    round = table.record.round
    assert round is not None
    while len(round.chains) == 1 and not table.record.rounds_closed:
        assert table.record.round is not None
        round = table.record.round
        tables.move_someone()
        tables.turn()
    tables.run(tables.is_quiet)
    assert len(round.chains) == 2, "the pile was shuffled"
    assert figures(table.effort)["reshuffles"] == (3, TOOK_S)
    assert figures(table.effort)["shuffles"] == (3, TOOK_S)


def test_who_comes_back_has_no_figures_for_what_was_checked_before() -> None:
    tables = dealt()
    assert tables.clients[1].table.effort.saw_deal
    tables.clients[1].is_down = True
    tables.restart(1)
    tables.run(lambda: not tables.clients[1].table.is_returning)
    effort = tables.clients[1].table.effort
    assert not effort.saw_deal
    assert figures(effort) == {}
