"""The strong bot of the shedding games: it plays its most promising moves to the end of the round, on imagined deals.

It knows the public state, its own hand, what other hands cannot hold, and what their last plays make likely. In an imagined deal,
everybody plays like the game's normal bot. (Determinized search, as Tichu's strong bot does it.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from random import Random
from typing import Any, Protocol

from protocol.cards import Card, Hand, Seat
from protocol.games.advice import DEALS, OUT_FIRST, STOPS_NEXT, Advice, Reason, usual
from protocol.games.eights import Eights
from protocol.games.game import STRONG, Strategy
from protocol.games.local import RandomDealer
from protocol.games.memory import Memory
from protocol.games.shedding import Draw, Move, PlayCards, Shedding
from protocol.games.strategies.careless import careless_or
from protocol.games.strategies.eights import EightsBot
from protocol.games.strategies.lacking import Held, Known, nothing, shown
from protocol.games.strategies.likely import deals
from protocol.steps import Steps, done

MOST_PLAYED = 384
"""How often imagined deals are played to their end for one decision: the fewer moves are still in question, the more deals."""
FIRST = 8
"""After every so many deals, moves that are clearly behind are given up."""
MOVES = 4
"""The most moves that are tried."""
WIN = 30.0
"""What winning the round is worth beside its points: they vary much more."""
LONGEST = 300
"""An imagined round is broken off after this many moves, and counts as even."""
SURENESS, HOPE = 1.5, 1.0
"""By how many standard errors a move must be ahead of the normal bot's in the end, and by how many behind to be given up before.
With one, and half as many deals, four seats' many chances made the luckiest of four moves look good: it was no better."""


