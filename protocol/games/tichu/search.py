"""A bot that plays Tichu by trying its moves: it imagines deals that fit what it knows and plays each of them to the end.

The search knows the public state, the bot's own hand, and what it remembers of the round; the cards not yet seen are dealt at
random to the others (determinization: M. Ginsberg, "GIB: Imperfect Information in a Computationally Challenging Game",
2001). All players in it play like `TeamPlayer`, whose move is kept unless another is clearly better. Moves that fall behind
are dropped early. Ends that can be counted out are not searched, and calls neither: a few deals say less about them than
`calls`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Protocol

from protocol.cards import MAH_JONG, PACK_TICHU, Card, Hand, Seat
from protocol.games.advice import DEALS, Advice, usual
from protocol.games.game import AnyGame, Strategy
from protocol.games.local import RandomDealer
from protocol.games.memory import Memory
from protocol.games.tichu import offers, reasons
from protocol.games.tichu.combinations import rank_of
from protocol.games.tichu.counting import Counting
from protocol.games.tichu.duel import Duel
from protocol.games.tichu.imagining import deals
from protocol.games.tichu.knowledge import NOTHING, Knowledge, known
from protocol.games.tichu.moves import CallTichu, Move, PlayCombination
from protocol.games.tichu.outlook import Estimates, HandEstimates
from protocol.games.tichu.plays import bits_of, groups
from protocol.games.tichu.prior import prior
from protocol.games.tichu.state import PLAY, SEATS, TichuState, may_call, partner, team
from protocol.games.tichu.strategy import SEARCHING, TeamPlayer
from protocol.steps import Steps, done
from protocol.values import dataclass, replace

LONGEST = 400
"""An imagined round is broken off after this many moves, and counts as even."""


@dataclass(frozen=True, slots=True)
class SearchEffort:
    """How much is tried for one decision."""

    work: int = 1100
    """Moves tried, times deals, times cards in all hands."""
    fewest_deals: int = 6
    most_deals: int = 40
    moves: int = 5
    """The most moves that are tried."""
    batch: int = 4
    """After so many deals moves that have fallen behind are dropped."""
    behind: float = 1.5
    """By how many standard errors a move must be behind to be dropped."""
    hopeless: float = 60.0
    """By how many points the prior of a move must be below the best for it not to be tried."""


EARLY = 46
"""With more cards than this in all hands the priors alone decide: on eight deals, which take long, they were hardly bettered."""
SURELY = 5.0
"""By how many points the prior of a move must then be better than that of the one that is kept."""
LEAST_TRUST, CARDS_OF_DOUBT = 4.0, 11.0
"""How many deals the prior counts for: some, and the more the more cards are left, since a deal says less then."""


class Ranking(Strategy, Protocol):
    """A bot that also names other moves worth a try."""

    def ranked(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        """Return moves in turn, the most promising first."""

    def calls(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> bool:
        """Return whether it would call Tichu before a play."""


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
        imagined = deals(state, seat, hand, knowledge, self._any_bomb, rng)
        for _ in range(DEALS if kinds else 0):
            yield
            hands = next(imagined)
            steps = self._steps(state, seat, hands, move, Estimates(), rng)
            found.append(reasons.true_after(seat, hand, move, steps))
        return Advice(move, usual(found, kinds))

    def _choose(
        self, knowledge: Knowledge, state: TichuState, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Steps[None, Move | None]:
        """In steps of a deal that is imagined, or tried."""
        kept = self._base.choose(state, seat, hand, rng)
        if state.phase != PLAY or state.turn != seat or kept is None or isinstance(kept, CallTichu):
            return kept
        chosen = yield from self._chosen(knowledge, state, seat, hand, kept, rng)
        if isinstance(chosen, PlayCombination) and self._base.calls(state, seat, hand):
            return CallTichu()
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
        outlook = HandEstimates(state, seat, hand)
        rated = self._candidates(state, seat, hand, kept, outlook)
        moves = [move for move, _ in rated]
        if len(moves) == 1:
            return kept
        if sum(state.hand_sizes) > EARLY:
            best, worth = max(rated, key=lambda each: each[1])
            return best if worth > SURELY else kept
        place = yield from self._best(knowledge, state, seat, hand, moves, [worth for _, worth in rated], outlook, rng)
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

    def _candidates(
        self, state: TichuState, seat: Seat, hand: Sequence[Card], kept: Move, outlook: HandEstimates
    ) -> list[tuple[Move, float]]:
        """Return the moves to try, the one that is kept in doubt first, and by how much each is probably better than that."""
        effort, bits = self._effort, bits_of(hand)
        least = prior(state, seat, bits, outlook, kept)
        others = [
            (move, prior(state, seat, bits, outlook, move) - least)
            for move in dict.fromkeys(self._base.ranked(state, seat, hand))
            if move != kept
        ]
        others.sort(key=lambda each: -each[1])
        affordable = effort.work // (effort.fewest_deals * sum(state.hand_sizes))
        most = max((worth for _, worth in others), default=0.0)
        others = [each for each in others if each[1] > max(most, 0.0) - effort.hopeless]
        return [(kept, 0.0), *others][: min(max(affordable, 2), effort.moves)]

    def _best(
        self,
        knowledge: Knowledge,
        state: TichuState,
        seat: Seat,
        hand: Sequence[Card],
        moves: Sequence[Move],
        priors: Sequence[float],
        outlook: HandEstimates,
        rng: Random,
    ) -> Steps[None, int]:
        """Return the place of the move that is best by what it brought in the deals and by its prior."""
        effort = self._effort
        gains: list[list[float]] = [[] for _ in moves]
        alive = list(range(len(moves)))
        work, tried = effort.work, 0
        each = sum(state.hand_sizes)
        trust = LEAST_TRUST + (each / CARDS_OF_DOUBT) ** 2
        own = state, seat, outlook
        imagined = deals(state, seat, hand, knowledge, self._any_bomb, rng)
        while len(alive) > 1 and tried < effort.most_deals and (work > 0 or tried < effort.fewest_deals):
            for _ in range(effort.batch):
                yield
                hands = next(imagined)
                yield
                estimates = Estimates(own)
                first = self._outcome(state, seat, hands, moves[0], estimates, rng)
                for place in alive:
                    value = first if place == 0 else self._outcome(state, seat, hands, moves[place], estimates, rng)
                    gains[place].append(value - first)
                tried += 1
                work -= len(alive) * each
            worth = {place: _shrunk(gains[place], priors[place], trust) for place in alive}
            most = max(mean for mean, _error in worth.values())
            alive = [
                place for place, (mean, error) in worth.items() if not place or mean + effort.behind * error >= most
            ]
        return max(alive, key=lambda place: _shrunk(gains[place], priors[place], trust)[0])

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
        dealer.hands = [Hand(each) for each in hands]
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


def _shrunk(values: Sequence[float], expected: float, trust: float) -> tuple[float, float]:
    """Return the mean with so many values as expected added, and its standard error."""
    count = len(values)
    mean = sum(values) / count
    variance = sum((value - mean) ** 2 for value in values) / max(1, count - 1)
    return (sum(values) + trust * expected) / (count + trust), math.sqrt(variance * count) / (count + trust)
