"""Whole matches under faults: nobody certifies two things, nobody honest is accused, and every match goes on that can."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pytest

from .__main__ import WAYS
from .search import Draw, hunt, simulate
from .setting import draw, draw_ahead, draw_ends, draw_hindrances, draw_lies, draw_room, draw_seats, draw_votes

PART = 500

closed = partial(draw, is_open=False)
"""As it was drawn before somebody new could sit down, or a home be restored from an older copy."""


def check(seeds: Sequence[int], is_real: bool = False, drawn: Draw = draw) -> None:
    found = hunt(seeds, is_real, drawn=drawn)
    how = " ".join(["SEED", *(word for word, draws in WAYS.items() if draws is drawn)])
    assert not found.faults, f"`python -m tests.simulator {how}` replays these runs: {found.faults}"
    assert found.counts["certificates"] > 5 * len(seeds), "hardly anything was played"


@pytest.mark.slow
def test_matches_go_on_after_faults() -> None:
    check((0, 2, 3))  # short ones


@pytest.mark.slow
def test_matches_go_on_where_proofs_are_begun_ahead() -> None:
    check((20, 24), drawn=draw_ahead)


@pytest.mark.slow
def test_matches_go_on_where_votes_reach_only_some() -> None:
    check(range(3, 5), drawn=draw_votes)


@pytest.mark.slow
def test_matches_go_on_where_seats_are_taken_beside_liars_and_divisions() -> None:
    check((0, 3, 7), drawn=draw_seats)


@pytest.mark.slow
def test_matches_go_on_where_bots_make_room_for_people() -> None:
    check((0, 226), drawn=draw_room)  # in the second one two keepers do so at the same time


@pytest.mark.slow
def test_whoever_alone_saw_the_end_of_the_match_comes_to_that_of_the_others() -> None:
    """It dies as it begins an epoch with the last closing, and the others go on with somebody who had not voted."""
    found = [simulate(seed, drawn=draw_ends) for seed in (9, 10, 14)]
    assert [wrong for _, wrong in found if wrong] == []
    assert any(world.confirming for world, _ in found)


@pytest.mark.slow
def test_matches_go_on_beside_whoever_denies_what_was_said() -> None:
    check((1, 2, 3), drawn=draw_lies)


@pytest.mark.parametrize("seed", [1473, 1551])
def test_a_match_goes_on_where_a_liar_hinders_bots_from_making_room(seed: int) -> None:
    """Whoever cannot follow the one whose bot makes room misses nobody but the liar, and a vote without it stands though it has
    promised a higher number."""
    check((seed,), drawn=draw_hindrances)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [2014, 5131, 60243, 9572])
def test_runs_with_a_liar_that_once_went_wrong(seed: int) -> None:
    _, wrong = simulate(seed, drawn=closed)
    assert not wrong


def test_who_left_need_not_know_that_nobody_could_play_on() -> None:
    _, wrong = simulate(9783, drawn=closed)
    assert not wrong


@pytest.mark.parametrize("seed", [148, 10103])
def test_a_promise_may_come_before_the_goodbye_behind_it(seed: int) -> None:
    _, wrong = simulate(seed, drawn=closed)
    assert not wrong


@pytest.mark.parametrize("seed", [1457, 2737, 3466, 3813])
def test_a_goodbye_may_come_before_all_is_checked_that_it_leaves_over(seed: int) -> None:
    _, wrong = simulate(seed, drawn=closed)
    assert not wrong


def test_a_goodbye_may_come_before_the_last_round_is_closed_everywhere() -> None:
    _, wrong = simulate(5902, drawn=closed)
    assert not wrong


def test_a_newcomer_does_not_sit_down_with_somebody_who_has_just_left() -> None:
    _, wrong = simulate(442637, drawn=closed)
    assert not wrong


def test_what_a_cheat_had_promised_keeps_nobody_from_taking_the_seat() -> None:
    found = hunt((3687,), drawn=draw_seats)
    assert not found.faults and found.counts["seats taken"]


@pytest.mark.slow
def test_who_is_an_epoch_behind_does_not_welcome_anybody_to_the_next() -> None:
    _, wrong = simulate(415008, drawn=closed)
    assert not wrong


@pytest.mark.parametrize("seed", [409089, 440822])
def test_the_bot_of_a_convict_and_who_is_still_closing_have_no_result(seed: int) -> None:
    _, wrong = simulate(seed, drawn=closed)
    assert not wrong


@pytest.mark.slow
@pytest.mark.parametrize("seed", [4775, 6012])
def test_who_lost_a_key_stays_where_another_seat_is_missing_too(seed: int) -> None:
    _, wrong = simulate(seed)
    assert not wrong


def test_somebody_new_sits_down() -> None:
    world, wrong = simulate(1009)
    assert not wrong and world.taken


@pytest.mark.slow
def test_a_home_is_restored_from_an_older_copy() -> None:
    world, wrong = simulate(1004)
    assert not wrong and any("Fault(" in line and "restored" in line for line in world.trace)


@pytest.mark.slow
def test_whoever_would_sit_where_somebody_votes_has_no_vote() -> None:
    _, wrong = simulate(1121)
    assert not wrong


def test_an_epoch_in_which_a_seat_was_taken_is_given_up() -> None:
    _, wrong = simulate(1193)
    assert not wrong


@pytest.mark.slow
def test_what_was_promised_in_an_epoch_given_up_stands_in_an_honest_file() -> None:
    _, wrong = simulate(4788)
    assert not wrong


@pytest.mark.sample
@pytest.mark.parametrize("seed", [3607, 5881])
def test_a_home_is_restored_from_before_the_draw_after_a_goodbye(seed: int) -> None:
    _, wrong = simulate(seed)
    assert not wrong


@pytest.mark.parametrize("seed", [8155, 8378])
def test_who_stays_lost_a_key(seed: int) -> None:
    """Before it reached the others, or while the one key that can be opened is another's."""
    _, wrong = simulate(seed)
    assert wrong == []


