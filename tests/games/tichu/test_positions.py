"""Forty positions: how many of them the bots play right. `positions` has each with its source."""

from __future__ import annotations

from random import Random

import pytest

from protocol.games.game import NORMAL, STRONG
from protocol.games.memory import Made, Memory, choose
from protocol.games.tichu import Tichu
from protocol.games.tichu.moves import Give
from tests.games.tichu.positions import POSITIONS, Position, is_right, told
from tests.games.tichu.sitting import cards

LEAST = {NORMAL: 30, STRONG: 35}
"""How many positions each level plays right at least."""


def plays_right(position: Position, level: str) -> bool:
    game = Tichu(4)
    memory = Memory(0, (Made(None, 0, Give(cards(position.gave))),) if position.gave else ())
    move = choose(game.strategy(level), memory, position.state(), position.cards, Random(position.name))
    right = is_right(position, move)
    print(f"{'right' if right else 'WRONG'}: {position.name}: {told(move)[0]}, should be {position.right}")
    return right


def test_there_are_forty_positions_with_names_and_sources() -> None:
    assert len(POSITIONS) == len({position.name for position in POSITIONS}) == 40
    assert all(position.source for position in POSITIONS)


@pytest.mark.parametrize("position", POSITIONS, ids=lambda position: position.name)
def test_a_position_has_a_legal_right_move(position: Position) -> None:
    game, state = Tichu(4), position.state()
    moves = [*game.legal(state, 0, position.cards), None]
    assert any(is_right(position, move) for move in moves)
    assert not all(is_right(position, move) for move in moves)


@pytest.mark.sample
@pytest.mark.parametrize("level", LEAST)
def test_a_level_plays_most_positions_right(level: str) -> None:
    assert sum(plays_right(position, level) for position in POSITIONS) >= LEAST[level]
