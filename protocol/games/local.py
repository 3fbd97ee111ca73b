"""A trusted dealer in this process, and a table around it: for tests, simulations and what bots imagine.

The engines know no deck: they ask a dealer for cards in four words (`game.Demand`). `Dealer` carries them out with all
cards in the open; in which order shuffled cards come to lie is for its subclasses to say.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from operator import is_
from random import Random
from typing import Any

from protocol.cards import Card, Seat
from protocol.errors import IllegalMove
from protocol.games.game import AnyGame, Data, Open, OpenAll, Outcome, Shuffle, Take
from protocol.games.views import PublicView

MAX_QUICK_LOOK = 200
"""Up to so many offered moves are searched for the one made, before the rules are asked."""
MOST_STUCK_MOVES = 200
"""A round in which so many moves in a row were made while it was stuck is broken off."""


class Dealer(ABC):
    """All cards of one round: `hands`, a list a seat, and `stock`, whose last card is drawn first."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.hands: list[list[Card]] = [[] for _ in range(game.seats)]
        self.stock: list[Card] = []
        self.laid: dict[Seat, tuple[Card, ...]] = {}
        """What each seat laid out last: it stays in its hand until a take moves it."""

    @abstractmethod
    def shuffled(self, faces: Sequence[Card]) -> list[Card]:
        """The order in which these faces come to lie, the one drawn first at the end."""

    def drawn(self, seat: Seat) -> Card:
        """The card that this seat is dealt now."""
        return self.stock.pop()

    def carry_out(self, outcome: Outcome[Any]) -> Any:
        """Do all that the outcome demands, and what follows from it; the state when nothing is left to do."""
        state, waiting = outcome
        while waiting:
            demands, waiting = waiting, ()
            for demand in demands:
                if isinstance(demand, Take):
                    self._take(demand)
                elif isinstance(demand, Shuffle):
                    self.stock[:0] = self.shuffled(demand.faces)
                elif isinstance(demand, Open):
                    state, waiting = self.game.opened(state, self.stock.pop())
                elif isinstance(demand, OpenAll):
                    state = self.game.opened_all(state, [tuple(hand) for hand in self.hands])
        return state

    def _take(self, take: Take) -> None:
        seat = take.seat
        hand = self.hands[seat]
        for giver, place in take.laid:
            face = self.laid[giver][place]
            self.hands[giver].remove(face)
            hand.append(face)
        for _ in range(take.stock):
            hand.append(self.drawn(seat))

    def move(self, state: Any, seat: Seat, move: Any) -> Any:
        """Carry out a move that has been judged; the next state."""
        after, demands = outcome = self.game.follow(state, seat, move)
        uses = self.game.uses(move)
        for face in uses.played:
            self.hands[seat].remove(face)
        if uses.laid:
            self.laid[seat] = self.game.hidden(move)
        return self.carry_out(outcome) if demands else after


class RandomDealer(Dealer):
    """Shuffles with the randomness it is given."""

    def __init__(self, game: AnyGame, rng: Random) -> None:
        super().__init__(game)
        self._rng = rng

    def shuffled(self, faces: Sequence[Card]) -> list[Card]:
        order = list(faces)
        self._rng.shuffle(order)
        return order


def acting(game: AnyGame, state: Any, hands: Sequence[Sequence[Card]]) -> tuple[Seat, ...]:
    """The seats that have a legal move, given all hands: the one in turn first, then rising."""
    return tuple(seat for seat in game.to_act(state) if game.legal(state, seat, hands[seat]))


