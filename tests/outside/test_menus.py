"""A game from another package in the menus: it can be chosen for a table, with its options by its own labels."""

from __future__ import annotations

import pytest

from cli.argument_parser import unknown_command
from cli.games.options import announced_rules
from cli.terminal.settings import TerminalSettings
from cli.text import load_translator
from cli.view.changing import ChangingModel
from cli.view.inputs import Act
from cli.view.opening import OpeningModel
from tests.cli.screen.screens import guest, parlour
from tests.cli.terminal.drawn import on_screen, text_of


@pytest.mark.parametrize("practice", [True, False])
def test_it_is_among_the_games_for_a_new_table(whisk: str, practice: bool) -> None:
    model = OpeningModel(TerminalSettings(), practice, "Kitchen")
    model.update(Act("change", ("game", -1)))
    assert model.game == whisk, "it stands last"
    text = text_of(on_screen(model))
    for told in ("Whisk", "Length", "Bonus for all tricks", "50 points"):
        assert told in text


def test_a_room_that_plays_it_keeps_its_options_when_it_chooses_anew(whisk: str) -> None:
    seats = tuple(guest(name.encode(), name) for name in ("mia", "kim", "sam"))
    room = parlour(seats, game=whisk, target=20, grand=True)
    model = ChangingModel(TerminalSettings(), room)
    assert (model.game, model.options, model.refusal()) == (whisk, {"target": 20, "grand": True}, "")


def test_the_lobby_tells_its_rules(whisk: str) -> None:
    told = announced_rules(load_translator("en"), whisk, (("grand", "true"),))
    assert "Bonus for all tricks" in told
    assert announced_rules(load_translator("en"), "nobody-has-this", ()) == ""


def test_its_name_alone_is_no_command_but_understood(whisk: str) -> None:
    assert unknown_command(whisk, ("play", "host")).fields["close"] == f"play {whisk}"
