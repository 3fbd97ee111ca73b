"""A bot says why it proposes a move only where that is true in most of the deals that it imagines."""

from __future__ import annotations

from collections import Counter
from itertools import count
from random import Random
from typing import Any

import pytest

from protocol.cards import Card
from protocol.games import LocalTable, load
from protocol.games.advice import KEEPS, OUT_FIRST, PARTNER_WINS, STOPS_NEXT, WINS_TRICK, Reason, advise, usual
from protocol.games.game import STRONG
from protocol.games.memory import Memory
from protocol.games.tichu.moves import Collect, Move, Pass, PlayCombination
from protocol.games.tichu.reasons import true_after
from protocol.steps import done, unless
from protocol.values import replace
from tests.games.tichu.positions import Position


def test_a_reason_holds_in_most_deals() -> None:
    often, seldom = Reason(WINS_TRICK), Reason(OUT_FIRST)
    found = [frozenset({often, seldom}), frozenset({often}), frozenset({often}), frozenset[Reason]()]
    assert usual(found, (OUT_FIRST, WINS_TRICK)) == often
    assert usual(found, (OUT_FIRST,)) is None
    assert usual([], (OUT_FIRST,)) is None


def test_the_first_kind_that_is_true_is_said() -> None:
    found = [frozenset({Reason(WINS_TRICK), Reason(OUT_FIRST)})] * 3
    assert usual(found, (OUT_FIRST, WINS_TRICK)) == Reason(OUT_FIRST)
    assert usual(found, (WINS_TRICK, OUT_FIRST)) == Reason(WINS_TRICK)


def _cards(text: str) -> tuple[Card, ...]:
    return tuple(map(Card, text.split()))


def _tichu_state(**changes: Any) -> Any:
    return replace(LocalTable(load("tichu", 4), Random(1)).state, **changes)


def test_a_trick_belongs_to_whoever_takes_it() -> None:
    state = _tichu_state(phase="play")
    play, hand = PlayCombination(_cards("Ks")), _cards("Ks 2s 3s")
    steps: list[tuple[int, Move, Any]] = [(0, play, state), (1, Pass(), state), (2, Pass(), state), (3, Pass(), state)]
    assert true_after(0, hand, play, [*steps, (0, Collect(), state)]) == {Reason(WINS_TRICK)}
    assert true_after(0, hand, play, [*steps, (2, Collect(), state)]) == {Reason(PARTNER_WINS, 2)}
    assert true_after(0, hand, play, [*steps, (1, Collect(), state), (0, Collect(), state)]) == frozenset()
    first = replace(state, out=(0, 3))
    assert true_after(0, hand, play, [(0, play, first)]) == {Reason(OUT_FIRST)}
    assert true_after(0, hand, play, [(0, play, replace(state, out=(3, 0)))]) == frozenset()


def test_cards_are_kept_only_if_they_are_played_later() -> None:
    state = _tichu_state(phase="play")
    play, hand = PlayCombination(_cards("2s")), _cards("2s As Aj")
    aces = PlayCombination(_cards("As Aj"))
    kept = Reason(KEEPS, cards=_cards("As Aj"))
    assert true_after(0, hand, play, [(0, play, state), (0, aces, state)]) == {kept}
    assert true_after(0, hand, play, [(0, play, state), (1, aces, state)]) == frozenset()
    assert true_after(0, hand, play, [(0, play, state), (0, PlayCombination(_cards("As")), state)]) == frozenset()
    assert true_after(0, hand, aces, [(0, aces, state)]) == frozenset()  # nothing strong is kept


BOMB = "5j 6j 7j 8j 9j "
SIX_EACH = "2s 2k 3j 3p 3k 4j 4s Tp Tk Jj Js Jp Qj Qs Ks Kp Aj As"


