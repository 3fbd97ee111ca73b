"""Suggestions come from the strongest bot, which knows what the player knows: the hand, and the round with the own gifts."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client import seat
from protocol.games import LocalTable, load
from protocol.games.advice import Advice, advise
from protocol.games.memory import Made, Memory
from protocol.games.tichu.knowledge import known
from protocol.games.tichu.search import Searcher
from protocol.steps import Steps, done
from tests.table.test_memory import after_exchange


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_a_suggestion_is_the_strong_bots_on_the_players_own_knowledge(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, ...]] = []

    def heard(*given: Any) -> Steps[None, Advice | None]:
        asked.append(given)
        return advise(*given)

    monkeypatch.setattr(seat, "advise", heard)
    table = after_exchange(3).clients[0].table
    live = SimpleNamespace(live=SimpleNamespace(table=table), game=table.game, node=None)
    done(cast(Any, seat.LiveSeat).thought(live))
    strategy, memory, state, hand, _rng = asked[0]
    assert isinstance(strategy, Searcher)
    assert (state, hand) == (table.record.state, table.cards)
    assert len(known(memory).gave) == 3


def test_a_suggestion_goes_by_what_was_known_when_it_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is thought out in a thread, where the table may have moved on before the first step."""
    asked: list[Memory] = []

    def heard(_strategy: Any, memory: Memory, *_rest: Any) -> Steps[None, Advice | None]:
        yield
        asked.append(memory)
        return None

    monkeypatch.setattr(seat, "advise", heard)
    local = LocalTable(load("crazy-eights", 2), Random(1), dealer=1)
    record = SimpleNamespace(state=local.state)
    table = SimpleNamespace(record=record, cards=local.hands[0], memory=Memory(0), game=local.game)
    steps = cast(Any, seat.LiveSeat).thought(
        SimpleNamespace(live=SimpleNamespace(table=table), game=local.game, node=None)
    )
    table.memory = table.memory.then(Made(local.state, 0, local.legal(0)[0]))
    done(steps)
    assert asked == [Memory(0)]
