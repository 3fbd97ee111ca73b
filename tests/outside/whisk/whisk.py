"""Whisk.

Three to five players are dealt six cards each from a deck of 52; the next card is turned up, and its suit is trump. Beginning
to the dealer's left, everybody bids how many tricks they will take. Then the same player leads. Follow suit if you can; if you
cannot, play anything. The highest trump wins the trick, or else the highest card of the suit led; the winner leads next.

Each trick scores a point, and five more go to those who took as many as they bid. Fifty points end the match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar

from protocol.cards import PACK_52, RANKS, Card, Seat
from protocol.errors import BadMessage, IllegalMove
from protocol.games.game import NO_CARDS, Data, DealToHand, Game, Open, OpenAll, Option, Outcome, Shuffle, Uses
from protocol.games.labels import MoveKind, Plural, text
from protocol.games.views import PublicView, SeatView, Stock, Trick, TrickPlay
from protocol.values import replace

EXACT, GRAND, POINTS = 5, 10, Plural("{n} point", "{n} points")
LENGTHS: dict[object, str] = {"short": "six cards each", "long": "ten cards each"}
BID = MoveKind("bid", "You bid {tricks}.", "{name} bids {tricks}.", {"tricks": "How many tricks?"})


@dataclass(frozen=True, slots=True)
class Bid:
    tricks: int


@dataclass(frozen=True, slots=True)
class PlayCard:
    card: Card


Move = Bid | PlayCard


@dataclass(frozen=True, slots=True)
class State:
    """What is public of a round."""

    dealer: Seat
    scores: tuple[int, ...]
    hand_sizes: tuple[int, ...]
    bids: tuple[int | None, ...]
    taken: tuple[int, ...]
    stock_size: int
    turned: Card | None = None
    turn: Seat | None = None
    leader: Seat | None = None
    trick: tuple[Card, ...] = ()
    last_leader: Seat | None = None
    last_trick: tuple[Card, ...] = ()
    points: tuple[int, ...] | None = None

    def playable(self, hand: Sequence[Card]) -> Sequence[Card]:
        return [card for card in hand if self.trick and card[1] == self.trick[0][1]] or hand


class Whisk(Game[State, Move]):
    name = "whisk"
    title = "Whisk"
    seat_counts = (3, 4, 5)
    phases = ("bid", "play", "over")
    deck = PACK_52
    phase_labels: ClassVar[Mapping[str, str]] = {"bid": "bidding"}
    MOVES: ClassVar[Mapping[str, MoveKind]] = {"bid": BID}
    OPTIONS: ClassVar[Mapping[str, Option]] = {
        "preset": Option("short", values=("short", "long"), text="cards for each", label="Length", names=LENGTHS),
        "grand": Option(False, values=(False, True), text="ten points for all tricks", label="Bonus for all tricks"),
        "target": Option(50, low=0, high=1000, text="points to win", label="Play to", unit=POINTS),
    }

    def start(
        self, dealer: Seat, scores: Sequence[int] | None = None, present: Sequence[Seat] | None = None
    ) -> Outcome[State]:
        size = {"short": 6, "long": 10}[self.options["preset"]]
        return self.start_with(dealer, scores, [size] * self.seats, len(PACK_52) - size * self.seats)

    def start_with(
        self, dealer: Seat, scores: Sequence[int] | None, hand_sizes: Sequence[int], stock_size: int
    ) -> Outcome[State]:
        no, zero = (None,) * self.seats, (0,) * self.seats
        state = State(dealer, tuple(scores or zero), tuple(hand_sizes), no, zero, stock_size)
        takes = (DealToHand(seat, size) for seat, size in enumerate(hand_sizes))
        return Outcome(state, (Shuffle(PACK_52), *takes, Open()))

    def opened(self, state: State, face: Card) -> Outcome[State]:
        first = (state.dealer + 1) % self.seats
        return Outcome(replace(state, turned=face, stock_size=state.stock_size - 1, turn=first))

    def opened_all(self, state: State, hands: Sequence[Sequence[Card]]) -> State:
        grand = GRAND if self.options["grand"] else 0
        won = zip(state.taken, state.bids, strict=True)
        points = tuple(taken + EXACT * (taken == bid) + grand * (taken == sum(state.taken)) for taken, bid in won)
        return replace(state, points=points, scores=tuple(a + b for a, b in zip(state.scores, points, strict=True)))

    def decode(self, data: Mapping[str, Any]) -> Move:
        match dict(data):
            case {"do": "bid", "tricks": tricks, **more} if type(tricks) is int and not more:
                return Bid(tricks)
            case {"do": "play", "cards": [card], **more} if card in PACK_52 and not more:
                return PlayCard(card)
        raise BadMessage("this is no move of Whisk")

    def encode(self, move: Move) -> Data:
        return {"do": "bid", "tricks": move.tricks} if isinstance(move, Bid) else {"do": "play", "cards": [move.card]}

    def uses(self, move: Move) -> Uses:
        return Uses(played=(move.card,)) if isinstance(move, PlayCard) else NO_CARDS

    def apply(self, state: State, seat: Seat, move: Move) -> Outcome[State]:
        if seat != state.turn:
            raise IllegalMove("it is not your turn")
        following = (seat + 1) % self.seats
        if isinstance(move, Bid):
            if None not in state.bids or not 0 <= move.tricks <= state.hand_sizes[seat]:
                raise IllegalMove("bid once, and no more tricks than you hold cards")
            return Outcome(
                replace(state, bids=(*state.bids[:seat], move.tricks, *state.bids[seat + 1 :]), turn=following)
            )
        if None in state.bids:
            raise IllegalMove("bid before you play")
        leader, trick = seat if state.leader is None else state.leader, (*state.trick, move.card)
        sizes = tuple(size - (each == seat) for each, size in enumerate(state.hand_sizes))
        state = replace(state, hand_sizes=sizes, leader=leader, trick=trick, turn=following)
        if len(trick) < self.seats:
            return Outcome(state)
        taker = self._shown(state, leader, trick).winner
        taken = tuple(count + (each == taker) for each, count in enumerate(state.taken))
        state = replace(state, taken=taken, leader=None, trick=(), last_leader=leader, last_trick=trick, turn=taker)
        return Outcome(state) if any(sizes) else Outcome(replace(state, turn=None), (OpenAll(),))

    def check(self, state: State, seat: Seat, hand: Sequence[Card], move: Move) -> None:
        self.apply(state, seat, move)
        if isinstance(move, PlayCard) and move.card not in state.playable(hand):
            raise IllegalMove("play a card of your hand, and follow suit if you can")

    def legal(self, state: State, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
        if seat != state.turn:
            return ()
        return [Bid(n) for n in range(len(hand) + 1)] if None in state.bids else [*map(PlayCard, state.playable(hand))]

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    def is_round_over(self, state: State) -> bool:
        return state.points is not None

    def scores(self, state: State) -> tuple[int, ...]:
        return state.scores

    def is_match_over(self, state: State) -> bool:
        return state.points is not None and max(state.scores) >= self.options["target"]

    def next_dealer(self, state: State) -> Seat:
        return (state.dealer + 1) % self.seats

    def public_view(self, state: State) -> PublicView:
        counts = zip(state.hand_sizes, state.bids, state.taken, strict=True)
        last = self._shown(state, state.last_leader, state.last_trick) if state.last_trick else None
        return PublicView(
            **self.standing(state, "over" if state.turn is None else "bid" if None in state.bids else "play"),
            turn=state.turn,
            dealer=state.dealer,
            seats=tuple(SeatView(hand_size=size, bid=bid, tricks=taken) for size, bid, taken in counts),
            stock=Stock(size=state.stock_size, open=(state.turned,) if state.turned else ()),
            trick=replace(self._shown(state, state.leader, state.trick), number=sum(state.taken) + 1),
            last_trick=last and replace(last, taker=last.winner, number=sum(state.taken)),
            trump=state.turned[1] if state.turned else None,
            notes=(text("Tricks bid: {n}", n=sum(filter(None, state.bids))),),
            round_points=state.points,
        )

    def _shown(self, state: State, leader: Seat | None, cards: Sequence[Card]) -> Trick:
        if leader is None:
            return Trick()
        plays = tuple(TrickPlay(seat=(leader + n) % self.seats, cards=(card,)) for n, card in enumerate(cards))
        order = f"{cards[0][1]}{state.turned[1] if state.turned else ''}"
        best = max(plays, key=lambda play: (order.rfind(play.cards[0][1]), RANKS.index(play.cards[0][0])))
        return Trick(plays=plays, leader=leader, winner=best.seat)

    def strategy(self, level: str = "") -> HighOrLow:
        return HighOrLow()


class HighOrLow:
    """Bids its high cards; then plays high while it needs tricks, and low afterwards."""

    def choose(self, state: State, seat: Seat, hand: Sequence[Card], rng: Random) -> Move | None:
        if seat != state.turn:
            return None
        bid, taken = state.bids[seat], state.taken[seat]
        if bid is None:
            return Bid(sum(card[0] in "AK" for card in hand))
        return PlayCard((max if taken < bid else min)(state.playable(hand), key=lambda card: RANKS.index(card[0])))
