"""What can be seen of a round: the five games' views, and what a client gets from a game that gives little or nonsense."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.cards import Card, Seat
from protocol.games import LocalTable, load
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.games.game import Data, Game
from protocol.games.labels import Plural
from protocol.games.macau_wars.view import MacauView
from protocol.games.mau_mau import MauMau
from protocol.games.options import fits
from protocol.games.playthrough_file import EXPECT_KEYS, MOVE_KEYS
from protocol.games.shedding import SheddingState, SheddingView
from protocol.games.tichu.view import TichuView
from protocol.games.views import PublicView, move_view_of, view_of

KINDS: dict[str, type[PublicView]] = {
    "crazy-eights": SheddingView,
    "two-four-jack": SheddingView,
    "mau-mau": SheddingView,
    "macau-wars": MacauView,
    "tichu": TichuView,
}


KEYS = sorted({*EXPECT_KEYS, *MOVE_KEYS, "owner", "leader", "trump"})


def tables(name: str, seed: int, moves: int) -> Any:
    """A table at each of many moments of random play."""
    rng = Random(seed)
    table = LocalTable(load(name, 4), rng)
    for _ in range(moves):
        if table.over:
            return
        yield table
        seat = rng.choice(table.to_act)
        table.play(seat, rng.choice(table.legal(seat)))


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_the_view_is_the_data_typed(name: str) -> None:
    for table in tables(name, 3, 300):
        view, data = table.public_view(1), table.view(1)
        assert type(view) is KINDS[name]
        assert view.data() == data
        assert view.hand(1) == table.hands[1]
        assert [seat.hand for seat in view.seats].count(None) == 3
        assert view.hand_sizes == tuple(map(len, table.hands))


@pytest.mark.parametrize("name", sorted(set(BUILT_IN) - {"tichu"}))
def test_stock_and_pile(name: str) -> None:
    for table in tables(name, 5, 200):
        view = table.public_view()
        assert view.stock.size == len(table.stock)
        assert len(view.pile.cards) + len(table.stock) + sum(view.hand_sizes) == len(table.game.deck)


def test_tichus_trick_names_what_is_to_be_beaten_and_whose_it_is() -> None:
    seen = set()
    for table in tables("tichu", 2, 400):
        view, state = table.public_view(), table.state
        if view.trick.plays:
            [play] = view.trick.plays
            assert (play.seat, play.cards, view.trick.points) == (state.owner, state.top, view.pile_points)
            seen.add(play.combination)
        else:
            assert state.owner is None
    assert {"single", "pair"} <= seen


def test_calls_are_told_by_their_names() -> None:
    game = load("tichu", 4)
    table = LocalTable(game, Random(1))
    table.play(2, {"do": "grand", "call": True})
    assert table.public_view().seats[2].calls == ("Grand Tichu",)


# --- games that give little ---


class OnlyData(MauMau):
    """Gives plain data alone, with fewer keys than any client would like."""

    name = "only-data"
    public_view = Game.public_view  # type: ignore[assignment]  # as if it built on `Game` itself

    def view(self, state: SheddingState, seat: Seat | None = None, hand: Sequence[Card] | None = None) -> Data:
        return {"turn": state.turn, "hand_sizes": list(state.hand_sizes), "top": state.pile[-1], "table": "round"}


class Silent(MauMau):
    """Gives nothing at all."""

    name = "silent"
    public_view = Game.public_view  # type: ignore[assignment]  # as if it built on `Game` itself
    view = Game.view


def test_a_view_is_made_from_plain_data() -> None:
    table = LocalTable(OnlyData(3), Random(4), dealer=0)
    view = table.public_view(1)
    assert (view.turn, view.hand_sizes, view.hand(1)) == (1, (5, 5, 5), table.hands[1])
    assert view.pile is not None
    assert view.pile.top == table.state.pile[-1]
    assert (view.stock, view.trick, view.scores) == (None, None, ())


def test_a_game_that_shows_nothing_still_tells_how_it_stands() -> None:
    table = LocalTable(Silent(3), Random(4), dealer=0)
    view = table.public_view(1)
    assert (view.to_act, view.scores, view.round_over) == ((1,), (0, 0, 0), False)
    assert table.view(1)["to_act"] == [1]


def test_a_move_that_a_game_says_nothing_about_is_called_by_its_name() -> None:
    kind = Silent(3).move_kind("turn_over")
    assert (kind.label, kind.told) == ("turn over", "")


def test_a_move_is_read_without_its_choices_left_out() -> None:
    """Seat 0 is a choice, though it looks like nothing."""
    game = load("macau-wars", 3)
    view = game.move_view(game.decode({"do": "play", "cards": ["Qc"], "next": 0}))
    assert (view.do, view.cards, view.named) == ("play", ("Qc",), {"next": 0})
    assert move_view_of({"do": "give", "cards": 3}).count == 3


@pytest.mark.slow
@given(
    st.dictionaries(
        st.sampled_from(KEYS),
        st.recursive(
            st.none() | st.booleans() | st.integers(-3, 60) | st.floats() | st.text(max_size=3),
            lambda each: st.lists(each, max_size=4) | st.dictionaries(st.text(max_size=2), each, max_size=3),
            max_leaves=6,
        ),
    )
)
@settings(max_examples=100, deadline=None)
def test_any_data_is_read(data: dict[str, Any]) -> None:
    view = view_of(data)
    view.data()
    move_view_of(data)
    assert all(type(seat) is int for seat in (*view.out, *view.to_act, *view.scores))


# --- options ---


@pytest.mark.parametrize("name", sorted(BUILT_IN))
def test_options_have_labels_and_name_only_what_they_may_be(name: str) -> None:
    for option in game_class(name).OPTIONS.values():
        assert option.label
        assert all(fits(option, value) for value in option.names)
        numbers = option.low is not None or any(type(value) is int for value in option.values)
        assert numbers or option.unit is None


def test_a_value_is_called_by_its_own_name_or_its_unit() -> None:
    options = game_class("crazy-eights").OPTIONS
    assert options["target"].name_of(0) == "a single round"
    assert options["target"].name_of(100) == Plural("{n} point", "{n} points")
    assert options["teams"].name_of(False) == "none"
    assert options["teams"].name_of(0) != "none"
    assert options["skip"].name_of("Q") == "queens"
    assert options["recycle"].name_of(True) is None


def test_what_null_stands_for_depends_on_the_other_options() -> None:
    target = game_class("macau-wars").OPTIONS["target"]
    assert target.meant(None, {"mode": "championship"}) == 3
    assert target.meant(None, {"mode": "last-standing"}) == 0
    assert target.meant(7, {"mode": "championship"}) == 7