class Ranking(Strategy, Protocol):
    """A bot that also names the other moves worth a try."""

    def ranked(self, state: Any, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        """Return what the seat in turn can do, the most promising first."""


class Imagining:
    """Tries moves on imagined deals. `base`: the bot whose move is kept in doubt, and by which everybody plays then."""

    def __init__(self, game: Shedding[Any], base: Ranking) -> None:
        self._game, self._base = game, base
        self._deck = Counter(game.deck)

    def choose(self, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        """Choose without a memory."""
        return done(self._choose(Memory(seat), state, seat, hand, rng))

    def choose_knowing(self, memory: Memory, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        """See `protocol.games.memory`."""
        return done(self._choose(memory, state, seat, hand, rng))

    def advise(
        self, memory: Memory, state: Any, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Steps[None, Advice | None]:
        """See `protocol.games.advice`."""
        move = yield from self._choose(memory, state, seat, hand, rng)
        if move is None:
            return None
        if seat != state.turn or not isinstance(move, PlayCards) or not self._is_whole(state, hand):
            return Advice(move)
        imagined, found = self.imagined(self._known(memory, state), state, seat, hand, rng), []
        for _ in range(DEALS):
            yield
            hands, stock = next(imagined)
            found.append(self._true_after(seat, self._steps(state, seat, hands, stock, move, rng)))
        return Advice(move, usual(found, (OUT_FIRST, STOPS_NEXT)))

    def _true_after(self, seat: Seat, steps: Iterable[tuple[Seat, Move, Any]]) -> frozenset[Reason]:
        """Return what is true in the rest of a round. `steps`: who made which move, the seat's own first, and the state then."""
        made = list(steps)
        found = set()
        following = next(((each, move) for each, move, _state in made if each != seat), None)
        if following is not None and not isinstance(following[1], PlayCards):
            found.add(Reason(STOPS_NEXT, following[0]))
        if made[-1][2].out[:1] == (seat,):
            found.add(Reason(OUT_FIRST))
        return frozenset(found)

    def _choose(
        self, memory: Memory, state: Any, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Steps[None, Move | None]:
        """In steps of one deal."""
        kept: Move | None = self._base.choose(state, seat, hand, rng)
        if seat != state.turn or kept is None or (isinstance(kept, PlayCards) and len(kept.cards) == len(hand)):
            return kept
        moves = self._tried(kept, state, seat, hand)
        if len(moves) == 1:
            return kept
        if not self._is_whole(state, hand):
            return kept
        gains: dict[Move, list[float]] = {move: [] for move in moves}
        imagined = self.imagined(self._known(memory, state), state, seat, hand, rng)
        played = tried = 0
        most_played = MOST_PLAYED // 2 if self._game.recycles else MOST_PLAYED  # such rounds take longer
        while (played := played + len(gains)) <= most_played:
            yield
            tried += 1
            hands, stock = next(imagined)
            before, values = rng.getstate(), {}
            for move in gains:  # with the same luck for all
                rng.setstate(before)
                values[move] = self._outcome(state, seat, hands, stock, move, rng)
            for move, value in values.items():
                gains[move].append(value - values[kept])
            if tried % FIRST == 0:
                most = max(mean(each) for each in gains.values())
                gains = {
                    move: each
                    for move, each in gains.items()
                    if move == kept or mean(each) + HOPE * error(each) >= most
                }
                if len(gains) == 1:
                    return kept
        ahead = {move: mean(each) for move, each in gains.items() if mean(each) > SURENESS * error(each)}
        return max(ahead, key=ahead.__getitem__, default=kept)

    def _tried(self, kept: Move, state: Any, seat: Seat, hand: Sequence[Card]) -> list[Move]:
        """Return the most promising moves, the base's first. Where a turn ends only with a play, nobody who can play
        gains by drawing: when that seemed better it was luck, and asking took half of the time."""
        moves = [move for move in self._base.ranked(state, seat, hand) if move != kept]
        if self._game.options.get("draw") == "until" and not state.penalty:
            moves = [move for move in moves if not isinstance(move, Draw)]
        return [kept, *moves][:MOVES]

    def _is_whole(self, state: Any, hand: Sequence[Card]) -> bool:
        """Return whether the cards that are not seen fill the other hands and the stock exactly."""
        unseen = (self._deck - Counter(hand) - Counter(state.pile)).total()
        hidden: int = sum(state.hand_sizes) - len(hand) + state.stock_size
        return unseen == hidden

    def _known(self, memory: Memory, state: Any) -> Known:
        """Return what the round has shown of the other hands."""
        if isinstance(self._game, Eights) and memory.moves:
            return shown(self._game, memory, state)
        return nothing(memory.seat, state.hand_sizes)

    def imagined(
        self, known: Known, state: Any, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Iterator[tuple[list[list[Card]], list[Card]]]:
        """Yield hands for all seats, and a stock, that fit the public state and what is known, as far as they can."""
        unseen = list((self._deck - Counter(hand) - Counter(state.pile)).elements())
        base = self._base if isinstance(self._base, EightsBot) else None
        for stock in deals(base, known, unseen, rng):
            hands = [faces(known.hands.get(each, ())) for each in range(self._game.seats)]
            hands[seat] = list(hand)
            yield hands, faces(stock)

    def _outcome(
        self,
        state: Any,
        seat: Seat,
        hands: Sequence[Sequence[Card]],
        stock: Sequence[Card],
        move: Move,
        rng: Random,
    ) -> float:
        """Play one deal to its end after this move; return by how much the seat's team beats the mean of the others,
        and WIN if none beats it."""
        game, before = self._game, self._game.scores(state)
        for _seat, _move, after in self._steps(state, seat, hands, stock, move, rng):
            state = after
        if not game.is_round_over(state):
            return 0.0
        points = [now - then for now, then in zip(game.scores(state), before, strict=True)]
        if game.few_points_win:
            points = [-each for each in points]
        own: int = points.pop(game.team_of(seat))
        ahead: float = own - sum(points) / len(points)
        is_won: bool = own >= max(points)
        return ahead + WIN * is_won

    def _steps(
        self,
        state: Any,
        seat: Seat,
        hands: Sequence[Sequence[Card]],
        stock: Sequence[Card],
        move: Move,
        rng: Random,
    ) -> Iterator[tuple[Seat, Move, Any]]:
        """Play one deal to its end, and yield who made which move, this one first, and the state after it."""
        dealer = RandomDealer(self._game, rng)
        dealer.hands, dealer.stock = [Hand(each) for each in hands], list(stock)
        for _ in range(LONGEST):
            state = dealer.move(state, seat, move)
            yield seat, move, state
            if self._game.is_round_over(state):
                return
            seat, move = self._next(dealer, state, rng)

    def _next(self, dealer: RandomDealer, state: Any, rng: Random) -> tuple[Seat, Move]:
        """Return who moves next in an imagined deal, and how."""
        for seat in self._game.to_act(state):
            move = self._base.choose(state, seat, dealer.hands[seat], rng)
            if move is not None:
                return seat, move
        seat = self._game.awaited(state)[0]
        default: Move | None = self._game.default(state, seat, dealer.hands[seat])
        assert default is not None, "who is awaited can do something"
        return seat, default


class Explaining(Imagining):
    """Plays like its base, which trying moves made no better; it imagines deals only to say why."""

    def _choose(
        self, memory: Memory, state: Any, seat: Seat, hand: Sequence[Card], rng: Random
    ) -> Steps[None, Move | None]:
        yield from ()
        return self._base.choose(state, seat, hand, rng)


def at_level(game: Shedding[Any], base: Ranking, level: str) -> Strategy:
    """Return the bot of this level, where `base` is the normal one and the strong one imagines deals."""
    return Imagining(game, base) if level == STRONG else careless_or(game, base, level)


def faces(cards: Iterable[Held]) -> list[Card]:
    """Return the faces that are imagined."""
    return [held.card for held in cards if held.card is not None]


def mean(values: Sequence[float]) -> float:
    """Return the mean."""
    return sum(values) / len(values)


def error(values: Sequence[float]) -> float:
    """Return the standard error of the mean."""
    middle = mean(values)
    return sqrt(sum((each - middle) ** 2 for each in values) / max(1, len(values) - 1) / len(values))
