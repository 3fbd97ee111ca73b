"""What came into the hand is marked there, and told in the order in which it came."""

from __future__ import annotations

import pytest

from cli import news as events
from cli.games.base.recap import recap
from cli.terminal.canvas import Canvas
from cli.terminal.settings import TerminalSettings
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted

DRAWN = "Tc Ts 3d 2c 4c 6c 7c 5c 5d 3c"


def drawing(lang: str = "en", hand: str = "2s 3s Ks") -> Stage:
    """Crazy Eights: nothing in our hand fits, and one draws until something does."""
    return Stage(scripted("crazy-eights", [hand, "9c 9d 7s"], up="6h", stock=DRAWN), lang=lang)


def marked(stage: Stage) -> list[str]:
    """The cards below which something says that they are new."""
    return [held.card for held in stage.parts.hand.cards if held.id in stage.parts.fresh]


def below_hand(canvas: Canvas) -> str:
    return canvas.text().splitlines()[-3]


def test_a_drawn_card_is_marked_until_the_turn_is_over() -> None:
    stage = drawing()
    assert "NEW" not in below_hand(stage.canvas())
    stage.press("d")
    assert marked(stage) == ["Tc"]
    assert below_hand(stage.canvas()).split() == ["▲", "NEW"]
    stage.press("d", "d")
    assert sorted(marked(stage)) == ["3d", "Tc", "Ts"]
    stage = Stage(scripted("mau-mau", ["8s 9s Ks", "9c Th 7s"], up="7h", stock="7c 9d Qd Qs"))
    stage.press("d")
    assert marked(stage) == ["7c"]
    stage.press("7", "enter")
    assert marked(stage) == [], "it is played, and the turn is over"


def test_what_a_penalty_brought_is_marked_until_our_next_turn_is_over() -> None:
    stage = Stage(scripted("two-four-jack", ["9s 3s Ks", "2c 9c 7s"], up="6c", stock=DRAWN, dealer=0))
    stage.moves(1, {"do": "play", "cards": ["2c"]})
    stage.press("d")
    assert stage.log[-1] == "You drew the penalty: 10♠ and 10♣."
    assert sorted(marked(stage)) == ["Tc", "Ts"]
    stage.moves(1, {"do": "play", "cards": ["9c"]})
    assert sorted(marked(stage)) == ["Tc", "Ts"]
    stage.press("9", "enter")
    assert [move["do"] for move in stage.played] == ["draw", "play"]
    assert marked(stage) == []


@pytest.mark.parametrize(("lang", "mark"), [("en", "NEW"), ("de", "neu"), ("ja", "新")])
def test_the_mark_is_a_sign_where_tiles_are_too_narrow(lang: str, mark: str) -> None:
    stage = drawing(lang)
    stage.press("d")
    assert mark in below_hand(stage.canvas(60, 20))
    stage = drawing(lang, hand="2s 3s 4s 5s 7s 9s Ts Js Qs Ks As 2d 4d 7d 9d")
    stage.press("d")
    assert marked(stage) == ["Tc"]
    shown = below_hand(stage.canvas(60, 20))
    assert (mark in shown) == (lang == "ja")
    assert ("+" in shown) == (lang != "ja")


def test_the_card_drawn_last_is_named_last_in_the_log_and_alone_beside_the_prompt() -> None:
    stage = drawing()
    stage.press("d", "d")
    assert stage.log[-1] == "You drew 10♣ and 10♠.", "not by suit, as they are held"
    assert stage.parts.log.last_event == "You drew 10♠."
    assert stage.text().splitlines()[-2].endswith(" · You drew 10♠.")


def test_who_comes_back_reads_draws_in_a_row_as_one() -> None:
    stage = Stage(scripted("crazy-eights", ["2s 3s Ks", "9c 9d 7s"], up="6h", stock=DRAWN, dealer=0))
    news: list[events.Moved] = []
    for _time in range(3):
        stage.moves(1, {"do": "draw"})
        assert stage.parts.log.last_move is not None
        news.append(stage.parts.log.last_move)
    back = Stage(stage.table, begun=False)
    back.hear(events.DealChecked((0, 1), 0.0), events.Earlier(tuple(news)), events.RoundBegan(1, back.playing.view()))
    assert [text for text in back.log if "Jonas" in text] == ["Jonas drew 3 cards."]


def test_cards_that_were_due_are_taken_and_not_drawn() -> None:
    stage = Stage(
        scripted("two-four-jack", ["2c 3s Ks", "9c 9d 7s"], up="6c", stock=DRAWN), settings=TerminalSettings()
    )
    stage.press("2", "enter")
    stage.moves(1, {"do": "draw"})
    assert stage.log[-1].startswith("Jonas drew 2 penalty cards.")
    last = stage.parts.log.last_move
    assert last is not None
    assert recap(stage.parts.at.narrator, stage.parts.at.cards, [last]) == (("Jonas drew 2", "dim"),)
