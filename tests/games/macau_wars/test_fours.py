"""Fours, the last call, and the turns alone."""

from __future__ import annotations

from tests.games.macau_wars.sitting import Sitting

STOCK = "5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h 9s"


def test_all_others_are_asked_twice() -> None:
    table = Sitting("7h", ["4h Ts Tc Td", "9s 9c", "8s 8c"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("4h")
    assert (table.view["phase"], table.view["fours"], table.view["last"]) == ("fours", 1, anna.seat)
    ben.cannot_draw(because="can't draw against fours")
    ben.cannot_play("9s", because="only fours")
    ben.passes()
    cleo.passes()
    assert (table.view["phase"], ben.is_in_turn) == ("last-call", True)
    ben.passes()
    cleo.passes()
    assert (table.view["phase"], table.view["solo"], anna.is_in_turn) == ("play", 1, True)
    assert (ben.size, cleo.size) == (2, 2)


def test_a_four_kept_back_takes_the_turns() -> None:
    table = Sitting("7h", ["4h Ts Tc Td", "9s 9c 9d", "4s 8c 8d 8s"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("4h")
    ben.passes()
    cleo.passes()
    ben.passes()
    cleo.plays("4s")
    assert (table.view["phase"], table.view["fours"], table.view["last"], anna.is_in_turn) == (
        "fours",
        2,
        cleo.seat,
        True,
    )
    for _ in range(2):
        anna.passes()
        ben.passes()
    assert (table.view["solo"], cleo.is_in_turn) == (2, True)


def _alone(
    hand: str, fours: str = "4h 4s", others: str = "4c Th 5c", last: str = "Td Js 6c", **options: object
) -> Sitting:
    """Anna has put these fours, and has as many turns alone with the rest of her hand."""
    table = Sitting("7h", [f"{fours} {hand}", others, last], STOCK, **options)
    anna, ben, cleo = table.players
    anna.plays(fours, says=" " not in hand)
    for _ in range(2):
        ben.passes()
        cleo.passes()
    assert table.view["solo"] == len(fours.split())
    return table


def test_each_turn_alone_uses_one() -> None:
    table = _alone("8s Tc 9h 9d")
    anna, ben, _ = table.players
    anna.plays("8s")
    assert (table.view["solo"], anna.is_in_turn) == (1, True)
    anna.draws()
    assert table.view["solo"] == 1
    anna.passes()
    assert (table.view["solo"], ben.is_in_turn) == (None, True)


def test_a_war_alone_meets_its_own_player() -> None:
    table = _alone("2s 3c 9h 9d")
    anna, ben, _ = table.players
    anna.plays("2s")
    assert (table.state.penalty, anna.is_in_turn) == (2, True)
    anna.plays("3c")
    assert (table.state.penalty, ben.is_in_turn) == (5, True)


def test_the_king_of_spades_alone_reaches_the_previous_only_in_the_last_turn() -> None:
    table = _alone("Ks Tc 9h 9d")
    anna, _, _ = table.players
    anna.plays("Ks")
    assert (table.state.penalty, anna.is_in_turn) == (5, True)
    table = _alone("Ks Tc 9h 9d", fours="4h 4s")
    anna, _, cleo = table.players
    anna.draws()
    anna.passes()
    anna.plays("Ks")
    assert (table.state.penalty, cleo.is_in_turn) == (5, True)


def test_the_queen_of_diamonds_alone_uses_a_turn_more() -> None:
    table = _alone("2s Qd Tc 9d", fours="4h 4d 4s")
    anna, ben, _ = table.players
    anna.plays("2s")
    anna.plays("Qd")
    assert (table.view["solo"], table.state.penalty, ben.is_in_turn) == (None, 2, True)


def test_the_queen_of_diamonds_skips_in_the_last_turn() -> None:
    table = _alone("Qd Tc 9d", fours="4h 4d")
    anna, _, cleo = table.players
    anna.draws()
    anna.passes()
    anna.plays("Qd")
    assert cleo.is_in_turn


def test_the_queen_of_clubs_alone_names_who_follows_whatever_the_direction() -> None:
    table = _alone("Qc Qs Tc 9d", fours="4h 4c")
    anna, ben, _cleo = table.players
    anna.plays("Qc", names=ben)
    anna.plays("Qs")
    assert (table.state.direction, ben.is_in_turn) == (1, True)


def test_a_four_alone_asks_nobody() -> None:
    table = _alone("4c 4d Tc 9d", fours="4h 4s")
    anna, *_ = table.players
    anna.plays("4c 4d")
    assert (table.view["solo"], table.view["phase"], anna.is_in_turn) == (3, "play", True)


def test_a_four_alone_in_the_last_turn_adds_one_too() -> None:
    table = _alone("4c Tc 9d", fours="4h")
    anna, *_ = table.players
    anna.plays("4c")
    assert (table.view["solo"], anna.is_in_turn) == (1, True)


def test_a_call_alone_meets_its_caller() -> None:
    table = _alone("As Th 9s 8d", fours="4h 4s")
    anna, ben, _ = table.players
    anna.plays("As", calls="h")
    anna.cannot_play("9s", because="the suit asked for is h")
    anna.draws()
    anna.passes()
    assert (table.state.suit, ben.is_in_turn) == ("h", True)
    ben.plays("Th")


def test_the_word_alone_must_come_with_the_play() -> None:
    table = _alone("9s Tc", fours="4h 4s")
    anna, *_ = table.players
    anna.plays("9s")
    assert (anna.size, table.view["owed"], anna.is_in_turn) == (6, {}, True)
    table = _alone("9s Tc", fours="4h 4s")
    anna, _ben, _ = table.players
    anna.plays("9s", says=True)
    assert anna.size == 1


def test_what_is_due_when_the_last_player_goes_out_falls_on_who_follows() -> None:
    table = _alone("2s Ks", fours="4h 4d 4s")
    anna, ben, _ = table.players
    anna.plays("2s", says=True)
    anna.plays("Ks")
    assert (table.state.penalty, table.view["solo"], ben.is_in_turn) == (7, None, True)


def test_out_with_a_four_the_turns_lapse() -> None:
    table = Sitting("7h", ["4h", "4s 9c 9d", "8s 8c"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("4h")
    for _ in range(2):
        ben.passes()
        cleo.passes()
    assert (table.view["phase"], table.view["solo"], ben.is_in_turn) == ("play", None, True)


def test_out_with_a_four_another_may_take_the_turns() -> None:
    table = Sitting("7h", ["4h", "4s 9c 9d", "8s 8c"], STOCK)
    anna, ben, cleo = table.players
    anna.plays("4h")
    ben.plays("4s")
    cleo.passes()
    cleo.passes()
    assert (table.view["solo"], ben.is_in_turn) == (2, True)


def test_a_four_ends_a_call() -> None:
    table = Sitting("7d", ["Ad 9c 9d", "4s 4h 9h", "8s 8c"], STOCK)
    anna, ben, _cleo = table.players
    anna.plays("Ad", calls="h")
    ben.cannot_play("4s", because="the suit asked for is h")
    ben.plays("4h")
    assert table.state.suit is None


def test_passes_alone_count_their_player_once() -> None:
    table = Sitting("7h", ["4h Tc Td", "4s 9c", "8d 8c"], "")
    anna, ben, cleo = table.players
    anna.plays("4h")
    ben.plays("4s")
    cleo.passes()  # with that Ben, who forgot the word, gets all that there is
    assert (ben.hand, table.state.stock_size) == (["4h", "7h", "9c"], 0)
    anna.passes()
    cleo.passes()
    anna.passes()
    ben.passes()
    ben.passes()
    cleo.passes()
    assert table.state.ended is None
    anna.passes()
    assert table.state.ended == "blocked"
    assert (anna.points, ben.points, cleo.points) == (1, 0, 1)
