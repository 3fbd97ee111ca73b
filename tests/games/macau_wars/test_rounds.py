"""Calls, the word, jokers, going out, and how rounds and matches end."""

from __future__ import annotations

from random import Random

import pytest

from protocol.errors import BadOption
from protocol.games import LocalTable, load
from protocol.games.macau_wars import MacauWars
from tests.games.macau_wars.sitting import Sitting

STOCK = "5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h 9s"


def test_action_cards_turned_up_are_covered() -> None:
    table = Sitting("Ah", ["9h 2c", "9d 2d"], "2c 3s 4d Jk Js Qs Qc Qd Kh Ks Kd 5c")
    assert (table.view["top"], table.view["stock_size"], table.view["suit"]) == ("Kd", 1, None)
    assert Sitting("Qh", ["9h 2c", "9d 2d"], "2c 3s").view["top"] == "Qh"


def test_a_called_value_holds_until_it_is_met() -> None:
    table = Sitting("7h", ["Jh 9s 9c", "8h Jd Tc 8s", "2h 8d Th"], STOCK)
    anna, ben, cleo = table.players
    anna.cannot_play("Jh", calls="4", because="5 to T")
    anna.plays("Jh", calls="8")
    ben.cannot_play("Tc", because="the rank asked for is 8")
    ben.draws()
    ben.passes()
    assert table.state.rank == "8"
    cleo.cannot_play("Th", because="the rank asked for is 8")
    cleo.plays("8d")
    assert table.state.rank is None


