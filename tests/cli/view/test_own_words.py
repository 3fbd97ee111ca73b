"""Keys that the player has set stand in the sentences that name keys, and nowhere else."""

from __future__ import annotations

import pytest

from cli.view.own_words import own_words
from cli.view.settings import Settings
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted


def test_sentences_name_the_players_own_keys() -> None:
    settings = Settings(keys={"draw": "z", "sort": "d"})
    stage = Stage(scripted("crazy-eights", ["5h 6h 2c", "9c Tc Jc"], up="Ks", stock="2d"), settings=settings)
    shown = stage.text(80, 24)
    assert "Z: draw" in stage.prompt and "Z: draw 1" in shown and "sorted by suit (D)" in shown
    assert "D: draw" not in shown and "(S)" not in shown
    stage.press("p")
    assert "Press Z to draw" in stage.prompt
    stage.press("z")
    assert stage.played


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_names_cards_and_boxes_are_left_as_they_are(lang: str) -> None:
    _ = own_words(lang, {"draw": "z", "sort": "d", "hint": "}", "log": "i"})
    said = _("{name} played {cards}.", name="D", cards="10D")
    assert "D" in said.replace("10D", "") and "10D" in said and "Z" not in said
    assert "S A G" in _("←→ S A G, then Enter · Esc: stay · Ctrl-Q: away")
    assert _.n("{n} card", "{n} cards", 2) == own_words(lang, {}).n("{n} card", "{n} cards", 2)
