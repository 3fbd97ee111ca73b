"""The fits of Tichu's numbers: they run, and find what is there to be found."""

from __future__ import annotations

from random import Random

import pytest

from protocol.games.tichu.calls import WORTH
from protocol.games.tichu.moves import CallTichu
from tests.fits import calls, linear, macau_wars, plays
from tests.fits.rounds import ahead_after, decisions


def test_a_fit_finds_the_numbers_behind_noisy_values() -> None:
    rng, truth = Random(1), (3.0, -2.0, 0.5)
    rows = [(1.0, rng.random(), rng.random() * 4) for _ in range(400)]
    values = [sum(a * b for a, b in zip(row, truth, strict=True)) + rng.gauss(0, 0.2) for row in rows]
    for found, true in zip(linear.fit(rows, values), truth, strict=True):
        assert abs(found.value - true) < 2 * found.interval < 0.4


def test_a_term_that_no_row_has_is_worth_nothing() -> None:
    assert linear.fit([(1.0, 0.0), (2.0, 0.0)], [2.0, 4.0])[1] == linear.Fitted(0, 0)


def test_what_a_seat_does_not_change_changes_nothing() -> None:
    """Played on with the bot's own move, a round comes out as it did."""
    first, *_, last = decisions(3)
    for decision in (first, last):
        assert ahead_after(decision, [decision.move]) == ahead_after(decision, [])


@pytest.mark.slow
def test_each_fit_runs_on_a_handful_of_rounds(capsys: pytest.CaptureFixture[str]) -> None:
    calls.main(["--rounds", "6"])
    plays.main(["--rounds", "6"])
    macau_wars.main(["--rounds", "3"])
    said = capsys.readouterr().out
    assert all(name in said for name in (*WORTH._fields, *plays.TODAY, *macau_wars.NAMES))


@pytest.mark.slow
def test_a_call_is_worth_a_hundred_points_either_way_and_what_the_caller_does_for_it() -> None:
    found = [pair for number in range(8) for pair in calls.pairs(number)]
    assert found
    assert all(pair.terms.base == 1.0 for pair in found)
    assert any(pair.worth == 100 for pair in found) or any(pair.worth == -100 for pair in found)
    assert not any(
        isinstance(calls.play_without(each), CallTichu) for each in decisions(2) if isinstance(each.move, CallTichu)
    )
