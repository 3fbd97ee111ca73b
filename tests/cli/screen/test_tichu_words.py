"""What Tichu's table says in words: cards by name, why a pick is refused, who gave which card, whose lead it is."""

from __future__ import annotations

from itertools import product

import pytest

from cli import news
from cli.games.short_cards import told_apart
from cli.news import Player, Say, has_company
from cli.terminal.render import render
from cli.terminal.settings import TerminalSettings
from cli.text import languages
from cli.view.inputs import Type
from cli.view.views import TableView
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as
from protocol.values import replace
from tests.cli.screen.screens import ACROSS, LEFT, MINE, RIGHT, SCREENS, exchange_stage, table
from tests.cli.screen.stage import Stage, away
from tests.cli.tables import tichu_lead
from tests.rows import row

BOTS = ("Hanako", "Bot Ada", "Bot Emmy", "Bot Sofia")


def shown(stage: Stage) -> TableView:
    view = stage.view
    assert isinstance(view, TableView)
    return view


def led_by(cards: list[str], settings: TerminalSettings | None = None) -> Stage:
    """Priya has led these, and the turn is ours."""
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3), settings=settings)
    stage.moves(3, {"do": "play", "cards": cards})
    return stage


def test_special_cards_have_their_names() -> None:
    stage = Stage(tichu_lead([RIGHT, MINE, LEFT, ACROSS], 0))
    hints = []
    for _each in range(40):
        stage.press("h")
        hints.append(stage.prompt.partition(": ")[2].partition(" · ")[0])
    assert "Mah Jong" in hints
    assert "Dragon" not in hints
    stage.press("x", "1", " ")
    assert shown(stage).picked == "picked: Mah Jong"
    assert stage.prompt.startswith("YOUR TURN  Single Mah Jong")
    stage.press("enter", "enter")
    assert "You played Mah Jong." in stage.log


def test_no_combination_is_told_once_and_with_what_to_drop() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.press("6", " ", "6", " ", "7", " ", "enter")
    assert stage.prompt == "Not a combination: add Phoenix, or drop 7†. Press H to see what you can play. X: clear"


def test_what_no_own_card_completes_is_to_be_dropped() -> None:
    hand = "Mah 2s 3j 4j 7s 7j 9s 9p Ts Jk Qk Ks Ap Dog"
    rest = ["2k 2p 2j 3s 3p 4s 4p 5s 5j 5p 5k 6s 6j 6p", "3k 4k 6k 7p 7k 8s 8j 8p 8k 9k 9j Tj Tp Tk"]
    rest.append("Jj Js Jp Qj Qs Qp Kj Kp Kk Aj As Ak Phx Drg")
    stage = Stage(tichu_lead([hand, *rest], 0))
    stage.press("1", " ", "2", " ", "3", " ", "4", " ")
    assert stage.prompt.startswith("YOUR TURN  No card in your hand completes it: drop ")
    stage.press("x", "7", " ", "9", " ")
    assert "Not a combination: drop" in stage.prompt


def test_another_kind_than_the_trick_is_told_what_the_trick_asks() -> None:
    stage = led_by(["As"])
    stage.press("6", " ", "6", " ")
    assert stage.text(60, 20).splitlines()[-2].strip() == "YOUR TURN  Pair of 6s: you need a single above A"
    stage.press("enter")
    assert stage.prompt.startswith("Pair of 6s: you need a single above A.")
    stage.press("x", "k", "a", " ", "enter")
    assert stage.prompt.startswith("Single A does not beat A.")
    stage = led_by(["Kk", "Kp"])
    stage.press("6", " ", "enter")
    assert stage.prompt.startswith("Single 6: you need a pair above Ks.")


def test_a_straight_asks_for_a_straight() -> None:
    stage = led_by(["Mah", "2p", "3k", "4p", "5j"])
    stage.press("6", " ", "6", " ")
    assert stage.text(60, 20).splitlines()[-2].strip() == "YOUR TURN  Pair of 6s: you need a straight of 5 above 1-5"


def test_names_are_told_apart_by_what_differs() -> None:
    assert told_apart(BOTS) == ["Hanako", "Ada", "Emmy", "Sofia"]
    assert told_apart(["Ada", "Bot Ada", "Bot Emmy"]) == ["Ada", "Bot Ada", "Bot Emmy"]
    assert told_apart(["Anna Bell", "Jo Bell", "Jo Reed"]) == ["Anna Bell", "Bell", "Reed"]
    assert told_apart(["Mia", "Jonas Lind"]) == ["Mia", "Jonas Lind"]
    assert told_apart(["Guest 1", "Guest 2", "Mia"]) == ["Guest 1", "Guest 2", "Mia"], "a number alone says nothing"


