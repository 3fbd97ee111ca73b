"""Suggestions come from the strongest bot, which knows what the player knows: the hand, and the round with the own gifts."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any, cast

from cli.client.seat import LiveSeat
from protocol.games.advice import advise, never
from protocol.games.tichu.knowledge import known
from protocol.games.tichu.search import Searcher
from tests.table.test_memory import after_exchange


def test_a_suggestion_is_the_strong_bots_on_the_players_own_knowledge() -> None:
    table = after_exchange(3).clients[0].table
    thought = cast(Any, LiveSeat).thought(SimpleNamespace(live=SimpleNamespace(table=table), game=table.game))
    assert isinstance(thought, partial)
    assert thought.func is advise
    strategy, memory, state, hand, _rng = thought.args
    assert isinstance(strategy, Searcher)
    assert (state, hand) == (table.record.state, table.cards)
    assert len(known(memory).gave) == 3
    thought(never)
