"""Each level beats the one below: the whole 95 % interval is above an even share. For `make soak`; the samples are large."""

from __future__ import annotations

import pytest

from protocol.games import load
from protocol.games.game import EASY, NORMAL, STRONG
from tests import duplicates
from tests.strength import PLAYERS, measure

pytestmark = pytest.mark.soak


@pytest.mark.parametrize(
    ("name", "matches"), [("crazy-eights", 400), ("two-four-jack", 400), ("mau-mau", 400), ("macau-wars", 1500)]
)
def test_normal_beats_easy_at_four_seats(name: str, matches: int) -> None:
    result = measure(load(name, 4, {}), PLAYERS[NORMAL], PLAYERS[EASY], matches, 77)
    assert result.share - result.interval > result.fair


def test_normal_beats_easy_in_tichu() -> None:
    game = load("tichu", 4, {"target": 0})
    mean, interval = duplicates.measure(game, game.strategy(NORMAL), game.strategy(EASY), range(100))
    assert mean - interval > 0


def test_strong_beats_normal_in_tichu() -> None:
    """+40.9 ± 32.6 points a round were measured on 51 deals; the whole run takes some five minutes of processor time."""
    game = load("tichu", 4, {"target": 0})
    mean, interval = duplicates.measure(game, game.strategy(STRONG), game.strategy(NORMAL), range(7000, 7080))
    assert mean - interval > 0


def test_strong_beats_normal_in_mau_mau_between_two() -> None:
    """Single rounds on equal deals: of 60 deals, each played twice, strong won 66.7 ± 6.9 %."""
    game = load("mau-mau", 2, {"target": 1})
    ahead, interval = duplicates.wins(game, game.strategy(STRONG), game.strategy(NORMAL), range(100))
    assert ahead - interval > 0
