"""Makes games, positions and moves for property tests of the shedding games with one card a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from hypothesis import strategies as st

from protocol.cards import SUITS, Card
from protocol.errors import BadOption
from protocol.games import LocalTable, load
from protocol.games.eights import Eights
from protocol.games.game import Option
from protocol.games.shedding import CALL, DRAW, PASS, Move, PlayCards

GAMES = ("crazy-eights", "two-four-jack", "mau-mau")


def values(option: Option) -> st.SearchStrategy[object]:
    """What an option may be."""
    choices: list[st.SearchStrategy[object]] = [st.sampled_from(option.values)] if option.values else []
    if option.none:
        choices.append(st.none())
    if option.low is not None and option.high is not None:
        choices.append(st.integers(option.low, min(option.high, 15)))
    return st.one_of(choices)


@st.composite
def games(draw: st.DrawFn, /, names: Sequence[str] = GAMES, **fixed: object) -> Eights:
    """A game with any options that can be played, for any number of seats."""
    name = draw(st.sampled_from(names))
    declared = load(name, 4).OPTIONS
    chosen = draw(st.fixed_dictionaries({}, optional={key: values(option) for key, option in declared.items()}))
    seats = 4 if chosen.get("teams") else draw(st.integers(2, 10))
    options = {**chosen, **fixed}
    while True:
        try:
            game = load(name, seats, options)
        except BadOption:  # cannot be played: take the option that is to blame, or one of those, back
            options.pop(next(key for key in ("hand", "decks", "reverse", "skip", "again") if key in options))
        else:
            assert isinstance(game, Eights)
            return game


@st.composite
def tables(draw: st.DrawFn, /, names: Sequence[str] = GAMES, **fixed: object) -> LocalTable:
    """A table somewhere in a match, after so many random moves."""
    game = draw(games(names, **fixed))
    table = LocalTable(game, Random(draw(st.integers(0, 2**32))))
    rng = Random(draw(st.integers(0, 2**32)))
    for _ in range(draw(st.integers(0, 120))):
        if table.over:
            break
        play_any(table, rng)
    return table


def play_any(table: LocalTable, rng: Random) -> tuple[int, Move]:
    """Any legal move of any seat that has one; the move as it was."""
    seat = rng.choice(table.to_act)
    move: Move = rng.choice(table.legal(seat))
    table.play(seat, move)
    return seat, move


def all_moves(game: Eights) -> Iterator[Move]:
    """Every move that could be meant, legal or not."""
    for card in sorted(set(game.deck)):
        for suit in (None, *SUITS):
            for call in (False, True):
                yield PlayCards((card,), suit=suit, call=call)
    yield from (DRAW, PASS, CALL)


def all_cards(table: LocalTable) -> Counter[Card]:
    """Where all cards are: in the hands, in the stock, on the pile."""
    return Counter([*(card for hand in table.hands for card in hand), *table.stock, *table.state.pile])


def snapshot(table: LocalTable) -> tuple[Any, ...]:
    """All that a move could change."""
    return (table.state, table.hands, table.stock, table.over, table.rounds, table.last_round)