@pytest.mark.slow
def test_two_are_asked_to_sit_in_one_place_of_an_epoch() -> None:
    """Who is asked after the other has answered there cannot answer, and must not try for ever."""
    _, wrong = simulate(8597)
    assert wrong == []


@pytest.mark.slow
def test_a_run_is_wholly_in_its_seed() -> None:
    first, wrong = simulate(4)
    again, _ = simulate(4)
    assert not wrong and first.trace == again.trace


@pytest.mark.slow
@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.soak) for part in range(1, 10))])
def test_many_matches_of_two_or_three(part: int) -> None:
    """Most of what can go wrong needs no more seats than three, and hundreds of such runs cost little."""
    small = [seed for seed in range(400, 1000) if draw(seed).seats <= 3]
    check(small[part * 20 : part * 20 + (20 if part else 12)])


@pytest.mark.slow
def test_matches_in_the_real_group() -> None:
    check(range(300, 301), is_real=True)


@pytest.mark.soak
@pytest.mark.timeout(7200)
def test_many_matches_in_which_proofs_are_begun_ahead() -> None:
    check(range(10, 10 + PART), drawn=draw_ahead)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(40), ids=lambda part: f"part{part}")
def test_many_matches(part: int) -> None:
    check(range(10 + part * PART, 10 + (part + 1) * PART))


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(10), ids=lambda part: f"part{part}")
def test_many_matches_in_which_votes_reach_only_some(part: int) -> None:
    check(range(10 + part * PART, 10 + (part + 1) * PART), drawn=draw_votes)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(10), ids=lambda part: f"part{part}")
def test_many_matches_in_which_seats_are_taken_meanwhile(part: int) -> None:
    check(range(10 + part * PART, 10 + (part + 1) * PART), drawn=draw_seats)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(4), ids=lambda part: f"part{part}")
def test_many_matches_in_which_somebody_vanishes_at_the_end(part: int) -> None:
    check(range(part * PART, (part + 1) * PART), drawn=draw_ends)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(4), ids=lambda part: f"part{part}")
def test_many_matches_in_which_bots_make_room(part: int) -> None:
    check(range(part * PART, (part + 1) * PART), drawn=draw_room)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(4), ids=lambda part: f"part{part}")
def test_many_matches_beside_whoever_denies_what_was_said(part: int) -> None:
    check(range(10 + part * PART, 10 + (part + 1) * PART), drawn=draw_lies)


@pytest.mark.soak
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("part", range(4), ids=lambda part: f"part{part}")
def test_many_matches_beside_whoever_hinders_them(part: int) -> None:
    check(range(2000 + part * PART, 2000 + (part + 1) * PART), drawn=draw_hindrances)
