"""A table without any face: inputs go in, effects come out, and the view alone says what can be done."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from random import Random

import pytest

from cli.games import registry
from cli.games.base.judging import Judging
from cli.games.base.replies import Move, Query, Refused
from cli.games.base.table import TableFace
from cli.news import RoundEnded, Say
from cli.terminal.settings import TerminalSettings
from cli.view.effects import AskText, BeReady, Close, Focus, Leave, Play, ShowModel
from cli.view.inputs import Act, Choose, Input, Pick, PlayNow, Tick, Type
from cli.view.table.model import TableModel
from cli.view.views import ScoreView, TableView
from protocol.cards import Card
from protocol.games import LocalTable, load
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, crazy, exchange_stage
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted, tichu_lead

MOST_MOVES = 400
ENOUGH = 50
"""Who plays without a plan may go on drawing for ever."""
SIZES = ("column", "row", "width", "height", "cursor", "scroll", "top_line", "x", "y")


def next_input(view: TableView) -> Input | None:
    """What somebody does who goes by the view alone; None where nothing is asked of us."""
    dialog = view.dialog
    if dialog is not None and dialog.kind == "places":
        given = [place for place, choice in enumerate(dialog.choices) if choice.face is not None]
        free = next((place for place in range(3) if place not in given), None)
        card = next((card for card in view.hand if not card.picked), None)
        return Act("play") if free is None or card is None else Act("gift", (free, card.id, False))
    if dialog is not None and (dialog.asks or dialog.is_standing):
        return Choose(dialog.focus)
    if view.frame.head != "YOUR TURN":
        return None
    playable = next((card for card in view.hand if card.playable), None)
    offered = {offer.name for offer in view.frame.actions}
    if playable is not None:
        return PlayNow((playable.id,)) if offered & {"play"} else None
    for name in ("draw", "pass", "play"):
        if name in offered:
            return Act(name)
    return None


def played_by_view(name: str, seed: int) -> Stage:
    """A round at a table of four."""
    game = load(name, 4)
    stage = Stage(LocalTable(game, Random(seed)))
    rng = Random(seed)
    for _step in range(MOST_MOVES):
        if stage.table.last_round is not None:
            break
        stage.clock.passes(3)
        stage.send(Tick())
        view = stage.model.view()
        given = next_input(view) if isinstance(view, TableView) else None
        count = len(stage.played)
        if given is not None:
            stage.send(given)
        if given is not None and len(stage.played) > count:
            continue
        if stage.parts.question.query is not None:
            continue
        for seat in rng.sample(range(1, 4), 3):
            legal = list(stage.table.legal(seat))
            moves = [move for move in legal if game.encode(move)["do"] not in ("tichu", "call")]
            if moves:
                stage.moves(seat, moves[0])
                break
    return stage


@pytest.mark.sample
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", ["crazy-eights", "two-four-jack", "mau-mau", "macau-wars", "tichu"])
def test_a_round_is_played_by_the_view_alone(name: str, seed: int) -> None:
    stage = played_by_view(name, seed)
    assert stage.table.last_round is not None or len(stage.played) > ENOUGH, "nobody is stuck"


@pytest.mark.sample
@pytest.mark.parametrize("name", ["crazy-eights", "two-four-jack", "mau-mau", "macau-wars", "tichu"])
def test_the_face_that_knows_no_game_serves_the_games_that_have_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pile, trick and moves are shown from the typed view; nothing breaks."""
    monkeypatch.setattr(registry, "FACES", {})
    registry.face_type.cache_clear()
    try:
        stage = played_by_view(name, 1)
        assert type(stage.parts.face) is TableFace
        assert stage.played
        assert stage.text(80, 24)
        assert stage.text(40, 12)
    finally:
        registry.face_type.cache_clear()


def test_the_face_that_knows_no_game_asks_in_which_way_a_card_is_played() -> None:
    stage = two()
    position = stage.parts.at.position
    assert position is not None
    judging = Judging(stage.parts.at, position)
    query = judging.resolve((Card("8s"),), {})
    assert isinstance(query, Query)
    assert [option.choice.label for option in query.options] == ["♣", "♦", "♥", "♠"]
    move = judging.resolve((Card("8s"),), {"which": 2})
    assert isinstance(move, Move)
    assert move.move["suit"] == "h"
    refused = judging.resolve((Card("2c"),), {})
    assert isinstance(refused, Refused)
    assert refused.sentence.startswith("Playable: 8♠ 5♥")


