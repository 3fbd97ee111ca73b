"""Deals that fit what a round has shown of other hands, and in which the others' last plays are those that the normal bot would
have made: what somebody plays, and above all the suit they name, tells much of what they keep.

Each deal comes from the one before by exchanging cards. An exchange that makes the plays less likely is kept that much less often
(N. Metropolis and others, "Equation of State Calculations by Fast Computing Machines", 1953).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from random import Random

from protocol.cards import Card, Seat
from protocol.games.strategies.eights import EightsBot
from protocol.games.strategies.lacking import Held, Known

PLAYS = 2
"""How many plays of each other seat a deal should explain."""
DOUBT = 0.05
"""The chance of a play that the normal bot would not have made."""
FIRST_SWAPS, SWAPS = 60, 12
"""How often two cards are exchanged before the first deal, and between two deals."""
NOBODY = -1
"""Holds the stock."""


def deal(known: Known, unseen: Sequence[Card], rng: Random) -> list[Held]:
    """Give every card in another hand one of these faces, one that it can have if possible; return the stock."""
    rest = list(unseen)
    rng.shuffle(rest)
    places = [held for hand in known.hands.values() for held in hand]
    rng.shuffle(places)
    for held in sorted(places, key=lambda each: -len(each.cannot)):
        held.card = next((card for card in rest if card not in held.cannot), rest[0]) if held.cannot else rest[-1]
        rest.remove(held.card)
    return [Held(card=card) for card in rest]


def deals(base: EightsBot | None, known: Known, unseen: Sequence[Card], rng: Random) -> Iterator[list[Held]]:
    """Yield the stocks of imagined deals; the faces of the other hands change with each. `base`: the bot that made the plays;
    None if that is not asked."""
    if base is None or not known.plays:
        while True:
            yield deal(known, unseen, rng)
    stock = deal(known, unseen, rng)
    likely = _Likely(base, known, stock)
    for _ in range(FIRST_SWAPS):
        likely.swap(rng)
    while True:
        for _ in range(SWAPS):
            likely.swap(rng)
        rng.shuffle(stock)
        yield stock


class _Likely:
    """Imagined hands, and how well they explain each seat's last plays."""

    def __init__(self, base: EightsBot, known: Known, stock: Sequence[Held]) -> None:
        self._base, self._known = base, known
        self._hands = [(seat, held) for seat, hand in known.hands.items() for held in hand]
        self._all = [*self._hands, *((NOBODY, held) for held in stock)]
        self._chances = {seat: self._chance(seat) for seat in known.plays}

    def swap(self, rng: Random) -> None:
        """Exchange a card of a hand for another card, or leave both."""
        (seat, one), (other, two) = rng.choice(self._hands), rng.choice(self._all)
        if two.card in one.cannot or one.card in two.cannot:
            return
        one.card, two.card = two.card, one.card
        now = {each: self._chance(each) for each in (seat, other) if each in self._chances}
        if rng.random() * prod(self._chances[each] for each in now) <= prod(now.values()):
            self._chances.update(now)
        else:
            one.card, two.card = two.card, one.card

    def _chance(self, seat: Seat) -> float:
        """Return how likely this seat's last plays are with the hands imagined."""
        plays = self._known.plays[seat][-PLAYS:]
        strange = sum(not self._base.might_make(each.made.state, seat, each.hand, each.made.move) for each in plays)
        return DOUBT**strange
