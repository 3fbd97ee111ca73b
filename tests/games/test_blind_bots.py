"""A bot goes by what its seat may know: it is given nothing else, and keeps nothing for another seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from random import Random
from typing import Any

import pytest

from protocol.cards import ALL_FACES
from protocol.games import LocalTable
from protocol.games.catalogue import BUILT_IN
from protocol.games.game import LEVELS, NORMAL, AnyGame
from protocol.games.memory import Memory, choose
from protocol.games.tichu.moves import Give
from tests.duplicates import one_round
from tests.strength import after

NAMED = ("stands", "stands_for")
"""What a joker stands for is said, and is no card that anybody has seen."""
SAMPLE = 7
"""Every so many moves all levels are asked."""
MOST_ASKED = 4


def cards_in(value: object) -> Iterator[str]:
    """Yield every card that can be reached from a value."""
    if isinstance(value, str):
        if value in ALL_FACES:
            yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield from cards_in(key)
            yield from cards_in(each)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for each in value:
            yield from cards_in(each)
    elif is_dataclass(value):
        for each in fields(value):
            if each.name not in NAMED:
                yield from cards_in(getattr(value, each.name))


def rounds_moves(game: AnyGame, seed: int) -> Iterator[tuple[LocalTable, list[Memory], int]]:
    """Play a round with normal bots, and yield the table, what each seat remembers, and who is asked, before each move."""
    table, rng, bot = LocalTable(game, Random(seed)), Random(seed), game.strategy(NORMAL)
    memories = [Memory(seat) for seat in range(game.seats)]
    while not table.over:
        state, move = table.state, None
        for seat in table.to_act:
            yield table, memories, seat
            if (move := choose(bot, memories[seat], state, table.hands[seat], rng)) is not None:
                break
        else:
            seat = game.awaited(state)[0]
            move = game.default(state, seat, table.hands[seat])
        memories = after(game, memories, state, seat, move)
        table.play(seat, move)


@pytest.mark.parametrize("name", BUILT_IN)
def test_a_bot_is_given_no_card_that_its_seat_has_not_seen(name: str) -> None:
    game = one_round(name, 4)
    seen: list[set[str]] = [set() for _ in range(game.seats)]
    gifts = 0
    for table, memories, seat in rounds_moves(game, 1):
        for each, hand in enumerate(table.hands):
            seen[each].update(hand)
        laid_open = {*cards_in(game.public_view(table.state)), *table.state.pile}
        for each in range(game.seats):
            seen[each].update(laid_open)
        assert {*cards_in(table.state), *cards_in(memories[seat].moves)} <= seen[seat]
        gifts += sum(isinstance(made.move, Give) for made in memories[seat].moves)
    assert (gifts > 0) == (name == "tichu")


@pytest.mark.sample
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", BUILT_IN)
def test_a_bot_that_has_played_all_seats_plays_like_a_new_one(name: str, level: str) -> None:
    """It chooses the same move where it knows and draws the same, whatever it was asked before for seats with other hands."""
    game = one_round(name, 4)
    used: Any = game.strategy(level)
    asked = 0
    for number, (table, memories, seat) in enumerate(rounds_moves(game, 2)):
        if number % SAMPLE or asked == MOST_ASKED:
            continue
        asked += 1
        for other in range(game.seats):
            if other != seat:
                used.choose(table.state, other, table.hands[other], Random(0))
        moves = [
            choose(bot, memories[seat], table.state, table.hands[seat], Random(number))
            for bot in (used, one_round(name, 4).strategy(level))
        ]
        assert moves[0] == moves[1]
    assert asked == MOST_ASKED