def test_the_exchange_names_the_givers() -> None:
    stage = exchange_stage(TerminalSettings())
    stage.practice.players[:] = [Player(name) for name in BOTS]
    stage.press("home", " ", "right", " ", "right", " ")
    assert "2 Emmy" in stage.text()
    assert "3 Sofia" in stage.text()
    stage.press("enter")
    given = {seat: list(stage.table.hands[seat][:3]) for seat in (1, 2, 3)}
    for seat in (1, 2, 3):
        stage.moves(seat, {"do": "give", "cards": given[seat]})
    said = stage.parts.at.cards.say
    told = next(text for text in stage.log if "Everyone swaps cards." in text)
    assert f"Bot Ada passed you {said(given[1][2])}." in told
    assert f"Bot Emmy passed you {said(given[2][1])}." in told
    assert f"Bot Sofia passed you {said(given[3][0])}." in told
    assert set(stage.tichu.received.values()) == {"Ada", "Emmy", "Sofia"}


BOXES = (
    "suit-pick",
    "joker",
    "next-player",
    "rank-call",
    "tichu-wish",
    "tichu-call",
    "grand",
    "exchange",
    "dragon",
    "leaving",
)


@pytest.mark.sample
@pytest.mark.parametrize("name", BOXES)
def test_nothing_in_a_box_is_cut(name: str) -> None:
    for lang, size in product(languages(), ((80, 24), (60, 20), (58, 18))):
        with row(f"{lang}, {size}"):
            assert_nothing_cut(name, lang, size)


def assert_nothing_cut(name: str, lang: str, size: tuple[int, int]) -> None:
    settings = TerminalSettings(lang=lang)
    view = SCREENS[name](settings).picture(*size)[0]
    assert isinstance(view, TableView)
    dialog = view.dialog
    assert dialog is not None
    drawn = render(view, *size, settings.shown, settings.words).text()
    joined = "".join("".join(line.split()) for line in drawn.splitlines())
    for choice in dialog.choices:
        for text in (choice.label, choice.sub):
            assert text in drawn, text
    left = size[0] - (26 if size[0] >= 78 else 0)
    boxed = "".join("".join(line[:left].split()) for line in drawn.splitlines())
    if lang == "en":
        for text in (dialog.title, dialog.footer, *("".join(piece for piece, _ink in line) for line in dialog.lines)):
            assert "".join(text.split()) in (boxed + joined), text


def test_the_exchange_says_who_is_awaited_and_away() -> None:
    stage = exchange_stage(TerminalSettings())
    assert "(away)" not in stage.text(160, 40)
    away(stage, 1)
    assert f"Waiting for {stage.parts.at.short_names[1]} (away)" in " ".join(stage.text(160, 40).split())


def test_a_proposal_is_made_for_the_exchange_and_for_grand_tichu() -> None:
    stage = exchange_stage(TerminalSettings(hints="suggest"))
    stage.press("h")
    told = stage.prompt
    assert None not in stage.tichu.exchange.gifts
    stage.press("enter")
    assert [move["do"] for move in stage.played] == ["give"]
    say = stage.parts.at.cards.say
    left, across, right = (say(card) for card in stage.played[0]["cards"])
    assert told == f"Suggestion: {left} to Jonas, {across} to ハナコ and {right} to Priya · Enter: pass them"
    assert sorted(stage.played[0]["cards"]) == sorted(set(stage.played[0]["cards"]))
    stage = Stage(table("tichu", 4, 5), settings=TerminalSettings(hints="suggest"))
    stage.press("y", "h")
    assert stage.prompt.startswith("Suggestion: ")
    stage.press("enter")
    assert stage.played[0]["do"] == "grand"


def log_of(stage: Stage) -> list[str]:
    return stage.log


def test_a_call_stands_at_its_callers_place_for_the_whole_round() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3))
    stage.press("t", "y", "enter")
    for columns, rows in ((80, 24), (60, 20), (100, 30)):
        assert "TICHU!" in next(line for line in stage.text(columns, rows).splitlines() if "Your hand" in line)
    stage.moves(1, {"do": "tichu"})
    stage.moves(3, {"do": "play", "cards": ["As"]})
    stage.press("p")
    stage.moves(1, {"do": "pass"})
    assert shown(stage).seats[1].note == "TICHU! · passes"


def test_a_tichu_is_lost_as_soon_as_somebody_else_is_out() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3))
    stage.press("t", "y", "enter")
    view = replace(seen_as(TichuView, stage.playing.view()), called=("tichu", None, "grand", None))
    after = replace(view, out=(3,), turn=0)
    stage.screen.hear(news.Moved(3, {"do": "play", "cards": ["As"]}, view, after))
    assert "Your Tichu failed. ハナコ’s Grand Tichu failed." in log_of(stage)[-1]
    for out, chip in (((3,), "Tichu lost"), ((0,), "Tichu made!")):
        position = stage.parts.at.position
        assert position is not None
        stage.parts.at._position = replace(position, view=replace(after, out=out))
        assert stage.tichu.chip(0) == chip


