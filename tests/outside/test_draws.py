"""Cards that come into hands in a game of which the client has never heard: drawn by everyone, or due as a penalty."""

from __future__ import annotations

from random import Random

import pytest

from cli.games.base.middle import middle_of
from cli.games.base.narrator import Narrator
from cli.games.registry import face_of
from cli.text import load_translator
from protocol.games import LocalTable, load
from protocol.games.views import Pile, PublicView, Stock, Trick
from protocol.values import replace
from tests.cli.screen.stage import Stage
from tests.cli.tables import NAMES, cards

PLAY = {"do": "play", "cards": ["4h"]}


def heard(whisk: str, seat: int | None = 0) -> tuple[Narrator, PublicView]:
    table = LocalTable(load(whisk, 3), Random(3), dealer=2)
    return face_of(table.game).narrator(load_translator("en"), NAMES[:3], seat), table.public_view(0)


def holding(view: PublicView, sizes: tuple[int, ...], mine: str = "", **parts: object) -> PublicView:
    seats = tuple(replace(view.seats[0], hand_size=size, hand=None) for size in sizes)
    return replace(view, seats=seats, **parts).with_hands({0: cards(mine)} if mine else {})  # type: ignore[arg-type]


def test_what_everyone_draws_is_told_once(whisk: str) -> None:
    narrator, view = heard(whisk)
    # Seat 1 played the last card of the trick and drew one, as everyone did.
    before, after = holding(view, (3, 3, 3), "2c 3c 4c"), holding(view, (4, 3, 4), "2c 3c 4c 9d")
    told = narrator.moved(1, PLAY, before, after)
    assert "Everyone drew one card." in told and "You drew nine of diamonds." in told
    assert not any("penalty" in each for each in told)


def test_a_watcher_hears_it_too(whisk: str) -> None:
    narrator, view = heard(whisk, None)
    told = narrator.moved(1, PLAY, holding(view, (3, 3, 3)), holding(view, (5, 4, 5)))
    assert "Everyone drew 2 cards." in told


def test_a_card_for_some_is_told_of_each(whisk: str) -> None:
    narrator, view = heard(whisk)
    told = narrator.moved(1, PLAY, holding(view, (3, 3, 3)), holding(view, (4, 2, 3)))
    assert "You drew one card." in told and not any("penalty" in each for each in told)


def test_cards_that_were_due_are_a_penalty(whisk: str) -> None:
    narrator, view = heard(whisk)
    due = replace(holding(view, (3, 3, 3)), pile=Pile(cards=cards("9s"), due=2))
    assert f"{NAMES[2]} drew 2 penalty cards." in narrator.moved(1, PLAY, due, holding(view, (3, 2, 5)))


@pytest.mark.parametrize("with_pile", [False, True])
def test_a_card_that_lies_open_at_the_stock_is_named_as_such(
    whisk: str, with_pile: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, table = load(whisk, 3), LocalTable(load(whisk, 3), Random(3), dealer=2)
    pile = Pile(cards=cards("9s")) if with_pile else None
    usual, stock = game.public_view, Stock(size=7, open=cards("2h"))
    monkeypatch.setattr(
        type(game),
        "public_view",
        lambda _game, state: replace(usual(state), trick=None if pile else Trick(), pile=pile, stock=stock),
    )
    facts = middle_of(Stage(table).parts.at)[2]
    assert facts is not None
    lines = ["".join(text for text, _ink in line) for line in facts.lines]
    assert any("Turned up: 2♥." in line for line in lines)
    assert any("7 cards left" in line for line in lines) == (not with_pile)
