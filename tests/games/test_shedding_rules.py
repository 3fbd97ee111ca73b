"""Rules of Crazy Eights, Two-Four-Jack and Mau-Mau where they meet each other, as scenes at the table.

The plain rules stand in tests/playthroughs; here is what a file cannot say: which demands a dealer gets, absent seats, options.
"""

from __future__ import annotations

import pytest

from protocol.cards import Card
from protocol.errors import BadOption
from protocol.games import load
from protocol.games.game import DealToHand, Open, OpenAll, Shuffle
from protocol.games.shedding import DRAW, PASS, one_card
from protocol.values import replace
from tests.games.sitting import sit


def cards(*names: str) -> tuple[Card, ...]:
    return tuple(map(Card, names))


# --- what the dealer is asked for ---


def test_a_round_is_shuffled_dealt_and_opened_in_this_order() -> None:
    game = load("crazy-eights", 3)
    demands = game.start(1).demands
    assert demands == (Shuffle(game.deck), DealToHand(0, 5), DealToHand(1, 5), DealToHand(2, 5), Open())


def test_a_penalty_that_empties_the_stock_recycles_first_and_is_taken_at_once() -> None:
    table = sit("two-four-jack", [["2h", "3c"], ["9c", "9d"], ["5s", "5d"]], up="7h", stock=["Kc"])
    table.plays(0, "2h", call=True)
    outcome = table.game.apply(table.state, 1, DRAW)
    assert outcome.demands == (Shuffle(cards("7h")), DealToHand(1, 2))
    assert outcome.state.pile == cards("2h")


def test_a_forgotten_word_and_a_draw_are_two_takes_of_one_entry_the_forgetters_first() -> None:
    table = sit("crazy-eights", [["5h", "Kc"], ["9c"]], up="7h", stock=["2c", "3c", "4c", "6c"], last_card=True)
    table.plays(0, "5h")
    assert table.game.apply(table.state, 1, DRAW).demands == (DealToHand(0, 2), DealToHand(1, 1))


def test_a_penalty_paid_at_once_may_recycle_the_pile_beneath_the_card_just_played() -> None:
    """Seat 0 forgot; seat 1 skips the only other seat and forgets too: one shuffle, both takes after it."""
    table = sit(
        "crazy-eights",
        [["5h", "Kc"], ["Qh", "Kd"]],
        up="7h",
        stock=["2c"],
        last_card=True,
        recycle=True,
        skip="Q",
        last_card_penalty=1,
    )
    table.plays(0, "5h")
    outcome = table.game.apply(table.state, 1, one_card(Card("Qh")))
    assert outcome.demands == (Shuffle(cards("7h", "5h")), DealToHand(0, 1), DealToHand(1, 1))
    assert outcome.state.turn == 1
    assert outcome.state.hand_sizes == (2, 2)
    assert outcome.state.stock_size == 1


def test_who_forgot_the_word_is_never_dealt_the_card_that_was_on_top() -> None:
    """Seat 0 forgot; seat 1 skips it and forgets too. The pile is recycled for the one, and again for the other."""
    table = sit("crazy-eights", [["5h", "Kc"], ["Qh", "Kd"]], up="7h", stock=[], last_card=True, recycle=True, skip="Q")
    table.plays(0, "5h")
    outcome = table.game.apply(table.state, 1, one_card(Card("Qh")))
    assert outcome.demands == (Shuffle(cards("7h")), DealToHand(0, 1), Shuffle(cards("5h")), DealToHand(1, 1))
    table.plays(1, "Qh")
    assert (table.hand(0), table.hand(1), table["turn"]) == (["7h", "Kc"], ["5h", "Kd"], 1)


def test_the_play_that_ends_the_round_opens_all_hands_after_the_cards_of_a_forgotten_word() -> None:
    table = sit("crazy-eights", [["5h", "Kc"], ["9h"]], up="7h", stock=["2c", "3c"], last_card=True)
    table.plays(0, "5h")
    assert table.game.apply(table.state, 1, one_card(Card("9h"))).demands == (DealToHand(0, 2), OpenAll())


