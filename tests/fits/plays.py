"""Fits what plays of Tichu are worth before any deal is imagined (`protocol/games/tichu/prior.py`) again.

    python -m tests.fits.plays --rounds 2000

At some decisions in turn, another move than the normal bot's is chosen at random, and the round is played on with each of the
two. The differences of their terms are fitted to the difference in points, in two thirds of the rounds. On the others it is
tried what those plays bring that the fit, or today's numbers, rate higher than the normal bot's by more than 5 points.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from operator import mul, sub
from random import Random

from protocol.games.tichu.moves import CallTichu
from protocol.games.tichu.outlook import HandEstimates
from protocol.games.tichu.plays import bits_of
from protocol.games.tichu.prior import LEAD, OVER_OPPONENT, OVER_PARTNER, Terms, play_terms
from protocol.games.tichu.search import SURELY
from protocol.games.tichu.state import partner
from protocol.games.tichu.strategy import TeamPlayer
from tests.fits.linear import Fitted, fit, mean, table
from tests.fits.rounds import Decision, ahead_after, decisions, numbers_of

TODAY: dict[str, Terms] = {"lead": LEAD, "over the partner": OVER_PARTNER, "over an opponent": OVER_OPPONENT}
EVERY = 12
"""One of so many decisions is tried: those of one round have much in common."""
RANKER = TeamPlayer(False)


@dataclass(frozen=True)
class Pair:
    """By how much another play was better than the normal bot's, and by how much its terms are more."""

    kind: str
    terms: tuple[float, ...]
    gain: float


def pairs(number: int) -> Iterator[Pair]:
    """Play on from some decisions of the round of this number with two moves."""
    rng = Random(f"another/{number}")
    for decision in decisions(number):
        if isinstance(decision.move, CallTichu) or rng.random() > 1 / EVERY:
            continue
        hand = decision.hands[decision.seat]
        others = [move for move in RANKER.ranked(decision.state, decision.seat, hand) if move != decision.move]
        if others:
            other = rng.choice(others)
            estimates, bits = HandEstimates(decision.state, decision.seat, hand), bits_of(hand)
            kind = kind_of(decision)
            none = (0.0,) * len(TODAY[kind])
            usual, tried = (
                play_terms(decision.state, decision.seat, bits, estimates, move) or none
                for move in (decision.move, other)
            )
            gain = ahead_after(decision, [other]) - ahead_after(decision, [decision.move])
            yield Pair(kind, tuple(map(sub, tried, usual)), gain)


def kind_of(decision: Decision) -> str:
    """Return what the decision is about, as in TODAY."""
    lead, over_partner, over_opponent = TODAY
    if decision.state.combo is None:
        return lead
    return over_partner if decision.state.owner == partner(decision.seat) else over_opponent


def fitted(found: Sequence[Pair], kind: str) -> list[Fitted]:
    """Return the worth of each term of this kind of play."""
    own = [pair for pair in found if pair.kind == kind]
    return fit([pair.terms for pair in own], [pair.gain for pair in own]) if own else []


def main(arguments: Sequence[str]) -> None:
    numbers = numbers_of(__doc__, arguments, 2000)
    bound = len(numbers) * 2 // 3
    learnt, kept = ([pair for number in part for pair in pairs(number)] for part in (numbers[:bound], numbers[bound:]))
    for kind, today in TODAY.items():
        if not (result := fitted(learnt, kind)):
            continue
        print(f"{kind}, {sum(pair.kind == kind for pair in learnt)} pairs\n{table(today._fields, result, today)}")
        for name, worths in (("the fit", [each.value for each in result]), ("today's numbers", [*today])):
            better = [pair.gain for pair in kept if pair.kind == kind and sum(map(mul, worths, pair.terms)) > SURELY]
            brought = mean(better)
            print(
                f"{len(better)} others rated higher by {name}: {brought.value:+.1f} ± {brought.interval:.1f} points each\n"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
