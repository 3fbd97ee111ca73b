"""What holds in every position of Crazy Eights, Two-Four-Jack and Mau-Mau, whatever the options and the seats."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import FrozenInstanceError, replace
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.errors import BadMessage, IllegalMove
from protocol.games import LocalTable, load
from protocol.games.eights import Eights
from protocol.games.shedding import CARD_ORDER, Move, PlayCards
from tests.games.positions import GAMES, all_cards, all_moves, games, play_any, snapshot, tables

SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@SETTINGS
@given(tables())
def test_no_card_appears_or_vanishes(table: LocalTable) -> None:
    assert all_cards(table) == Counter(table.game.deck)
    assert table.state.hand_sizes == tuple(map(len, table.hands))
    assert table.state.stock_size == len(table.stock)


@pytest.mark.slow
@SETTINGS
@given(tables())
def test_every_offered_move_applies_and_no_other_has_another_effect(table: LocalTable) -> None:
    game, state = table.game, table.state
    for seat in range(game.seats):
        hand = table.hands[seat]
        offered = game.legal(state, seat, hand)
        effects = [game.apply(state, seat, move) for move in offered]
        assert len(set(offered)) == len(offered)
        for number, effect in enumerate(effects):  # one of each class
            assert all((effect, _card(offered[number])) != (effects[i], _card(offered[i])) for i in range(number))
        for move in all_moves(game):  # type: ignore[arg-type]  # the tables here are of these games
            if move in offered:
                assert game.is_legal(state, seat, hand, move)
            elif game.is_legal(state, seat, hand, move):
                assert any(
                    _card(move) == _card(other) and game.apply(state, seat, move) == effect
                    for other, effect in zip(offered, effects, strict=True)
                ), f"{move} is accepted and not offered"


def _card(move: Move) -> object:
    return move.cards if isinstance(move, PlayCards) else type(move)


@SETTINGS
@given(tables())
def test_a_move_changes_no_state_but_makes_another_one_that_cannot_be_changed(table: LocalTable) -> None:
    state = table.state
    fields = dict(vars(state))
    for seat in table.to_act:
        for move in table.legal(seat):
            after, _demands = table.game.follow(state, seat, move)
            assert vars(state) == fields
            assert type(after) is type(state)
            assert list(vars(after)) == list(fields)
            assert after == replace(after) != state
            with pytest.raises(FrozenInstanceError):
                after.turn = 0
            with pytest.raises(FrozenInstanceError):
                del after.turn


@pytest.mark.slow
@SETTINGS
@given(tables())
def test_a_refused_move_changes_nothing(table: LocalTable) -> None:
    before = snapshot(table)
    for seat in range(table.game.seats):
        for move in all_moves(table.game):  # type: ignore[arg-type]  # the tables here are of these games
            if not table.game.is_legal(table.state, seat, table.hands[seat], move):
                with pytest.raises(IllegalMove):
                    table.play(seat, move)
    assert snapshot(table) == before


@pytest.mark.slow
@SETTINGS
@given(tables(), st.randoms(use_true_random=False))
def test_what_a_seat_sees_does_not_depend_on_hidden_cards(table: LocalTable, rng: Random) -> None:
    if table.over:
        return
    for seat in range(table.game.seats):
        own = table.hands[seat]
        hidden = [card for other, hand in enumerate(table.hands) for card in hand if other != seat] + list(table.stock)
        rng.shuffle(hidden)
        cards = iter(hidden)
        hands = [own if other == seat else [next(cards) for _ in hand] for other, hand in enumerate(table.hands)]
        imagined = LocalTable.resume(table.game, rng, table.state, hands, list(cards))
        assert imagined.view(seat) == table.view(seat)
        assert imagined.view() == table.view()
        assert list(imagined.legal(seat)) == list(table.legal(seat))
        assert imagined.game.strategy().choose(imagined.state, seat, own, Random(1)) == table.game.strategy().choose(
            table.state, seat, own, Random(1)
        )


@SETTINGS
@given(tables())
def test_a_seat_sees_its_own_hand_alone(table: LocalTable) -> None:
    if not table.over:
        for seat in range(table.game.seats):
            assert table.view(seat)["hands"] == {str(seat): list(table.hands[seat])}
        assert table.view()["hands"] == {}


@SETTINGS
@given(tables())
def test_the_default_is_among_the_offers_where_a_seat_is_awaited(table: LocalTable) -> None:
    game, state = table.game, table.state
    for seat in range(game.seats):
        default = game.default(state, seat, table.hands[seat])
        if seat in game.awaited(state):
            assert default is not None
            game.check(state, seat, table.hands[seat], default)
            assert default in game.legal(state, seat, table.hands[seat])
        else:
            assert default is None


@SETTINGS
@given(tables())
def test_the_bots_move_is_legal(table: LocalTable) -> None:
    game, state = table.game, table.state
    bot = game.strategy()
    for seat in range(game.seats):
        move = bot.choose(state, seat, table.hands[seat], Random(3))
        if move is not None:
            game.check(state, seat, table.hands[seat], move)
        assert (move is None) == (seat not in table.to_act)


@SETTINGS
@given(tables())
def test_moves_are_the_same_after_encoding_and_decoding(table: LocalTable) -> None:
    game = table.game
    for seat in table.to_act:
        for move in table.legal(seat):
            data = json.loads(json.dumps(game.encode(move)))
            assert game.decode(data) == move
            assert game.encode(game.decode(data)) == data


@pytest.mark.slow
@SETTINGS
@given(games(), st.integers(0, 2**32), st.integers(0, 200))
def test_the_same_log_gives_the_same_states(game: Eights, seed: int, count: int) -> None:
    first, second = LocalTable(game, Random(seed)), LocalTable(game, Random(seed))
    rng = Random(seed)
    for _ in range(count):
        if first.over:
            break
        seat, move = play_any(first, rng)
        second.play(seat, game.encode(move))
        assert hash(first.state) == hash(second.state)
        assert snapshot(first) == snapshot(second)


@SETTINGS
@given(tables())
def test_a_view_is_plain_data(table: LocalTable) -> None:
    for seat in (None, *range(table.game.seats)):
        assert json.loads(json.dumps(table.view(seat))) == table.view(seat)


@SETTINGS
@given(tables(), st.randoms(use_true_random=False))
def test_offers_and_default_do_not_depend_on_how_a_hand_is_sorted(table: LocalTable, rng: Random) -> None:
    game, state = table.game, table.state
    for seat in range(game.seats):
        hand = list(table.hands[seat])
        rng.shuffle(hand)
        offered = list(game.legal(state, seat, hand))
        assert offered == list(table.legal(seat))
        assert game.default(state, seat, hand) == game.default(state, seat, table.hands[seat])
        places = [CARD_ORDER[move.cards[0]] for move in offered if isinstance(move, PlayCards)]
        assert places == sorted(places)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8) | st.sampled_from(["8h", "s", "J"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
KEYS = st.sampled_from(["do", "cards", "suit", "rank", "as", "next", "call", "to"])
KINDS = st.sampled_from(["play", "draw", "pass", "call", "show"])


@pytest.mark.slow
@SETTINGS
@given(st.sampled_from(GAMES), st.dictionaries(KEYS, JSON | KINDS | st.just(["8h"]), max_size=6), KINDS | JSON)
def test_any_object_is_a_move_or_refused(name: str, data: dict[str, object], kind: object) -> None:
    game = load(name, 3)
    try:
        move = game.decode({**data, "do": kind})
    except BadMessage:
        return
    assert {**game.encode(move), **data, "do": kind} == game.encode(move)


@SETTINGS
@given(games(target=0), st.integers(0, 2**32))
def test_a_match_between_bots_ends(game: Eights, seed: int) -> None:
    table, rng, bot = LocalTable(game, Random(seed)), Random(seed), game.strategy()
    for _ in range(20_000):
        if table.over:
            break
        if table.is_stalled:
            table.break_off()
        seat = table.to_act[0]
        table.play(seat, bot.choose(table.state, seat, table.hands[seat], rng))
    assert table.over


@SETTINGS
@given(games(("crazy-eights", "mau-mau"), recycle=False, target=0), st.integers(0, 2**32))
def test_without_recycling_a_round_is_bounded(game: Eights, seed: int) -> None:
    """Every card is drawn and played once at most; between two of those, every seat passes once at most."""
    table, rng = LocalTable(game, Random(seed)), Random(seed)
    cards = len(game.deck)
    for _ in range(2 * cards * (game.seats + 2)):
        if table.over:
            break
        play_any(table, rng)
    assert table.over
    assert table.last_round is not None
    assert sum(table.last_round.view["hand_sizes"]) == sum(map(len, table.hands))


@pytest.mark.sample
@pytest.mark.parametrize("rounds", [60, pytest.param(2000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", GAMES)
def test_many_random_rounds(name: str, rounds: int) -> None:
    """Random players of a game whose pile is recycled may go on for thousands of moves, so each round has a bound."""
    finished = 0
    for seed in range(rounds):
        rng = Random(seed)
        game = load(name, 2 + seed % 9, {"target": 0})
        table = LocalTable(game, rng)
        for _ in range(1500):
            if table.over:
                finished += 1
                break
            play_any(table, rng)
        assert all_cards(table) == Counter(game.deck)
    assert finished >= rounds / 4
