"""The levels of the bots: what each game offers, and that every level plays by the rules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from protocol.cards import MAH_JONG, PACK_TICHU, Card
from protocol.games import load
from protocol.games.catalogue import BUILT_IN
from protocol.games.game import EASY, LEVELS, NORMAL, STRONG, AnyGame, Strategy
from protocol.games.local import LocalTable
from protocol.games.tichu.game import Tichu
from protocol.games.tichu.imagining import dealt
from protocol.games.tichu.knowledge import NOTHING
from protocol.games.tichu.moves import Move, Pass, PlayCombination
from protocol.games.tichu.search import Searcher
from protocol.values import replace
from tests.strength import PLAYERS, measure, play_match

SHORT: dict[str, dict[str, object]] = {"tichu": {"target": 0}}


def short(name: str) -> AnyGame:
    return load(name, 4, SHORT.get(name, {}))


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_game_has_levels_in_order(name: str) -> None:
    levels = short(name).levels
    assert EASY in levels
    assert NORMAL in levels
    assert list(levels) == [level for level in LEVELS if level in levels]


@pytest.mark.parametrize("name", BUILT_IN)
def test_easy_bots_play_a_match_by_the_rules(name: str) -> None:
    """The table refuses what is not allowed."""
    game = short(name)
    assert play_match(game, [game.strategy(EASY)] * 4, Random(3)).over


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_level_that_a_game_does_not_have_is_the_normal_one(name: str) -> None:
    game = short(name)
    assert type(game.strategy("no such")) is type(game.strategy(NORMAL)) is type(game.strategy())


@pytest.mark.slow
def test_normal_bots_beat_easy_ones() -> None:
    result = measure(load("crazy-eights", 2, {}), PLAYERS[NORMAL], PLAYERS[EASY], 60, 5)
    assert result.share - result.interval > result.fair


# --- Tichu's search ---


def after_exchange(seed: int) -> LocalTable:
    """A table of Tichu where the first lead is due."""
    game = Tichu(4, {"target": 0})
    table, bot = LocalTable(game, Random(seed)), game.strategy()
    while table.state.phase != "play":
        step(table, [bot] * 4, Random(0))
    return table


def step(table: LocalTable, players: Sequence[Strategy], rng: Random) -> None:
    """Make the next move: the first seat that wants to."""
    state = table.state
    for seat in table.to_act:
        move = players[seat].choose(state, seat, table.hands[seat], rng)
        if move is not None:
            table.play(seat, move)
            return
    seat = table.game.awaited(state)[0]
    table.play(seat, table.game.default(state, seat, table.hands[seat]))


@pytest.mark.parametrize("seed", range(5))
def test_imagined_hands_fit_what_is_known(seed: int) -> None:
    table = after_exchange(seed)
    state = table.state
    leader = state.mah_jong
    for seat in range(4):
        own = table.hands[seat]
        hands = dealt(state, seat, own, NOTHING, Random(seed))
        assert tuple(hands[seat]) == own
        assert sorted(card for hand in hands for card in hand) == sorted(PACK_TICHU)
        assert tuple(map(len, hands)) == state.hand_sizes
        assert MAH_JONG in hands[leader]


def test_imagined_hands_hold_no_card_that_was_played() -> None:
    game = Tichu(4, {"target": 0})
    hands = [[Card("2j")], [Card("3j")], [Card("4j")], []]
    played = tuple(card for card in PACK_TICHU if card not in ("2j", "3j", "4j"))
    state = replace(game.lead_state(0, hands, ()), played=played)
    found = dealt(state, 0, hands[0], NOTHING, Random(1))
    assert {found[1][0], found[2][0]} == {"3j", "4j"}
    assert found[3] == []


class Passer:
    """Passes if it may, else plays its lowest card: the worst player to search with."""

    def __init__(self, game: AnyGame) -> None:
        self._game = game

    def choose(self, state: Any, seat: int, hand: Sequence[Card], rng: Random) -> Any | None:
        if seat not in self._game.awaited(state):
            return None
        if self._game.is_legal(state, seat, hand, Pass()):
            return Pass()
        return self._game.default(state, seat, hand)

    def ranked(self, state: Any, seat: int, hand: Sequence[Card]) -> list[Move]:
        return [PlayCombination((card,)) for card in hand]

    def calls(self, state: Any, seat: int, hand: Sequence[Card]) -> bool:
        return False


def test_the_search_leaves_a_bad_habit_when_another_move_wins() -> None:
    """Seat 0 can go out over the ten, which ends the round for its team; passing lets the opponents go out first."""
    game = Tichu(4, {"target": 0})
    hands = [[Card("Aj")], [Card("Ts"), Card("3s")], [Card("2p")], [Card("4k"), Card("5k")]]
    left = {card for hand in hands for card in hand}
    state = replace(
        game.lead_state(3, hands, ()), played=tuple(card for card in PACK_TICHU if card not in left), turn=1
    )
    table = LocalTable.resume(game, Random(0), state, hands, ())
    table.play(1, PlayCombination((Card("Ts"),)))
    table.play(2, Pass())
    table.play(3, Pass())
    state = table.state
    passer = Passer(game)

    assert passer.choose(state, 0, hands[0], Random(0)) == Pass()
    assert Searcher(game, False, base=passer).choose(state, 0, hands[0], Random(0)) == PlayCombination((Card("Aj"),))


@pytest.mark.slow
def test_the_strong_bot_plays_a_round_by_the_rules() -> None:
    game = Tichu(4, {"target": 0})
    strong = game.strategy(STRONG)
    assert isinstance(strong, Searcher)
    table = after_exchange(2)
    rng = Random(1)
    while not table.over:
        # at every sixth count of cards: more would take long, and all are chosen the same way
        bot = strong if sum(table.state.hand_sizes) % 6 == 0 else game.strategy()
        step(table, [bot] * 4, rng)
    assert table.over
