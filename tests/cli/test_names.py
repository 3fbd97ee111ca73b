"""Cards by name: spoken, drawn and typed."""

from __future__ import annotations

import pytest

from cli.games.cards import Cards, plain
from cli.text import Translator, languages, load_translator
from protocol.cards import JOKER, PACK_52, PACK_TICHU, Card

FRENCH = Cards(Translator(), (*PACK_52, JOKER))
TICHU = Cards(Translator(), PACK_TICHU)


def test_cards_are_spoken_in_full() -> None:
    assert FRENCH.say("8s") == "eight of spades"
    assert FRENCH.say("Jk") == "joker"
    assert TICHU.say("8s") == "eight of swords"
    assert TICHU.say("Jk") == "jack of stars", "the joker's short name is a jack in Tichu"
    assert TICHU.say("Phx") == "Phoenix"
    assert Cards(load_translator("ja"), PACK_52).say("8s") == "スペードの8"
    assert Cards(load_translator("de"), PACK_52).say("8s") == "Pik 8"
    assert Cards(load_translator("de"), PACK_52).say("Kc") == "Kreuz König"
    assert Cards(load_translator("de"), PACK_TICHU).say("8s") == "Schwert 8"
    assert Cards(load_translator("de"), PACK_TICHU).say("Phx") == "Phönix"


def test_cards_are_drawn_in_one_width_but_for_tens() -> None:
    assert FRENCH.short("Th") == "10♥"
    assert FRENCH.short("Th", ascii_only=True) == "10H"
    assert TICHU.short("Jk") == "J★"
    assert FRENCH.short("Jk") == "Jk"


@pytest.mark.parametrize(
    "typed", ["8s", "s8", "8♠", "♠8", "eight of spades", "8 of spades", "eight spades", "eight of spade"]
)
def test_a_card_may_be_typed_in_many_ways(typed: str) -> None:
    assert FRENCH.card_phrases[typed] == "8s"


@pytest.mark.parametrize(
    ("typed", "card"),
    [
        ("8h", "8h"),
        ("Herz 8", "8h"),
        ("herz acht", "8h"),
        ("Herz-Acht", "8h"),
        ("herz8", "8h"),
        ("Karo 10", "Td"),
        ("Pik König", "Ks"),
        ("pik koenig", "Ks"),
        ("PIKKÖNIG", "Ks"),
        ("Kreuz Bube", "Jc"),
        ("Kreuz J", "Jc"),
        ("Pik As", "As"),
        ("Pik Ass", "As"),
        ("as", "As"),
        ("eight of hearts", "8h"),
    ],
)
def test_a_german_types_the_suit_first_and_umlauts_as_the_keyboard_has_them(typed: str, card: str) -> None:
    assert Cards(load_translator("de"), (*PACK_52, JOKER)).card_phrases[plain(typed)] == card


@pytest.mark.parametrize(
    ("typed", "card"),
    [("Phönix", "Phx"), ("phoenix", "Phx"), ("Drachen", "Drg"), ("Hund", "Dog"), ("mahjong", "Mah"), ("stern 8", "8k")],
)
def test_the_cards_of_tichu_in_german(typed: str, card: str) -> None:
    assert Cards(load_translator("de"), PACK_TICHU).card_phrases[plain(typed)] == card


def test_every_card_can_be_typed_as_it_is_named() -> None:
    for lang in languages():
        for faces in ((*PACK_52, JOKER), PACK_TICHU):
            cards = Cards(load_translator(lang), faces)
            for face in faces:
                # A special card is drawn shorter than anyone types it.
                drawn = [cards.short(face)] if len(face) == 2 and face != JOKER else []
                for said in (face, cards.say(face), *drawn):
                    assert cards.card_phrases[plain(said)] == face


def test_the_rank_stands_first_where_two_cards_could_be_meant() -> None:
    assert TICHU.card_phrases["kj"] == "Kj"
    assert TICHU.card_phrases["jk"] == "Jk"
    assert TICHU.card_phrases["sk"] == "Ks"


def test_a_digit_and_a_suit_are_a_number_and_a_suit() -> None:
    assert "2 hearts" not in FRENCH.card_phrases
    assert FRENCH.card_phrases["k hearts"] == "Kh"


def test_hands_are_sorted_by_suit_and_in_tichu_by_rank() -> None:
    assert FRENCH.sort([Card("2c"), Card("As"), JOKER, Card("3s")]) == ("3s", "As", "2c", "Jk")
    assert TICHU.sort([Card("Drg"), Card("3k"), Card("3j"), Card("Mah"), Card("2s")]) == (
        "Mah",
        "2s",
        "3j",
        "3k",
        "Drg",
    )
