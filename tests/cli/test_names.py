"""Cards by name: spoken, drawn and typed."""

from __future__ import annotations

import pytest

from cli.plain.names import Cards
from cli.words import Words, load_words
from protocol.cards import JOKER, PACK_52, PACK_TICHU, Card

FRENCH = Cards(Words(), (*PACK_52, JOKER))
TICHU = Cards(Words(), PACK_TICHU)


def test_cards_are_spoken_in_full() -> None:
    assert FRENCH.say("8s") == "eight of spades"
    assert FRENCH.say("Jk") == "joker"
    assert TICHU.say("8s") == "eight of swords"
    assert TICHU.say("Jk") == "jack of stars", "the joker's short name is a jack in Tichu"
    assert TICHU.say("Phx") == "Phoenix"
    assert Cards(load_words("ja"), PACK_52).say("8s") == "スペードの8"


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


def test_every_card_can_be_typed_as_it_is_named() -> None:
    for lang in ("en", "ja"):
        for faces in ((*PACK_52, JOKER), PACK_TICHU):
            cards = Cards(load_words(lang), faces)
            for face in faces:
                # A special card is drawn shorter than anyone types it.
                drawn = [cards.short(face)] if len(face) == 2 and face != JOKER else []
                for said in (face, cards.say(face), *drawn):
                    assert cards.card_phrases[said.casefold()] == face


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
