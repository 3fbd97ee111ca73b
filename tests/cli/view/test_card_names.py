"""A screen reader says cards in full, where a sentence that is read on a screen has signs."""

from __future__ import annotations

from cli.games.registry import face_of
from cli.text import load_translator
from protocol.games import load
from tests.rows import row

ROWS = (
    ("en", "crazy-eights", "8s", "eight of spades"),
    ("en", "macau-wars", "Jk", "joker"),
    ("en", "tichu", "Js", "jack of swords"),
    ("de", "mau-mau", "Kh", "Herz König"),
    ("ja", "crazy-eights", "Qh", "ハートのQ"),
)


def test_a_card_s_name_says_rank_and_suit_in_words() -> None:
    for lang, name, card, told in ROWS:
        game = load(name, 4)
        with row((lang, card)):
            assert face_of(game).short_cards(load_translator(lang)).face(card).name == told
