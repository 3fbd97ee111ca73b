"""A bot that plays Tichu by trying its moves: it imagines deals that fit what it knows and plays each of them to the end.

The search knows the public state, the bot's own hand, and what it remembers of the round; the cards not yet seen are dealt at
random to the others (determinization: M. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game",
2001). All players in it play like `TeamPlayer`, whose move is kept unless another is clearly better. Moves that fall behind
are dropped early. Ends that can be counted out are not searched.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

from protocol.cards import MAH_JONG, PACK_TICHU, Card, Seat
from protocol.games.advice import DEALS, Advice, usual
from protocol.games.game import AnyGame, Strategy
from protocol.games.local import RandomDealer
from protocol.games.memory import Memory
from protocol.games.tichu import offers, reasons
from protocol.games.tichu.combinations import rank_of
from protocol.games.tichu.counting import Counting
from protocol.games.tichu.duel import Duel
from protocol.games.tichu.knowledge import NOTHING, Knowledge, imagined, known
from protocol.games.tichu.moves import CallTichu, Move, PlayCombination
from protocol.games.tichu.outlook import HandEstimates
from protocol.games.tichu.plays import groups
from protocol.games.tichu.state import PLAY, SEATS, TichuState, may_call, partner, team
from protocol.games.tichu.strategy import SEARCHING, TeamPlayer
from protocol.steps import Steps, done
from protocol.values import dataclass, replace

LONGEST = 400
"""An imagined round is broken off after this many moves, and counts as even."""
AGED = 10
"""After this many cards the players in an imagined round estimate their hands anew."""


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """How much is tried for one decision."""

    work: int = 1100
    """Moves tried, times deals, times cards in all hands."""
    fewest_deals: int = 6
    most_deals: int = 40
    moves: int = 5
    """The most moves that are tried; a call of Tichu is tried besides."""
    batch: int = 4
    """After so many deals moves that have fallen behind are dropped."""
    sureness: float = 0.8
    """By how many standard errors another move must be ahead of the one that is kept otherwise."""
    behind: float = 1.5
    """By how many standard errors a move must be behind to be dropped."""


class Estimates:
    """Estimates of hands in one imagined deal. They serve for several moves, and until the next AGED cards for all of its
    futures."""

    def __init__(self, own: tuple[TichuState, Seat, HandEstimates] | None = None) -> None:
        """`own`: what a seat estimates before the deal is imagined; it is the same in all of them."""
        self._known: dict[tuple[Seat, int], HandEstimates] = {}
        if own is not None:
            state, seat, outlook = own
            self._known[seat, len(state.played) // AGED] = outlook

    def __call__(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> HandEstimates:
        place = seat, len(state.played) // AGED
        if (outlook := self._known.get(place)) is None:
            outlook = self._known[place] = HandEstimates(state, seat, hand)
        return outlook


class Ranking(Strategy, Protocol):
    """A bot that also names other moves worth a try."""

    def ranked(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        """Return moves in turn, the most promising first."""


class Searcher:
    """Tries its moves on imagined deals. `base`: the bot whose move is kept in doubt."""

    def __init__(
        self, game: AnyGame, any_bomb: bool, effort: SearchEffort | None = None, base: Ranking | None = None
    ) -> None:
        self._game, self._any_bomb = game, any_bomb
        self._base = base or TeamPlayer(any_bomb, SEARCHING)
        self._effort = effort or SearchEffort()

    def choose(self, state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        return done(self._choose(NOTHING, state, seat, hand, rng))

    def choose_knowing(
        self, memory: Memory, state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Move | None:
        """See `protocol.games.memory`."""
        return done(self._choose(known(memory), state, seat, hand, rng))

    def advise(
        self, memory: Memory, state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Steps[None, Advice | None]:
        """See `protocol.games.advice`."""
        knowledge = known(memory)
        move = yield from self._choose(knowledge, state, seat, hand, rng)
        if move is None:
            return None
        kinds = reasons.wanted(move) if state.phase == PLAY and state.turn == seat else ()
        found = []
        for _ in range(DEALS if kinds else 0):
            yield
            hands = imagined(state, seat, hand, knowledge, rng)
            steps = self._steps(state, seat, hands, move, Estimates(), rng)
            found.append(reasons.true_after(seat, hand, move, steps))
        return Advice(move, usual(found, kinds))

    def _choose(
        self, knowledge: Knowledge, state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Steps[None, Move | None]:
        """In steps of one imagined deal."""
        kept = self._base.choose(state, seat, hand, rng)
        if state.phase != PLAY or state.turn != seat or kept is None:
            return kept
        chosen = yield from self._chosen(knowledge, state, seat, hand, kept, rng)
        if isinstance(chosen, PlayCombination) and MAH_JONG in chosen.cards:
            return replace(chosen, wish=wish(state, seat, hand, knowledge) or chosen.wish)
        return chosen

    def _chosen(
        self, knowledge: Knowledge, state: TichuState, seat: Seat, hand: Sequence[Card], kept: Move, rng: Random
    ) -> Steps[None, Move]:
        if (counted := self._counted(state, seat, hand)) is not None:
            return counted
        if (best := Duel(seat, self._any_bomb).move(state, hand)) is not None:
            return best
        moves = self._candidates(state, seat, hand, kept)
        if len(moves) == 1:
            return kept
        place = yield from self._best(knowledge, state, seat, hand, moves, rng)
        return moves[place]

    def _counted(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> Move | None:
        """Return the play that goes out for certain; not before a partner who has called, nor over the partner's trick."""
        if (state.calls[partner(seat)] is not None and not state.out) or state.owner == partner(seat):
            return None
        found = groups(hand) if state.combo is None else offers.in_turn(state, hand)
        if offers.must_meet_wish(state, seat, hand):
            found = offers.in_turn(state, hand)
        if may_call(state, seat):
            return None
        counted = Counting(state, seat, hand).play(found, hand)
        if counted is None:
            return None
        group, cards = counted
        return PlayCombination(cards, None, offers.phoenix_name(group))

    def _candidates(self, state: TichuState, seat: Seat, hand: Sequence[Card], kept: Move) -> list[Move]:
        effort = self._effort
        moves: list[Move] = []
        for move in [kept, *self._base.ranked(state, seat, hand)]:
            if move not in moves:
                moves.append(move)
        affordable = effort.work // (effort.fewest_deals * sum(state.hand_sizes))
        moves = moves[: min(max(affordable, 2), effort.moves)]
        if may_call(state, seat) and not state.out and state.calls[partner(seat)] is None and CallTichu() not in moves:
            moves.append(CallTichu())
        return moves

    def _best(
        self,
        knowledge: Knowledge,
        state: TichuState,
        seat: Seat,
        hand: Sequence[Card],
        moves: Sequence[Move],
        rng: Random,
    ) -> Steps[None, int]:
        """Return the place of the best move; the first one unless another is clearly ahead."""
        effort = self._effort
        gains: list[list[float]] = [[] for _ in moves]
        alive = list(range(len(moves)))
        work, deals = effort.work, 0
        each = sum(state.hand_sizes)
        own = state, seat, HandEstimates(state, seat, hand)
        while len(alive) > 1 and deals < effort.most_deals and (work > 0 or deals < effort.fewest_deals):
            for _ in range(effort.batch):
                yield
                hands = imagined(state, seat, hand, knowledge, rng)
                estimates = Estimates(own)
                first = self._outcome(state, seat, hands, moves[0], estimates, rng)
                for place in alive:
                    value = first if place == 0 else self._outcome(state, seat, hands, moves[place], estimates, rng)
                    gains[place].append(value - first)
                deals += 1
                work -= len(alive) * each
            alive = self._still_alive(gains, alive)
        best, ahead = 0, 0.0
        for place in alive:
            mean, error = _mean(gains[place])
            if mean - effort.sureness * error > 0 and mean > ahead:
                best, ahead = place, mean
        return best

    def _still_alive(self, gains: Sequence[Sequence[float]], alive: Sequence[int]) -> list[int]:
        """Drop moves that are clearly behind the best; the first one stays, as the others are compared with it."""
        means = {place: _mean(gains[place]) for place in alive}
        most = max(mean for mean, _error in means.values())
        return [
            place for place in alive if not place or means[place][0] + self._effort.behind * means[place][1] >= most
        ]

    def _outcome(
        self,
        state: TichuState,
        seat: Seat,
        hands: Sequence[Sequence[Card]],
        move: Move,
        estimates: Callable[[TichuState, Seat, Sequence[Card]], HandEstimates],
        rng: Random,
    ) -> float:
        """Play one deal to its end after this move; return the points by which the seat's team is ahead in the round."""
        for _seat, _move, after in self._steps(state, seat, hands, move, estimates, rng):
            state = after
        points = state.round_points or (0, 0)
        return float(points[team(seat)] - points[1 - team(seat)])

    def _steps(
        self,
        state: TichuState,
        seat: Seat,
        hands: Sequence[Sequence[Card]],
        move: Move,
        estimates: Callable[[TichuState, Seat, Sequence[Card]], HandEstimates],
        rng: Random,
    ) -> Iterator[tuple[Seat, Move, TichuState]]:
        """Play one deal to its end, and yield who made which move, this one first, and the state after it."""
        game = self._game
        base = TeamPlayer(self._any_bomb, outlooks=estimates)
        dealer = RandomDealer(game, rng)
        dealer.hands = [list(each) for each in hands]
        state = dealer.move(state, seat, move)
        yield seat, move, state
        for _ in range(LONGEST):
            if state.round_points is not None:
                break
            each = game.awaited(state)[0]
            chosen = base.choose(state, each, dealer.hands[each], rng) or game.default(state, each, dealer.hands[each])
            assert chosen is not None, "who is awaited can do something"
            state = dealer.move(state, each, chosen)
            yield each, chosen, state


def wish(state: TichuState, seat: Seat, hand: Sequence[Card], knowledge: Knowledge) -> str | None:
    """Return what to wish for: an ace of the next player's if they have called, else the card that we gave them; None if they
    need not hold either."""
    following = (seat + 1) % SEATS
    gift = knowledge.gave.get(following)
    seen = {*hand, *state.played}
    if state.calls[following] is not None and any(card[0] == "A" and card not in seen for card in PACK_TICHU):
        return "A"
    return gift[0] if gift is not None and gift not in seen and rank_of(gift[0]) is not None else None


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean and its standard error."""
    mean = sum(values) / len(values)
    variance = sum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    return mean, math.sqrt(variance / len(values))
