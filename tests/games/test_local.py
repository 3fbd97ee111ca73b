"""The table with a trusted dealer, as the documentation shows it."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from protocol.cards import Card
from protocol.errors import BadMessage, IllegalMove
from protocol.games import LocalTable, load, local
from protocol.games.local import RandomDealer
from protocol.games.shedding import PASS, one_card
from protocol.values import replace


def whole_match(seed: int) -> LocalTable:
    table = LocalTable(load("crazy-eights", 3, {"target": 300}), Random(seed))
    while not table.over:
        seat = table.to_act[0]
        table.play(seat, table.legal(seat)[0])
    return table


def test_a_match_goes_on_round_by_round_until_it_is_over() -> None:
    table = whole_match(7)
    assert max(table.scores) >= 300
    assert table.rounds > 1
    assert table.to_act == ()
    assert table.legal(0) == ()
    assert table.view()["winner"] is not None
    assert set(table.view()["hands"]) == {"0", "1", "2"}


def test_the_same_seed_gives_the_same_match() -> None:
    assert whole_match(3).state == whole_match(3).state
    assert whole_match(3).state != whole_match(4).state


def test_cards_are_shuffled_as_python_does() -> None:
    """So that matches can be played again that were recorded before the table shuffled by itself."""
    for count in (0, 1, 2, 3, 31, 32, 33, 52, 104):
        order = [Card(f"{number}") for number in range(count)]
        ours, pythons = Random(count), Random(count)
        shuffled = RandomDealer(load("crazy-eights", 2), ours).shuffled(order)
        pythons.shuffle(order)
        assert shuffled == order
        assert ours.random() == pythons.random()


def test_the_next_round_starts_by_itself_and_the_last_one_can_be_looked_at() -> None:
    table = LocalTable(load("mau-mau", 2, {"target": 100_000}), Random(1), dealer=0)
    assert table.last_round is None
    while table.rounds == 1:
        seat = table.to_act[0]
        table.play(seat, table.legal(seat)[0])
    assert table.last_round is not None
    last = table.last_round.view
    assert last["round_over"]
    assert not last["match_over"]
    assert last["hands"] == {str(seat): list(hand) for seat, hand in enumerate(table.last_round.hands)}
    assert table.scores == tuple(last["scores"]) == tuple(last["round_points"])
    assert table.view()["dealer"] == 1
    assert not table.view()["round_over"]


def test_a_move_may_be_given_as_its_object() -> None:
    game = load("crazy-eights", 2)
    one, other = LocalTable(game, Random(5), dealer=0), LocalTable(game, Random(5), dealer=0)
    seat = one.to_act[0]
    move = one.legal(seat)[0]
    one.play(seat, move)
    other.play(seat, game.encode(move))
    assert one.state == other.state
    with pytest.raises(BadMessage):
        one.play(one.to_act[0], {"do": "fly"})


def test_a_table_can_be_set_up_in_any_position() -> None:
    game = load("crazy-eights", 2)
    start = LocalTable(game, Random(5), dealer=1).state
    hands = [[Card("5h")] * 7, [Card("6s")] * 7]
    table = LocalTable.resume(game, Random(1), start, hands, [Card("2c"), Card("3c")])
    assert table.hands[0] == tuple(hands[0])
    table.play(0, {"do": "draw"})
    assert table.hands[0][-1] == "2c"
    assert table.stock == ("3c",)


def test_only_a_stuck_round_can_be_broken_off_and_the_same_seat_deals_again() -> None:
    table = LocalTable(load("tichu", 4, {"grand": False}), Random(5), dealer=1)
    with pytest.raises(IllegalMove):
        table.break_off()
    table.state = replace(table.state, scores=(5, 7))
    for seat in range(4):
        table.play(seat, table.legal(seat)[0])
    assert table.is_stalled, "the Mah Jong is not shown"
    table.break_off()
    assert not table.is_stalled
    assert (table.state.dealer, table.scores, table.rounds) == (1, (5, 7), 2)


@pytest.mark.parametrize("seat", [-1, 2, 7])
def test_there_are_no_other_seats(seat: int) -> None:
    table = LocalTable(load("crazy-eights", 2), Random(5))
    before = table.state
    assert not table.legal(seat)
    with pytest.raises(IllegalMove):
        table.play(seat, PASS)
    assert table.state is before


@pytest.mark.parametrize("name", ["crazy-eights", "macau-wars"])
def test_an_offer_is_good_for_its_seat_and_moment_only(name: str) -> None:
    table = LocalTable(load(name, 2), Random(5), dealer=1)
    offered = [move for move in table.legal(0) if table.game.uses(move).played]
    assert offered and not table.legal(1)
    for move in offered:
        with pytest.raises(IllegalMove):
            table.play(1, move)
    table.play(0, offered[0])
    table.legal(0)
    before = (table.state, table.hands)
    with pytest.raises(IllegalMove):
        table.play(0, offered[0])
    assert (table.state, table.hands) == before


def test_a_card_of_another_hand_cannot_be_played() -> None:
    table = LocalTable(load("crazy-eights", 2), Random(5), dealer=1)
    for card in table.hands[1]:
        if card not in table.hands[0]:
            with pytest.raises(IllegalMove):
                table.play(0, one_card(card, "s" if card[0] == "8" else None))
    assert len(table.hands[1]) == 7


def test_importing_the_games_is_quick_as_it_looks_nowhere() -> None:
    """No look at the installation, and no game, before one is asked for."""
    code = (
        "import sys, protocol.games; "
        "print([m for m in sys.modules if m.startswith(('importlib.metadata', 'protocol.games.crazy', 'json'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_gift_names_its_cards() -> None:
    table = LocalTable(load("tichu", 4, {"grand": False}), Random(1))
    before = table.state
    with pytest.raises(IllegalMove, match="three different cards"):
        table.play(0, {"do": "give", "cards": 3})  # the form that all others see
    assert table.state == before
    for seat in range(4):
        table.play(seat, {"do": "give", "cards": list(table.hands[seat][:3])})
    assert table.state.phase == "show"


@pytest.mark.parametrize("name", ["crazy-eights", "two-four-jack", "mau-mau", "macau-wars", "tichu"])
def test_all_see_no_hand_and_each_seat_its_own(name: str) -> None:
    table = LocalTable(load(name, 4), Random(1))
    assert table.view()["hands"] == {}
    assert table.view(2)["hands"] == {"2": list(table.hands[2])}


def test_a_round_that_goes_in_circles_ends_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two seats with one forced draw and one forced play each would go on for ever; here every state counts as such."""
    monkeypatch.setattr(local, "MOST_STUCK_MOVES", 20)
    game = load("crazy-eights", 2)
    monkeypatch.setattr(type(game), "is_stalled", lambda game, state: True)
    table = LocalTable(game, Random(3))
    for _ in range(20):
        table.play(table.to_act[0], {"do": "draw"})
    assert sum(map(len, table.hands)) == 2 * 7 + 20
    table.play(table.to_act[0], {"do": "draw"})
    assert sum(map(len, table.hands)) == 2 * 7, "a new round is dealt"
    assert not table.over
