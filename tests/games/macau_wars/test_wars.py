"""Wars, kings and queens."""

from __future__ import annotations

import pytest

from tests.games.macau_wars.sitting import Sitting

STOCK = "5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h 9s"
WAR = "only 2, 3, queens"


def test_play_goes_to_the_right() -> None:
    table = Sitting("7h", ["9h 2c", "9d 2d", "8d Ts"], STOCK)
    anna, ben, cleo = table.players
    assert [player.seat for player in table.players] == [2, 1, 0]
    assert table.view["direction"] == -1
    anna.plays("9h", says=True)
    ben.plays("9d", says=True)
    cleo.plays("8d", says=True)
    assert anna.is_in_turn


def test_a_war_of_seventeen() -> None:
    table = Sitting("7h", ["2h 9s 9c", "3c 9d Tc", "2s Kh 8d Th", "Ks 8s 8c"], STOCK)
    anna, ben, cleo, dora = table.players
    anna.plays("2h")
    assert table.state.penalty == 2
    ben.cannot_play("9d", because=WAR)
    ben.plays("3c")
    cleo.plays("2s")
    dora.plays("Ks")
    assert (table.state.penalty, cleo.is_in_turn) == (12, True)
    cleo.plays("Kh")
    assert (table.state.penalty, dora.is_in_turn) == (17, True)
    dora.cannot_pass(because="the penalty is 17 cards")
    dora.draws()
    assert (dora.size, table.state.penalty, anna.is_in_turn) == (19, 0, True)


def test_after_the_previous_player_the_king_of_spades_comes_back() -> None:
    table = Sitting("7s", ["Ks 9s 9c", "3c 9d Tc", "2s 8d Th"], STOCK)
    anna, _ben, cleo = table.players
    anna.plays("Ks")
    assert cleo.is_in_turn
    cleo.draws()
    assert (cleo.size, anna.is_in_turn, table.state.direction) == (8, True, -1)


def test_of_several_kings_the_top_one_acts() -> None:
    table = Sitting("7s", ["Ks Kh 9c", "3c 9d Tc", "2s 8d Th"], STOCK)
    anna, ben, _ = table.players
    anna.cannot_play("Kh Ks", because="in suit or rank")
    anna.plays("Ks Kh", says=True)
    assert (table.state.penalty, ben.is_in_turn) == (5, True)


def test_a_plain_king_on_top_makes_no_war_and_takes_no_part_in_one() -> None:
    table = Sitting("7s", ["Ks Kc 9c", "Kh Kd Tc", "2s 8d Th"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("Ks Kc", says=True)
    assert table.state.penalty == 0
    ben.plays("Kh")
    cleo.plays("2s")
    anna.cannot_play("9c", because=WAR)
    anna.draws()
    ben.cannot_play("Kd", because="in suit or rank")


def test_plain_kings_stay_out_of_a_war_also_behind_others() -> None:
    table = Sitting("7h", ["2h 9s 9c", "Kh Kd Tc", "2s 8d Th"], STOCK)
    anna, ben, _ = table.players
    anna.plays("2h")
    ben.cannot_play("Kh Kd", because=WAR)
    ben.cannot_play("Kd Kh", because=WAR)
    ben.plays("Kh")
    assert table.state.penalty == 7


def test_twos_played_together_all_count() -> None:
    table = Sitting("7h", ["2h 2c 2s 9c", "3c 3d Tc 8c", "Th 8d 8s"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("2h 2s 2c", says=True)
    assert (table.state.penalty, table.view["top"]) == (6, "2c")
    ben.plays("3d 3c")
    cleo.draws()
    assert cleo.size == 15


@pytest.mark.parametrize(
    ("queen", "penalty", "next_player"),
    [("Qh", 0, 2), ("Qd", 2, 3), ("Qs", 2, 0)],
    ids=["hearts", "diamonds", "spades"],
)
def test_queens_in_a_war(queen: str, penalty: int, next_player: int) -> None:
    table = Sitting("7h", ["2h 9s 9c", f"{queen} 8c Tc", "Th 8d 8s", "Td 6h 6s"], STOCK)
    anna, ben, *_ = table.players
    anna.plays("2h")
    ben.plays(queen)
    assert table.state.penalty == penalty
    assert table.players[next_player].is_in_turn


def test_the_queen_of_clubs_sends_the_war_to_whom_she_names() -> None:
    table = Sitting("7h", ["2h 9s 9c", "Qc 8c Tc", "Th 8d 8s", "Td 6h 6s"], STOCK)
    anna, ben, _cleo, dora = table.players
    anna.plays("2h")
    ben.cannot_play("Qc", because="choose the next player")
    ben.cannot_play("Qc", names=ben, because="choose another player")
    ben.plays("Qc", names=dora)
    assert (table.state.penalty, dora.is_in_turn) == (2, True)
    dora.draws()
    assert anna.is_in_turn


def test_the_queen_of_diamonds_brings_the_war_back_between_two() -> None:
    table = Sitting("7h", ["2h 9s 9c", "Qd 8c Tc 3s"], STOCK)
    anna, ben = table.players
    anna.plays("2h")
    ben.plays("Qd")
    assert (table.state.penalty, ben.is_in_turn) == (2, True)
    ben.plays("3s")
    anna.draws()
    assert anna.size == 7


def test_of_several_queens_the_top_one_acts() -> None:
    table = Sitting("7s", ["Qs Qh Qd 9c", "3c 9d Tc", "2s 8d Th"], STOCK)
    anna, _ben, cleo = table.players
    anna.plays("Qs Qh Qd", says=True)
    assert (table.state.direction, cleo.is_in_turn) == (-1, True)


def test_outside_of_a_war_queens_fit_like_any_card() -> None:
    table = Sitting("7h", ["Qc Qh 9c", "3c 9d Tc", "2s 8d Th"], STOCK)
    anna, ben, _ = table.players
    anna.cannot_play("Qc", names=ben, because="in suit or rank")
    anna.plays("Qh")
    ben.cannot_play("3c", because="in suit or rank")


def test_who_goes_out_leaves_the_war_to_the_others() -> None:
    table = Sitting("7s", ["Ks", "3c 9d Tc", "2s 8d Th"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("Ks")
    assert (table.state.out, table.state.penalty, cleo.is_in_turn) == ((anna.seat,), 5, True)
    cleo.draws()
    assert ben.is_in_turn


def test_a_war_takes_what_there_is() -> None:
    table = Sitting("7h", ["3h 9s 9c", "8c Tc"], "5c")
    anna, ben = table.players
    anna.plays("3h")
    ben.draws()
    assert (ben.hand, table.state.stock_size, anna.is_in_turn) == (["5c", "7h", "8c", "Tc"], 0, True)
    anna.cannot_draw(because="nothing to draw")
    anna.passes()
    assert ben.is_in_turn
