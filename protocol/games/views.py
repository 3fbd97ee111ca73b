"""What can be seen of a round, made of the few parts that card games have in common: seats, stock, pile, trick, melds, scores.

A game describes its state with a `PublicView`, or with a subclass that adds what only this game has. From the common parts any
client can draw and tell a game that it has never heard of; a client that knows the game reads the subclass (`seen_as`). As
plain data, a view has the keys of the playthrough format (PROTOCOL.md, "Playthroughs"): see `PublicView.data` and `view_of`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Self, TypeAlias, TypedDict, TypeVar

from protocol.cards import Card, Seat
from protocol.games.labels import Text
from protocol.values import dataclass, replace

Data: TypeAlias = dict[str, Any]
"""Plain data: what JSON can hold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatView:
    """One player. What a game does not count stays None."""

    hand_size: int = 0
    hand: tuple[Card, ...] | None = None
    """The cards, where the reader of this view may see them."""
    arrived: tuple[Card, ...] = ()
    """Cards that have just come into the hand, in the order in which they came, where the reader of this view knows it."""
    calls: tuple[str, ...] = ()
    """What the player has announced in this round, by the game's labels: "Grand Tichu"."""
    bid: int | None = None
    tricks: int | None = None
    """Tricks taken in this round."""
    points: int | None = None
    """Points in the cards taken in this round."""
    owed: int = 0
    """Cards that the player will have to draw."""
    status: str = ""
    """What the player is doing, or has done, as a label: "has given". It is shown in place of bid, tricks and points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """The cards that are drawn from."""

    size: int
    open: tuple[Card, ...] = ()
    """Cards of it that lie face up: the trump that was turned up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pile:
    """The cards played onto one another, or discarded."""

    cards: tuple[Card, ...] = ()
    """Those that lie face up, the top card last."""
    top: Card | None = None
    """What the top card counts as: for a joker the card that it stands for."""
    suit: str | None = None
    """The suit that has been named."""
    rank: str | None = None
    """The rank that has been named."""
    due: int = 0
    """Cards that the player in turn must draw, or pass on."""


NO_PILE = Pile()


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickPlay:
    """What one player put into a trick."""

    seat: Seat
    cards: tuple[Card, ...]
    combination: str = ""
    """The name of the combination, where the game has any, as a label: "full house"."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trick:
    """A trick, in play or taken."""

    plays: tuple[TrickPlay, ...] = ()
    """In the order played. Where the state does not say who played what, at least the play that is to be beaten."""
    leader: Seat | None = None
    winner: Seat | None = None
    """Who is winning it, or has won it."""
    taker: Seat | None = None
    """Who has taken its cards, usually the winner; None while it is in play."""
    points: int | None = None
    """What its cards are worth."""
    number: int = 0
    """The tricks of a round count from 1; 0 where the game does not count them."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards of the plays."""
        return tuple(card for play in self.plays for card in play.cards)


@dataclass(frozen=True, slots=True, kw_only=True)
class Meld:
    """Cards laid out face up, by a player or for all."""

    cards: tuple[Card, ...]
    seat: Seat | None = None
    label: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MoveView:
    """A move as its object tells it, whatever the game."""

    do: str
    """The kind of move: see `Game.move_kind`."""
    cards: tuple[Card, ...] = ()
    count: int = 0
    """How many cards the move is about, also where they are hidden."""
    named: Mapping[str, object] = field(default_factory=dict, hash=False)
    """What else the player chose, by the keys of the object; choices left out are not in it."""


