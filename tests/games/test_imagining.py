"""The strong bots of the shedding games: what they imagine fits what they know, and they play by the rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from protocol.cards import Card
from protocol.games import load
from protocol.games.eights import Eights
from protocol.games.game import NORMAL, STRONG
from protocol.games.local import LocalTable
from protocol.games.memory import Made, Memory, choose
from protocol.games.shedding import DRAW, PASS, PlayCards
from protocol.games.strategies import imagining, likely
from protocol.games.strategies.eights import EightsBot
from protocol.games.strategies.imagining import Imagining
from protocol.games.strategies.lacking import shown
from protocol.values import replace
from tests import duplicates
from tests.strength import after, play_match

GAMES = ("crazy-eights", "two-four-jack", "mau-mau", "macau-wars")


@pytest.mark.sample
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seats", [2, 3])
def test_imagined_deals_fit_what_is_public_and_what_others_lacked(name: str, seats: int) -> None:
    game: Any = load(name, seats)
    table, rng = LocalTable(game, Random(5)), Random(1)
    bot = game.strategy(NORMAL)
    strong = Imagining(game, bot)
    memories, excluding = [Memory(seat) for seat in range(seats)], 0
    while table.rounds == 1 and not table.over:
        state, seat = table.state, table.to_act[0]
        for me in range(seats):
            known = strong._known(memories[me], state)
            for each, held in known.hands.items():
                cannot = [one.cannot for one in held]
                excluding += any(cannot)
                free = list(table.hands[each])
                for one in sorted(cannot, key=len, reverse=True):  # the true hand is among those imagined
                    free.remove(next(card for card in free if card not in one))
            hands, stock = next(strong.imagined(known, state, me, table.hands[me], rng))
            assert tuple(map(len, hands)) == state.hand_sizes
            assert hands[me] == list(table.hands[me])
            assert Counter([*stock, *state.pile, *(card for hand in hands for card in hand)]) == Counter(game.deck)
        move = choose(bot, memories[seat], state, table.hands[seat], rng)
        move = game.default(state, seat, table.hands[seat]) if move is None else move
        memories = after(game, memories, state, seat, move)
        table.play(seat, move)
    assert (excluding > 0) == isinstance(game, Eights)


def test_a_player_who_draws_or_passes_holds_nothing_that_fits() -> None:
    game = load("two-four-jack", 2)
    assert isinstance(game, Eights)
    start = replace(LocalTable(game, Random(1)).state, pile=(Card("9h"),), suit=None, penalty=0, hand_sizes=(3, 3))
    drawn = replace(start, hand_sizes=(3, 4), drawn=True)
    moves = (Made(start, 1, DRAW),)
    known = [held.cannot for held in shown(game, Memory(0, moves), drawn).hands[1]]
    old, new = known[0], known[-1]
    assert {"9c", "2h", "Ac"} <= old
    assert "8c" not in old
    assert not new
    passed = shown(game, Memory(0, (*moves, Made(drawn, 1, PASS))), replace(drawn, turn=0))
    assert all("2h" in held.cannot for held in passed.hands[1])


def test_nobody_who_held_cards_then_has_those_that_were_shuffled_into_the_stock() -> None:
    """But for cards drawn since, and for faces that the deck has twice."""
    game, of_two = load("mau-mau", 3), load("mau-mau", 3, {"decks": 2})
    assert isinstance(game, Eights)
    assert isinstance(of_two, Eights)
    dealt = LocalTable(game, Random(1)).state
    start = replace(
        dealt, pile=(Card("9h"), Card("Th"), Card("Qd")), suit=None, hand_sizes=(2, 2, 2), stock_size=0, turn=1
    )
    drawn = replace(start, pile=(Card("Qd"),), hand_sizes=(2, 3, 2), stock_size=1, drawn=True)
    memory = Memory(0, (Made(start, 1, DRAW),))
    hands = shown(game, memory, drawn).hands
    assert [held.cannot & {"9h", "Th", "Qd"} for held in hands[2]] == [{"9h", "Th"}] * 2
    assert {"9h", "Th"} <= hands[1][0].cannot & hands[1][1].cannot
    assert not hands[1][2].cannot
    twice = shown(of_two, memory, drawn).hands
    assert not any(held.cannot for held in twice[2])


def test_imagined_hands_are_those_with_which_the_normal_bot_would_have_named_the_suit() -> None:
    """They hold about as many hearts as random hands that count for less where it would not have named hearts."""
    game = load("crazy-eights", 2)
    assert isinstance(game, Eights)
    start = replace(
        LocalTable(game, Random(1), dealer=0).state,
        pile=(Card("9c"),),
        suit=None,
        hand_sizes=(2, 5),
        stock_size=44,
        turn=1,
    )
    named = replace(start, pile=(Card("9c"), Card("8c")), suit="h", hand_sizes=(2, 4), turn=0)
    hand, normal, rng, play = (Card("2s"), Card("3d")), EightsBot(game), Random(1), PlayCards((Card("8c"),), "h")
    unseen = [card for card in game.deck if card not in (*hand, *named.pile)]
    hands = [rng.sample(unseen, 4) for _ in range(4000)]
    weights = [1.0 if normal.choose(start, 1, [Card("8c"), *each], rng) == play else likely.DOUBT for each in hands]
    strong = Imagining(game, normal)
    imagined = strong.imagined(strong._known(Memory(0, (Made(start, 1, play),)), named), named, 0, hand, rng)

    def hearts(hands: Sequence[Sequence[Card]], weights: Sequence[float]) -> float:
        counts = [sum(card[1] == "h" for card in each) for each in hands]
        return sum(count * weight for count, weight in zip(counts, weights, strict=True)) / sum(weights)

    found = hearts([next(imagined)[0][1] for _ in range(1000)], [1.0] * 1000)
    assert abs(found - hearts(hands, weights)) < abs(found - hearts(hands, [1.0] * 4000))


def test_a_move_that_wins_the_most_imagined_deals_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the normal bot thinks of it."""
    game = load("crazy-eights", 2, {"target": 0})
    assert isinstance(game, Eights)
    state = replace(
        LocalTable(game, Random(1), dealer=1).state,
        pile=(Card("9h"),),
        suit=None,
        hand_sizes=(3, 5),
        stock_size=43,
        turn=0,
    )
    hand = (Card("9c"), Card("2h"), Card("7c"))
    bot = Imagining(game, EightsBot(game))
    worth: dict[str, float] = {Card("9c"): 0.0, Card("2h"): 5.0}

    def outcome(*args: Any) -> float:
        move, rng = args[-2:]
        worst: float = rng.random() / 10 - 5
        return worst + (5 + worth[move.cards[0]] if isinstance(move, PlayCards) else 0)

    monkeypatch.setattr(bot, "_outcome", outcome)
    chosen: Any = bot.choose(state, 0, hand, Random(1))
    assert chosen.cards == (Card("2h"),)
    worth[Card("9c")] = 10.0
    chosen = bot.choose(state, 0, hand, Random(1))
    assert chosen.cards == (Card("9c"),)


