"""What helps: tips in the first turns, proposals, a card seen on its way, the evening's scores, the log after a return."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli import news
from cli.news import Do, Finished, HintsChanged, Suggestion
from cli.terminal.settings import TerminalSettings
from cli.text import load_translator
from cli.view.effects import TakeHelp
from cli.view.results import evening_lines
from cli.view.tips import ALL, note_tip, tips_seen
from cli.view.views import TableView
from protocol.games import LocalTable
from protocol.games.advice import OUT_FIRST, STOPS_NEXT, Reason
from protocol.values import replace
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, crazy
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted, tichu_lead


def two(first: str = "5h 6h 2c", settings: TerminalSettings | None = None, begun: bool = True) -> Stage:
    return Stage(
        scripted("crazy-eights", [first, "9c Tc Jc"], up="9h", stock="2c 3c 4c"), settings=settings, begun=begun
    )


def shown(stage: Stage) -> TableView:
    view = stage.view
    assert isinstance(view, TableView)
    return view


def newcomer(table: LocalTable, seat: int = 0) -> Stage:
    """A person who has been told nothing yet, in turn now."""
    stage = Stage(table, seat, begun=False)
    stage.parts.tips.seen = frozenset()
    stage.hear(news.RoundBegan(1, stage.playing.view()))
    return stage


def told_tip(stage: Stage) -> str:
    tip = stage.screen.picture(80, 24)[1].tip
    return "" if tip is None else f"{tip.key} {tip.label}"


@pytest.mark.parametrize(("columns", "rows"), [(80, 24), (60, 20), (100, 30)])
def test_the_first_turns_show_a_key_each(columns: int, rows: int) -> None:
    stage = newcomer(scripted("crazy-eights", ["5h 6h 2s", "9c Tc Jc"], up="9h", stock="2c 3c 5d 4c"))
    assert "go to another card, Enter plays it" in stage.text(columns, rows)
    stage.press("5")
    assert "Enter  plays the card marked ▲" in " ".join(stage.text(columns, rows).splitlines()[-12:])
    assert stage.prompt.startswith("YOUR TURN")
    stage.press("enter")
    assert "plays the card marked ▲" not in stage.text(columns, rows)
    stage.moves(1, {"do": "draw"})
    for move in ({"do": "draw"}, {"do": "draw"}, {"do": "play", "cards": ["5d"]}):
        stage.moves(1, move)
    assert told_tip(stage) == "D draws a card if you can’t play"
    seen = [effect.about for effect in stage.effects if isinstance(effect, Do)]
    assert seen == [frozenset({"enter"}), frozenset({"enter", "draw"})]


def test_a_tip_is_true_at_its_moment() -> None:
    stage = newcomer(scripted("crazy-eights", ["5h 6h 2s", "9c Tc Jc"], up="9h", stock="2c 3c 4c"))
    stage.press("5")
    assert told_tip(stage) == "Enter plays the card marked ▲"
    stage.press(" ", "left")
    assert told_tip(stage) == "Enter plays the picked cards"
    stage.press("x", "2", " ")
    assert told_tip(stage) == "", "what is picked cannot be played"
    stage = newcomer(scripted("crazy-eights", ["5c 6c", "9c Tc Jc"], up="9h", stock="2c 3h 4c"))
    assert told_tip(stage) == "D draws a card if you can’t play"
    stage.press("d")
    assert told_tip(stage) == "D draws a card if you can’t play"
    stage.press("d")
    assert "draws" not in told_tip(stage), "a playable now"


def test_no_tip_while_a_question_is_open() -> None:
    stage = newcomer(scripted("crazy-eights", ["8h 6h 2c", "9c Tc Jc"], up="9h", stock="2c 3c 4c"))
    stage.press("8")
    assert told_tip(stage) == "Enter plays the card marked ▲"
    stage.press("enter")
    assert "choose a suit" in stage.text()
    assert told_tip(stage) == ""


def test_in_a_duel_of_fours_only_the_pass_is_told_to_who_holds_none() -> None:
    stage = newcomer(scripted("macau-wars", ["9c Tc", "4h 5c", "6c 7c"], up="5h", stock="5s " * 9, dealer=2))
    stage.moves(1, {"do": "play", "cards": ["4h"]})
    assert told_tip(stage) == "P passes (your only move right now)"


def test_a_click_on_a_tip_does_its_key() -> None:
    stage = newcomer(scripted("crazy-eights", ["5c 6c", "9c Tc Jc"], up="9h", stock="2c 3c 4c"))
    rows = stage.text().splitlines()
    y = next(at for at, row in enumerate(rows) if "draws a card if" in row)
    action = stage.canvas().action_at(rows[y].index("draws a card if"), y)
    assert action is not None
    stage.click(action)
    assert stage.played == [{"do": "draw"}]


def test_nobody_is_told_for_ever(tmp_path: Path) -> None:
    assert tips_seen(tmp_path) == frozenset()
    note_tip(tmp_path / "home", {"enter", "tichu pick"})
    assert tips_seen(tmp_path / "home") == {"enter", "tichu pick"}
    note_tip(tmp_path / "home", ALL)
    assert tips_seen(tmp_path / "home") == ALL
    (tmp_path / "tips-seen").write_text("many\nenter\n")
    assert tips_seen(tmp_path) == {"many", "enter"}
    assert tips_seen(None) == ALL
    assert shown(two()).tip is None


def test_a_proposal_is_picked_and_not_played() -> None:
    stage = two(settings=TerminalSettings(hints="suggest"))
    stage.press("h")
    assert stage.prompt.startswith("Suggestion: ")
    assert stage.chosen in (("5h",), ("6h",))
    assert not stage.played
    stage = two("5c 6c 2c", TerminalSettings(hints="suggest"))
    stage.press("h")
    assert stage.prompt == "You can’t play: Press D to draw."


def test_a_proposal_that_comes_too_late_is_not_told() -> None:
    stage = two(settings=TerminalSettings(hints="suggest"))
    stage.screen.key("h")
    stage.screen.effects.clear()
    stage.press("5", "enter")
    stage.screen.take(stage.model.advised(Suggestion({"do": "play", "cards": ["6h"]})))
    assert not stage.chosen
    assert "Proposed" not in stage.prompt


def test_a_proposal_says_why() -> None:
    stage = two(settings=TerminalSettings(hints="suggest"))
    move = {"do": "play", "cards": ["6h"]}
    for reason, sentence in (
        (None, "Suggestion: 6♥ · Enter: play"),
        (Reason(OUT_FIRST), "Suggestion: 6♥ · Enter: play · This way you usually go out first."),
        (Reason(STOPS_NEXT, 1), "Suggestion: 6♥ · Enter: play · Jonas usually can’t play a card then."),
    ):
        stage.screen.key("h")
        stage.screen.effects.clear()
        stage.screen.take(stage.model.advised(Suggestion(move, reason)))
        assert stage.prompt == sentence


def test_a_card_is_seen_on_its_way_for_a_moment() -> None:
    stage = two()
    stage.press("5", "enter")
    assert stage.screen.picture(80, 24)[1].flash_step == -1
    stage = two()
    stage.screen.may_move_cards = True
    stage.press("5", "enter")
    steps = []
    for _tenth in range(4):
        steps.append(stage.screen.picture(80, 24)[1].flash_step)
        stage.canvas()
        stage.clock.passes(0.06)
    assert steps == [0, 0, 1, -1]
    assert not stage.screen.is_moving()


def test_a_card_on_its_way_hides_no_button() -> None:
    stage = two()
    stage.screen.may_move_cards = True
    stage.press("5", "enter")
    moving = stage.canvas().actions
    stage.clock.passes(1)
    assert stage.canvas().actions == moving


def test_who_comes_back_is_told_how_things_stand() -> None:
    stage = two(begun=False)
    stage.table.play(0, stage.table.game.decode({"do": "play", "cards": ["5h"], "call": False}))
    stage.hear(news.DealChecked((0, 1), 0.0, ()), news.RoundBegan(2, stage.playing.view()))
    texts = stage.log
    assert texts[0] == "You rejoined in round 2. On the pile: 5♥."
    assert "Turned up" not in " ".join(texts)
    assert "✓ fair deal" in stage.text().splitlines()[0]


def test_who_comes_back_to_tichu_is_told_what_lies_there() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3), begun=False)
    stage.table.play(3, stage.table.game.decode({"do": "play", "cards": ["2p"]}))
    stage.hear(news.DealChecked((0, 1, 2, 3), 0.0, ()), news.RoundBegan(1, stage.playing.view()))
    assert stage.log[0] == "You rejoined in round 1. On the table: 2⌂."


def test_the_evening_stands_on_the_score_sheet() -> None:
    stage = crazy(TerminalSettings())
    stage.press("f3")
    assert Do("evening", 0.0) in stage.effects
    four = ("Mia", "Jonas", "Priya", "Sam")
    over = Finished(0.0, "finished", "crazy-eights", four, ((0,), (1,), (2,), (3,)), (1, 2, 100, 3), (2,), 4)
    stage.parts.rounds.evening = (over,)
    text = stage.text()
    assert "Tonight’s results" in text
    assert "Crazy Eights  Priya 1" in text
    stage.settings.lang = "ja"
    assert "クレイジーエイト  Priya 1" in stage.text()


def test_a_match_without_an_end_is_called_broken_off() -> None:
    left = Finished(0.0, "broken", "crazy-eights", ("Mia", "Jonas"), ((0,), (1,)), (), (), 0)
    assert evening_lines(load_translator("en"), [left]) == ["Crazy Eights  not finished"]


def test_an_evening_counts_teams_that_won_by_game() -> None:
    names = ("Mia", "Jonas", "Hanako", "Sam")
    teams = ((0, 2), (1, 3))
    tichu = Finished(0.0, "finished", "tichu", names, teams, (1000, 400), (0, 2), 9)
    other = Finished(0.0, "finished", "tichu", names, teams, (300, 1010), (1, 3), 9)
    eights = Finished(0.0, "finished", "crazy-eights", names, ((0,), (1,), (2,), (3,)), (1, 2, 3, 100), (3,), 4)
    assert evening_lines(load_translator("en"), [tichu, other, tichu, eights]) == [
        "Tichu  Mia+Hanako 2, Jonas+Sam 1",
        "Crazy Eights  Sam 1",
    ]


def test_what_a_table_forbids_is_not_proposed() -> None:
    stage = two(settings=TerminalSettings(hints="suggest"))
    stage.practice.facts = replace(stage.practice.facts, suggest=False)
    stage.press("h")
    assert stage.prompt.startswith("Option ")


def test_the_table_hears_how_much_help_is_taken_and_tells_of_proposed_plays() -> None:
    stage = two(settings=TerminalSettings(hints="legal"))
    stage.effects.clear()

    def helped() -> list[str]:
        stage.tick(1)
        return [each.level for each in stage.effects if isinstance(each, TakeHelp)]

    assert helped() == ["legal"]
    assert helped() == ["legal"], "said once"
    stage.settings.hints = "suggest"
    assert helped() == ["legal", "suggest"]
    log = len(stage.log)
    stage.hear(HintsChanged(1, "", "legal"))
    assert len(stage.log) == log
    stage.hear(HintsChanged(1, "legal", "suggest"))
    assert stage.log[-1] == "Jonas gets suggestions from a bot."
    stage.hear(HintsChanged(1, "suggest", "off"))
    assert stage.log[-1] == "Jonas plays without hints."


def test_the_log_of_who_comes_back_begins_with_what_was_missed() -> None:
    stage = two()
    first = stage.playing.view()
    stage.moves(0, {"do": "play", "cards": ["5h"]})
    after = stage.playing.view()
    earlier = news.Moved(0, {"do": "play", "cards": ["5h"]}, first, after)
    back = Stage(stage.table, begun=False)
    back.hear(news.DealChecked((0, 1), 0.0), news.Earlier((earlier,), ((20, 3),)), news.RoundBegan(2, after))
    assert back.parts.rounds.sheet.rounds == [(20, 3)], "and the sheet with the rounds before"
    said = back.log
    assert said[0].startswith("You played 5♥")
    assert said[1].startswith("You rejoined in round 2.")


def test_a_ranks_key_goes_to_another_card_of_it_each_time_one_is_picked() -> None:
    stage = Stage(tichu_lead(["2k 2s Jk Jp Js 9p", "3k", "4k", "5k"]))
    stage.press("2", " ", "2", " ")
    for _another in range(3):
        stage.press("j", " ")
    assert sorted(card[0] for card in stage.chosen) == ["2", "2", "J", "J", "J"]
