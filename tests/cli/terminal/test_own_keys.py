"""Keys that the player has set stand in the sentences that name actions, and nowhere else."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from cli.terminal.keys import COMMANDS, RANK_KEYS, KeyNames, Registry
from cli.terminal.settings import TerminalSettings
from cli.text import load_translator
from cli.view.actions import LABELS, TABLE, ButtonNames
from tests.cli.catalogue_keys import spoken_keys
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted


def test_no_key_does_two_things_in_one_place() -> None:
    pressed = [(place, each) for command in COMMANDS for place in command.places for each in command.keys]
    assert [taken for taken, count in Counter(pressed).items() if count > 1] == []
    assert {each for place, each in pressed if place == TABLE} & RANK_KEYS.keys() == set()


def test_sentences_name_the_players_own_keys() -> None:
    settings = TerminalSettings(keys={"draw": "z", "sort": "d"})
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="Ks", stock="2d"), settings=settings)
    shown = stage.text(80, 24)
    assert "Z: draw" in stage.prompt and "Z: draw 1" in shown and "sorted by suit (D)" in shown
    assert "D: draw" not in shown and "(S)" not in shown
    stage.press("p")
    assert "Press Z to draw" in stage.prompt
    stage.press("z")
    assert stage.played


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_an_action_is_a_key_on_the_terminal_and_a_button_elsewhere(lang: str) -> None:
    terminal = load_translator(lang, KeyNames((("draw", "}"), ("play", "z"))))
    buttons = load_translator(lang, ButtonNames())
    proof = buttons(LABELS["report"])
    assert "}" in terminal("Press {@draw} to draw {n}.", n=2) and "2" in terminal("Press {@draw} to draw {n}.", n=2)
    assert proof in buttons("If they match, say so under {@report}.")
    assert terminal("{@draw:draw {n}}", n=2).startswith("}: ")
    assert buttons("{@draw:draw {n}}", n=2) == terminal("{@draw:draw {n}}", n=2).removeprefix("}: ")
    # What is filled in is left as it is.
    assert "{@draw}" in terminal("{name} played {cards}.", name="{@draw}", cards="10D")


@pytest.mark.slow
def test_every_action_that_a_sentence_names_has_a_key_and_a_label() -> None:
    named = {name for text in spoken_keys() for name in re.findall(r"\{@([a-z-]+)", text)}
    assert {"draw", "pass", "play", "resume"} <= named <= LABELS.keys()
    assert all(KeyNames().name(load_translator("en"), name) for name in LABELS if name in Registry().by_name)
    assert named <= Registry().by_name.keys()
