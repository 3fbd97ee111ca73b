"""Every table that `load` accepts can be played to its end, also by seats that nobody plays: all games, all options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.errors import BadOption
from protocol.games import LocalTable, load
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.games.game import AnyGame
from protocol.games.options import Option
from protocol.games.shedding import LONGEST, MOST_CARDS, PlayCards
from protocol.games.tichu.moves import CallTichu, Grand, PlayCombination

SHEDDING = tuple(name for name in BUILT_IN if name != "tichu")


def choices(option: Option) -> Sequence[object]:
    """All values of an option; of a large range the ends."""
    found: list[object] = list(option.values)
    if option.none and None not in found:
        found.append(None)
    if option.low is not None and option.high is not None:
        numbers = range(option.low, option.high + 1)
        found += numbers if len(numbers) <= 20 else (numbers[0], 1, numbers[-1])
    return found


@st.composite
def loaded(draw: st.DrawFn, names: Sequence[str] = tuple(BUILT_IN)) -> AnyGame:
    """A game with any options that are accepted, for any number of seats."""
    name = draw(st.sampled_from(list(names)))
    found = game_class(name)
    options = {key: draw(st.sampled_from(choices(option))) for key, option in found.OPTIONS.items()}
    while True:
        try:
            return load(name, draw(st.sampled_from(list(found.seat_counts))), options)
        except BadOption:
            options.pop(draw(st.sampled_from(sorted(options))))


def play_by_default(table: LocalTable, rng: Random, share: float) -> None:
    """Make one move: the default where a seat is awaited, or with the other share any move that is offered."""
    game, state = table.game, table.state
    if rng.random() < share:
        for seat in game.awaited(state):
            if (move := game.default(state, seat, table.hands[seat])) is not None:
                table.play(seat, move)
                return
    seat = rng.choice(table.to_act)
    offers = table.legal(seat)
    table.play(seat, offers[rng.randrange(len(offers))])


@pytest.mark.slow
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(loaded(), st.integers(0, 2**32), st.sampled_from([0.5, 0.9]))
def test_the_default_is_among_the_moves_offered_and_says_what_is_due(game: AnyGame, seed: int, share: float) -> None:
    rng = Random(seed)
    table = LocalTable(game, rng)
    for _ in range(60):
        if table.over:
            return
        for seat in range(game.seats):
            hand, state = table.hands[seat], table.state
            default = game.default(state, seat, hand)
            if default is None:
                assert seat not in game.awaited(state) or game.is_stalled(state)
                continue
            assert seat in game.awaited(state)
            game.check(state, seat, hand, default)
            assert default in table.legal(seat)
            assert not isinstance(default, CallTichu) and default != Grand(True)
            assert not (isinstance(default, PlayCombination) and default.wish)
            if isinstance(default, PlayCards):
                silent = PlayCards(default.cards, default.suit, default.rank, default.stands_for, default.next)
                said = PlayCards(silent.cards, silent.suit, silent.rank, silent.stands_for, silent.next, call=True)
                assert default.call == game.is_legal(state, seat, hand, said)
        play_by_default(table, rng, share)


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(loaded(), st.integers(0, 2**32))
def test_seats_that_nobody_plays_bring_every_round_to_its_end(game: AnyGame, seed: int) -> None:
    rng = Random(seed)
    table = LocalTable(game, rng)
    for _ in range(LONGEST * game.seats):
        play_by_default(table, rng, share=1)
        if table.last_round is not None:
            return
    raise AssertionError("the round does not end")


def decks_and_hands(name: str) -> Sequence[tuple[int, Mapping[str, Any]]]:
    """All seats with all options on which it depends whether the cards suffice."""
    found = game_class(name)
    keys = [key for key in ("decks", "hand", "jokers") if key in found.OPTIONS]
    return [
        (seats, dict(zip(keys, values, strict=True)))
        for seats in found.seat_counts
        for values in product(*(choices(found.OPTIONS[key]) for key in keys))
    ]


@pytest.mark.parametrize("name", SHEDDING)
def test_no_deck_is_too_large_or_too_small(name: str) -> None:
    accepted = 0
    for seats, options in decks_and_hands(name):
        try:
            game = load(name, seats, options)
        except BadOption:
            continue
        accepted += 1
        assert len(game.deck) <= MOST_CARDS
        assert game.start(0).state.stock_size >= 2
    assert accepted


@pytest.mark.soak
@pytest.mark.parametrize("name", SHEDDING)
def test_every_deck_and_hand_is_played_out(name: str) -> None:
    for seats, options in decks_and_hands(name):
        try:
            game = load(name, seats, options)
        except BadOption:
            continue
        rng = Random(seats)
        table = LocalTable(game, rng)
        for _ in range(LONGEST * seats):
            play_by_default(table, rng, share=0.8)
            if table.last_round is not None:
                break
        assert table.last_round is not None, (seats, options)
