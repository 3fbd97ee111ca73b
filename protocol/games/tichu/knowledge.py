"""What a seat knows of a round of Tichu beyond the public state: its own gifts, and what the others let pass.

Folded from the round's moves, which the match keeps, so that it is the same after a crash.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from random import Random

from protocol.cards import DRAGON, MAH_JONG, PACK_TICHU, PHOENIX, Card, Seat
from protocol.games.memory import Memory
from protocol.games.tichu.combinations import PAIR, RANK, SINGLE, Combo
from protocol.games.tichu.moves import GIFTS, Give, Pass
from protocol.games.tichu.state import SEATS, TichuState, is_in, team
from protocol.values import dataclass

TRIES = 4
"""Of so many random deals the one that explains the most passes is taken."""
WORTH_KEEPING = 12
"""The rank from which a single or a pair is often kept rather than played: a queen. Passing with these tells nothing."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A seat let an opponent's play stand."""

    seat: Seat
    top: Combo


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What one seat knows. `gave`: which card each other seat got from it; `passes`: who passed on what."""

    gave: Mapping[Seat, Card] = field(default_factory=dict)
    passes: tuple[Passed, ...] = ()


NOTHING = Knowledge()


def known(memory: Memory) -> Knowledge:
    """Fold the round's moves, our own in the form that only we know."""
    gave: dict[Seat, Card] = {}
    passes: list[Passed] = []
    for made in memory.moves:
        if isinstance(made.move, Give) and made.seat == memory.seat and not isinstance(made.move.cards, int):
            for step in range(GIFTS):
                gave[(memory.seat + step + 1) % SEATS] = made.move.cards[step]
        elif isinstance(made.move, Pass) and made.seat != memory.seat:
            state: TichuState = made.state
            if state.owner is not None and team(state.owner) != team(made.seat) and state.combo is not None:
                passes.append(Passed(made.seat, state.combo))
    return Knowledge(gave, tuple(passes))


def imagined(
    state: TichuState, seat: Seat, hand: Sequence[Card], knowledge: Knowledge, rng: Random, tries: int = TRIES
) -> list[list[Card]]:
    """Return hands for all seats that fit the public state, this hand and the gifts, and that explain the passes best."""
    best = _dealt(state, seat, hand, knowledge, rng)
    if not knowledge.passes or tries < 2:
        return best
    least = _surprise(best, knowledge)
    for _ in range(tries - 1):
        if not least:
            break
        other = _dealt(state, seat, hand, knowledge, rng)
        if (surprise := _surprise(other, knowledge)) < least:
            best, least = other, surprise
    return best


def _dealt(state: TichuState, seat: Seat, hand: Sequence[Card], knowledge: Knowledge, rng: Random) -> list[list[Card]]:
    seen = {*hand, *state.played}
    unseen = [card for card in PACK_TICHU if card not in seen]
    hands: list[list[Card]] = [[] for _ in range(SEATS)]
    hands[seat] = list(hand)
    sure = dict(knowledge.gave) if _are_exchanged(state) else {}
    places = [(each, card) for each, card in sure.items()]
    if state.mah_jong is not None and MAH_JONG not in sure.values():
        places.append((state.mah_jong, MAH_JONG))
    for each, card in places:
        if card in unseen and each != seat and is_in(state, each) and len(hands[each]) < state.hand_sizes[each]:
            unseen.remove(card)
            hands[each].append(card)
    rng.shuffle(unseen)
    for each in range(SEATS):
        while len(hands[each]) < state.hand_sizes[each]:
            hands[each].append(unseen.pop())
    return hands


def _are_exchanged(state: TichuState) -> bool:
    return all(state.given)


def _surprise(hands: Sequence[Sequence[Card]], knowledge: Knowledge) -> int:
    """Count the passes of hands that could have played something cheap instead."""
    counts: list[list[int]] = []
    for hand in hands:
        ranks = [0] * (WORTH_KEEPING + 1)
        for card in hand:
            if card not in (PHOENIX, DRAGON) and (rank := RANK.get(card, 0)) <= WORTH_KEEPING:
                ranks[rank] += 1
        counts.append(ranks)
    surprise = 0
    for passed in knowledge.passes:
        if passed.top.kind not in (SINGLE, PAIR):
            continue
        ranks, lowest = counts[passed.seat], passed.top.strength // 2 + 1
        if passed.top.kind == SINGLE:
            surprise += any(ranks[rank] == 1 for rank in range(lowest, WORTH_KEEPING))
        else:
            surprise += any(ranks[rank] == 2 for rank in range(lowest, WORTH_KEEPING + 1))
    return surprise