def test_a_view_has_no_sizes() -> None:
    seen: set[str] = set()

    def look(value: object) -> None:
        if is_dataclass(value):
            for each in fields(value):
                seen.add(each.name)
                look(getattr(value, each.name))
        elif isinstance(value, tuple):
            for each_value in value:
                look(each_value)

    for stage in (
        crazy(TerminalSettings()),
        exchange_stage(TerminalSettings()),
        Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0)),
    ):
        look(stage.model.view())
    assert seen & {"face", "playable", "actions"}
    assert not [name for name in seen if any(part == size for part in name.split("_") for size in SIZES)]


def two() -> Stage:
    stage = Stage(scripted("crazy-eights", ["5h 8s 2c", "9c Tc Jc"], up="9h", stock="2d 3d 4d"))
    stage.clock.passes(5)
    return stage


def model_of(stage: Stage) -> TableModel:
    return stage.model


def held(stage: Stage, card: str) -> int:
    return next(each.id for each in stage.parts.hand.cards if each.card == card)


def test_what_is_wanted_is_returned() -> None:
    stage = two()
    model = model_of(stage)
    assert model.update(Pick(held(stage, "5h"))) == ()
    (play,) = model.update(Act("play"))
    assert isinstance(play, Play)
    assert stage.table.game.encode(play.move)["cards"] == ["5h"]


def test_play_now_plays_just_these_and_forgets_them_where_they_do_not_fit() -> None:
    stage = two()
    assert stage.model.update(PlayNow((held(stage, "2c"),))) == ()
    view = stage.view
    assert view.frame.mood == "no"
    assert not any(card.picked for card in view.hand)
    (play,) = stage.model.update(PlayNow((held(stage, "5h"),)))
    assert isinstance(play, Play)


def test_a_question_is_answered_by_its_place() -> None:
    stage = two()
    stage.send(PlayNow((held(stage, "8s"),)))
    dialog = stage.view.dialog
    assert dialog is not None
    assert [choice.label for choice in dialog.choices] == ["spades", "hearts", "diamonds", "clubs"]
    stage.send(Choose(2))
    assert stage.played[-1]["suit"] == "d"


def test_escape_keeps_what_was_picked() -> None:
    stage = two()
    stage.send(PlayNow((held(stage, "8s"),)), Act("escape"))
    assert stage.view.dialog is None
    assert stage.chosen == ("8s",)
    assert not stage.played


def test_chat_is_a_field_that_the_face_opens() -> None:
    stage = two()
    (asked,) = stage.model.update(Act("chat"))
    assert isinstance(asked, AskText)
    assert stage.model.update(Type("hello", asked.field)) == (Say("hello"),)


def test_pages_are_models_over_the_table() -> None:
    stage = two()
    for name in ("log", "report", "help", "settings"):
        (opened,) = stage.model.update(Act(name))
        assert isinstance(opened, ShowModel)
        page = opened.model
        assert page.view().frame.title
        assert page.update(Act("back")) == (Close(),)


def test_a_hint_moves_the_cursor_of_a_face_that_has_one() -> None:
    stage = two()
    (focus,) = stage.model.update(Act("hint"))
    assert focus == Focus(card=stage.parts.hand.picked[-1])


def test_leaving_asks_how_and_the_answer_is_an_effect() -> None:
    stage = two()
    assert stage.model.update(Act("leave")) == ()
    assert stage.model.update(Choose(2)) == (Leave(True),)
    assert stage.model.update(Act("leave")) == ()
    assert stage.model.update(Act("leave")) == (Leave(False),), "who asks twice goes away"


def test_the_sheet_covers_the_table_and_waits_for_our_word() -> None:
    stage = two()
    stage.hear(RoundEnded(stage.playing.view(), (), 15.0))
    view = stage.model.view()
    assert isinstance(view, ScoreView)
    assert not view.is_passing
    assert stage.model.update(Act("play")) == (BeReady(),)
    assert stage.model.update(Act("play")) == (), "it is said once"


def test_a_watcher_sends_nothing() -> None:
    stage = Stage(LocalTable(load("crazy-eights", 3), Random(3)), None)
    for given in (Act("play"), Act("draw"), Act("pass"), Act("hint"), Act("chat"), Pick(0), PlayNow((0,)), Choose(0)):
        assert stage.model.update(given) == ()
    assert not any(isinstance(effect, (Play, BeReady)) for effect in stage.effects)


def test_enter_alone_never_leaves_the_table() -> None:
    """The answer that is under the cursor at first is to stay."""
    stage = crazy(TerminalSettings())
    stage.send(Act("leave"))
    view = stage.model.view()
    assert isinstance(view, TableView)
    assert view.dialog is not None
    assert not any(isinstance(effect, Leave) for effect in stage.model.update(Choose(view.dialog.focus)))
    closed = stage.model.view()
    assert isinstance(closed, TableView)
    assert closed.dialog is None
