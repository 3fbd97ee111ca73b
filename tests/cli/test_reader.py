"""Typed lines become moves, or a sentence that says why not and what would do."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.games.base.answers import Refusal, TypedCommand, TypedMove, TypedQuestion
from cli.games.base.lines import Parsed
from cli.games.registry import face_of
from cli.plain.reader import Reader
from cli.text import languages, load_translator
from protocol.games import LocalTable
from protocol.games.catalogue import load
from tests.cli.tables import Typist, scripted, tichu_lead


def eights(hands: tuple[str, ...] = ("2s 8s Ks 3h", "9h 4d", "5c 6c"), **more: object) -> Typist:
    return Typist(scripted("crazy-eights", hands, "Jh", "7d 4c Td", **more))  # type: ignore[arg-type]


# --- shedding games ---


def test_a_number_plays_the_card_at_that_place() -> None:
    mia = eights()
    assert mia.position.hand == ("2s", "8s", "Ks", "3h")
    assert mia.plays("4") == {"do": "play", "cards": ["3h"]}


@pytest.mark.parametrize("line", ["3h", "h3", "three of hearts", "play 3h", "4", "３ｈ", "♥3", "3H"])
def test_a_card_is_played_by_any_of_its_names(line: str) -> None:
    assert eights().plays(line)["cards"] == ["3h"]


@pytest.mark.parametrize(
    "line", ["8s hearts", "2 hearts", "8s naming hearts", "8s h", "8s = ♥", "eight of spades hearts"]
)
def test_an_eight_names_its_suit_in_one_line(line: str) -> None:
    assert eights().plays(line) == {"do": "play", "cards": ["8s"], "suit": "h"}


def test_an_eight_without_a_suit_is_asked_for_it() -> None:
    mia = eights()
    assert mia.is_asked("8s") == "Which suit do you choose: 1 spades, 2 hearts, 3 diamonds or 4 clubs?"
    assert mia.plays("diamonds")["suit"] == "d"
    mia = eights()
    mia.is_asked("8s")
    assert mia.plays("2")["suit"] == "h", "and not the second card of the hand"


def test_a_question_may_be_left_for_another_move() -> None:
    mia = eights()
    mia.is_asked("8s")
    assert mia.plays("3h")["cards"] == ["3h"]


def test_a_refusal_says_why_and_what_would_do() -> None:
    said = eights().is_refused("Ks")
    assert said == (
        "King of spades doesn’t match jack of hearts in suit or rank. You can play eight of spades "
        "or three of hearts. You can type draw."
    )


def test_a_card_that_is_not_held_is_named() -> None:
    assert eights().is_refused("9c") == "You don’t have nine of clubs."


def test_numbers_and_words_that_mean_nothing_are_said_back() -> None:
    mia = eights()
    assert "your cards are 1 to 4" in mia.is_refused("9")
    assert "“banana”" in mia.is_refused("banana")
    assert mia.is_refused("4 4") == "You named card 4 twice."


def test_out_of_turn_the_one_in_turn_is_named() -> None:
    assert (
        Typist(scripted("crazy-eights", ("2s 8s", "9h", "5c"), "Jh", "7d"), seat=1).is_refused("9h")
        == "It is Mia’s turn."
    )


def test_draw_and_pass() -> None:
    mia = eights()
    assert mia.plays("d") == {"do": "draw"}
    assert mia.is_refused("pass").startswith("You can’t pass while there are cards to draw")


def test_the_last_card_word_is_asked_for_once_when_it_is_due() -> None:
    mia = Typist(scripted("two-four-jack", ("3h Ks", "9h 4d", "5c 6c"), "Jh", "7d 4c Td"))
    assert "Call with this play?" in mia.is_asked("3h")
    assert mia.plays("yes") == {"do": "play", "cards": ["3h"], "call": True}


def test_the_word_may_be_said_or_left_out() -> None:
    for line, said in (("3h!", True), ("3h last", True), ("3h call", True)):
        assert (
            Typist(scripted("two-four-jack", ("3h Ks", "9h", "5c"), "Jh", "7d")).plays(line).get("call", False) is said
        )
    mia = Typist(scripted("two-four-jack", ("3h Ks", "9h", "5c"), "Jh", "7d"))
    assert "call" not in mia.plays("3h", "no")
    forgetful = Typist(scripted("two-four-jack", ("3h Ks", "9h", "5c"), "Jh", "7d"), warn_call=False)
    assert "call" not in forgetful.plays("3h")


def test_suit_and_word_are_asked_one_after_the_other() -> None:
    mia = Typist(scripted("two-four-jack", ("Ah Ks", "9h", "5c"), "Jh", "7d"))
    mia.is_asked("Ah")
    assert "Call with this play?" in mia.is_asked("spades")
    assert mia.plays("yes") == {"do": "play", "cards": ["Ah"], "suit": "s", "call": True}


def test_mau_is_said_with_the_last_card() -> None:
    mia = Typist(scripted("mau-mau", ("9h", "9d 7c", "8c Kc"), "Jh", "7d"))
    assert mia.plays("9h mau") == {"do": "play", "cards": ["9h"], "call": True}


@pytest.mark.parametrize("line", ["tichu", "give 1 2 3", "collect", "show", "grand"])
def test_words_of_other_games_are_refused_as_such(line: str) -> None:
    assert eights().is_refused(line) == f"There is no “{line.split()[0]}” in this game. Type help."


# --- Macau Wars ---


def macau(hand: str, up: str = "7h", lang: str = "en", **more: object) -> Typist:
    # Play goes to the right: with the dealer on seat 1, seat 0 acts first.
    table = scripted("macau-wars", (hand, "9h 4d 5s", "5c 6c 6d"), up, "7d 4c Td", dealer=1, **more)  # type: ignore[arg-type]
    return Typist(table, lang=lang)


def test_several_cards_are_played_in_the_order_typed() -> None:
    assert macau("7c 7s Kd 2c 9c").plays("7c 7s")["cards"] == ["7c", "7s"]


def test_an_order_that_does_not_fit_is_turned_round() -> None:
    mia = macau("6h 6s Kd 2c 9c")
    assert mia.is_asked("6s 6h").startswith("These cards work in this order: six of hearts and six of spades")
    assert mia.plays("yes")["cards"] == ["6h", "6s"]


def test_a_joker_says_what_it_stands_for() -> None:
    mia = macau("Jk 6s Kd 2c 9c")
    assert "Say what the joker stands for" in mia.is_refused("Jk")
    assert mia.plays("joker as king of hearts")["as"] == ["Kh"]
    assert macau("Jk 6s Kd 2c As").plays("jk as 2h")["as"] == ["2h"]


def test_a_joker_beside_other_cards() -> None:
    move = macau("Jk 2h Kd 5c 9c").plays("2h jk as 2c")
    assert (move["cards"], move["as"]) == (["2h", "Jk"], ["2c"])


def test_a_jack_may_call_a_value_and_is_asked_if_it_does_not() -> None:
    assert macau("Jh 6s Kd 2c 9c").plays("Jh call 9")["rank"] == "9"
    mia = macau("Jh 6s Kd 2c 9c")
    assert mia.is_asked("Jh").startswith("Which rank do you call: five, six, seven, eight, nine or ten?")
    assert mia.plays("ten")["rank"] == "T"
    mia = macau("Jh 6s Kd 2c 9c")
    assert "rank" not in mia.plays("Jh", "no")
    assert "rank" not in macau("Jh 6s Kd 2c 9c").plays("Jh no")


def test_an_ace_may_call_a_suit() -> None:
    assert macau("Ah 6s Kd 2c 9c").plays("Ah clubs")["suit"] == "c"


def test_the_queen_of_clubs_names_who_plays_next() -> None:
    assert macau("Qc 6s Kd 2c 9c", up="7c").plays("Qc hanako")["next"] == 2
    mia = macau("Qc 6s Kd 2c 9c", up="7c")
    assert mia.is_asked("Qc") == "Who plays next: Jonas or Hanako?"
    assert mia.plays("jonas")["next"] == 1


# --- Tichu ---

HANDS = (
    "Mah 3j 4j 4s 5j 6s 7j 7s 7p 7k Kj Ks Phx 9j",
    "2j 2s 2p 2k 3s 3p 5s 5p 8j 8s Tj Ts Qj Qs",
    "3k 4p 4k 5k 6j 6p 6k 8p 8k 9s 9p Jj Js Dog",
    "9k Tp Tk Jp Jk Qp Qk Kp Kk Aj As Ap Ak Drg",
)


def test_the_wish_is_asked_for_and_may_be_none() -> None:
    mia = Typist(tichu_lead(HANDS))
    assert "Which rank do you wish for?" in mia.is_asked("Mah")
    assert mia.plays("king") == {"do": "play", "cards": ["Mah"], "wish": "K"}
    assert "wish" not in Typist(tichu_lead(HANDS)).plays("mah", "no")
    assert Typist(tichu_lead(HANDS)).plays("mah jong wish 8")["wish"] == "8"


def test_numbers_play_combinations() -> None:
    mia = Typist(tichu_lead(HANDS))
    hand = mia.position.hand
    line = " ".join(str(hand.index(card) + 1) for card in ("3j", "4s", "5j", "6s", "Phx"))
    assert mia.plays(line)["cards"] == ["3j", "4s", "5j", "6s", "Phx"]


def test_the_phoenix_stands_for_what_is_said() -> None:
    assert Typist(tichu_lead(HANDS)).plays("3j 4s 5j 6s phoenix as two")["phoenix"] == "2"
    said = Typist(tichu_lead(HANDS)).is_refused("3j 4s 5j 6s phx as 9")
    assert "can’t stand for nine" in said


def test_breaking_a_bomb_is_asked_once() -> None:
    mia = Typist(tichu_lead(HANDS))
    assert mia.is_asked("7j 7s").startswith("This breaks up your bomb (seven of jade, seven of swords")
    assert mia.plays("yes")["cards"] == ["7j", "7s"]
    assert isinstance(Typist(tichu_lead(HANDS)).reads("9j"), TypedMove)


def test_a_bomb_out_of_turn_needs_one_word() -> None:
    table = tichu_lead(HANDS, lead=3)
    priya, mia = Typist(table, 3), Typist(table, 0)
    priya.plays("Drg")
    assert table.to_act[0] == 0
    table.play(0, {"do": "pass"})
    jonas = Typist(table, 1)
    jonas.plays("pass")
    assert sorted(mia.plays("bomb")["cards"]) == ["7j", "7k", "7p", "7s"]


def test_without_a_bomb_the_word_is_refused() -> None:
    assert Typist(tichu_lead(HANDS, lead=2), 2).is_refused("bomb") == "You don’t have a bomb."
    assert Typist(tichu_lead(HANDS, lead=3), 0).is_refused("bomb") == "You can’t play a bomb now."


def test_the_dragons_trick_is_given_by_name() -> None:
    table = tichu_lead(HANDS, lead=3)
    Typist(table, 3).plays("Drg")
    for seat in (0, 1, 2):
        table.play(seat, {"do": "pass"})
    priya = Typist(table, 3)
    assert priya.is_asked("collect") == (
        "You must give away the trick you won with the Dragon. Who gets it: Mia or Hanako?"
    )
    assert priya.plays("hanako") == {"do": "collect", "to": 2}


def test_tichu_is_asked_once() -> None:
    mia = Typist(tichu_lead(HANDS))
    assert mia.is_asked("tichu").startswith("Call Tichu? 100 points")
    assert mia.plays("yes") == {"do": "tichu"}


def first_cards(lang: str = "en") -> Typist:
    return Typist(scripted("tichu", HANDS), lang=lang)


def test_grand_tichu_is_answered_with_yes_or_no() -> None:
    assert first_cards().plays("no") == {"do": "grand", "call": False}
    mia = first_cards()
    assert "200 points" in mia.is_asked("yes")
    assert mia.plays("yes") == {"do": "grand", "call": True}
    mia = first_cards()
    assert mia.plays("grand", "no") == {"do": "grand", "call": False}


def test_three_cards_are_given_in_order_or_by_name() -> None:
    mia = first_cards()
    for seat in range(4):
        mia.table.play(seat, {"do": "grand", "call": False})
    assert "the first goes to Jonas, the second to Hanako, the third to Priya" in mia.is_refused("give 1 2")
    move = mia.reads("give 9j 3j Kj")
    assert isinstance(move, TypedMove)
    assert move.move["cards"] == ["9j", "3j", "Kj"]
    named = mia.reads("give 9j to priya, 3j to jonas, Kj to hanako")
    assert isinstance(named, TypedMove)
    assert named.move["cards"] == ["3j", "Kj", "9j"]
    bare = mia.reads("9j 3j Kj")
    assert isinstance(bare, TypedMove)
    assert bare.move["do"] == "give"


def test_the_mah_jong_is_shown() -> None:
    mia = first_cards()
    for seat in range(4):
        mia.table.play(seat, {"do": "grand", "call": False})
    for seat in range(4):
        mia.table.play(seat, {"do": "give", "cards": list(mia.table.hands[seat][1:4])})
    assert mia.plays("show") == {"do": "show"}


# --- commands ---


@pytest.mark.parametrize("line", ["who", "hand", "score", "verify", "help", "?", "hint", "rules", "h"])
def test_commands_are_no_moves(line: str) -> None:
    assert isinstance(eights().reads(line), TypedCommand)


def test_say_keeps_the_words_as_typed() -> None:
    mia = eights()
    assert mia.reads("say Hello, Wörld 8s") == TypedCommand("say", "Hello, Wörld 8s")
    assert mia.reads("/so close :D") == TypedCommand("say", "so close :D")
    assert "Type say and your message" in mia.is_refused("say")


def test_leaving_is_asked_once() -> None:
    mia = eights()
    mia.is_asked("quit")
    assert mia.reads("yes") == TypedCommand("quit")
    mia.is_asked("goodbye")
    assert mia.reads("no") == TypedCommand("nothing")


def test_help_lists_only_what_is_possible_now() -> None:
    lines = "\n".join(eights().reader.help(eights().position))
    assert "draw:" in lines
    for absent in ("tichu", "bomb", "pass:", "collect", "give and", "ready:", "go:"):
        assert absent not in lines
    table = tichu_lead(HANDS)
    mine, theirs = Typist(table, 0), Typist(table, 2)
    assert "bomb:" in "\n".join(mine.reader.help(mine.position))
    assert "bomb:" not in "\n".join(theirs.reader.help(theirs.position))


def test_japanese_is_understood_and_spoken() -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s Ks 3h", "9h", "5c"), "Jh", "7d"), lang="ja")
    assert mia.is_asked("スペードの8").startswith("どのスート")
    assert mia.plays("ハート") == {"do": "play", "cards": ["8s"], "suit": "h"}
    jonas = Typist(mia.table, 1, lang="ja")
    assert jonas.plays("引く") == {"do": "draw"}


def test_german_is_understood_and_spoken() -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s Ks 3h", "9h", "5c"), "Jh", "7d"), lang="de")
    assert mia.is_asked("Pik Acht").startswith("Welche Farbe")
    assert mia.plays("Herz") == {"do": "play", "cards": ["8s"], "suit": "h"}
    jonas = Typist(mia.table, 1, lang="de")
    assert jonas.plays("ziehen") == {"do": "draw"}


@pytest.mark.parametrize("typed", ["8s Wunsch Karo", "lege Pik 8, Karo", "2 und Karo", "spiele pik-acht wünsche karo"])
def test_a_german_line_names_card_and_suit(typed: str) -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s Ks 3h", "9h", "5c"), "Jh", "7d"), lang="de")
    assert mia.plays(typed) == {"do": "play", "cards": ["8s"], "suit": "d"}


@pytest.mark.parametrize(
    ("typed", "command"),
    [("hilfe", "help"), ("Prüfen", "verify"), ("pruefen", "verify"), ("tschuess", "goodbye"), ("punkte", "score")],
)
def test_german_commands_with_and_without_umlauts(typed: str, command: str) -> None:
    mia = Typist(scripted("crazy-eights", ("2s 8s Ks 3h", "9h", "5c"), "Jh", "7d"), lang="de")
    reply = mia.reader.read(typed, mia.position, None)
    if command == "goodbye":
        assert isinstance(reply, TypedQuestion)
        reply = reply.answers[0].means
    assert isinstance(reply, TypedCommand)
    assert reply.name == command


@pytest.mark.parametrize("word", ["Letzte Karte!", "Noch eine!", "Mau!", "Mau-Mau!", "maumau", "Macau!", "ansagen"])
def test_the_words_for_the_last_card_in_german(word: str) -> None:
    mia = Typist(scripted("crazy-eights", ("2s Ks", "9h", "5c"), "Jh", "7d"), lang="de")
    parsed = mia.reader.moves.parser.parse(f"Pik König, {word}", mia.position.hand)
    assert isinstance(parsed, Parsed)
    assert (parsed.cards, parsed.call) == (["Ks"], True)


def test_calls_jokers_and_wishes_in_german() -> None:
    assert macau("Jk 6s Kd 2c 9c", lang="de").plays("Joker als Herz König")["as"] == ["Kh"]
    assert macau("Jh 6s Kd 2c 9c", lang="de").plays("Herz Bube Wunsch Neun")["rank"] == "9"
    assert "rank" not in macau("Jh 6s Kd 2c 9c", lang="de").plays("Herz Bube", "nein")
    assert macau("Ah 6s Kd 2c 9c", lang="de").plays("Herz As, Kreuz")["suit"] == "c"
    queen = macau("Qc 6s Kd 2c 9c", up="7c", lang="de")
    assert queen.is_asked("Kreuz-Dame") == "Wer spielt weiter: Jonas oder Hanako?"
    assert queen.plays("jonas")["next"] == 1
    assert Typist(tichu_lead(HANDS), lang="de").plays("Mah Jong, Wunsch Könige")["wish"] == "K"
    assert Typist(tichu_lead(HANDS), lang="de").plays("3j 4s 5j 6s Phönix als Zwei")["phoenix"] == "2"
    assert Typist(tichu_lead(HANDS), lang="de").plays("Tichu", "ja") == {"do": "tichu"}


def test_grand_tichu_and_the_dragons_trick_in_german() -> None:
    for lines, call in ((("nein",), False), (("großes Tichu", "ja"), True), (("ja", "nein"), False)):
        assert first_cards("de").plays(*lines) == {"do": "grand", "call": call}
    table = tichu_lead(HANDS, lead=3)
    Typist(table, 3, lang="de").plays("Drache")
    for seat in (0, 1, 2):
        Typist(table, seat, lang="de").plays("passe")
    priya = Typist(table, 3, lang="de")
    assert priya.is_asked("stich") == (
        "Den Stich mit dem Drachen musst du verschenken. Wer bekommt ihn: Mia oder Hanako?"
    )
    assert priya.plays("Hanako") == {"do": "collect", "to": 2}


def test_cards_are_given_in_german() -> None:
    mia = first_cards("de")
    for seat in range(4):
        mia.table.play(seat, {"do": "grand", "call": False})
    assert "die erste an Jonas, die zweite an Hanako" in mia.is_refused("gib 1 2")
    assert mia.plays("schupfe 9j an Priya, 3j an Jonas und Kj an Hanako")["cards"] == ["3j", "Kj", "9j"]


def test_who_is_told_what_to_type_is_told_words_of_the_language() -> None:
    english, german = eights(), Typist(scripted("crazy-eights", ("2s Ks", "9h", "5c"), "Jh", "7d"), lang="de")
    assert german.reader.moves.what_fits(german.position) == "Du kannst tippen: ziehen."
    assert "draw" in english.reader.moves.what_fits(english.position)


# --- anything at all ---

TYPED = (
    "8s 2 hearts play draw pass call no yes as to mia jonas 7 99 jk king of spades ! , "
    "tichu bomb give collect show grand phx wish k "
    "lege herz pik 8 acht könig ziehen passe nein ja als für wünsche letzte karte! phönix joker schupfe großes und"
)
WORDS = st.sampled_from(TYPED.split(" "))
PLACES: dict[str, Callable[[], Typist]] = {
    "shed": lambda: eights(),
    "macau": lambda: macau("Jk 2h Qc Jh Ah 4c"),
    "tichu": lambda: Typist(tichu_lead(HANDS)),
}


@pytest.mark.slow
@settings(max_examples=150, deadline=None)
@given(
    st.one_of(st.lists(WORDS, max_size=7).map(" ".join), st.text(max_size=30)),
    st.sampled_from(sorted(PLACES)),
    st.sampled_from(languages()),
)
def test_no_line_breaks_the_reader_and_every_play_is_legal(line: str, where: str, lang: str) -> None:
    typist = PLACES[where]()
    words = load_translator(lang)
    reader = Reader(words, face_of(typist.table.game), typist.reader.moves.names, 0)
    reply = reader.read(line, typist.position, None)
    assert reply is None or isinstance(reply, (TypedMove, Refusal, TypedQuestion, TypedCommand))
    if isinstance(reply, Refusal):
        assert reply.sentence
    if isinstance(reply, TypedMove):
        typist.playing.check(typist.table.game.decode(reply.move))


def test_a_hint_at_the_exchange_speaks_of_giving() -> None:
    table = LocalTable(load("tichu", 4, {}), Random(5))
    for seat in range(4):
        table.play(seat, {"do": "grand", "call": False})
    mia = Typist(table)
    assert mia.reader.moves.hint(mia.position).startswith("You can give ")
    mia = eights()
    assert mia.reader.moves.hint(mia.position).startswith("You can play ")


def test_the_word_too_early_is_answered_with_when_it_is_said() -> None:
    mia = Typist(scripted("mau-mau", ("Ts Ks 8h", "9h 7d", "9c 7c"), "Jh", "7h 9d"))
    goes = "Say “Mau!” or “Mau-Mau!” on the same line as your last card, e.g. 8s mau."
    assert mia.is_refused("mau") == goes
    assert mia.is_refused("8h mau") == goes
    assert goes in "\n".join(mia.reader.help(mia.position))


def test_a_rank_alone_is_the_only_card_of_that_rank() -> None:
    assert eights().plays("three")["cards"] == ["3h"]
    mia = eights(("Ks Kh 3h", "9h 4d", "5c 6c"))
    assert mia.is_refused("king") == "Which one: king of spades or king of hearts?"


def test_help_tells_how_a_card_is_played_though_none_fits_or_another_plays() -> None:
    mine, theirs = (eights(("2s Ks", "9h 4d", "5c 6c")) for _ in range(2))
    assert "card numbers or names" in "\n".join(mine.reader.help(mine.position))
    jonas = Typist(theirs.table, 1)
    lines = jonas.reader.help(jonas.position)
    assert lines[0].strip() == "When it is your turn:"
    assert any("card numbers or names" in line for line in lines) and any("draw:" in line for line in lines)
    assert mine.reader.moves.hint(mine.position) == "You can’t play: draw."