@pytest.mark.parametrize(
    ("hand", "trick", "others", "played", "is_broken"),
    [
        (BOMB + "7s 9p 3s Kk Qp Jk 2p 4k Ap", "3:6k", None, "7s", False),
        (BOMB + "8s 2p 3s Kk", "3:7k", SIX_EACH.replace("2s", "7k"), "8s", False),
        (BOMB + "8s 8k 2p 3s", "3:4j,4s", SIX_EACH, "8s 8k", False),
        (BOMB + "2p", "", SIX_EACH, BOMB, False),
        (BOMB + "Ts 2p", "", SIX_EACH, BOMB + "Ts", True),
    ],
)
def test_a_straight_flush_stays_whole_if_other_cards_serve_as_well(
    hand: str, trick: str, others: str | None, played: str, is_broken: bool
) -> None:
    """It may be broken to go out first, which is then the reason."""
    sizes = (14, 14, 14) if others is None else (6, 6, 6)
    position = Position("", "", hand, (), sizes=sizes, others=others, lead=3 if trick else 0, trick=trick)
    bot = load("tichu", 4).strategy(STRONG)
    advice = done(advise(bot, Memory(0), position.state(), position.cards, Random(0)))
    assert advice is not None
    assert set(advice.move.cards) == set(_cards(played))
    if is_broken:
        assert advice.reason == Reason(OUT_FIRST)


def _shedding(hand: str, name: str = "crazy-eights") -> tuple[Any, Any, tuple[Card, ...]]:
    game = load(name, 2, {"target": 1})
    cards = _cards(hand)
    state = replace(
        LocalTable(game, Random(1), dealer=1).state,
        pile=_cards("9h"),
        suit=None,
        hand_sizes=(len(cards), 5),
        stock_size=len(game.deck) - 1 - 5 - len(cards),
        turn=0,
    )
    return game, state, cards


@pytest.mark.parametrize("name", ["crazy-eights", "mau-mau", "two-four-jack", "macau-wars"])
def test_the_last_card_goes_out(name: str) -> None:
    game, state, hand = _shedding("9c", name)
    advice = done(advise(game.strategy(STRONG), Memory(0), state, hand, Random(0)))
    assert advice is not None
    assert advice.move.cards == hand
    assert advice.reason == Reason(OUT_FIRST)


def test_whoever_goes_out_after_the_partner_is_not_the_first() -> None:
    game, hand = load("crazy-eights", 4, {"teams": True}), _cards("9c")
    state = replace(
        LocalTable(game, Random(1), dealer=3).state,
        pile=(*_cards("9h"), *game.deck[:10]),
        suit=None,
        hand_sizes=(1, 5, 0, 5),
        out=(2,),
        turn=0,
    )
    bot: Any = game.strategy(STRONG)
    play = game.legal(state, 0, hand)[0]
    others = _cards("2h 3h 5h 6s Ts"), _cards("2s 3s 5s 6h Th")
    steps = bot._steps(state, 0, [hand, others[0], (), others[1]], (), play, Random(0))
    assert Reason(OUT_FIRST) not in bot._true_after(0, steps)


def test_who_cannot_follow_is_named() -> None:
    game, state, hand = _shedding("9c 4c Kd")
    bot: Any = game.strategy(STRONG)
    (play,) = [move for move in game.legal(state, 0, hand) if getattr(move, "cards", ()) == _cards("9c")]
    for theirs, is_stopped in (("2h 3h 5h 6s Ts", True), ("2h 3h 5h 6s Tc", False)):
        hands = [list(hand), list(_cards(theirs))]
        stock = list((Counter(game.deck) - Counter([*hands[0], *hands[1], "9h"])).elements())
        found = bot._true_after(0, bot._steps(state, 0, hands, stock, play, Random(0)))
        assert (Reason(STOPS_NEXT, 1) in found) is is_stopped


@pytest.mark.parametrize("name", ["tichu", "crazy-eights"])
def test_a_search_that_nobody_waits_for_ends(name: str) -> None:
    game = load(name, 4)
    table = LocalTable(game, Random(2))
    while (name == "tichu" and table.state.phase != "play") or len(table.to_act) > 1:
        seat = table.to_act[0]
        table.play(seat, game.default(table.state, seat, table.hands[seat]) or table.legal(seat)[0])
    seat = table.to_act[0]
    asked = count()

    steps = advise(game.strategy(STRONG), Memory(seat), table.state, table.hands[seat], Random(0))
    assert done(unless(lambda: next(asked) >= 3, steps)) is None
    assert next(asked) == 4
