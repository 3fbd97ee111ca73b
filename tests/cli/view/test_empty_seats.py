"""An empty seat at the running match: whoever waits is told of it, in the room and over the match, and Enter takes it."""

from __future__ import annotations

import pytest

from cli import news
from cli.news import Do, RoomChanged, SeatOffered
from cli.plain.room import RoomTalk
from cli.terminal.settings import TerminalSettings
from cli.text import Translator, load_translator
from cli.view.effects import BeReady
from cli.view.in_room import InRoom
from cli.view.inputs import Act, Choose, Hear
from cli.view.room import RoomModel
from cli.view.room_rows import about
from cli.view.settings import Settings
from cli.view.table.doing import do
from cli.view.views import Offer
from protocol.table.events import Cause
from protocol.values import replace
from tests.cli.screen.screens import crazy, guest, parlour
from tests.cli.terminal.drawn import on_screen, prompt_of, text_of


def room() -> RoomModel:
    found = RoomModel(TerminalSettings(), b"kim", is_host=False)
    found.update(Hear(RoomChanged(parlour((guest(b"mia", "Mia"), guest(b"kim", "Kim")), game="tichu"))))
    return found


def test_in_the_room_enter_sits_down_while_a_seat_is_offered() -> None:
    model = room()
    assert Do("take-seat") not in model.update(Choose("0"))
    model.update(Hear(SeatOffered("Lena", 30)))
    assert prompt_of(on_screen(model)) == "A seat is empty · Enter: take over from Lena, with 30 points"
    drawn = text_of(on_screen(model))
    assert "Enter  take over" in drawn and drawn.count("A seat is empty") == 1
    assert model.update(Choose("0")) == (Do("take-seat"),)
    assert model.update(Hear(SeatOffered("", 0))) == ()
    assert model.chat[-1][0] == "You can’t take that seat any more."
    assert "I’m ready" in prompt_of(on_screen(model)), "it does not hide what Enter does now"
    assert Do("take-seat") not in model.update(Choose("0"))
    assert model.update(Hear(SeatOffered("", 0))) == (), "who takes it needs not be told"


def test_a_bot_makes_room_and_whoever_does_not_want_that_can_still_watch() -> None:
    model = RoomModel(TerminalSettings(), b"kim", is_host=False)
    mia, kim = replace(guest(b"mia", "Mia"), playing=True), guest(b"kim", "Kim")
    model.update(Hear(RoomChanged(parlour((mia, kim), game="tichu"))))
    assert "watch" not in [offer.name for offer in model.view().frame.actions], "Enter does it"
    model.update(Hear(SeatOffered("Bot Ada", 30, is_bots=True)))
    assert prompt_of(on_screen(model)) == "A bot makes room for you · Enter: take over from Bot Ada, with 30 points"
    assert "W  watch" in text_of(on_screen(model))
    assert "watch" in [offer.name for offer in model.view().frame.actions]
    assert model.update(Act("watch")) == (Do("watch"),) and model.update(Choose("0")) == (Do("take-seat"),)


def test_in_plain_mode_a_bot_makes_room_with_enter() -> None:
    talk = RoomTalk(load_translator("en"), b"kim", "Kim", is_host=False)
    (told,) = talk.seat_offered(SeatOffered("Bot Ada", 1, is_bots=True))
    assert told == "A bot makes room for you. Press Enter or type sit to take over from Bot Ada, with 1 point."
    assert talk.answer("") == ([], Do("take-seat"))


def test_over_the_watched_match_enter_sits_down_too(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = crazy(TerminalSettings())
    table = stage.parts
    table.offered = SeatOffered("Lena", 1)
    assert do(table, Act("play")) != (Do("take-seat"),), "who plays does not take another seat"
    monkeypatch.setattr(type(table), "is_watching", True)
    assert do(table, Act("play")) == (Do("take-seat"),)
    assert stage.prompt == "A seat is empty · Enter: take over from Lena, with 1 point"
    assert Offer("play", "take over", is_needed=True) in stage.view.frame.actions, "a page has no Enter"


def test_over_the_watched_match_the_prompt_says_that_we_sit_down_until_we_do(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = crazy(TerminalSettings())
    monkeypatch.setattr(type(stage.parts), "is_watching", True)
    monkeypatch.setattr(type(stage.parts.at), "position", None)
    asks = True
    stage.parts.sits_down = lambda: asks
    stage.clock.passes(60)
    assert stage.prompt.startswith("You sit down when the round is over.")
    asks = False
    assert "You sit down" not in stage.prompt


def test_the_host_of_a_match_that_lacks_a_player_can_let_a_bot_play() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.WentOn({5: Cause.GOODBYE}, news.Fate.SHORT))
    assert stage.prompt == "Waiting for somebody to take the empty seat · a bot comes in 0:30 · Lukas quit for good."
    assert do(stage.parts, Act("bomb")) != (Do("fill-seat"),)
    stage.parts.notice.hush()
    stage.clock.passes(31)
    stage.parts.fills_seats = True
    assert stage.prompt == "Waiting for somebody to take the empty seat · B: let a bot play · Lukas quit for good."
    assert do(stage.parts, Act("bomb")) == (Do("fill-seat"),)
    assert Offer("bomb", "let a bot play", is_needed=True) in stage.view.frame.actions
    stage.hear(news.TookSeat(5))
    assert "bomb" not in [offer.name for offer in stage.view.frame.actions]
    assert "Waiting for somebody" not in stage.prompt


def test_on_a_page_the_button_says_what_the_host_can_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TerminalSettings, "action_names", Settings.action_names)  # sentences as on a page
    stage = crazy(TerminalSettings())
    stage.hear(news.WentOn({5: Cause.GOODBYE}, news.Fate.SHORT))
    stage.parts.fills_seats = True
    stage.parts.notice.hush()
    assert stage.prompt == "Waiting for somebody to take the empty seat · a bot comes in 0:30 · Lukas quit for good."