def test_what_can_be_done_is_told_alike_in_prompt_and_middle() -> None:
    stage = led_by(["As"])
    assert "your turn: beat it, or P: pass" in stage.text()
    assert "Beat the trick, or press P to pass" in stage.prompt
    stage = led_by(["Qs", "Qs"][:1])
    stage.press("d")
    none = Stage(tichu_lead(["2s 3j 4k 5k 6p 7s 9j Tk Js Qp Ak 8s 8j 3p", LEFT_, ACROSS_, RIGHT_], 3))
    none.moves(3, {"do": "play", "cards": ["Drg"]})
    assert "you can’t beat it · P: pass" in none.text()
    assert "You can’t beat this · P: pass" in none.prompt


LEFT_ = "2k 3s 4j 5p 6s 7j 9s 9p Phx Tj Jj Qj Kj Aj"
ACROSS_ = "2j 4s 5s 6j 7p 8p 8k Ts Jk Qk Ks Ap Dog 5j"
RIGHT_ = "2p 3k 4p 6k 7k 9k Tp Jp Qs Kk Kp As Mah Drg"


def test_who_holds_no_bomb_is_told_who_takes_the_trick_and_that_once() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 3))
    stage.moves(3, {"do": "play", "cards": ["As"]})
    stage.press("p")
    for seat in (1, 2):
        stage.moves(seat, {"do": "pass"})
    stage.hear(news.Grace(3, 2.0))
    assert stage.prompt.startswith("Priya wins the trick (2 s)")
    assert "bomb" not in stage.prompt
    stage.tick(3)
    stage.moves(3, {"do": "collect", "to": None})
    assert sum("the trick" in text for text in log_of(stage)) == 1
    assert "takes the trick (" not in stage.prompt


def test_what_was_picked_for_a_trick_is_cleared_when_it_is_taken() -> None:
    stage = led_by(["As"])
    stage.press("p", "6", " ")
    stage.moves(1, {"do": "pass"})
    assert stage.parts.hand.picked
    stage.moves(2, {"do": "pass"})
    stage.moves(3, {"do": "collect", "to": None})
    assert not stage.parts.hand.picked


def test_the_dog_lies_on_the_table_and_says_who_leads() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 2))
    stage.moves(2, {"do": "play", "cards": ["Dog"]})
    assert log_of(stage)[-1] == "ハナコ plays the Dog: you lead."
    trick = shown(stage).trick
    assert trick is not None
    assert [face.short for face in trick.cards] == ["Dg"]
    assert trick.label == "ハナコ: the Dog"
    stage.press("a", "enter")
    trick = shown(stage).trick
    assert trick is not None
    assert [face.short for face in trick.cards] == ["A★"]
    watching = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 2), seat=1)
    watching.moves(2, {"do": "play", "cards": ["Dog"]})
    assert log_of(watching)[-1] == "ハナコ plays the Dog: Mia leads."


def test_the_partner_is_marked_where_all_sit_side_by_side() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    assert "partner" in stage.text(60, 20)
    stage.practice.players[2] = Player("A very long name")
    assert "You and A very long name 0  They 0" in stage.text(60, 20)
    stage.press("+")
    assert "partner" in "".join(stage.text(80, 24).splitlines()[1:3])


def test_the_key_that_opened_a_page_closes_it() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    for key in ("l", "?"):
        stage.press(key)
        assert stage.screen.overlay is not None
        stage.press(key)
        assert stage.screen.overlay is None


def test_help_names_each_key_once_and_those_of_the_questions() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.press("?")
    lines = stage.text(100, 60).splitlines()
    keys = [line.split()[0] for line in lines if line.strip()]
    assert keys.count("G") == 1
    assert any(line.strip().startswith("1 2 3") and "exchange" in line for line in lines)
    assert any(line.strip().startswith("Y N") and "Grand Tichu" in line for line in lines)


def test_an_unknown_emote_is_not_sent() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    stage.screen.send(Type(":wa", "chat"))
    stage._carry_out()
    assert stage.prompt == "No such emote: :gg :wow :hurry :sorry :clap"
    assert not [effect for effect in stage.effects if isinstance(effect, Say)]
    for text in (":D", ":-)", ":wow", "so: yes"):
        stage.screen.send(Type(text, "chat"))
    stage._carry_out()
    assert [effect.text for effect in stage.effects if isinstance(effect, Say)] == [":D", ":-)", ":wow", "so: yes"]


def test_the_tables_words_are_for_people() -> None:
    stage = Stage(tichu_lead([MINE, LEFT, ACROSS, RIGHT], 0))
    assert has_company(stage.playing)
    stage.practice.players[1:] = [Player(name, bot=True) for name in BOTS[1:]]
    assert not has_company(stage.playing)