def test_between_the_last_card_and_the_open_hands_nobody_acts_and_nothing_is_scored() -> None:
    table = sit("crazy-eights", [["5h"], ["9h", "8c"]], up="7h")
    ended = table.game.apply(table.state, 0, one_card(Card("5h"))).state
    assert table.game.to_act(ended) == ()
    assert not table.game.is_round_over(ended)
    view = table.game.view(ended)
    assert (view["phase"], view["turn"], view["ended"], view["round_points"]) == ("over", None, "out", None)


def test_a_penalty_may_take_the_cards_that_the_next_one_wanted_to_draw() -> None:
    table = sit("crazy-eights", [["5h", "Kc"], ["9c"]], up="7h", stock=["2c", "3c"], last_card=True)
    table.plays(0, "5h")
    table.draws(1)
    assert (table["hand_sizes"], table["stock_size"], table["turn"]) == ([3, 1], 0, 1)
    table.passes(1)


# --- absent seats ---


def test_absent_seats_are_not_dealt_to_and_passed_over() -> None:
    game = load("crazy-eights", 4)
    outcome = game.start(0, present=[0, 2, 3])
    assert [demand.seat for demand in outcome.demands if isinstance(demand, DealToHand)] == [0, 2, 3]
    state = game.opened(outcome.state, Card("7h")).state
    assert state.hand_sizes == (5, 0, 5, 5)
    assert state.turn == 2
    state = game.apply(state, 2, one_card(Card("9h"))).state
    state = game.apply(state, 3, one_card(Card("9s"))).state
    assert game.apply(state, 0, one_card(Card("9d"))).state.turn == 2


def test_two_present_seats_of_four_play_as_two() -> None:
    game = load("crazy-eights", 4, {"skip": "Q"})
    state = game.opened(game.start(3, present=[1, 2]).state, Card("7h")).state
    assert state.turn == 1
    assert game.apply(state, 1, one_card(Card("Qh"))).state.turn == 1


def test_a_blocked_round_waits_for_the_present_seats_only_and_scores_them_alone() -> None:
    game = load("crazy-eights", 3)
    state = game.opened(game.start(2, present=[0, 2]).state, Card("7h")).state
    emptied = replace(state, stock_size=0)
    after_one = game.apply(emptied, 0, PASS).state
    blocked = game.apply(after_one, 2, PASS)
    assert blocked.state.ended == "blocked"
    scored = game.opened_all(blocked.state, [cards("Kc"), (), cards("2d")])
    assert scored.points == (0, 0, 8)


def test_who_plays_without_its_partner_ends_the_round_alone() -> None:
    game = load("crazy-eights", 4, {"teams": True})
    state = game.opened(game.start(3, present=[0, 1, 3]).state, Card("7h")).state
    state = replace(state, hand_sizes=(1, 5, 0, 5))
    outcome = game.apply(state, 0, one_card(Card("9h")))
    assert outcome.state.ended == "out"
    assert game.opened_all(outcome.state, [(), cards("Kc"), (), cards("2d")]).points == (12, 0)


# --- the last-card word ---


def test_a_word_can_be_said_until_another_seat_acts() -> None:
    table = sit("two-four-jack", [["5h", "Kc"], ["9h", "9c"], ["2c", "3c"]], up="7h", stock=["6d", "Td"])
    table.plays(0, "5h")
    assert (table["owed"], table["to_act"]) == ({"0": 1}, [1, 0])
    table.draws(1)
    assert (table["owed"], table["to_act"]) == ({"0": 1}, [1])
    table.cannot_make(0, table.game.decode({"do": "call"}), because="too early")


def test_in_two_four_jack_a_forgotten_word_costs_a_card_as_the_next_turn_begins() -> None:
    table = sit("two-four-jack", [["5h", "Kc"], ["9h", "9c"], ["2c", "3c", "9s"]], up="7h", stock=["6d", "Td"])
    table.plays(0, "5h")
    table.plays(1, "9h", call=True)
    assert table.hand(0) == ["Kc"]
    table.plays(2, "9s")
    assert (table["turn"], table["owed"], table.hand(0)) == (0, {}, ["6d", "Kc"])


def test_two_seats_may_owe_at_once_and_the_end_of_the_round_cancels_both() -> None:
    table = sit("two-four-jack", [["5h", "Kc"], ["9h", "9c"], ["9s"]], up="7h", stock=["6d", "Td"])
    table.plays(0, "5h")
    table.plays(1, "9h")
    assert table["owed"] == {"0": 1, "1": 1}
    table.plays(2, "9s")
    assert (table["round_over"], table["owed"], table["hand_sizes"]) == (True, {}, [1, 1, 0])
    assert table["round_points"] == [0, 0, 19]


