"""A seat remembers the round: all moves as everyone saw them, its own gifts as only it knows them, also after a crash."""

from __future__ import annotations

import pytest

from protocol.games.tichu.knowledge import known
from protocol.games.tichu.moves import Give
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")


def after_exchange(seed: int) -> Tables:
    """Four tables whose exchange is over, before anybody has shown the Mah Jong."""
    tables = Tables("tichu", 4, {"target": 0}, seed)
    tables.start()
    for _ in range(20_000):
        states = [each.table.record.state for each in tables.clients]
        is_exchanged = [state is not None and state.phase == "show" for state in states]
        if all(is_exchanged) and all(each.table.can_move for each in tables.clients):
            return tables
        if not any(is_exchanged):
            tables.move_someone()
        tables.turn()
    raise AssertionError(tables.where())


@pytest.mark.slow
@pytest.mark.parametrize("seed", [3, 4])
def test_own_gifts_are_known_and_no_one_elses(seed: int) -> None:
    tables = after_exchange(seed)
    for client in tables.clients:
        memory = client.table.memory
        gifts = [made for made in memory.moves if isinstance(made.move, Give)]
        assert len(gifts) == 4
        for made in gifts:
            assert isinstance(made.move.cards, int) == (made.seat != client.table.seat)
        gave = known(memory).gave
        for seat, card in gave.items():
            assert card in tables.clients[tables.at_seat(seat)].table.cards


@pytest.mark.slow
def test_the_memory_is_the_same_after_a_crash() -> None:
    tables = after_exchange(5)
    for index in range(4):
        before = tables.clients[index].table.memory
        tables.restart(index)
        assert tables.clients[index].table.memory == before
        assert len(known(before).gave) == 3
