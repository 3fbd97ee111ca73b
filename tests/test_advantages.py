"""What is told move by move of how much more a strategy wins."""

from __future__ import annotations

from random import Random

import pytest

from protocol.cards import Card
from protocol.games.game import NORMAL
from protocol.games.local import LocalTable
from protocol.games.shedding import PlayCards
from protocol.games.strategies.careless import Careless
from protocol.values import replace
from tests.advantages import Playing, advantages
from tests.duplicates import mean_of, one_round, wins


def test_a_strategy_wins_no_more_than_itself() -> None:
    game = one_round("crazy-eights", 2)
    bot = game.strategy(NORMAL)
    assert advantages(game, bot, bot, range(3)) == [0.0] * 3


def test_a_move_that_wins_at_once_brings_what_the_other_does_not() -> None:
    game = one_round("crazy-eights", 2)
    hands = [[Card("9c")], [Card("Kd")]]
    stock = [card for card in game.deck if card not in ("9c", "Kd", "9h")]
    start = LocalTable(game, Random(1), dealer=1).state
    state = replace(start, pile=(Card("9h"),), hand_sizes=(1, 1), stock_size=len(stock), turn=0)
    playing = Playing(game, [game.strategy(NORMAL)] * 2)
    out = next(move for move in game.legal(state, 0, hands[0]) if isinstance(move, PlayCards))
    assert playing.won(state, hands, stock, 0, out, 1) == 1.0
    draw = game.legal(state, 0, hands[0])[-1]
    won = [playing.won(state, hands, Random(luck).sample(stock, len(stock)), 0, draw, luck) for luck in range(20)]
    assert 0 < sum(won) < 20


@pytest.mark.soak
def test_advantages_add_up_to_what_whole_rounds_show() -> None:
    """Within both intervals, and a bot that does not think is worse."""
    game = one_round("crazy-eights", 2)
    normal = game.strategy(NORMAL)
    careless = Careless(game, normal)
    told, interval = mean_of(advantages(game, careless, normal, range(150)))
    won, other = wins(game, careless, normal, range(1000, 1400))

    assert abs(told - won) < interval + other
    assert told + interval < 0