def test_no_word_without_the_play_that_leaves_one_card() -> None:
    table = sit("crazy-eights", [["5h", "Kc", "2d"], ["9h"]], up="7h", stock=["6d"], last_card=True)
    table.cannot_play(0, "5h", call=True, because="don't need to call")
    table.plays(0, "5h")
    table.cannot_play(1, "9h", call=True, because="don't need to call")


def test_a_partner_who_is_left_alone_owes_the_word_like_anybody() -> None:
    table = sit(
        "crazy-eights",
        [["5h"], ["9h", "9c", "2d"], ["9s", "9d"], ["3s", "4s"]],
        up="7h",
        stock=["6d", "6c", "6s"],
        last_card=True,
        teams=True,
    )
    table.plays(0, "5h")
    assert (table["out"], table["turn"], table["round_over"]) == ([0], 1, False)
    table.plays(1, "9h")
    table.plays(2, "9s")
    assert table["owed"] == {"2": 2}
    table.plays(3, "3s", call=True)
    assert (table.hand(2), table["turn"]) == (["6c", "6d", "9d"], 1)


# --- Mau-Mau ---


def test_mau_forgotten_on_a_jack_still_names_a_suit_and_draws_at_once() -> None:
    table = sit("mau-mau", [["Jh"], ["9c", "Kd"]], up="7s", stock=["Ac"])
    table.cannot_play(0, "Jh", because="choose a suit")
    table.plays(0, "Jh", "d")
    assert (table.hand(0), table["suit"], table["turn"], table["round_over"]) == (["Ac"], "d", 1, False)


def test_mau_said_on_a_jack_names_nothing_and_doubles() -> None:
    table = sit("mau-mau", [["Jh"], ["9c", "Kd", "Ac"]], up="7s", stock=["Ad"])
    table.cannot_play(0, "Jh", "d", call=True, because="can't choose a suit")
    table.plays(0, "Jh", call=True)
    assert table["round_points"] == [0, 30]


def test_forgetting_mau_with_nothing_to_draw_goes_out_all_the_same() -> None:
    table = sit("mau-mau", [["Jh"], ["9c", "Kd"]], up="7s", recycle=False)
    assert [table.game.encode(move) for move in table.game.legal(table.state, 0, cards("Jh"))] == [
        {"do": "play", "cards": ["Jh"], "suit": None, "call": True}
    ]
    table.plays(0, "Jh")
    assert (table["ended"], table["round_points"]) == ("out", [0, 8])


def test_mau_forgotten_with_an_empty_stock_draws_from_the_recycled_pile() -> None:
    table = sit("mau-mau", [["7h"], ["9c", "Kd"]], up="7s")
    table.plays(0, "7h")
    assert (table.hand(0), table["stock_size"], table["top"]) == (["7s"], 0, "7h")


def test_a_seven_put_on_a_seven_is_taken_by_the_one_after() -> None:
    table = sit(
        "mau-mau", [["7h", "Ks"], ["7d", "8c"], ["Jc", "Ad"]], up="9h", stock=["9c", "9d", "9s", "Tc"], sevens=True
    )
    table.plays(0, "7h")
    table.cannot_play(1, "8c", because="the penalty is 2 cards")
    table.plays(1, "7d")
    table.cannot_play(2, "Jc", "h", because="the penalty is 4 cards")
    table.cannot_pass(2, because="the penalty is 4 cards")
    table.draws(2)
    assert (table["hand_sizes"], table["turn"], table["penalty"]) == ([1, 1, 6], 0, 0)


def test_sevens_with_nothing_to_draw_are_drawn_all_the_same() -> None:
    table = sit("mau-mau", [["7h", "Ks"], ["8h", "8c"]], up="9h", sevens=True, recycle=False)
    table.plays(0, "7h")
    table.cannot_pass(1, because="the penalty is 2 cards")
    table.draws(1)
    assert (table["turn"], table["penalty"], table["hand_sizes"]) == (0, 0, [1, 2])


