"""A trusted dealer in this process and a table around it, for tests, simulations, practice, and bots that look ahead.

Games ask a dealer for cards by demands (`game.Demand`). `Dealer` meets them with all cards known to it; its subclasses
determine the order of shuffled cards.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

from protocol.cards import Card, Hand, Seat
from protocol.errors import IllegalMove
from protocol.games.game import AnyGame, Data, DealToHand, Demand, Game, Open, OpenAll, Shuffle
from protocol.games.offered import LazyOffers
from protocol.games.views import PublicView
from protocol.values import dataclass

MAX_QUICK_LOOK = 200
"""A move is searched in a list of this many offered moves at most; beyond that the rules are asked."""
NOBODY = -1
"""Stands for a seat where none was asked for its moves."""
MOST_STUCK_MOVES = 200
"""A round is broken off after this many moves in a row while it was stuck."""


class Dealer(ABC):
    """All cards of one round: `hands`, one a seat, and `stock`, whose last card is drawn first."""

    def __init__(self, game: AnyGame) -> None:
        self.game = game
        self.hands = [Hand() for _ in range(game.seats)]
        self.stock: list[Card] = []
        self.laid: dict[Seat, tuple[Card, ...]] = {}
        """The cards that each seat laid out last; they stay in its hand until a DealToHand moves them."""
        self.revealed = False
        """Whether all hands have been revealed, as at the end of the round."""

    @abstractmethod
    def shuffled(self, faces: Sequence[Card]) -> list[Card]:
        """Return these faces in their shuffled order, the one drawn first at the end."""

    def drawn(self, seat: Seat, count: int) -> list[Card]:
        """Remove and return the cards that this seat is dealt now."""
        return [self.stock.pop()] if count == 1 else [self.stock.pop() for _ in range(count)]

    def carry_out(self, outcome: tuple[Any, tuple[Demand, ...]]) -> Any:
        """Meet all demands of an outcome, and those that follow, and return the state at the end."""
        state, waiting = outcome
        while waiting:
            demands, waiting = waiting, ()
            for demand in demands:
                if isinstance(demand, DealToHand):
                    hand = self.hands[demand.seat]
                    hand.known = None
                    if demand.laid:
                        self._take_laid(hand, demand.laid)
                    if demand.stock:
                        hand += self.drawn(demand.seat, demand.stock)
                elif isinstance(demand, Shuffle):
                    self.stock[:0] = self.shuffled(demand.faces)
                elif isinstance(demand, Open):
                    state, waiting = self.game.opened(state, self.stock.pop())
                elif isinstance(demand, OpenAll):
                    self.revealed = True
                    state = self.game.opened_all(state, [tuple(hand) for hand in self.hands])
        return state

    def _take_laid(self, hand: Hand, laid: Sequence[tuple[Seat, int]]) -> None:
        for giver, place in laid:
            face = self.laid[giver][place]
            self.hands[giver].remove(face)
            self.hands[giver].known = None
            hand.append(face)

    def move(self, state: Any, seat: Seat, move: Any) -> Any:
        """Carry out a legal move and return the next state."""
        game = self.game
        after, demands = outcome = game.follow(state, seat, move)
        uses = game.uses(move)
        if uses.played:
            hand = self.hands[seat]
            if hand.known is not None:
                hand.known = hand.known.without(uses.played)
            for face in uses.played:
                hand.remove(face)
        if uses.laid:
            self.laid[seat] = game.hidden(move)
        return self.carry_out(outcome) if demands else after


class RandomDealer(Dealer):
    """A dealer that shuffles with the given random numbers."""

    def __init__(self, game: AnyGame, rng: Random) -> None:
        super().__init__(game)
        self._rng = rng

    def shuffled(self, faces: Sequence[Card]) -> list[Card]:
        """In the order in which `Random.shuffle` puts them, which calls a function for each card."""
        order = list(faces)
        random_bits = self._rng.getrandbits
        for last, bits in _swaps(len(order)):
            while (other := random_bits(bits)) > last:
                pass
            order[last], order[other] = order[other], order[last]
        return order


@cache
def _swaps(count: int) -> tuple[tuple[int, int], ...]:
    """Return the places whose cards a shuffle exchanges for those of random places up to there, and the bits of their numbers."""
    return tuple((last, (last + 1).bit_length()) for last in reversed(range(1, count)))


def acting(game: AnyGame, state: Any, hands: Sequence[Sequence[Card]]) -> tuple[Seat, ...]:
    """Return the seats that have a legal move, given all hands: first the seat in turn, then the others by number."""
    return game.acting(state, hands, lambda seat: game.legal(state, seat, hands[seat]))


def open_view(game: AnyGame, state: Any, hands: Sequence[Sequence[Card]]) -> Data:
    """Return the view with all hands, and with `to_act` as the hands show."""
    view = game.view(state)
    view["to_act"] = list(acting(game, state, hands))
    view["hands"] = {str(seat): list(hand) for seat, hand in enumerate(hands)}
    return view


@dataclass(frozen=True, slots=True)
class FinishedRound:
    """A finished round: its last state and the cards that were left."""

    game: AnyGame
    state: Any
    hands: tuple[tuple[Card, ...], ...]

    @property
    def view(self) -> Data:
        """The view with all hands. Made when it is asked for: simulations never do."""
        return open_view(self.game, self.state, self.hands)


class LocalTable:
    """A match dealt by a trusted dealer. The next round starts automatically until the match is over; `last_round` keeps the
    previous one. The same game, random numbers and moves give the same match."""

    to_act: tuple[Seat, ...]
    """The seats that have a legal move: first the seat in turn, then the others by number. (Found with each move, since
    whoever plays asks for it each time, and a property takes twice as long.)"""

    def __init__(self, game: AnyGame, rng: Random, *, dealer: Seat | None = None) -> None:
        """Start a match. The first dealer is drawn by lot unless given."""
        self.game = game
        self.rounds = 0
        self.last_round: FinishedRound | None = None
        self.over = False
        self._rng = rng
        self._know_game()
        self._stuck = 0
        self._begin(rng.randrange(game.seats) if dealer is None else dealer, None)

    @classmethod
    def resume(
        cls, game: AnyGame, rng: Random, state: Any, hands: Sequence[Sequence[Card]], stock: Sequence[Card]
    ) -> LocalTable:
        """Create a table in the middle of a round, with these cards; the first of `stock` is drawn first. For tests that set
        up a position, and for bots that look ahead."""
        table = cls.__new__(cls)
        table.game, table._rng, table._asked, table._offers, table._stuck = game, rng, NOBODY, (), 0
        table.rounds, table.last_round, table.over = 1, None, False
        table._know_game()
        table._dealer = RandomDealer(game, rng)
        table._dealer.hands = [Hand(hand) for hand in hands]
        table._dealer.stock = list(reversed(stock))
        table.state = state
        table.to_act = table._acting()
        return table

    def _know_game(self) -> None:
        """Look up what every move asks of the game's class, which takes longer."""
        self._seats = tuple(range(self.game.seats))
        self._all_can_act = self.game.all_can_act
        self._may_stall = type(self.game).is_stalled is not Game.is_stalled

    def _begin(self, dealer: Seat, scores: Sequence[int] | None) -> None:
        self._asked: Seat = NOBODY
        self._offers: Sequence[Any] = ()
        self._dealer = RandomDealer(self.game, self._rng)
        self.state = self._dealer.carry_out(self.game.start(dealer, scores))
        self.to_act = self._acting()
        self.rounds += 1

    @property
    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """All hands."""
        return tuple(tuple(hand) for hand in self._dealer.hands)

    @property
    def stock(self) -> tuple[Card, ...]:
        """The stock, the card drawn first at the front."""
        return tuple(reversed(self._dealer.stock))

    def _acting(self) -> tuple[Seat, ...]:
        return self.game.acting(self.state, self._dealer.hands, self.legal)

    @property
    def scores(self) -> tuple[int, ...]:
        """The match score, a number a team."""
        return self.game.scores(self.state)

    def legal(self, seat: Seat) -> Sequence[Any]:
        """List the legal moves of a seat; none once the match is over."""
        if seat != self._asked:
            if seat not in self._seats:
                return ()
            offers = self._offers = self.game.legal(self.state, seat, self._dealer.hands[seat])
            self._asked = seat
            return offers
        return self._offers

    def play(self, seat: Seat, move: Any) -> None:
        """Make a move, given as a value or as its object. Raises IllegalMove, or BadMessage for an object that is no move;
        then the table is unchanged."""
        offers = self._offers if seat == self._asked else ()
        for offered in offers if type(offers) is tuple else _known(offers):  # `any` would take three times as long
            if offered is move:
                break
        else:
            if isinstance(move, Mapping):
                move = self.game.decode(move)
            if seat not in self._seats:
                raise IllegalMove("there is no seat {seat}", seat=seat)
            self.game.check(self.state, seat, self._dealer.hands[seat], move)
        dealer = self._dealer
        self.state = state = dealer.move(self.state, seat, move)
        self._asked = NOBODY
        self._offers = ()
        self.to_act = self.game.to_act(state) if self._all_can_act else self._acting()
        if dealer.revealed and self.game.is_round_over(state):
            self._finish()
        elif self._may_stall:
            self._count_stuck(state)

    def _count_stuck(self, state: Any) -> None:
        """Break off a round that goes in circles: there is no clock here, so that the number of moves ends it."""
        if not self.game.is_stalled(state):
            self._stuck = 0
        elif self._stuck < MOST_STUCK_MOVES:
            self._stuck += 1
        else:
            self.break_off()

    @property
    def is_stalled(self) -> bool:
        """Whether the round is stuck and may be broken off."""
        return self.game.is_stalled(self.state)

    def break_off(self) -> None:
        """Abandon a stuck round: it is void, and the same seat deals again. Raises IllegalMove if the round is not stuck."""
        if not self.is_stalled:
            raise IllegalMove("only a stuck round can be abandoned")
        dealer = self.game.public_view(self.state).dealer
        assert dealer is not None
        self._stuck = 0
        self._begin(dealer, self.game.scores(self.state))

    def _finish(self) -> None:
        state, game = self.state, self.game
        self.last_round = FinishedRound(game, state, self.hands)
        if game.is_match_over(state):
            self.over = True
        else:
            self._begin(game.next_dealer(state), game.scores(state))

    def view(self, seat: Seat | None = None) -> Data:
        """Return what a seat sees as plain data, or without a seat what everyone sees; all hands once the match is over."""
        if self.over:
            return open_view(self.game, self.state, self._dealer.hands)
        return self.game.view(self.state, seat, None if seat is None else tuple(self._dealer.hands[seat]))

    def public_view(self, seat: Seat | None = None) -> PublicView:
        """Return the same as typed values, except that `to_act` is what the public can tell."""
        seats = range(self.game.seats) if self.over else () if seat is None else (seat,)
        hands = {each: tuple(self._dealer.hands[each]) for each in seats}
        return self.game.public_view(self.state).with_hands(hands)


def _known(offers: Sequence[Any]) -> Sequence[Any]:
    """Return those of some offers that need not be checked if they are made: all of a short list; of lazy offers, the last one
    that was created."""
    if isinstance(offers, list):
        return offers if len(offers) <= MAX_QUICK_LOOK else ()
    return (offers.chosen,) if isinstance(offers, LazyOffers) and offers.chosen is not None else ()
