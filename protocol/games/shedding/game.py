"""The rules that all shedding games have."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar

from protocol.cards import ALL_FACES, RANKS, SUITS, Card, Seat
from protocol.errors import BadMessage, BadOption, IllegalMove
from protocol.games.changing import changed, lay_out
from protocol.games.game import (
    EASY,
    NO_CARDS,
    NORMAL,
    Data,
    Demand,
    Game,
    Open,
    OpenAll,
    Outcome,
    Shuffle,
    Uses,
)
from protocol.games.labels import MoveKind, key
from protocol.games.shedding.moves import PLAIN, PLAIN_NAMES, Call, Move, PlayCards
from protocol.games.shedding.state import LONGEST, Motion, R, SheddingState, dealt, draw, next_in
from protocol.games.shedding.view import SheddingView
from protocol.games.views import Pile, SeatView, Stock

TEAM_SEATS = 4
MOST_CARDS = 216
"""The most cards in a deck: four packs of 52 with two jokers each. A table deals no larger one (PROTOCOL.md, "Field types")."""


@lru_cache(maxsize=4096)
def _played(cards: tuple[Card, ...]) -> Uses:
    """Return the uses of a play of these cards."""
    return Uses(played=cards)


class Shedding(Game[R, Move]):
    """A shedding game. The methods at the end differ from game to game."""

    seat_counts = range(2, 11)
    levels: ClassVar[tuple[str, ...]] = (EASY, NORMAL)
    phases: ClassVar[tuple[str, ...]] = ("play", "over")
    MOVES: ClassVar[Mapping[str, MoveKind]] = {"call": MoveKind(key("one left"))}
    play_keys: ClassVar[tuple[str, ...]] = ("suit", "call")
    """The keys of a play's object besides `do` and `cards`."""
    all_can_act: ClassVar[bool] = True
    """A seat that can neither play nor draw may pass."""
    first_direction: ClassVar[int] = 1
    word_penalty: int | None = None
    """The number of cards for a forgotten last-card word; None: the game has no such word."""
    pays_in_turn: ClassVar[bool] = False
    """Whether the cards for a forgotten word are dealt when the player's next turn begins, not at the next move of another."""
    recycles: bool = False
    round_type: type[R]
    motion_type: type[Motion[Any]] = Motion
    view_type: ClassVar[type[SheddingView]] = SheddingView

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        super().__init__(seats, options)
        if self.options.get("teams") and seats != TEAM_SEATS:
            raise BadOption(
                "the option {option} needs {count} players, not {seats}", option="teams", count=TEAM_SEATS, seats=seats
            )
        self._teams = ((0, 2), (1, 3)) if self.options.get("teams") else super().teams
        self._partners = tuple(self.partners(seat) for seat in range(seats))
        self._all_seats = tuple(range(seats))
        self._deals: dict[tuple[Seat, ...], Outcome[R]] = {}
        """The deal to each set of seats, made when it is first asked for."""
        self._deck = self.pack * self.decks
        self._faces = frozenset(self._deck)
        self._new_motion = self.motion_type  # found sooner than in the class
        self._before_deal: R = self.round_type(
            dealer=0,
            scores=(),
            present=(),
            hand_sizes=(),
            stock_size=0,
            pile=(),
            turn=None,
            direction=self.first_direction,
            suit=None,
            penalty=0,
            passes=0,
            drawn=False,
            again=False,
            word=None,
            owed=(0,) * seats,
            moves=0,
            out=(),
            ended=None,
            points=None,
        )
        lay_out(self._before_deal)
        if len(self._deck) > MOST_CARDS:
            raise BadOption(
                "too many cards: {decks} decks make {deck}, and a table deals {most} at most",
                decks=self.decks,
                deck=len(self._deck),
                most=MOST_CARDS,
            )
        if seats * self.hand_size + 1 >= len(self._deck):
            raise BadOption(
                "not enough cards: {seats} hands of {hand} and one turned up leave nothing to draw ({deck} "
                "cards in all)",
                seats=seats,
                hand=self.hand_size,
                deck=len(self._deck),
            )

    # --- the cards ---

    @property
    @abstractmethod
    def pack(self) -> tuple[Card, ...]:
        """The cards of one deck."""

    @property
    def decks(self) -> int:
        """The number of decks: as the option says, by default two from six seats on."""
        chosen: int | None = self.options["decks"]
        return chosen or (2 if self.seats >= 6 else 1)

    @property
    @abstractmethod
    def hand_size(self) -> int:
        """The number of cards dealt to each seat."""

    @property
    def deck(self) -> tuple[Card, ...]:
        return self._deck

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        return self._teams

    def start(
        self, dealer: Seat, scores: Sequence[int] | None = None, present: Sequence[Seat] | None = None
    ) -> Outcome[R]:
        seats = self._all_seats if present is None else tuple(sorted(present))
        if seats not in self._deals:
            sizes = [self.hand_size if seat in seats else 0 for seat in range(self.seats)]
            self._deals[seats] = self._deal(seats, sizes, len(self._deck) - sum(sizes))
        return self._dealt_by(dealer, scores, self._deals[seats])

    def can_deal_to(self, present: Sequence[Seat]) -> bool:
        """Return whether two teams or more are left."""
        return sum(any(seat in present for seat in team) for team in self.teams) >= 2

    def start_with(
        self, dealer: Seat, scores: Sequence[int] | None, hand_sizes: Sequence[int], stock_size: int
    ) -> Outcome[R]:
        return self._dealt_by(dealer, scores, self._deal(self._all_seats, hand_sizes, stock_size))

    def _deal(self, present: tuple[Seat, ...], sizes: Sequence[int], stock_size: int) -> Outcome[R]:
        state = changed(self._before_deal, present=present, hand_sizes=tuple(sizes), stock_size=stock_size)
        takes = [dealt(seat, size) for seat, size in enumerate(sizes) if size]
        return Outcome(state, (Shuffle(self._deck), *takes, Open()))

    def _dealt_by(self, dealer: Seat, scores: Sequence[int] | None, deal: Outcome[R]) -> Outcome[R]:
        before = (0,) * len(self._teams) if scores is None else tuple(scores)
        return Outcome(changed(deal.state, dealer=dealer, scores=before), deal.demands)

    def opened(self, state: R, face: Card) -> Outcome[R]:
        pile, left = (*state.pile, face), state.stock_size - 1
        if self.is_covered(face) and left:
            return Outcome(changed(state, pile=pile, stock_size=left), (Open(),))
        return Outcome(changed(state, pile=pile, stock_size=left, turn=next_in(state, state.dealer)))

    # --- moves as objects ---

    def decode(self, data: Mapping[str, Any]) -> Move:
        kind = data.get("do")
        if kind == "play":
            return self._decode_play(data)
        move = PLAIN.get(kind) if isinstance(kind, str) else None
        if move is None:
            raise BadMessage("{game} has no move {kind}", game=self.name, kind=_shown(kind))
        if len(data) > 1:
            raise BadMessage("a {kind} has no {key}", kind=kind, key=_shown(next(key for key in data if key != "do")))
        return move

    def _decode_play(self, data: Mapping[str, Any]) -> PlayCards:
        if unknown := set(data) - {"do", "cards"} - set(self.play_keys):
            raise BadMessage("a {kind} has no {key}", kind="play", key=_shown(next(iter(unknown))))
        cards = _faces(data.get("cards"))
        if not cards:
            raise BadMessage("a play must list its cards")
        suit, rank, seat, call = data.get("suit"), data.get("rank"), data.get("next"), data.get("call", False)
        if not (suit is None or (isinstance(suit, str) and len(suit) == 1 and suit in SUITS)):
            raise BadMessage("{value} is not a suit", value=_shown(suit))
        if not (rank is None or (isinstance(rank, str) and len(rank) == 1 and rank in RANKS)):
            raise BadMessage("{value} is not a rank", value=_shown(rank))
        if not (seat is None or (type(seat) is int and 0 <= seat < self.seats)):
            raise BadMessage("{value} is not a seat", value=_shown(seat))
        if type(call) is not bool:
            raise BadMessage("call must be true or false, not {value}", value=_shown(call))
        return PlayCards(cards, suit, rank, _faces(data.get("as", ())), seat, call)

    def encode(self, move: Move) -> Data:
        if not isinstance(move, PlayCards):
            return {"do": PLAIN_NAMES[move]}
        values = {
            "as": list(move.stands_for),
            "call": move.call,
            "next": move.next,
            "rank": move.rank,
            "suit": move.suit,
        }
        return {"do": "play", "cards": list(move.cards), **{key: values[key] for key in self.play_keys}}

    def uses(self, move: Move) -> Uses:
        return _played(move.cards) if isinstance(move, PlayCards) else NO_CARDS

    def follow(self, state: R, seat: Seat, move: Move) -> tuple[R, tuple[Demand, ...]]:
        """Let a move take effect on a copy of the state, and count it, which blocks a round that does not end. The demands are a
        shuffle of recycled cards, then the deals in the order in which they arose. Where the pile was recycled twice, these come
        twice, so that no deal of the first is from the second."""
        motion = self._new_motion()  # without arguments: `__init__` would take half again the time
        motion._demands = ()
        # A copy() would keep the layout that a class's objects share: far slower to read.
        motion.__dict__ = {**state.__dict__}
        if state.word is not None:
            self.close_word(motion, seat)
        self.take_effect(motion, state, seat, move)
        if motion.out is not state.out:
            motion.moves = 0
        else:
            moves = motion.moves = state.moves + 1
            if moves >= LONGEST and motion.ended is None:
                motion.end("blocked")
        demands: tuple[Demand, ...] = motion._demands
        if motion.ended is not None:
            demands = (*demands, OpenAll())
        motion.__class__ = state.__class__  # type: ignore[assignment]  # so that it is a state
        return motion, demands  # type: ignore[return-value]

    # --- what holds for moves of all these games ---

    def check_held(self, hand: Sequence[Card], move: Move) -> None:
        """Check that the hand holds the cards of a play. Raises IllegalMove."""
        if not isinstance(move, PlayCards):
            return
        for card in move.cards:
            if move.cards.count(card) > hand.count(card):
                raise IllegalMove("{card} is not in the hand", card=card)

    def check_acting(self, state: R, seat: Seat, move: Move) -> None:
        """Check that the seat may act: it is in turn, or says a last-card word in time. Raises IllegalMove."""
        if state.ended is not None:
            raise IllegalMove("the round is over")
        if isinstance(move, Call):
            if state.word != seat:
                raise IllegalMove("it is too early for “last card”: call it with the play that leaves one card")
        elif seat != state.turn:
            raise IllegalMove("it is {turn}'s turn", turn=state.turn)

    def check_faces(self, cards: Sequence[Card]) -> None:
        """Check that the cards belong to this game. Raises IllegalMove."""
        for card in cards:
            if card not in self._faces:
                raise IllegalMove("{card} is not a card in this game", card=card)

    def can_draw(self, state: SheddingState | Motion[R]) -> bool:
        """Return whether there is a card to draw."""
        return state.stock_size > 0 or (self.recycles and len(state.pile) > 1)

    def say_word(self, motion: Motion[R], seat: Seat) -> None:
        """Apply a last-card word that was said in time."""
        motion.owe(seat, 0)
        motion.word = None

    def close_word(self, motion: Motion[R], seat: Seat) -> None:
        """End another seat's time to say the last-card word, since this seat moves; its cards are dealt before the move."""
        if motion.word is not None and motion.word != seat:
            if not self.pays_in_turn:
                self.pay(motion, motion.word)
            motion.word = None

    def open_word(self, motion: Motion[R], seat: Seat, said: bool, next_seat: Seat) -> None:
        """Note after a play of `seat` whether the last-card word is missing. It is too late at once if the same seat is next."""
        if self.word_penalty is None or said or motion.hand_sizes[seat] != 1:
            return
        motion.owe(seat, self.word_penalty)
        if next_seat == seat:
            self.pay(motion, seat)
        else:
            motion.word = seat

    def pay(self, motion: Motion[R], seat: Seat) -> None:
        """Deal a seat the cards for a forgotten last-card word."""
        if count := motion.owed[seat]:
            motion.owe(seat, 0)
            draw(self, motion, seat, count)

    def begin_turn(self, motion: Motion[R], seat: Seat) -> None:
        """Begin a seat's turn."""
        motion.turn = seat
        motion.drawn = False
        if motion.owed[seat] and self.pays_in_turn:
            self.pay(motion, seat)

    def count_pass(self, motion: Motion[R]) -> bool:
        """Count a pass, and return whether it blocks the round."""
        motion.passes += 1
        return motion.passes >= motion.still_in

    def is_last_out(self, state: SheddingState | Motion[R], seat: Seat) -> bool:
        """Return whether the round ends when this seat goes out: it has no partners, or they are out already."""
        return all(each in state.out or each not in state.present for each in self._partners[seat])

    def to_act(self, state: R) -> tuple[Seat, ...]:
        if state.turn is None:
            return ()
        return (state.turn,) if state.word is None else (state.turn, state.word)

    def awaited(self, state: R) -> tuple[Seat, ...]:
        return () if state.turn is None else (state.turn,)

    # --- the end ---

    def opened_all(self, state: R, hands: Sequence[Sequence[Card]]) -> R:
        points = self.round_points(state, hands)
        if self.few_points_win:  # who is absent gains nothing by it
            played = [any(seat in state.present for seat in team) for team in self.teams]
            worst = max(each for each, has_played in zip(points, played, strict=True) if has_played)
            points = tuple(each if has_played else worst for each, has_played in zip(points, played, strict=True))
        return changed(state, points=points, scores=tuple(a + b for a, b in zip(state.scores, points, strict=True)))

    def is_round_over(self, state: R) -> bool:
        return state.points is not None

    def scores(self, state: R) -> tuple[int, ...]:
        return state.scores

    def is_match_over(self, state: R) -> bool:
        if state.points is None:
            return False
        best = max(state.scores)
        target: int = self.options["target"]
        return target == 0 or (best >= target and state.scores.count(best) == 1)

    def next_dealer(self, state: R) -> Seat:
        return (state.dealer + 1) % self.seats

    # --- what people and programs see ---

    def top(self, state: R) -> Card | None:
        """Return the top card of the pile; for a joker, the card that it stands for."""
        return state.pile[-1] if state.pile else None

    def rank(self, state: R) -> str | None:
        """Return the rank that was named."""
        return None

    def phase(self, state: R) -> str:
        """Return the phase's name."""
        return "play" if state.ended is None else "over"

    def public_view(self, state: R) -> SheddingView:
        return self.view_type(
            **self.standing(state, self.phase(state)),
            turn=state.turn,
            dealer=state.dealer,
            direction=state.direction,
            seats=tuple(
                SeatView(hand_size=size, owed=owed) for size, owed in zip(state.hand_sizes, state.owed, strict=True)
            ),
            stock=Stock(size=state.stock_size),
            pile=Pile(cards=state.pile, top=self.top(state), suit=state.suit, rank=self.rank(state), due=state.penalty),
            out=state.out,
            ended=state.ended,
            round_points=state.points,
            drawn=state.drawn,
            again=state.again,
            word=state.word,
            **self.own_parts(state),
        )

    def own_parts(self, state: R) -> dict[str, Any]:
        """Return the fields that this game's `view_type` has beyond those of `SheddingView`."""
        return {}

    # --- a game's own ---

    @abstractmethod
    def take_effect(self, motion: Any, state: R, seat: Seat, move: Move) -> None:
        """Change the round (a `motion_type`) as a legal move does. `state` is the one before the move."""

    def is_covered(self, face: Card) -> bool:
        """Return whether a card turned up at the start is covered by the next one."""
        return False

    @abstractmethod
    def round_points(self, state: R, hands: Sequence[Sequence[Card]]) -> tuple[int, ...]:
        """Return the points of the round, a number a team, given the cards that were left."""


def _shown(value: object) -> str:
    """Format a received value, short enough for a sentence."""
    return repr(value)[:40]


def _faces(names: object) -> tuple[Card, ...]:
    """Read a list of card names. Raises BadMessage."""
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) and name in ALL_FACES for name in names):
        raise BadMessage("{value} is not a list of cards", value=_shown(names))
    return tuple(Card(name) for name in names)