def test_an_eight_forgotten_with_two_seats_draws_and_plays_on() -> None:
    table = sit("mau-mau", [["8h"], ["9c", "Kd"]], up="7h", stock=["Th"], eights=True)
    table.plays(0, "8h")
    assert (table["turn"], table.hand(0)) == (0, ["Th"])
    table.plays(0, "Th", call=True)
    assert table["ended"] == "out"


def test_no_jack_on_a_jack_whatever_its_suit() -> None:
    table = sit("mau-mau", [["Jh", "Js"], ["9h", "Jd"]], up="Jc", stock=["8c"], jack_on_jack=False)
    table.cannot_play(0, "Jh", "s", because="no wild card on a wild card")
    table.draws(0)
    table.plays(0, "8c")
    table.draws(1)
    table.plays(1, "Jd", "h")
    table.cannot_play(0, "Jh", "s", because="no wild card on a wild card")


def test_the_german_preset_gives_way_to_what_is_given() -> None:
    options = load("mau-mau", 3, {"preset": "german", "eights": False}).options
    assert (options["sevens"], options["eights"], options["draw"]) == (True, False, "one")
    assert load("mau-mau", 3, dict(options)).options == options


def test_the_lowest_score_wins_mau_mau_and_equal_ones_share_it() -> None:
    game = load("mau-mau", 3)
    assert game.winners((120, 5, 5)) == (1, 2)
    assert game.few_points_win


# --- Two-Four-Jack ---


def test_twos_and_fours_do_not_answer_each_other() -> None:
    table = sit("two-four-jack", [["2h", "3c"], ["4h", "Ah", "5c"]], up="7h", stock=["6d", "6c", "6s"])
    table.plays(0, "2h", call=True)
    table.cannot_play(1, "4h", because="the penalty is 2 cards")
    table.cannot_play(1, "Ah", "c", because="the penalty is 2 cards")
    table.draws(1)
    assert (table["hand_sizes"], table["turn"]) == ([1, 5], 0)


def test_taking_the_cards_with_an_answer_in_hand_is_a_breach_unless_free() -> None:
    for must in (True, False):
        table = sit("two-four-jack", [["2h", "3c"], ["2c", "5c"]], up="7h", stock=["6d", "6c"], must_answer=must)
        table.plays(0, "2h", call=True)
        assert (DRAW in table.game.legal(table.state, 1, cards("2c", "5c"))) is not must
        if must:
            table.cannot_draw(1, because="must play it")
        table.game.apply(table.state, 1, DRAW)  # publicly nobody can tell


def test_cards_due_when_a_partner_goes_out_fall_on_the_next_player() -> None:
    table = sit(
        "two-four-jack", [["2h"], ["9h", "9c"], ["9s", "9d"], ["3s", "4s"]], up="7h", stock=["6d", "6c"], teams=True
    )
    table.plays(0, "2h")
    assert (table["turn"], table["penalty"], table["out"]) == (1, 2, [0])
    table.draws(1)
    assert table["hand_sizes"] == [0, 4, 2, 2]


def test_a_two_that_ends_the_round_is_taken_by_nobody() -> None:
    table = sit("two-four-jack", [["2h"], ["9h", "Kc"]], up="7h", stock=["6d", "6c"])
    table.plays(0, "2h")
    assert (table["round_points"], table["penalty"], table["hand_sizes"]) == ([19, 0], 0, [0, 2])


def test_a_round_that_goes_in_circles_is_blocked_after_1000_moves() -> None:
    """Each draws the one card that there is, a jack, and must play it, to and fro for ever."""
    table = sit("two-four-jack", [["3c", "5c"], ["6h", "9c"]], up="Jd", stock=["Js"], draw="until")
    for count in range(500):
        assert table["ended"] is None and table["turn"] == count % 2
        for move in (DRAW, one_card(Card("Jd" if count % 2 else "Js"))):
            assert list(table.game.legal(table.state, count % 2, table.dealer.hands[count % 2])) == [move]
            table.makes(count % 2, move)
    assert (table["ended"], table["turn"], table["to_act"]) == ("blocked", None, [])
    assert table["round_points"] == [15 - 8, 0]


def test_the_thousandth_move_may_take_its_player_out() -> None:
    table = sit("crazy-eights", [["5h"], ["9c", "9d"]], up="7h", stock=["Kc"] * 999)
    table.state = replace(table.state, moves=999)
    table.plays(0, "5h")
    assert (table["ended"], table["round_points"]) == ("out", [18, 0])


