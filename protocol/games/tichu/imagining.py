"""Deals as they may lie, for a seat that knows the public state, its own hand and some more (`knowledge`).

Cards that are not seen are dealt at random. Late in a round that is far from the truth, since everybody has chosen what to
keep: there a Markov chain (Metropolis) goes through the deals by exchanging two cards at a time, and prefers those in which the
others' choices are what an ordinary player would have made with these hands.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from protocol.cards import MAH_JONG, PACK_TICHU, Card, Seat
from protocol.games.game import Strategy
from protocol.games.tichu.knowledge import Chosen, Knowledge
from protocol.games.tichu.moves import CallTichu, Move, Pass, PlayCombination
from protocol.games.tichu.outlook import Estimates
from protocol.games.tichu.plays import bits_of
from protocol.games.tichu.rules import reading_of
from protocol.games.tichu.state import SEATS, TichuState, is_in
from protocol.games.tichu.strategy import TeamPlayer

LATE = 36
"""The most cards in all hands with which choices are weighed: before, they tell little and cost much."""
FIRST_STEPS, STEPS = 32, 5
"""How many exchanges are tried before the first deal and between two."""
OTHERWISE, OTHER_HEIGHT = 1.5, 0.7
"""How much less likely a deal is, as a logarithm, for each choice that would have been another, or another of the same kind."""


def deals(
    state: TichuState, seat: Seat, hand: Sequence[Card], knowledge: Knowledge, any_bomb: bool, rng: Random
) -> Iterator[list[list[Card]]]:
    """Yield hands for all seats without end. `any_bomb`: see `rules.judge`."""
    if sum(state.hand_sizes) > LATE or not knowledge.chosen:
        while True:
            yield dealt(state, seat, hand, knowledge, rng)
    chain = _Chain(
        dealt(state, seat, hand, knowledge, rng),
        state,
        seat,
        knowledge,
        TeamPlayer(any_bomb, outlooks=Estimates()),
        rng,
    )
    chain.go(FIRST_STEPS)
    while True:
        yield [list(each) for each in chain.hands]
        chain.go(STEPS)


def dealt(state: TichuState, seat: Seat, hand: Sequence[Card], knowledge: Knowledge, rng: Random) -> list[list[Card]]:
    """Return hands for all seats that fit the public state, this hand and the gifts."""
    seen = {*hand, *state.played}
    unseen = [card for card in PACK_TICHU if card not in seen]
    hands: list[list[Card]] = [[] for _ in range(SEATS)]
    hands[seat] = list(hand)
    for each, card in _places(state, knowledge).items():
        if card in unseen and each != seat and is_in(state, each) and len(hands[each]) < state.hand_sizes[each]:
            unseen.remove(card)
            hands[each].append(card)
    rng.shuffle(unseen)
    for each in range(SEATS):
        while len(hands[each]) < state.hand_sizes[each]:
            hands[each].append(unseen.pop())
    return hands


def _places(state: TichuState, knowledge: Knowledge) -> dict[Seat, Card]:
    """Return a card that each seat is known to have got or shown."""
    places = dict(knowledge.gave) if all(state.given) else {}
    if state.mah_jong is not None and MAH_JONG not in places.values():
        places[state.mah_jong] = MAH_JONG
    return places


class _Chain:
    """A walk through the deals, each as often as it is likely."""

    def __init__(
        self,
        hands: list[list[Card]],
        state: TichuState,
        seat: Seat,
        knowledge: Knowledge,
        player: Strategy,
        rng: Random,
    ) -> None:
        self.hands = hands
        self._knowledge, self._player, self._rng = knowledge, player, rng
        self._fixed = set(_places(state, knowledge).values())
        self._others = [each for each in range(SEATS) if each != seat and hands[each]]
        self._known: dict[tuple[Seat, int], float] = {}
        self._odd = {each: self._oddness(each) for each in self._others}

    def go(self, steps: int) -> None:
        """Try so many exchanges."""
        if len(self._others) < 2:
            return
        hands, rng = self.hands, self._rng
        for _ in range(steps):
            one, other = rng.sample(self._others, 2)
            here, there = rng.randrange(len(hands[one])), rng.randrange(len(hands[other]))
            if hands[one][here] in self._fixed or hands[other][there] in self._fixed:
                continue
            hands[one][here], hands[other][there] = hands[other][there], hands[one][here]
            most = self._odd[one] + self._odd[other] - math.log(1.0 - rng.random())  # else it is refused
            odd = self._oddness(one)
            if odd <= most and odd + (odd_other := self._oddness(other)) <= most:
                self._odd[one], self._odd[other] = odd, odd_other
            else:
                hands[one][here], hands[other][there] = hands[other][there], hands[one][here]

    def _oddness(self, seat: Seat) -> float:
        """Return how unlikely it is that this seat, with its hand, made its choices: a logarithm."""
        hand = self.hands[seat]
        place = seat, bits_of(hand)
        if (known := self._known.get(place)) is None:
            chosen = self._knowledge.chosen.get(seat, ())
            known = self._known[place] = sum(self._difference(seat, hand, each) for each in chosen)
        return known

    def _difference(self, seat: Seat, hand: Sequence[Card], chosen: Chosen) -> float:
        usual: Move | None = self._player.choose(chosen.state, seat, [*hand, *chosen.since], self._rng)
        made = chosen.move
        if usual is None or isinstance(usual, CallTichu):
            return 0.0
        if not isinstance(made, PlayCombination) or not isinstance(usual, PlayCombination):
            return 0.0 if isinstance(made, Pass) and isinstance(usual, Pass) else OTHERWISE
        one, other = reading_of(chosen.state, made), reading_of(chosen.state, usual)
        if one is None or other is None or (one.combo.kind, one.combo.size) != (other.combo.kind, other.combo.size):
            return OTHERWISE
        return 0.0 if one.combo == other.combo else OTHER_HEIGHT
