"""What makes simulations fast changes nothing: copied states, lazy offers, and moves that are not judged twice."""

from __future__ import annotations

from random import Random

import pytest

from protocol.cards import Seat
from protocol.errors import IllegalMove
from protocol.games import LocalTable, load
from protocol.games.changing import changed
from protocol.games.offered import LazyOffers
from protocol.games.tichu import rules
from protocol.games.tichu.moves import PlayCombination
from protocol.games.tichu.state import TichuState
from protocol.values import replace


def test_a_changed_state_is_what_replace_makes() -> None:
    state = TichuState(phase="play", dealer=1, scores=(0, 20), hand_sizes=(14, 14, 14, 14), turn=2)
    after = changed(state, turn=3, wish="K")
    assert after == replace(state, turn=3, wish="K")
    assert hash(after) == hash(replace(state, turn=3, wish="K"))
    assert (state.turn, state.wish) == (2, None)


class Squares(LazyOffers[int]):
    def __init__(self) -> None:
        self.others = (100,)

    @property
    def lazy_count(self) -> int:
        return 4

    def create(self, index: int) -> int:
        return index * index


def test_lazy_offers_are_a_sequence() -> None:
    squares = Squares()
    assert (len(squares), list(squares)) == (5, [0, 1, 4, 9, 100])
    assert (squares[-1], squares[-2], squares[1:4:2]) == (100, 9, [1, 9])
    assert [*reversed(squares)] == [100, 9, 4, 1, 0]
    for outside in (5, -6):
        with pytest.raises(IndexError):
            squares[outside]


@pytest.mark.parametrize("name", ["tichu", "macau-wars"])
def test_a_move_is_taken_unjudged_only_in_the_state_that_offered_it(name: str) -> None:
    """Choose at random, and sometimes try what another state offered before: it is refused exactly where `check` says so."""
    refused = 0
    for seed in range(8):
        rng = Random(seed)
        table = LocalTable(load(name, 4), rng)
        earlier: list[tuple[Seat, object]] = []
        while not table.over and table.rounds == 1 and len(earlier) < 120:
            seat = rng.choice(table.to_act)
            offers = table.legal(seat)
            move = offers[rng.randrange(len(offers))]
            for old_seat, old in earlier[-3:]:
                if table.game.is_legal(table.state, old_seat, table.hands[old_seat], old):
                    continue
                before = table.state
                with pytest.raises(IllegalMove):
                    table.play(old_seat, old)
                assert table.state == before
                refused += 1
            table.play(seat, move)
            earlier.append((seat, move))
    assert refused > 100


@pytest.mark.parametrize("seed", range(10))
def test_a_legal_play_is_read_as_it_was_judged(seed: int) -> None:
    rng, plays = Random(seed), 0
    table = LocalTable(load("tichu", 4), rng)
    while not table.over and table.rounds == 1:
        seat = rng.choice(table.to_act)
        offers = table.legal(seat)
        move = offers[rng.randrange(len(offers))]
        if isinstance(move, PlayCombination):
            assert rules.reading_of(table.state, move) == rules.judge(table.state, seat, move, False)
            plays += 1
        assert table.game.follow(table.state, seat, move) == table.game.apply(table.state, seat, move)
        table.play(seat, move)
    assert plays > 10
