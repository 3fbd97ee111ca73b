"""The normal bot of Two-Four-Jack goes by rules of thumb; the strong one counts cards."""

from __future__ import annotations

from random import Random
from typing import Any

from protocol.cards import Card
from protocol.games import LocalTable, load
from protocol.games.game import NORMAL, STRONG
from protocol.games.shedding import PlayCards
from protocol.values import replace


def choice(level: str, hand: str, next_has: int = 6, pile: str = "9h") -> PlayCards:
    """What a bot of this level plays between two."""
    game: Any = load("two-four-jack", 2)
    cards, on_pile = (tuple(map(Card, text.split())) for text in (hand, pile))
    state = replace(
        LocalTable(game, Random(1)).state,
        pile=on_pile,
        turn=0,
        hand_sizes=(len(cards), next_has),
        stock_size=52 - len(cards) - len(on_pile) - next_has,
    )
    move = game.strategy(level).choose(state, 0, cards, Random(1))
    assert isinstance(move, PlayCards)
    return move


def test_the_dearest_card_goes_first_and_aces_last() -> None:
    assert choice(NORMAL, "3h Kh 7h Ac").cards == ("Kh",)
    assert choice(NORMAL, "3h 6c 7d Ac").cards == ("3h",)


def test_an_ace_names_the_suit_of_most_cards_left() -> None:
    move = choice(NORMAL, "3c 6c 7d Ac Kd Td")
    assert (move.cards, move.suit) == (("Ac",), "d")


def test_twos_and_fours_are_kept_for_a_next_player_who_is_nearly_out() -> None:
    assert choice(NORMAL, "2h 3h 6c").cards == ("3h",)
    assert choice(NORMAL, "2h 3h 6c", next_has=2).cards == ("2h",)


def test_the_strong_bot_knows_which_suit_has_been_played() -> None:
    """All hearts but its own lie on the pile, so the next player cannot follow the three, but may well follow the nine."""
    hearts = " ".join(f"{rank}h" for rank in "245678TJQK")
    hand, pile = "3h 9s Qc 6d", f"{hearts} 9h"
    assert choice(NORMAL, hand, pile=pile).cards == ("9s",)
    assert choice(STRONG, hand, pile=pile).cards == ("3h",)
