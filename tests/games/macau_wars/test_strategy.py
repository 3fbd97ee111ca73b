"""The bot: legal, quick, attentive, and stronger than players who do not think."""

from __future__ import annotations

import time
from random import Random

import pytest

from protocol.cards import JOKER, PACK_52
from protocol.games import LocalTable
from protocol.games.game import NORMAL, STRONG
from protocol.games.macau_wars import MacauWars
from protocol.games.shedding import CALL, PASS, Move, PlayCards
from tests.games.macau_wars.sitting import Player, Sitting, cards
from tests.strength import GreedyPlayer, RandomPlayer, measure

STOCK = "5c 5d 5h 5s 6c 6d 6h 6s 7c 7d 7h 7s 8c 8d 8h 8s 9c 9d 9h 9s"


def choice(table: Sitting, player: Player, level: str = NORMAL) -> Move | None:
    hand = table.dealer.hands[player.seat]
    return table.game.strategy(level).choose(table.state, player.seat, hand, Random(1))


def test_it_says_macau() -> None:
    table = Sitting("7h", ["9h 2c", "8h Tc"], STOCK)
    assert choice(table, table.players[0]) == PlayCards(cards("9h"), call=True)


def test_it_says_macau_late_where_somebody_forgot() -> None:
    table = Sitting("7h", ["9h 2c", "8h Tc"], STOCK)
    anna, _ = table.players
    anna.plays("9h")
    assert choice(table, anna) == CALL


def test_it_keeps_its_fours_for_the_last_call() -> None:
    table = Sitting("7h", ["4h Ts Tc Td", "4s 9s 9c"], STOCK)
    anna, ben = table.players
    anna.plays("4h")
    assert choice(table, ben) == PASS
    ben.passes()
    assert choice(table, ben) == PlayCards(cards("4s"))


@pytest.mark.parametrize(("hand", "answer"), [("4s Tc Kd 9c 8d 7c 6s 5d", "4s"), ("Jk 9c 8d", "Jk")])
def test_the_strong_one_leaves_nobody_turns_alone_if_it_can(hand: str, answer: str) -> None:
    table = Sitting("7h", ["4h Ts", hand], STOCK)
    anna, ben = table.players
    anna.plays("4h", says=True)
    assert choice(table, ben, STRONG) == PASS
    ben.passes()
    found = choice(table, ben, STRONG)
    assert isinstance(found, PlayCards) and found.cards == cards(answer)


def test_it_answers_a_war_and_goes_out_if_it_can() -> None:
    table = Sitting("7h", ["2h 3s 3c", "9c Qh 8c", "Td 6h 6s"], STOCK)
    anna, ben, _ = table.players
    anna.plays("2h")
    assert choice(table, ben) == PlayCards(cards("Qh"))
    table = Sitting("7h", ["8s 8c 8h", "9c Qh 8c"], STOCK)
    assert choice(table, table.players[0]) in (PlayCards(cards("8h 8s 8c")), PlayCards(cards("8h 8c 8s")))


def test_out_of_turn_it_is_silent() -> None:
    table = Sitting("7h", ["9h 2c 5s", "8h Tc"], STOCK)
    assert choice(table, table.players[1]) is None


@pytest.mark.parametrize(
    "options", [{}, {"jack_call": "round", "mode": "championship"}, {"play_drawn": False, "jokers": 4}]
)
def test_every_choice_is_legal_and_offered(options: dict[str, object]) -> None:
    for seats, level in ((2, STRONG), (3, NORMAL), (5, NORMAL), (5, STRONG)):
        game = MacauWars(seats, {**options, "target": 0})
        table, rng, bot = LocalTable(game, Random(seats)), Random(8), game.strategy(level)
        while not table.over:
            seat = table.to_act[0]
            hand = table.hands[seat]
            move = bot.choose(table.state, seat, hand, rng)
            assert move is not None
            assert game.is_legal(table.state, seat, hand, move)
            assert move in table.legal(seat)
            table.play(seat, move)


def test_it_decides_quickly_also_with_a_long_hand_full_of_jokers() -> None:
    game = MacauWars(6, {"jokers": 4, "decks": 2, "hand": 1})
    hand = [*PACK_52, *PACK_52, *[JOKER] * 8]
    state = game.opened(game.start_with(0, None, [len(hand)] * 6, 2).state, cards("7h")[0]).state
    bot = game.strategy()
    begun = time.process_time()
    assert bot.choose(state, 5, hand, Random(1)) is not None
    assert time.process_time() - begun < 10, "all ways to lay such a hand would take hours"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "mode"),
    [
        (2, "last-standing"),
        pytest.param(4, "last-standing", marks=pytest.mark.soak),
        (4, "championship"),
    ],
)
def test_it_beats_players_who_do_not_think(seats: int, mode: str) -> None:
    game = MacauWars(seats, {"mode": mode, "target": 0})
    for other, matches in ((GreedyPlayer, 150), (RandomPlayer, 30)):
        result = measure(game, lambda game: game.strategy(), other, matches, seed=3)
        assert result.share - result.interval > result.fair