@pytest.mark.parametrize(
    ("name", "options", "penalty", "is_tried"),
    [
        ("crazy-eights", {}, 0, False),
        ("crazy-eights", {"draw": "one"}, 0, True),
        ("mau-mau", {}, 0, False),
        ("mau-mau", {"sevens": True}, 2, True),
    ],
)
def test_drawing_is_tried_where_it_ends_the_turn(
    name: str, options: dict[str, object], penalty: int, is_tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Elsewhere whoever can play has nothing to choose, and nothing is played out."""
    game = load(name, 2, options)
    assert isinstance(game, Eights)
    start = LocalTable(game, Random(1), dealer=1).state
    hand = (Card("7c"), Card("Qd"), Card("Kd"))
    state = replace(
        start,
        pile=(Card("7h"),),
        suit=None,
        penalty=penalty,
        hand_sizes=(3, 5),
        stock_size=len(game.deck) - 9,
        turn=0,
    )
    bot, tried = Imagining(game, EightsBot(game)), []

    def outcome(*args: Any) -> float:
        tried.append(args[-2])
        return 0.0

    monkeypatch.setattr(bot, "_outcome", outcome)
    assert bot.choose(state, 0, hand, Random(1)) is not None
    assert (DRAW in tried) == bool(tried) == is_tried


@pytest.mark.parametrize("fitting", [2, 3])
def test_the_fewer_moves_there_are_the_more_deals_are_imagined(fitting: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All moves are worth the same here, so that none is given up."""
    game = load("crazy-eights", 2)
    assert isinstance(game, Eights)
    start = LocalTable(game, Random(1), dealer=1).state
    hand = (*(Card("9c"), Card("2h"), Card("7h"))[:fitting], Card("Kd"))
    state = replace(start, pile=(Card("9h"),), suit=None, hand_sizes=(len(hand), 5), stock_size=46 - len(hand), turn=0)
    bot, played = Imagining(game, EightsBot(game)), []

    def outcome(*args: Any) -> float:
        played.append(args[-2])
        return 0.0

    monkeypatch.setattr(bot, "_outcome", outcome)
    bot.choose(state, 0, hand, Random(1))
    assert set(Counter(played).values()) == {imagining.MOST_PLAYED // fitting}


@pytest.mark.sample
@pytest.mark.parametrize("name", GAMES)
def test_strong_bots_play_a_round_by_the_rules(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(imagining, "MOST_PLAYED", 12)
    monkeypatch.setattr(imagining, "FIRST", 2)
    game: Any = load(name, 3, {"target": 1 if name == "mau-mau" else 0})
    assert play_match(game, [Imagining(game, game.strategy()), game.strategy(), game.strategy()], Random(3)).over


@pytest.mark.soak
def test_strong_is_ahead_of_normal_in_mau_mau() -> None:
    """On a few deals: what is shown for certain takes hours, and stands with the other measurements of bots."""
    game = load("mau-mau", 2, {"target": 1})
    ahead, _ = duplicates.wins(game, game.strategy(STRONG), game.strategy(NORMAL), range(8))
    assert ahead > 0
