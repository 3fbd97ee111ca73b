"""Ends that are counted out, and what a seat knows beyond the public state."""

from __future__ import annotations

from random import Random

from protocol.games.memory import Made, Memory
from protocol.games.tichu.counting import Counting
from protocol.games.tichu.duel import Duel
from protocol.games.tichu.imagining import deals, dealt
from protocol.games.tichu.knowledge import NOTHING, Chosen, Knowledge, known
from protocol.games.tichu.moves import Give, Move, Pass, PlayCombination
from protocol.games.tichu.plays import groups
from protocol.games.tichu.search import wish
from protocol.games.tichu.strategy import TeamPlayer
from protocol.values import replace
from tests.games.tichu.positions import POSITIONS, Position
from tests.games.tichu.sitting import Sitting, cards


def counted(hand: str, others: str, sizes: tuple[int, int, int]) -> str | None:
    position = Position("", "", hand, ("pass",), sizes=sizes, others=others)
    found = Counting(position.state(), 0, position.cards).play(groups(position.cards), position.cards)
    return None if found is None else " ".join(found[1])


def test_a_winner_goes_before_the_last_play() -> None:
    assert counted("Drg 4j", "Kj Ks 2s 6p 7s 8p", (1, 4, 1)) == "Drg"
    assert counted("Dog Aj", "Kj Ks 2s 6p", (1, 2, 1)) == "Aj"


def test_nothing_is_sure_that_a_bomb_or_the_phoenix_beats() -> None:
    assert counted("Aj 4j 6s", "Phx Ks 2s 6p 7s 8p", (2, 2, 2)) is None
    assert counted("Drg 4j 6s", "Ks Kp Kj Kk 7s 8p", (4, 1, 1)) is None
    assert counted("Drg 4j", "Ks Kp Kj Kk 7s 8p", (3, 2, 1)) == "Drg", "nobody holds enough cards for the bomb"


def test_the_phoenix_is_not_led_as_a_winner() -> None:
    assert counted("Phx 4j 6s", "Ks 2s 5p 9j 9s", (2, 2, 1)) is None


def test_two_losers_are_not_counted_out() -> None:
    assert counted("Drg 4j 6s", "Kj Ks 2s 6p 7s 8p", (1, 4, 1)) is None


def test_the_last_two_players_end_is_tried_out() -> None:
    """The 2 keeps both pairs and the ace for the kings; everything else lets the kings out first."""
    position = next(each for each in POSITIONS if each.name.startswith("the 2 of"))
    assert Duel(0, False).move(position.state(), position.cards) == PlayCombination(cards("2j"))


def test_a_duel_needs_that_nobody_else_plays() -> None:
    position = Position("", "", "2j 3j", ("pass",), sizes=(1, 1, 0), others="Kj Ks", out=(3,))
    assert Duel(0, False).move(position.state(), position.cards) is None


def test_own_gifts_and_what_others_chose_are_remembered() -> None:
    table = Sitting("Kj 3j 4j", "2s 5s 6s", "As 5j 6j", "2k 7k 7p")
    memory = Memory(0)
    moves: list[tuple[int, Move]] = [(0, Give(cards("2j 3s 4p"))), (1, Give(3))]
    for seat, move in moves:
        memory = memory.then(Made(table.local.state, seat, move))
    table.people[0].plays("Kj")
    for seat in (1, 2):
        memory = memory.then(Made(table.local.state, seat, Pass()))
        table.people[seat].passes()
    found = known(memory)
    assert found.gave == {1: "2j", 2: "3s", 3: "4p"}
    assert {seat: [each.move for each in made] for seat, made in found.chosen.items()} == {1: [Pass()], 2: [Pass()]}


def test_what_a_seat_has_played_since_was_in_its_hand() -> None:
    memory, table = Memory(0), Sitting("3j 4j 5p", "2s 5s 6s", "As 5j 6j", "2k 7k 7p", lead=1)
    for seat, card in ((1, "5s"), (2, "6j"), (3, "7k"), (0, ""), (1, "")):
        memory = memory.then(Made(table.local.state, seat, PlayCombination(cards(card)) if card else Pass()))
        table.people[seat].plays(card) if card else table.people[seat].passes()
    chosen = known(memory).chosen
    assert [each.since for each in chosen[1]] == [(), cards("5s")]
    assert [each.since for each in chosen[3]] == [cards("7k")]
    assert 0 not in chosen


def test_a_gift_lies_in_the_hand_that_got_it_until_it_is_played() -> None:
    state = Position("", "", "Mah 7s Jk", ("pass",), sizes=(3, 3, 3), others="2j 3p 4j 4k 5s 6j 6k 7j 8p").state()
    for seed in range(20):
        hands = dealt(state, 0, cards("Mah 7s Jk"), Knowledge({1: cards("3p")[0], 2: cards("Ks")[0]}), Random(seed))
        assert "3p" in hands[1]
        assert "Ks" not in hands[2]
        assert tuple(map(len, hands)) == state.hand_sizes


def test_hands_that_would_have_chosen_otherwise_are_imagined_less_often() -> None:
    state = Position("", "", "Mah 7s Jk", ("pass",), sizes=(3, 3, 3), others="2j 3p 4j Kk As Aj Kj 7j 8p").state()
    queen = groups(cards("Qs"))[0].combo
    asked = replace(state, turn=1, top=cards("Qs"), pile=cards("Qs"), combo=queen, owner=0)
    passed = Knowledge(chosen={1: (Chosen(asked, Pass(), ()),) * 2})

    def playing(knowledge: Knowledge) -> int:
        imagined = deals(state, 0, cards("Mah 7s Jk"), knowledge, False, Random(1))
        hands = [next(imagined)[1] for _ in range(100)]
        return sum(TeamPlayer(False).choose(asked, 1, hand, Random(1)) != Pass() for hand in hands)

    assert playing(passed) < 0.5 * playing(NOTHING)


def test_imagined_hands_fit_what_is_public_and_stay_apart() -> None:
    table = Sitting("5s Js Qk", "2j 3p 4j", "Kk As Aj", "7j 8p 9k")
    table.people[0].plays("5s")
    memory = Memory(0, (Made(None, 0, Give(cards("3p 2c 2d"))),)).then(Made(table.local.state, 1, Pass()))
    table.people[1].passes()
    state = replace(table.local.state, given=(True,) * 4)
    imagined = deals(state, 0, cards("Js Qk"), known(memory), False, Random(1))
    seen = []
    for hands in (next(imagined) for _ in range(20)):
        assert tuple(map(len, hands)) == state.hand_sizes
        assert len({card for hand in hands for card in hand}) == sum(state.hand_sizes)
        assert hands[0] == [*cards("Js Qk")]
        assert "3p" in hands[1], "what it was given"
        seen.append(hands)
    assert len({tuple(map(tuple, hands)) for hands in seen}) > 10


def test_the_wish_is_the_gift_to_the_next_player_or_an_ace_of_a_caller() -> None:
    plain, called = (each for each in POSITIONS if each.name.startswith("the Mah Jong wishes"))
    gave = Knowledge({1: cards("3p")[0]})
    assert wish(plain.state(), 0, plain.cards, gave) == "3"
    assert wish(plain.state(), 0, plain.cards, NOTHING) is None
    assert wish(called.state(), 0, called.cards, gave) == "A"
