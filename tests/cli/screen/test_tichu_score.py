"""The score sheet's account of a Tichu round adds up to what the round brought."""

from __future__ import annotations

from random import Random

import pytest

from cli.screen.present.faces import narrator_of
from cli.screen.present.tichu_score import account
from cli.words import Words
from protocol.games import LocalTable
from protocol.games.catalogue import load
from protocol.games.game import Data
from protocol.games.tichu.rules import CALL_POINTS, DOUBLE_VICTORY

NAMES = ("Mia", "Jonas", "Hanako", "Priya")
GAME = load("tichu", 4)


def lines(view: Data) -> list[str]:
    words = Words()
    narrator, _cards = narrator_of(words, GAME, NAMES, 0)
    return ["".join(text for text, _ink in line) for line in account(words, GAME, narrator, view)]


def test_a_lost_tichu_is_counted_apart_from_the_cards() -> None:
    told = lines({"round_points": [-25, 25], "out": [1, 0, 2], "calls": {"0": "tichu"}, "ended": "played"})
    assert told[0].startswith("Out in this order: Jonas")
    assert "75" in told[1]
    assert "25" in told[1]
    assert told[2].endswith("-100")


def test_a_double_victory_counts_no_cards() -> None:
    told = lines({"round_points": [400, -100], "out": [0, 2], "calls": {"0": "grand", "1": "tichu"}, "ended": "double"})
    assert any("Double victory" in line and "+200" in line for line in told)
    assert any(line.endswith("+200") and "Grand Tichu" in line for line in told)
    assert any(line.endswith("-100") and "Jonas" in line for line in told)
    assert not any("Points in cards" in line for line in told)


def test_before_the_score_nothing_is_said() -> None:
    assert lines({"out": [1], "calls": {"0": "tichu"}}) == []


@pytest.mark.parametrize("seed", range(20))
def test_the_account_adds_up(seed: int) -> None:
    """Cards are worth 100 a round in all; with the calls and a double victory that makes the round's points."""
    rng = Random(seed)
    table = LocalTable(GAME, rng)
    while table.last_round is None:
        seat, moves = next((seat, moves) for seat in rng.sample(range(4), 4) if (moves := table.legal(seat)))
        table.play(seat, rng.choice(moves))
    view = table.last_round.view
    told = lines(view)
    worth = 0
    for seat, call in view["calls"].items():
        worth += CALL_POINTS[call] * (1 if view["out"][0] == int(seat) else -1)
    if view["ended"] == "double":
        assert sum(view["round_points"]) == DOUBLE_VICTORY + worth
        assert any("Double victory" in line for line in told)
    else:
        shares = next(line for line in told if line.startswith("Points in cards"))
        numbers = [int(part.rsplit(" ", 1)[1]) for part in shares.removeprefix("Points in cards: ").split(" · ")]
        assert sum(numbers) == 100
        assert sum(view["round_points"]) == 100 + worth
    assert len([line for line in told if "Tichu of" in line]) == len(view["calls"])