def test_jacks_and_aces_fit_on_each_other_whatever_is_called() -> None:
    table = Sitting("7h", ["Jh 9s 9c", "Ac Js Tc 8s", "Jd 8d Th"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("Jh")
    ben.plays("Ac", calls="s")
    assert (table.view["rank"], table.view["suit"]) == (None, "s")
    cleo.cannot_play("8d", because="the suit asked for is s")
    cleo.plays("Jd")
    assert table.state.suit is None
    anna.cannot_play("9c", because="in suit or rank")


def test_a_call_for_a_round_stands_for_everyones_turn() -> None:
    table = Sitting("7h", ["Jh 9s 8c 9c", "8h 8s Tc Ts", "2h 3d Th"], STOCK, jack_call="round")
    anna, ben, cleo = table.players
    anna.plays("Jh", calls="8")
    ben.plays("8h")
    assert (table.state.rank, table.view["caller"]) == ("8", anna.seat)
    cleo.cannot_play("Th", because="the rank asked for is 8")
    cleo.draws()
    cleo.passes()
    anna.cannot_play("9s", because="the rank asked for is 8")
    anna.plays("8c")
    assert table.view["rank"] is None
    ben.plays("Tc")


def test_a_jack_ends_a_call_for_a_round() -> None:
    table = Sitting("7h", ["Jh 9s 8c 9c", "8h 8s Tc Js", "2h 3d Th"], STOCK, jack_call="round")
    anna, ben, _ = table.players
    anna.plays("Jh", calls="8")
    ben.plays("Js")
    assert (table.state.rank, table.state.caller) == (None, None)


def test_a_call_for_a_round_outlasts_its_caller_until_the_turn_passes() -> None:
    table = Sitting("7h", ["Jh", "8h 8s Tc Td", "2h 3d Th"], STOCK, jack_call="round")
    anna, ben, cleo = table.players
    anna.plays("Jh", calls="8")
    ben.draws()
    ben.passes()
    assert table.view["rank"] == "8"
    cleo.draws()
    cleo.passes()
    assert (table.view["rank"], ben.is_in_turn) == (None, True)


def test_jokers_are_what_their_player_says() -> None:
    table = Sitting("7h", ["Jk 9s 9c", "Jk 2s 2d Tc", "2h 3d Th"], STOCK)
    anna, ben, cleo = table.players
    anna.cannot_play("Jk", because="stands for one card")
    anna.cannot_play("Jk", stands_for="9s", because="9s doesn't match")
    anna.cannot_play("Jk", stands_for="Jk", because="cannot stand for")
    anna.cannot_play("Jk", stands_for="7h 7c", because="stands for one card")
    anna.plays("Jk", stands_for="Kh")
    assert (table.view["top"], table.state.penalty) == ("Kh", 5)
    ben.cannot_play("2s Jk", stands_for="3c", because="the same rank")
    ben.plays("2s Jk 2d", stands_for="2s", says=True)
    assert table.state.penalty == 11
    cleo.plays("2h")
    anna.draws()
    assert anna.size == 15


def test_a_joker_calls_like_the_card_that_it_is() -> None:
    table = Sitting("7h", ["Jk 9s 9c", "9d 2s 2d Tc", "2h 3d Th"], STOCK)
    anna, ben, _ = table.players
    anna.cannot_play("Jk", stands_for="7s", calls="9", because="only a jack")
    anna.plays("Jk", stands_for="Jh", calls="9")
    ben.plays("9d")


def test_recycled_jokers_are_jokers_again() -> None:
    table = Sitting("7h", ["Jk 9h 9c", "9d 9s 2s"], "")
    anna, ben = table.players
    anna.plays("Jk", stands_for="8h")
    ben.draws()
    ben.passes()
    anna.plays("9h", says=True)
    ben.draws()
    assert "Jk" in ben.hand


def test_macau_forgotten() -> None:
    table = Sitting("7h", ["9h 2c", "8h Tc", "5d 2d Kd"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("9h")
    assert (table.view["owed"], table.acting) == ({str(anna.seat): 5}, (ben.seat, anna.seat))
    cleo.cannot_call()
    ben.plays("8h")
    assert (anna.size, table.view["owed"]) == (6, {str(ben.seat): 5})
    ben.calls_macau()
    cleo.draws()
    assert (ben.size, cleo.hand) == (1, ["2d", "5d", "6d", "Kd"])


def test_macau_is_said_only_when_it_is_due() -> None:
    table = Sitting("7h", ["9h 2c Th", "8h Tc", "5d 2d Kd"], STOCK)
    anna, ben, _ = table.players
    anna.cannot_play("9h", says=True, because="leaves one card")
    anna.cannot_call()
    anna.plays("9h")
    anna.cannot_call()
    ben.plays("8h", says=True)
    ben.cannot_call()


def test_after_a_draw_one_may_play_or_pass() -> None:
    table = Sitting("7h", ["9h 2c", "8h Tc"], STOCK)
    anna, ben = table.players
    anna.cannot_pass(because="draw a card")
    anna.draws()
    anna.cannot_draw(because="only one card")
    anna.plays("9h")
    ben.draws()
    ben.passes()
    assert anna.is_in_turn


def test_with_play_drawn_off_the_draw_ends_the_turn() -> None:
    table = Sitting("7h", ["9h 2c", "8h Tc"], STOCK, play_drawn=False)
    anna, ben = table.players
    anna.draws()
    assert ben.is_in_turn


def test_the_last_one_holding_cards_ends_the_round() -> None:
    table = Sitting("7h", ["9h", "8h Tc", "Th 2d"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("9h")
    assert table.state.points is None
    ben.plays("8h", says=True)
    cleo.plays("Th", says=True)
    ben.plays("Tc")
    assert (anna.points, ben.points, cleo.points) == (2, 1, 0)
    assert table.view["match_over"]
    assert table.view["winner"] == [anna.seat]
    assert table.game.next_dealer(table.state) == 2


def test_what_ends_the_round_names_nothing() -> None:
    table = Sitting("7h", ["Jh", "8h Tc"], STOCK)
    anna, _ = table.players
    anna.cannot_play("Jh", calls="8", because="can't ask for anything")
    anna.plays("Jh")
    assert table.state.ended == "out"


def test_a_last_queen_of_clubs_still_names() -> None:
    table = Sitting("7c", ["Qc", "8h Tc", "Th 2d"], STOCK)
    anna, _ben, cleo = table.players
    anna.plays("Qc", names=cleo)
    assert cleo.is_in_turn


def test_who_alone_can_be_named_need_not_be() -> None:
    table = Sitting("7c", ["Qc 9c 9d", "8h Tc"], STOCK)
    anna, ben = table.players
    anna.plays("Qc")
    assert ben.is_in_turn


def test_a_championship_goes_to_the_first_one_out() -> None:
    table = Sitting("7h", ["9h", "8h Tc", "Th 2d"], STOCK, mode="championship")
    anna, ben, cleo = table.players
    anna.plays("9h")
    assert (anna.points, ben.points, cleo.points) == (1, 0, 0)
    assert not table.view["match_over"]
    assert table.game.next_dealer(table.state) == anna.seat


def test_blocked_each_beats_those_with_more_cards() -> None:
    table = Sitting("7h", ["9s", "8s Tc", "Ts 2d", "5s 5c 5d"], "")
    for player in table.players:
        player.passes()
    assert [player.points for player in table.players] == [3, 1, 1, 0]
    assert table.state.ended == "blocked"


@pytest.mark.parametrize(("hands", "winner"), [(["9s", "8s Tc"], 1), (["9s Ts", "8s Tc"], None)])
def test_a_blocked_championship(hands: list[str], winner: int | None) -> None:
    table = Sitting("7h", hands, "", mode="championship")
    for player in table.players:
        player.passes()
    assert [player.points for player in table.players] == [int(winner is not None), 0]
    assert table.game.next_dealer(table.state) == (winner if winner is not None else 0)


def test_options_that_leave_no_stock_are_refused() -> None:
    with pytest.raises(BadOption, match="leave nothing to draw"):
        load("macau-wars", 6, {"hand": 10, "decks": 1})


def test_decks_and_jokers() -> None:
    assert len(MacauWars(5).deck) == 54
    assert len(MacauWars(6).deck) == 108
    assert MacauWars(6, {"jokers": 1, "decks": 3}).deck.count("Jk") == 3


def test_the_usual_target_depends_on_the_mode() -> None:
    assert MacauWars(3).options["target"] == 0
    assert MacauWars(3, {"mode": "championship"}).options["target"] == 3
    assert MacauWars(3, {"mode": "championship", "target": 5}).options["target"] == 5


def test_the_winner_of_a_championship_deals_next() -> None:
    game = MacauWars(3, {"mode": "championship"})
    table = LocalTable(game, Random(5), dealer=1)
    rng = Random(6)
    while table.rounds == 1:
        seat = table.to_act[0]
        table.play(seat, rng.choice(table.legal(seat)))
    assert table.last_round is not None
    assert table.state.dealer == table.last_round.view["round_points"].index(1)
