"""Suggestions come from the strongest bot, which knows what the player knows: the hand, and the round with the own gifts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client import seat
from protocol.games.advice import Advice, advise
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