def test_whoever_takes_a_seat_is_not_away_because_its_last_player_was() -> None:
    stage = crazy(TerminalSettings())
    stage.hear(news.Away(5), news.WentOn({5: Cause.VOTE}, news.Fate.SHORT))
    stage.clock.passes(180)
    assert stage.view.seats[5].note.startswith("away")
    stage.hear(news.TookSeat(5))
    assert "away" not in stage.view.seats[5].note


def test_nobody_is_asked_to_be_ready_while_a_seat_is_empty() -> None:
    """Neither at the table nor on the score sheet, which says what is waited for."""
    stage = crazy(TerminalSettings())
    stage.hear(news.WentOn({5: Cause.GOODBYE}, news.Fate.SHORT))
    ready = Offer("play", "ready")
    assert ready not in stage.view.frame.actions
    stage.parts.rounds.show()
    sheet = stage.model.view().frame
    assert ready not in sheet.actions and sheet.prompt.startswith("Waiting for somebody to take the empty seat")
    assert not [each for each in do(stage.parts, Act("play")) if isinstance(each, BeReady)]
    stage.hear(news.TookSeat(5))
    assert ready in stage.view.frame.actions


@pytest.mark.parametrize(
    ("is_phone", "then", "left"),
    [(False, "30 seconds", "a bot comes in 0:30"), (True, "60 seconds", "the match ends in 1:00")],
    ids=["bot", "phones"],
)
def test_who_is_left_reads_at_once_who_went_and_what_happens_next(is_phone: bool, then: str, left: str) -> None:
    """No bot comes where only phones are left: they could run none."""
    stage = crazy(TerminalSettings())
    if is_phone:
        stage.practice.players = [
            replace(each, through="Lukas") if seat != 5 else each for seat, each in enumerate(stage.playing.players)
        ]
    stage.hear(news.WentOn({5: Cause.GOODBYE}, news.Fate.SHORT))
    ended = "then the match ends." if is_phone else "then a bot does."
    told = stage.view.last_event
    assert "quit for good." in told and f"For {then} somebody" in told and told.endswith(ended)
    assert left in stage.prompt


@pytest.mark.parametrize("lang", ["en", "de", "ja"])
def test_in_plain_mode_an_empty_line_or_a_word_sits_down(lang: str) -> None:
    words: Translator = load_translator(lang)
    talk = RoomTalk(words, b"kim", "Kim", is_host=False)
    talk.changed(parlour((guest(b"mia", "Mia"), guest(b"kim", "Kim")), game="tichu"))
    assert talk.answer("")[1] is None
    told = talk.seat_offered(SeatOffered("Lena", -20))
    assert len(told) == 1 and "Lena" in told[0] and "20" in told[0]
    assert talk.answer("")[1] == talk.answer("sit")[1] == Do("take-seat")
    assert talk.answer("sit 1")[1] != Do("take-seat")
    assert len(talk.seat_offered(SeatOffered("", 0))) == 1
    assert talk.answer("")[1] is None


def test_in_plain_mode_who_has_quit_is_not_called_playing() -> None:
    """The host learns of it a moment later."""
    mia, kim = guest(b"mia", "Mia"), guest(b"kim", "Kim")
    room = parlour((replace(mia, playing=True), replace(kim, playing=True)), game="tichu")
    talk = RoomTalk(Translator(), b"kim", "Kim", is_host=False, is_ready=False, host_before=b"mia")
    told = " ".join(talk.changed(room))
    assert "Seat 1: Mia, host, playing." in told and "Seat 2: Kim, you, not ready yet." in told
    assert "hosts this room now" not in told


def test_in_plain_mode_whoever_hosts_since_the_match_began_is_named_after_it() -> None:
    room = parlour((guest(b"mia", "Mia"), guest(b"kim", "Kim")), host=b"kim")
    for me, told in ((b"kim", "You host this room now."), (b"mia", "Kim hosts this room now.")):
        talk = RoomTalk(Translator(), me, me.decode().title(), is_host=False, is_ready=False, host_before=b"mia")
        assert talk.changed(room)[1] == told


def test_who_has_taken_a_seat_of_this_match_does_not_play_later() -> None:
    room = parlour(tuple(guest(name, name.decode().title()) for name in (b"mia", b"kim")), game="tichu")
    late = guest(b"emil", "Emil")
    for is_playing in (False, True):
        standing = InRoom(replace(room, members=(*room.members, replace(late, playing=is_playing))), b"mia")
        told = about(Translator(), standing, standing.room.members[-1])
        assert told == ("" if is_playing else "plays later")
