"""The end of a round between the last two players: every card is known then, and the best play can be found by trying all.

Whatever is not seen is in the other hand. Plays that differ in suits only are tried once, and bombs out of turn not at all: who
holds one can play it in turn, before passing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protocol.cards import PACK_TICHU, Card, Seat
from protocol.games.tichu import offers
from protocol.games.tichu.moves import Move, Pass, PlayCombination
from protocol.games.tichu.rules import follow, judge, score
from protocol.games.tichu.state import OVER, PLAY, SEATS, TichuState, is_in, team

MOST_CARDS = 12
"""The most cards in both hands together."""
MOST_STATES = 1200
"""How many states are looked at before the search is given up: a fraction of a second."""
WORST = 1000.0
FIRST = 0.5
"""Of ends with the same points the one in which we go out first is taken."""


class TooMany(Exception):
    """The end is too long to be tried out."""


class Duel:
    """One decision of one of the last two players."""

    def __init__(self, seat: Seat, any_bomb: bool) -> None:
        self._seat, self._any_bomb = seat, any_bomb
        self._looks = 0

    def move(self, state: TichuState, hand: Sequence[Card]) -> Move | None:
        """Return the best move in turn; None where others play too, or the end is too long."""
        others = [each for each in range(SEATS) if each != self._seat and is_in(state, each)]
        if len(others) != 1 or state.phase != PLAY or state.turn != self._seat:
            return None
        if len(hand) + state.hand_sizes[others[0]] > MOST_CARDS:
            return None
        seen = {*hand, *state.played}
        hands: list[tuple[Card, ...]] = [()] * SEATS
        hands[self._seat] = tuple(hand)
        hands[others[0]] = tuple(card for card in PACK_TICHU if card not in seen)
        best, most = None, -WORST
        try:
            for move in self._moves(state, hands):
                value = self._after(state, hands, move, most, WORST)
                if value > most:
                    best, most = move, value
        except TooMany:
            return None
        return best

    def _moves(self, state: TichuState, hands: Sequence[Sequence[Card]]) -> Iterator[Move]:
        """Yield what the seat in turn can do, the largest plays first."""
        seat = state.turn
        assert seat is not None
        if state.phase != PLAY:
            yield from offers.gifts_of(state, seat)
            return
        found = offers.in_turn(state, hands[seat])
        for group in sorted(found, key=lambda group: (-group.combo.size, group.combo.strength)):
            yield PlayCombination(group.cards[0], None, offers.phoenix_name(group))
        if state.combo is not None and not offers.must_meet_wish(state, seat, hands[seat]):
            yield Pass()

    def _after(
        self, state: TichuState, hands: Sequence[tuple[Card, ...]], move: Move, low: float, high: float
    ) -> float:
        """Return by how much our team is ahead in the round if both play their best after this move (alpha-beta search)."""
        self._looks += 1
        if self._looks > MOST_STATES:
            raise TooMany
        seat = state.turn
        assert seat is not None
        left = list(hands)
        if isinstance(move, PlayCombination):
            left[seat] = tuple(card for card in hands[seat] if card not in move.cards)
        state = follow(state, seat, move, judge(state, seat, move, self._any_bomb)).state
        own = team(self._seat)
        if state.phase == OVER:
            points = score(state, left).round_points
            assert points is not None
            return points[own] - points[1 - own] + (FIRST if self._seat in state.out else 0.0)
        if state.turn == self._seat:
            for each in self._moves(state, left):
                low = max(low, self._after(state, left, each, low, high))
                if low >= high:
                    break
            return low
        for each in self._moves(state, left):
            high = min(high, self._after(state, left, each, low, high))
            if low >= high:
                break
        return high
