"""Fits what a call of Tichu is worth (`protocol/games/tichu/calls.py`) again.

    python -m tests.fits.calls --rounds 800

Whenever a seat may call and makes its first play, the round is played on with the call and without it. The terms are fitted to
the difference in two thirds of the rounds. On the others it is tried what calls bring by the fit, by today's numbers, and by the
cost of the hand.

With 3000 rounds (4,143 pairs) the terms came out within 8 points of today's, but `foe_called` at -19 ± 13, and calls by the
fit brought 25.2 ± 6.3 points a round, by today's numbers 24.5 ± 6.6, by the cost alone 17.6 ± 6.2.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import mul
from random import Random

from protocol.games.tichu.calls import WORTH, CallTerms, call_terms
from protocol.games.tichu.moves import CallTichu, PlayCombination
from protocol.games.tichu.outlook import HandEstimates
from protocol.games.tichu.state import may_call, partner
from protocol.games.tichu.strategy import Temper
from tests.fits.linear import Fitted, fit, table
from tests.fits.rounds import BOT, GAME, Decision, ahead_after, decisions, numbers_of

HOPELESS = 4.5
"""The cost of a hand from which nobody thinks of a call: a straight line does not describe those, too."""


@dataclass(frozen=True)
class Pair:
    """What a call was worth once, and what it goes by. `by_cost`: whether the cost of the hand alone calls."""

    terms: CallTerms
    worth: float
    by_cost: bool


def pairs(number: int) -> Iterator[Pair]:
    """Play on with a call and without it, where the round of this number offers one."""
    for decision in decisions(number):
        state, seat, hand = decision.state, decision.seat, decision.hands[decision.seat]
        is_play = isinstance(decision.move, (PlayCombination, CallTichu))
        if not is_play or not may_call(state, seat) or state.out or state.calls[partner(seat)] is not None:
            continue
        cost = HandEstimates(state, seat, hand).cost(hand)
        if cost < HOPELESS:
            without = ahead_after(decision, [play_without(decision)])
            worth = ahead_after(decision, [CallTichu()]) - without
            yield Pair(call_terms(state, seat, hand, cost), worth, cost < Temper().tichu)


def play_without(decision: Decision) -> PlayCombination:
    """Return the seat's play, which a call would come before."""
    if isinstance(decision.move, PlayCombination):
        return decision.move
    after = GAME.follow(decision.state, decision.seat, decision.move).state
    play = BOT.choose(after, decision.seat, decision.hands[decision.seat], Random(0))
    assert isinstance(play, PlayCombination), "it called since it was about to play"
    return play


def fitted(found: Sequence[Pair]) -> list[Fitted]:
    """Return the worth of each term."""
    return fit([pair.terms for pair in found], [pair.worth for pair in found])


def main(arguments: Sequence[str]) -> None:
    numbers = numbers_of(__doc__, arguments, 800)
    bound = len(numbers) * 2 // 3
    learnt, kept = ([pair for number in part for pair in pairs(number)] for part in (numbers[:bound], numbers[bound:]))
    result = fitted(learnt)
    print(f"{len(learnt)} pairs\n" + table(CallTerms._fields, result, WORTH))
    rules: dict[str, Callable[[Pair], bool]] = {
        "the fit": lambda pair: sum(map(mul, [each.value for each in result], pair.terms)) > 0,
        "today's numbers": lambda pair: sum(map(mul, WORTH, pair.terms)) > 0,
        "the cost": lambda pair: pair.by_cost,
    }
    for name, rule in rules.items():
        calls = [pair.worth for pair in kept if rule(pair)]
        print(f"{len(calls)} of {len(kept)} others called by {name}: {total(calls, len(numbers) - bound)}")


def total(worths: Sequence[float], rounds: int) -> str:
    """Return what these calls bring in a round."""
    spread = 1.96 * math.sqrt(sum(each * each for each in worths)) / max(1, rounds)
    return f"{sum(worths) / max(1, rounds):+.1f} ± {spread:.1f} points a round"


if __name__ == "__main__":
    main(sys.argv[1:])