def test_the_moves_are_counted_anew_when_somebody_goes_out() -> None:
    table = sit(
        "crazy-eights", [["5h"], ["9h", "9d"], ["Kc", "Kd"], ["2c", "2d"]], up="7h", stock=["3s"] * 3, teams=True
    )
    table.state = replace(table.state, moves=998)
    table.plays(0, "5h")
    assert table.state.moves == 0
    table.state = replace(table.state, moves=998)
    table.plays(1, "9h")
    assert table["ended"] is None
    table.draws(2)
    assert table["ended"] == "blocked"
    assert table["round_points"] == [0, 23 - 13]  # K K 3 against 9 2 2


# --- options ---


@pytest.mark.parametrize(
    ("name", "seats", "options", "says"),
    [
        ("crazy-eights", 2, {"teams": True}, "needs 4 players"),
        ("crazy-eights", 4, {"skip": "Q", "again": "Q"}, "cannot have two effects"),
        ("crazy-eights", 4, {"skip": "8"}, "skip can't be 8"),
        ("crazy-eights", 4, {"hand": 13}, "leave nothing to draw"),
        ("crazy-eights", 10, {"decks": 1, "hand": 6}, "leave nothing to draw"),
        ("crazy-eights", 4, {"hand": 16}, "1-15"),
        ("crazy-eights", 4, {"draw": "two"}, "until, one"),
        ("crazy-eights", 4, {"last_card": 1}, "false, true"),
        ("crazy-eights", 4, {"jokers": 2}, "no option jokers"),
        ("crazy-eights", 11, {}, "2 to 10 players"),
        ("two-four-jack", 4, {"recycle": True}, "no option recycle"),
        ("two-four-jack", 5, {"decks": 1, "hand": 11}, "leave nothing to draw"),
        ("mau-mau", 4, {"teams": True}, "no option teams"),
        ("mau-mau", 6, {"decks": 1, "hand": 5, "recycle": True, "target": -1}, "target can't be -1"),
        ("mau-mau", 4, {"hand": 8}, "leave nothing to draw"),
        ("macau-wars", 4, {"decks": 4, "jokers": 4}, "4 decks make 224, and a table deals 216 at most"),
        ("macau-wars", 10, {"decks": 4, "jokers": 3}, "4 decks make 220, and a table deals 216 at most"),
        ("no-such-game", 4, {}, "there is no game"),
    ],
)
def test_what_cannot_be_played_is_refused_with_the_reason(
    name: str, seats: int, options: dict[str, object], says: str
) -> None:
    with pytest.raises(BadOption) as refusal:
        load(name, seats, options)
    assert says in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("crazy-eights", 4, {"hand": 12}),
        ("two-four-jack", 5, {"decks": 1}),
        ("mau-mau", 4, {"hand": 7}),
        ("mau-mau", 10, {}),
        ("two-four-jack", 10, {}),
        ("macau-wars", 10, {"decks": 4, "jokers": 2}),
    ],
)
def test_one_card_of_stock_is_enough(name: str, seats: int, options: dict[str, object]) -> None:
    game = load(name, seats, options)
    assert game.opened(game.start(0).state, Card("9h")).state.stock_size >= 1


@pytest.mark.parametrize(
    ("name", "seats", "deck", "hand"),
    [
        ("crazy-eights", 2, 52, 7),
        ("crazy-eights", 5, 52, 5),
        ("crazy-eights", 6, 104, 5),
        ("two-four-jack", 3, 52, 12),
        ("two-four-jack", 4, 52, 10),
        ("two-four-jack", 5, 104, 10),
        ("mau-mau", 2, 32, 7),
        ("mau-mau", 5, 32, 5),
        ("mau-mau", 6, 64, 5),
    ],
)
def test_decks_and_hands_go_by_the_number_of_seats(name: str, seats: int, deck: int, hand: int) -> None:
    game = load(name, seats)
    assert len(game.deck) == deck
    assert game.start(0).state.hand_sizes == (hand,) * seats


def test_only_eights_turned_up_and_no_stock_left_leave_the_last_eight_on_top() -> None:
    table = sit("crazy-eights", [["5h", "3c"], ["9h", "3d"]], up="8c", stock=["8h"])
    assert (table["top"], table["suit"], table["turn"]) == ("8h", None, 0)
    table.plays(0, "5h")
