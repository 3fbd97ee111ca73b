"""Random reachable states under hostile names: nothing fails, nothing overflows, bright cards are the ones that can be played,
and every legal move can be made with keys alone and with clicks alone."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cli.clean import clean_name, width
from cli.games.base.replies import Query
from cli.terminal.canvas import Action
from cli.terminal.settings import TerminalSettings
from cli.text import languages
from cli.view.views import TableView
from protocol.games import LocalTable, load
from protocol.games.game import Data
from tests.cli.screen.stage import Stage

GAMES: dict[str, tuple[dict[str, object], ...]] = {
    "crazy-eights": (
        {},
        {"last_card": True, "again": "7", "skip": "Q", "reverse": "A", "draw": "one", "recycle": True},
    ),
    "two-four-jack": ({}, {"draw": "one"}),
    "mau-mau": ({}, {}),
    "macau-wars": ({}, {"mode": "championship", "jokers": 4}),
    "tichu": ({}, {}),
}
HOSTILE = st.text(
    alphabet=st.one_of(
        st.characters(), st.sampled_from("\x1b\u202e\u200b\ufe0f\u0301\u0489漢字한글🂡😀👨‍👩‍👧\u00a0\u2028[]{}%\"'\\")
    ),
    max_size=40,
)
SIZES = ((80, 24), (60, 20), (100, 30), (200, 60), (58, 18), (40, 12), (20, 5), (1, 1))


def reached(name: str, seats: int, options: dict[str, object], seed: int, steps: int) -> LocalTable:
    """A table after so many random moves."""
    rng = Random(seed)
    table = LocalTable(load(name, seats, options), rng)
    for _step in range(steps):
        if table.over or not table.to_act:
            break
        seat = rng.choice(table.to_act)
        offers = table.legal(seat)
        table.play(seat, offers[rng.randrange(min(len(offers), 300))])
    return table


@pytest.mark.slow
@given(
    data=st.data(),
    seed=st.integers(0, 1 << 30),
    steps=st.integers(0, 80),
    names=st.lists(HOSTILE, min_size=10, max_size=10),
)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_state_is_drawn_within_its_screen(data: st.DataObject, seed: int, steps: int, names: list[str]) -> None:
    name = data.draw(st.sampled_from(sorted(GAMES)))
    seats = 4 if name == "tichu" else data.draw(st.integers(2, 10))
    options = data.draw(st.sampled_from(GAMES[name]))
    table = reached(name, seats, dict(options), seed, steps)
    own = TerminalSettings(
        lang=data.draw(st.sampled_from(languages())),
        ascii_only=data.draw(st.booleans()),
        big=data.draw(st.booleans()),
    )
    seat = data.draw(st.sampled_from([None, *range(seats)]))
    stage = Stage(table, seat, names=[clean_name(each) for each in names], settings=own)
    for key in data.draw(
        st.lists(st.sampled_from(["s", " ", "right", "enter", "h", "t", "b", "x", "p", "v", "l"]), max_size=6)
    ):
        stage.screen.key(key)
    for columns, rows in SIZES:
        canvas = stage.canvas(columns, rows)
        for line in canvas.lines():
            assert width(line) == columns
            assert not any(char in line for char in "\x1b\u202e\u200b\ufe0f")
        assert len(canvas.glyphs) == rows


@given(data=st.data(), seed=st.integers(0, 1 << 30), steps=st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_bright_cards_are_those_that_can_be_played(data: st.DataObject, seed: int, steps: int) -> None:
    name = data.draw(st.sampled_from(["crazy-eights", "two-four-jack", "mau-mau", "macau-wars"]))
    table = reached(name, data.draw(st.integers(2, 6)), {}, seed, steps)
    if table.over:
        return
    seat = table.to_act[0]
    stage = Stage(table, seat)
    view = stage.view
    assert isinstance(view, TableView)
    plays = [table.game.encode(move) for move in list(table.legal(seat))[:4000]]
    first = {move["cards"][0] for move in plays if move["do"] == "play"}
    held = [card for card in table.hands[seat] if card in first]
    if stage.parts.at.position is not None and stage.parts.at.position.must_act:
        assert sum(card.bright for card in view.hand) == len(held)


# --- every legal move can be made ---


class Fingers:
    """Makes a move with keys, or with clicks, from what the screen shows and asks."""

    def __init__(self, stage: Stage, mouse: bool) -> None:
        self.stage, self.mouse = stage, mouse

    def do(self, move: Data) -> None:
        """Presses what leads to this move."""
        match move["do"]:
            case "play":
                self._pick(move["cards"])
                self._command("enter", "enter")
                self._answer(move)
            case "draw":
                self._command("draw", "d")
            case "pass":
                self._command("pass", "p")
            case "call":
                self._command("call", "o")
            case "show":
                self._command("enter", "enter")
            case "collect":
                self._command("enter", "enter")
                self._answer(move)
            case "tichu":
                self._command("tichu", "t")
                self._answer({**move, "tichu": True})
            case "grand":
                if self.mouse:
                    self.stage.click(Action("choose", 0 if move["call"] else 1))
                else:
                    self.stage.press("y" if move["call"] else "n", "enter")
                self._answer({**move, "grand": True})
            case "give":
                self._give(move["cards"])
            case other:
                raise AssertionError(other)

    def _place(self, card: str, taken: set[int]) -> int:
        held = self.stage.parts.hand.cards
        return next(at for at, each in enumerate(held) if each.card == card and at not in taken)

    def _go(self, place: int) -> None:
        self.stage.press("home", *["right"] * place)

    def _pick(self, cards: list[str]) -> None:
        taken: set[int] = set()
        self._command("clear", "x")
        for card in cards:
            place = self._place(card, taken)
            taken.add(place)
            if self.mouse:
                self._click(Action("card", place))
            else:
                self._go(place)
                self.stage.press(" ")

    def _give(self, cards: list[str]) -> None:
        for number, card in enumerate(cards):
            place = self._place(card, set())
            if self.mouse:
                self._click(Action("card", place))
            else:
                self._go(place)
                self.stage.press(str(number + 1))
        self._command("enter", "enter")

    def _command(self, name: str, key: str) -> None:
        if not self.mouse:
            self.stage.press(key)
            return
        self.stage.click(Action(name))

    def _click(self, action: Action) -> None:
        """Only what is to be seen can be clicked."""
        canvas = self.stage.canvas(200, 60)
        assert any(action in row for row in canvas.actions), action
        self.stage.click(action)

    def _answer(self, move: Data) -> None:
        for _question in range(12):
            query = self.stage.parts.question.query
            if query is None:
                return
            place = self._option(query, move)
            if self.mouse:
                self._click(Action("choose", place))
            else:
                self.stage.press("home", *["right"] * place, "enter")
        raise AssertionError("too many questions")

    def _option(self, query: Query, move: Data) -> int:
        wanted: Any
        match query.name:
            case "as":
                count = len(query.options[0].value)
                wanted = tuple(move["as"][:count])
            case "order":
                wanted = tuple(move["cards"])
            case "break":
                wanted = True
            case field:
                wanted = move.get(field)
        for place, option in enumerate(query.options):
            if option.value == wanted or (query.name == "call" and bool(option.value) == bool(wanted)):
                return place
        if query.name == "as":  # jokers between the ends: any suit does
            return next(at for at, option in enumerate(query.options) if option.value[-1][0] == wanted[-1][0])
        raise AssertionError((query.name, wanted, [option.value for option in query.options]))


def same_effect(game: Any, made: Data, wanted: Data) -> bool:
    """Whether two plays are the same but for cards between the ends, whose order does not matter."""
    if made == wanted:
        return True
    if made["do"] != "play" or wanted["do"] != "play":
        return False
    if made.get("phoenix") != wanted.get("phoenix") and game.name == "tichu":
        return Counter(made["cards"]) == Counter(wanted["cards"]) and None in (made["phoenix"], wanted["phoenix"])
    keys = ("suit", "rank", "next", "call", "wish")
    ends = [(each["cards"][0], each["cards"][-1]) for each in (made, wanted)]
    return (
        Counter(made["cards"]) == Counter(wanted["cards"])
        and all(made.get(key) == wanted.get(key) for key in keys)
        and (game.name == "tichu" or ends[0] == ends[1])
    )


@pytest.mark.slow
@pytest.mark.parametrize("mouse", [False, True], ids=["keys", "mouse"])
@pytest.mark.parametrize("name", sorted(GAMES))
@given(data=st.data(), seed=st.integers(0, 1 << 30), steps=st.integers(0, 70))
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_legal_move_can_be_made(name: str, mouse: bool, data: st.DataObject, seed: int, steps: int) -> None:
    seats = 4 if name == "tichu" else data.draw(st.integers(2, 5))
    table = reached(name, seats, dict(data.draw(st.sampled_from(GAMES[name]))), seed, steps)
    if table.over:
        return
    seat = data.draw(st.sampled_from(table.to_act))
    kinds: dict[object, list[Data]] = {}
    for offer in list(table.legal(seat))[:2000]:
        move = table.game.encode(offer)
        named = tuple(key for key, value in move.items() if value and key not in ("do", "cards"))
        kinds.setdefault((move["do"], named, min(3, len(move.get("cards", ())))), []).append(move)
    # One move of each kind, so that the rare ones are tried as often as the usual ones.
    for moves in kinds.values():
        move = data.draw(st.sampled_from(moves))
        again = LocalTable.resume(table.game, Random(1), table.state, table.hands, table.stock)
        again._dealer.laid = dict(table._dealer.laid)
        stage = Stage(again, seat)
        Fingers(stage, mouse).do(move)
        assert stage.played, (move, stage.prompt)
        assert same_effect(table.game, stage.played[0], move), (stage.played[0], move)
