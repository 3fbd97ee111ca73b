"""Tichu in plain sentences: who gave which card, what a trick counts, which combination ended a round."""

from __future__ import annotations

from random import Random

from cli.games.base.narrator import counts
from cli.games.tichu.narrator import TichuNarrator
from cli.text import load_translator
from protocol.cards import Card
from protocol.games import LocalTable, load
from protocol.games.tichu.combinations import Combo
from protocol.games.tichu.moves import PlayCombination
from protocol.games.tichu.view import TichuView
from protocol.games.views import Trick, TrickPlay, seen_as
from protocol.values import replace
from tests.cli.practice import arrivals

NAMES = ("Mia", "Jonas", "Hanako", "Priya")


def narrator(table: LocalTable, seat: int | None) -> TichuNarrator:
    return TichuNarrator(load_translator("en"), table.game, NAMES, seat)


def exchanged() -> tuple[LocalTable, list[str], dict[int, list[str]]]:
    """A table after its exchange, what our seat was told of the last gift, and what each seat gave."""
    table = LocalTable(load("tichu", 4, {}), Random(5))
    for seat in range(4):
        table.play(seat, {"do": "grand", "call": False})
    given = {seat: [str(card) for card in table.hands[seat][:3]] for seat in range(4)}
    told: list[str] = []
    for seat in range(4):
        before = table.public_view(0)
        table.play(seat, {"do": "give", "cards": given[seat]})
        after = table.public_view(0)
        after = after.with_arrived(0, arrivals(before, after, 0))
        told = narrator(table, 0).moved(seat, {"do": "give", "cards": given[seat]}, before, after)
    return table, told, given


def test_each_card_that_came_is_told_with_its_giver() -> None:
    table, told, given = exchanged()
    say = narrator(table, 0).cards.say
    # To their next seat first, then across, then to the one before.
    assert f"Jonas passed you {say(given[1][2])}." in told
    assert f"Hanako passed you {say(given[2][1])}." in told
    assert f"Priya passed you {say(given[3][0])}." in told


def test_what_the_trick_counts_is_told_with_what_is_to_be_beaten() -> None:
    table, _told, _given = exchanged()
    kings = (Card("Ks"), Card("Kj"))
    trick = Trick(plays=(TrickPlay(seat=1, cards=kings),), winner=1)
    view = replace(
        seen_as(TichuView, table.public_view(0)), phase="play", trick=trick, combo=Combo("pair", 2, 26), turn=0
    )
    assert "20 points." in narrator(table, 0).table(replace(view, pile_cards=kings))
    assert not any("counts" in each for each in narrator(table, 0).table(view))


def test_a_play_that_ends_the_round_is_named_too() -> None:
    table, _told, _given = exchanged()
    cards = tuple(map(Card, ("9p", "Ts", "Jk", "Qk", "Kp")))
    told = narrator(table, 0).played_combination(1, PlayCombination(cards), TichuView(turn=1), TichuView())
    assert told.startswith("Jonas played a straight of 5 cards up to king")
    told = narrator(table, 0).played_combination(
        1, PlayCombination(tuple(map(Card, ("3s", "3k", "4s", "4k")))), TichuView(), TichuView()
    )
    assert told.startswith("Jonas played stairs of 4 cards up to four")


def test_a_trick_that_was_won_is_taken_and_not_won_once_more() -> None:
    table, _told, _given = exchanged()
    before = seen_as(TichuView, table.public_view(0))
    after = replace(before, captured=(0, 15, 0, 0), turn=1)
    assert narrator(table, 0).collected(1, None, before, after) == "Jonas takes the trick. 15 points."


def test_a_trick_below_nothing_is_told_in_words_that_can_be_spoken() -> None:
    _ = load_translator("en")
    assert counts(_, -25) == "-25 points."
    assert counts(_, 10) == "10 points."
