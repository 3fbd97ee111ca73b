"""A game with melds, of which the client has never heard: what is turned up onto them is told, and no question hides them."""

from __future__ import annotations

from random import Random

import pytest

from cli.games.base.narrator import Narrator
from cli.games.registry import face_of
from cli.text import load_translator
from protocol.games import LocalTable, load
from protocol.games.views import Meld, Pile, PublicView
from protocol.values import replace
from tests.cli.screen.stage import Stage
from tests.cli.tables import NAMES, cards

RUN = Meld(cards=cards("5h 6h 7h"), seat=1, label="run")


def heard(whisk: str) -> tuple[Narrator, PublicView]:
    """Who tells, and a view on which everything can be laid."""
    table = LocalTable(load(whisk, 3), Random(3), dealer=2)
    return face_of(table.game).narrator(load_translator("en"), NAMES[:3], 0), table.public_view(0)


def with_melds(view: PublicView, *melds: Meld) -> PublicView:
    return replace(view, melds=melds)


def test_cards_that_are_turned_up_onto_a_meld_are_told(whisk: str) -> None:
    narrator, view = heard(whisk)
    before, grown = with_melds(view, RUN), replace(RUN, cards=(*RUN.cards, *cards("8h")))
    told = narrator.moved(1, {"do": "draw"}, before, with_melds(view, grown))
    assert any("eight of hearts" in each and NAMES[1] in each for each in told)
    told = narrator.moved(1, {"do": "play", "cards": ["8h"]}, before, with_melds(view, grown))
    assert f"{NAMES[1]} played eight of hearts." in told and not any("run" in each for each in told)
    assert not any("run" in each for each in narrator.moved(1, {"do": "draw"}, before, before))


def test_other_melds_are_not_told_again_when_one_goes(whisk: str) -> None:
    narrator, view = heard(whisk)
    other = Meld(cards=cards("2s 2d 2c"))
    told = narrator.moved(1, {"do": "draw"}, with_melds(view, other, RUN), with_melds(view, RUN))
    assert not any("run" in each for each in told)


def test_melds_that_lie_there_from_the_start_are_told(whisk: str) -> None:
    narrator, view = heard(whisk)
    assert f"{NAMES[1]} has laid out run: five of hearts, six of hearts and seven of hearts." in narrator.round_began(
        1, with_melds(view, RUN)
    )


def test_a_question_tells_what_lies_beneath_it(whisk: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(whisk, 3)
    usual = game.public_view
    monkeypatch.setattr(
        type(game),
        "public_view",
        lambda _game, state: replace(usual(state), pile=Pile(cards=cards("9s")), melds=(RUN,)),
    )
    text = Stage(LocalTable(game, Random(3), dealer=2)).text()
    assert "How many tricks?" in text
    for told in ("Pile: 9♠.", "run: 5♥, 6♥ and 7♥", "Trump: spades.", "6 bid 6"):
        assert told in text
