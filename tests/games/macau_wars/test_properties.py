"""What holds of every position: checked on random rounds, and by brute force where hands are small."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields
from itertools import permutations, product
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import JOKER, PACK_52, RANKS, SUITS, Card
from protocol.errors import BadMessage, BadOption, IllegalMove
from protocol.games.local import LocalTable
from protocol.games.macau_wars import MacauWars
from protocol.games.macau_wars.offers import MacauPlays, canonical
from protocol.games.macau_wars.state import MacauState, fits
from protocol.games.shedding import CALL, DRAW, PASS, Move, PlayCards
from tests.games.macau_wars.sitting import cards

OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "mode": st.sampled_from(["last-standing", "championship"]),
        "target": st.sampled_from([None, 0, 1, 4]),
        "jokers": st.integers(0, 4),
        "decks": st.sampled_from([None, 1, 2, 3]),
        "hand": st.integers(1, 10),
        "macau_penalty": st.integers(0, 10),
        "play_drawn": st.booleans(),
        "jack_call": st.sampled_from(["until-met", "round"]),
    },
)
ACTION_CARDS = cards("2c 2h 3d 3s 4c 4d 4h 4s Jd Jh As Ac Kh Ks Kd Qh Qd Qs Qc Jk Jk")
MOST_MOVES = 60_000


def a_game(seats: int, options: dict[str, object]) -> MacauWars:
    try:
        return MacauWars(seats, options)
    except BadOption:
        return MacauWars(seats, {**options, "hand": 1, "decks": 2})


def random_move(table: LocalTable, rng: Random) -> tuple[int, Move]:
    """A draw more often than its share, and the rest of the time any move offered."""
    seat = rng.choice(table.to_act)
    offers = table.legal(seat)
    return seat, offers[rng.randrange(len(offers))]


def random_position(rng: Random, options: dict[str, object], most: int) -> LocalTable:
    """A position with small hands rich in action cards, after some random moves."""
    seats = rng.randrange(2, 5)
    game = MacauWars(seats, options)
    pack = [*ACTION_CARDS, *rng.sample(PACK_52, 12)]
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(rng.randrange(1, most + 1))] for _ in range(seats)]
    state = game.start_with(0, None, [len(hand) for hand in hands], len(pack) + 1).state
    state = game.opened(state, Card("7h")).state
    table = LocalTable.resume(game, rng, state, hands, pack)
    for _ in range(rng.randrange(14)):
        before = LocalTable.resume(game, rng, table.state, table.hands, table.stock)
        table.play(*random_move(table, rng))
        if table.over or table.rounds > 1:
            return before
    return table


def every_move(game: MacauWars, seat: int, hand: tuple[Card, ...]) -> Iterator[Move]:
    """All that could be said with this hand: plays of up to three cards in every order, jokers as everything of the values
    in question, all names, with the word and without."""
    yield from (DRAW, PASS, CALL)
    names: list[tuple[str | None, str | None, int | None]] = [(None, None, None)]
    names += [(suit, None, None) for suit in SUITS]
    names += [(None, rank, None) for rank in RANKS]
    names += [(None, None, named) for named in range(game.seats)]
    for count in (1, 2, 3):
        for played in dict.fromkeys(permutations(hand, count)):
            values = {card[0] for card in played if card != JOKER}
            if len(values) > 1:
                continue
            values = values or set(RANKS)
            for value in sorted(values):
                meant = [Card(value + suit) for suit in SUITS]
                for stands_for in product(meant, repeat=played.count(JOKER)):
                    for suit, rank, named in names:
                        for call in (False, True):
                            yield PlayCards(played, suit, rank, stands_for, named, call)


def effect(game: MacauWars, state: MacauState, seat: int, move: Move) -> object:
    """What follows from a move, but for the order of the pile and what a hidden joker stood for."""
    outcome = game.apply(state, seat, move)
    after = outcome.state
    values = {field.name: getattr(after, field.name) for field in fields(after)}
    values["pile"] = (tuple(sorted(after.pile)), after.pile[-1])
    demands = [(type(demand).__name__, str(demand) if "faces" not in str(demand) else "") for demand in outcome.demands]
    return tuple(map(str, values.items())), tuple(demands)


@pytest.mark.slow
@settings(max_examples=50, deadline=None)
@given(
    st.integers(0, 2**32), st.sampled_from(["until-met", "round"]), st.sampled_from(["last-standing", "championship"])
)
def test_offers_and_rules_agree(seed: int, jack_call: str, mode: str) -> None:
    rng = Random(seed)
    table = random_position(rng, {"jack_call": jack_call, "mode": mode}, most=4)
    game, state = table.game, table.state
    assert isinstance(game, MacauWars)
    for seat in range(game.seats):
        hand = table.hands[seat]
        offers = game.legal(state, seat, hand)
        listed = list(offers)
        assert len(listed) == len(offers) == len(set(listed))
        assert [offers[i] for i in range(len(offers))] == listed
        assert all(game.is_legal(state, seat, hand, move) for move in listed)
        few = {move for move in listed if not isinstance(move, PlayCards) or len(move.cards) <= 3}
        offered_effects = {effect(game, state, seat, move) for move in listed}
        found = set()
        for move in every_move(game, seat, hand):
            if not game.is_legal(state, seat, hand, move):
                assert move not in offers
                with pytest.raises(IllegalMove):
                    game.check(state, seat, hand, move)
                continue
            assert effect(game, state, seat, move) in offered_effects
            found.add(canonical(state, seat, move) if isinstance(move, PlayCards) else move)
        assert found == few


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_equal_moves_have_equal_effect(seed: int) -> None:
    """A play and the one offered for it lead to the same state; the same is legal in public and with the hand."""
    rng = Random(seed)
    table = random_position(rng, {}, most=5)
    game, state = table.game, table.state
    assert isinstance(game, MacauWars)
    for seat in game.to_act(state):
        hand = table.hands[seat]
        for move in every_move(game, seat, hand):
            if isinstance(move, PlayCards) and len(move.cards) == 3 and game.is_legal(state, seat, hand, move):
                offered = canonical(state, seat, move)
                assert effect(game, state, seat, offered) == effect(game, state, seat, move)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(st.integers(2, 10), OPTIONS, st.integers(0, 2**32))
def test_random_matches_end_and_lose_no_card(seats: int, options: dict[str, object], seed: int) -> None:
    play_and_count(seats, options, seed)


@pytest.mark.soak
@settings(max_examples=200, deadline=None)
@given(st.integers(2, 10), OPTIONS, st.integers(0, 2**32))
def test_many_random_matches_end_and_lose_no_card(seats: int, options: dict[str, object], seed: int) -> None:
    play_and_count(seats, options, seed)


def play_and_count(seats: int, options: dict[str, object], seed: int) -> None:
    """A match of one round: cards are conserved, the default is legal whenever a seat is awaited, and it ends."""
    rng = Random(seed)
    game = a_game(seats, {**options, "target": 0})
    table = LocalTable(game, rng)
    assert isinstance(table.state, MacauState)
    pack = Counter(game.deck)
    for _ in range(MOST_MOVES):
        if table.over:
            break
        state: MacauState = table.state
        assert Counter([*state.pile, *table.stock, *(card for hand in table.hands for card in hand)]) == pack
        assert state.hand_sizes == tuple(len(hand) for hand in table.hands)
        assert state.stock_size == len(table.stock)
        seat = game.awaited(state)[0]
        hand = table.hands[seat]
        default = game.default(state, seat, hand)
        assert default is not None
        assert game.is_legal(state, seat, hand, default)
        assert default in table.legal(seat)
        offers = table.legal(seat)
        # mostly the default, so that long rounds come to an end
        move = default if rng.random() < 0.7 else offers[rng.randrange(len(offers))]
        table.play(seat, move)
    assert table.over
    points = table.last_round.view["round_points"] if table.last_round else None
    if not game.is_championship and table.state.ended == "out":
        assert sorted(points) == list(range(seats))  # type: ignore[arg-type]  # a round is over


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(2, 6), OPTIONS, st.integers(0, 2**32))
def test_states_are_plain_values_and_views_plain_data(seats: int, options: dict[str, object], seed: int) -> None:
    rng = Random(seed)
    table = LocalTable(a_game(seats, options), rng)
    for _ in range(80):
        if table.over:
            break
        game, state = table.game, table.state
        hash(state)
        for field in fields(state):
            value = getattr(state, field.name)
            assert value is None or type(value) in (int, str, bool, tuple)
        seat = game.awaited(state)[0]
        view = game.view(state, seat, table.hands[seat])
        assert json.loads(json.dumps(view)) == view
        assert view["hands"] == {str(seat): list(table.hands[seat])}
        for move in list(table.legal(seat))[:50]:
            assert game.decode(json.loads(json.dumps(game.encode(move)))) == move
        table.play(*random_move(table, rng))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 2**32))
def test_what_is_hidden_changes_nothing_that_is_seen(seed: int) -> None:
    """The same public moves on other hidden cards: the state is the same, and so are all views."""
    rng = Random(seed)
    table = random_position(rng, {}, most=5)
    seat = table.game.awaited(table.state)[0]
    hidden = [card for other in range(table.game.seats) if other != seat for card in table.hands[other]]
    hidden += table.stock
    rng.shuffle(hidden)
    hands = [list(hand) if other == seat else [hidden.pop() for _ in hand] for other, hand in enumerate(table.hands)]
    twin = LocalTable.resume(table.game, Random(seed), table.state, hands, hidden)
    move = table.game.strategy().choose(table.state, seat, table.hands[seat], Random(1))
    assert move == twin.game.strategy().choose(twin.state, seat, twin.hands[seat], Random(1))
    before = table.rounds
    table.play(seat, move)
    twin.play(seat, move)
    if table.rounds == before and not table.over:
        assert table.state == twin.state
        assert table.game.view(table.state) == twin.game.view(twin.state)


def test_the_same_randomness_gives_the_same_match() -> None:
    def match() -> list[Any]:
        table = LocalTable(MacauWars(4), Random(11))
        rng, states = Random(12), []
        while not table.over:
            table.play(*random_move(table, rng))
            states.append(table.state)
        return states

    assert match() == match()


@pytest.mark.slow
def test_a_hand_of_jokers_is_offered_without_making_all_its_plays() -> None:
    game = MacauWars(6, {"jokers": 4, "decks": 3, "hand": 1})
    hand = [JOKER] * 14 + [Card(rank + suit) for rank in "78" for suit in SUITS] * 4
    state = game.start_with(0, None, [len(hand)] * 6, 20).state
    state = game.opened(state, Card("7h")).state
    offers = game.legal(state, 5, hand)
    assert isinstance(offers, MacauPlays)
    assert bool(offers)
    assert len(offers) > 100_000
    for place in (0, 777, len(offers) // 2, len(offers) - 1):
        move = offers[place]
        assert game.is_legal(state, 5, hand, move)
        assert move in offers
    assert offers[-1] == DRAW


def test_every_upturned_joker_left_alone_lets_all_fit() -> None:
    game = MacauWars(2, {"decks": 1})
    state = game.start_with(0, None, [1, 1], 1).state
    state = game.opened(state, JOKER).state
    assert state.turn == 1
    assert all(fits(state, card) for card in PACK_52)


@pytest.mark.parametrize(
    "data",
    [
        {"do": "play"},
        {"do": "play", "cards": []},
        {"do": "play", "cards": ["1h"]},
        {"do": "play", "cards": ["7h"], "as": "7h"},
        {"do": "play", "cards": ["7h"], "next": 9},
        {"do": "play", "cards": ["7h"], "next": True},
        {"do": "play", "cards": ["7h"], "rank": "10"},
        {"do": "play", "cards": ["7h"], "wish": "8"},
        {"do": "draw", "cards": []},
        {"do": "collect"},
        {},
    ],
)
def test_what_is_no_move_is_refused(data: dict[str, Any]) -> None:
    with pytest.raises(BadMessage):
        MacauWars(3).decode(data)