def open_view(game: AnyGame, state: Any, hands: Sequence[Sequence[Card]]) -> Data:
    """What one sees who sees everything: the view with all hands, and `to_act` by what they hold."""
    view = game.view(state)
    view["to_act"] = list(acting(game, state, hands))
    view["hands"] = {str(seat): list(hand) for seat, hand in enumerate(hands)}
    return view


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A round that is over: its last state and the cards that were left."""

    state: Any
    hands: tuple[tuple[Card, ...], ...]
    view: Data


class LocalTable:
    """A match dealt by a trusted dealer. The next round starts by itself while the match is not over; `last_round` keeps the
    one before. The same game, randomness and moves give the same match."""

    def __init__(self, game: AnyGame, rng: Random, *, dealer: Seat | None = None) -> None:
        """The first dealer is drawn by lot unless given."""
        self.game = game
        self.rounds = 0
        self.last_round: FinishedRound | None = None
        self.over = False
        self._rng = rng
        self._offers: dict[Seat, Sequence[Any]] = {}
        self._stuck = 0
        self._begin(rng.randrange(game.seats) if dealer is None else dealer, None)

    @classmethod
    def resume(
        cls, game: AnyGame, rng: Random, state: Any, hands: Sequence[Sequence[Card]], stock: Sequence[Card]
    ) -> LocalTable:
        """A table that goes on from this state with these cards, the first of `stock` drawn first: a position that a test
        sets up, or a round as a bot imagines it."""
        table = cls.__new__(cls)
        table.game, table._rng, table._offers, table._stuck = game, rng, {}, 0
        table.rounds, table.last_round, table.over = 1, None, False
        table._dealer = RandomDealer(game, rng)
        table._dealer.hands = [list(hand) for hand in hands]
        table._dealer.stock = list(reversed(stock))
        table.state = state
        return table

    def _begin(self, dealer: Seat, scores: Sequence[int] | None) -> None:
        self._dealer = RandomDealer(self.game, self._rng)
        self.state = self._dealer.carry_out(self.game.start(dealer, scores))
        self.rounds += 1

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """All hands, as only this dealer knows them."""
        return tuple(tuple(hand) for hand in self._dealer.hands)

    @property
    def stock(self) -> tuple[Card, ...]:
        """The stock, the card drawn first at the front."""
        return tuple(reversed(self._dealer.stock))

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """Seats that have a legal move now, the one in turn first, then rising."""
        seats = self.game.to_act(self.state)
        if len(seats) == 1 and self.legal(seats[0]):
            return seats
        return tuple(seat for seat in seats if self.legal(seat))

    @property
    def scores(self) -> tuple[int, ...]:
        """The match so far: a number a seat; where teams play, a team."""
        return self.game.scores(self.state)

    def legal(self, seat: Seat) -> Sequence[Any]:
        """What this seat may do, knowing its own hand; empty once the match is over."""
        offers = self._offers.get(seat)
        if offers is None:
            if seat not in range(self.game.seats):
                return ()
            offers = self._offers[seat] = self.game.legal(self.state, seat, self._dealer.hands[seat])
        return offers

    def play(self, seat: Seat, move: Any) -> None:
        """Make a move, given as such or as its plain object. Raises IllegalMove (or BadMessage for an object that is no
        move) and leaves the table as it was."""
        if not self._is_offered(seat, move):
            if isinstance(move, Mapping):
                move = self.game.decode(move)
            if seat not in range(self.game.seats):
                raise IllegalMove("there is no seat {seat} here", seat=seat)
            self.game.check(self.state, seat, self._dealer.hands[seat], move)
        state = self._dealer.move(self.state, seat, move)
        self._offers = {}
        self.state = state
        if self.game.is_round_over(state):
            self._finish()
        elif not self.game.is_stalled(state):
            self._stuck = 0
        elif self._stuck < MOST_STUCK_MOVES:
            self._stuck += 1
        else:  # nobody here has a clock: a round that goes in circles ends all the same
            self.break_off()

    def _is_offered(self, seat: Seat, move: Any) -> bool:
        """Whether this is one of the very moves that `legal` gave for this seat and moment: it needs no judging. Offers that
        are made only when they are asked for are never the same object again, and are not searched."""
        offers = self._offers.get(seat)
        return (
            isinstance(offers, (list, tuple)) and len(offers) <= MAX_QUICK_LOOK and any(map(is_, offers, repeat(move)))
        )

    @property
    def is_stalled(self) -> bool:
        """Whether the round is stuck and may be broken off."""
        return self.game.is_stalled(self.state)

    def break_off(self) -> None:
        """Give a stuck round up: it is void, and the same seat deals anew. Raises IllegalMove for any other round."""
        if not self.is_stalled:
            raise IllegalMove("only a round that is stuck can be broken off")
        dealer: Seat = self.game.view(self.state)["dealer"]
        self._offers = {}
        self._stuck = 0
        self._begin(dealer, self.game.scores(self.state))

    def _finish(self) -> None:
        state, game = self.state, self.game
        self.last_round = FinishedRound(state, self.hands, open_view(game, state, self.hands))
        if game.is_match_over(state):
            self.over = True
        else:
            self._begin(game.next_dealer(state), game.scores(state))

    def view(self, seat: Seat | None = None) -> Data:
        """What that seat sees, as plain data; without a seat what all see (all hands, once the match is over)."""
        if self.over:
            return open_view(self.game, self.state, self._dealer.hands)
        return self.game.view(self.state, seat, None if seat is None else tuple(self._dealer.hands[seat]))

    def public_view(self, seat: Seat | None = None) -> PublicView:
        """The same as typed values (`to_act` is the public one)."""
        seats = range(self.game.seats) if self.over else () if seat is None else (seat,)
        hands = {each: tuple(self._dealer.hands[each]) for each in seats}
        return self.game.public_view(self.state).with_hands(hands)