class Standing(TypedDict):
    """The fields of a view that every game answers by its methods (see `Game.standing`)."""

    phase: str
    phase_label: str
    to_act: tuple[Seat, ...]
    scores: tuple[int, ...]
    round_over: bool
    match_over: bool
    winners: tuple[Seat, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicView:
    """What all players see of a round. Parts that a game does not have are None or empty.

    Hands are hidden in it: `with_hands` adds those that a reader may see.
    """

    phase: str = ""
    phase_label: str = ""
    """What the phase is called, as a label; empty where it needs no name."""
    turn: Seat | None = None
    """The one seat that must act; None where nobody or several may."""
    to_act: tuple[Seat, ...] = ()
    """The seats that may have a legal move, the one in turn first."""
    dealer: Seat | None = None
    direction: int | None = None
    """1 where play goes to higher seats, -1 to lower ones; None where it never changes."""
    seats: tuple[SeatView, ...] = ()
    stock: Stock | None = None
    pile: Pile | None = None
    trick: Trick | None = None
    last_trick: Trick | None = None
    """The trick that was taken last."""
    trump: str | None = None
    melds: tuple[Meld, ...] = ()
    notes: tuple[Text, ...] = ()
    """What else there is to know, a short text each."""
    out: tuple[Seat, ...] = ()
    """Who has no cards left and is done, first to last."""
    ended: str | None = None
    """How the round's play ended, in the game's word: "out", "blocked"."""
    round_over: bool = False
    match_over: bool = False
    round_points: tuple[int, ...] | None = None
    """The points of this round, a number a team, once they are known."""
    scores: tuple[int, ...] = ()
    """The match, a number a team."""
    winners: tuple[Seat, ...] | None = None
    """Once the match is over."""

    @property
    def hand_sizes(self) -> tuple[int, ...]:
        """The number of cards in each hand."""
        return tuple(seat.hand_size for seat in self.seats)

    @property
    def top(self) -> Card | None:
        """What the top card of the pile counts as."""
        return None if self.pile is None else self.pile.top

    @property
    def due(self) -> int:
        """Cards that the player in turn must draw, or pass on."""
        return 0 if self.pile is None else self.pile.due

    def hand(self, seat: Seat | None) -> tuple[Card, ...]:
        """The cards of a seat as far as this view shows them; empty for a seat that is not there."""
        known = self.seats[seat].hand if seat is not None and 0 <= seat < len(self.seats) else None
        return known or ()

    def arrived(self, seat: Seat | None) -> tuple[Card, ...]:
        """The cards that have just come into a seat's hand, in order; empty where that is not known."""
        return self.seats[seat].arrived if seat is not None and 0 <= seat < len(self.seats) else ()

    def place(self, seat: Seat) -> int | None:
        """1 for the seat that went out first; None while it is in."""
        return self.out.index(seat) + 1 if seat in self.out else None

    def with_hands(self, hands: Mapping[Seat, Sequence[Card]]) -> Self:
        """The view of a reader who may see these hands."""
        seats = (
            replace(seat, hand=tuple(hands[number])) if number in hands else seat
            for number, seat in enumerate(self.seats)
        )
        return replace(self, seats=tuple(seats))

    def with_arrived(self, seat: Seat, cards: Iterable[Card]) -> Self:
        """The view of a reader who knows in which order these cards came into the hand of this seat."""
        arrived = replace(self.seats[seat], arrived=tuple(cards))
        return replace(self, seats=(*self.seats[:seat], arrived, *self.seats[seat + 1 :]))

    def data(self) -> Data:
        """Plain data with the keys of the playthrough format, for each part that the game has."""
        data: Data = {
            "turn": self.turn,
            "to_act": list(self.to_act),
            "phase": self.phase,
            "dealer": self.dealer,
            "hand_sizes": list(self.hand_sizes),
            "hands": {str(seat): list(each.hand) for seat, each in enumerate(self.seats) if each.hand is not None},
            "out": list(self.out),
            "round_over": self.round_over,
            "match_over": self.match_over,
            "ended": self.ended,
            "round_points": _listed(self.round_points),
            "scores": list(self.scores),
            "winner": _listed(self.winners),
        }
        if self.direction is not None:
            data["direction"] = self.direction
        if self.stock is not None:
            data["stock_size"] = self.stock.size
        if (pile := self.pile) is not None:
            data |= {"top": pile.top, "suit": pile.suit, "rank": pile.rank, "penalty": pile.due}
        if self.trump is not None:
            data["trump"] = self.trump
        for name, counts in (
            ("bids", [seat.bid for seat in self.seats]),
            ("tricks", [seat.tricks for seat in self.seats]),
            ("captured", [seat.points for seat in self.seats]),
        ):
            if any(count is not None for count in counts):
                data[name] = counts
        return data | self.trick_data() | self.own_data()

    def trick_data(self) -> Data:
        """The keys about tricks."""
        data: Data = {}
        if (trick := self.trick) is not None:
            data |= {"trick": list(trick.cards), "leader": trick.leader, "owner": trick.winner}
        if (last := self.last_trick) is not None:
            data["last_trick"] = {"cards": list(last.cards), "leader": last.leader, "taker": last.taker}
        return data

    def own_data(self) -> Data:
        """The keys that only this kind of view has."""
        return {}


def _listed(values: Iterable[int] | None) -> list[int] | None:
    return None if values is None else list(values)


ViewType = TypeVar("ViewType", bound=PublicView)


def seen_as(kind: type[ViewType], view: PublicView) -> ViewType:
    """The view as the kind that its game makes; an empty one of that kind where there is none yet, as before the first deal."""
    return view if isinstance(view, kind) else kind()


# --- from plain data ---


def view_of(data: Mapping[str, Any]) -> PublicView:
    """The view that plain data with the keys of the playthrough format describes.

    Reads what it understands, whatever is there, and never raises.
    """
    data = data if isinstance(data, Mapping) else {}
    hands = data.get("hands")
    hands = {str(seat): _cards(cards) for seat, cards in hands.items()} if isinstance(hands, Mapping) else {}
    seats = tuple(
        SeatView(hand_size=size, hand=hands.get(str(seat)))
        for seat, size in enumerate(_numbers(data.get("hand_sizes")))
    )
    size, winners, points = _number(data.get("stock_size")), data.get("winner"), data.get("round_points")
    return PublicView(
        phase=_word(data.get("phase")) or "",
        turn=_number(data.get("turn")),
        to_act=_numbers(data.get("to_act")),
        dealer=_number(data.get("dealer")),
        direction=_number(data.get("direction")),
        seats=seats,
        stock=None if size is None else Stock(size=size),
        pile=_pile(data) if data.get("top") else None,
        trick=_trick(data) if "trick" in data else None,
        out=_numbers(data.get("out")),
        ended=_word(data.get("ended")),
        round_over=data.get("round_over") is True,
        match_over=data.get("match_over") is True,
        round_points=None if points is None else _numbers(points),
        scores=_numbers(data.get("scores")),
        winners=None if winners is None else _numbers(winners),
        trump=_word(data.get("trump")),
    )


def move_view_of(data: Mapping[str, Any]) -> MoveView:
    """A move's object as a `MoveView`. Never raises."""
    cards, hidden = _cards(data.get("cards")), _number(data.get("cards"))
    named = {
        key: value
        for key, value in data.items()
        if key not in ("do", "cards") and value is not None and value is not False and value != []
    }
    return MoveView(do=_word(data.get("do")) or "", cards=cards, count=hidden or len(cards), named=named)


def _pile(data: Mapping[str, Any]) -> Pile | None:
    top = _word(data.get("top"))
    if top is None:
        return None
    return Pile(
        cards=(Card(top),),
        top=Card(top),
        suit=_word(data.get("suit")),
        rank=_word(data.get("rank")),
        due=_number(data.get("penalty")) or 0,
    )


def _trick(data: Mapping[str, Any]) -> Trick:
    cards, owner = _cards(data.get("trick")), _number(data.get("owner"))
    leader = _number(data.get("leader"))
    player = owner if owner is not None else leader
    plays = (TrickPlay(seat=player, cards=cards),) if cards and player is not None else ()
    return Trick(plays=plays, leader=leader, winner=owner)


def _number(value: object) -> int | None:
    return value if type(value) is int else None


def _numbers(value: object) -> tuple[int, ...]:
    return tuple(each for each in value if type(each) is int) if isinstance(value, (list, tuple)) else ()


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _cards(value: object) -> tuple[Card, ...]:
    return tuple(Card(each) for each in value if isinstance(each, str)) if isinstance(value, (list, tuple)) else ()
