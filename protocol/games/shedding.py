"""The common part of the shedding games: Crazy Eights, Two-Four-Jack, Mau-Mau and Macau Wars.

Each player is dealt some cards and tries to get rid of them. A card is turned up to start the pile, the rest is the stock. In
turn, players play a matching card onto the pile, draw from the stock, or pass; a player without cards is out. This module
handles the order of seats, the deal, the stock and the recycled pile, the last-card word, passes that block a round, and the
match. Which cards match and what they do is up to each game. (PROTOCOL.md, "What the shedding games share".)
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from protocol.cards import ALL_FACES, JOKER, RANKS, SUITS, Card, Seat
from protocol.errors import BadMessage, BadOption, IllegalMove
from protocol.games.deck_style import RANK_PLURALS
from protocol.games.game import (
    EASY,
    NO_CARDS,
    NORMAL,
    Data,
    DealToHand,
    Demand,
    Game,
    Open,
    OpenAll,
    Option,
    Outcome,
    Shuffle,
    Uses,
)
from protocol.games.labels import MoveKind, Plural, key
from protocol.games.views import Pile, PublicView, SeatView, Stock

CARD_ORDER: Mapping[str, int] = {
    **{rank + suit: 4 * RANKS.index(rank) + SUITS.index(suit) for rank in RANKS for suit in SUITS},
    JOKER: 4 * len(RANKS),
}
"""Cards from low to high: by rank from 2 to A, then by suit (clubs, diamonds, hearts, spades); the joker last."""

TEAM_SEATS = 4
MOST_CARDS = 216
"""The most cards in a deck: four packs of 52 with two jokers each. A table deals no larger one (PROTOCOL.md, "Field types")."""
LONGEST = 1000
"""A round is blocked after this many moves in a row in which nobody went out: some could go on for ever."""


# --- moves ---


@dataclass(frozen=True, slots=True)
class PlayCards:
    """Play cards onto the pile in this order, the last one on top.

    `suit`, `rank` and `next` are what the player names, `stands_for` the card that each joker stands for, `call` whether the
    last-card word is said with the play. Each game uses some of these.
    """

    cards: tuple[Card, ...]
    suit: str | None = None
    rank: str | None = None
    stands_for: tuple[Card, ...] = ()
    next: Seat | None = None
    call: bool = False


@dataclass(frozen=True, slots=True)
class Draw:
    """Draw one card, or all cards that are due."""


@dataclass(frozen=True, slots=True)
class Pass:
    """End the turn without playing."""


@dataclass(frozen=True, slots=True)
class Call:
    """Say the last-card word by itself, after the play."""


Move: TypeAlias = PlayCards | Draw | Pass | Call
DRAW, PASS, CALL = Draw(), Pass(), Call()
_PLAIN: Mapping[str, Move] = {"draw": DRAW, "pass": PASS, "call": CALL}
_PLAIN_NAMES: Mapping[Move, str] = {move: name for name, move in _PLAIN.items()}


@cache
def one_card(card: Card, suit: str | None = None, call: bool = False) -> PlayCards:
    """Return the play of a single card. Cached, since simulations ask for millions."""
    return PlayCards((card,), suit=suit, call=call)


@lru_cache(maxsize=4096)
def _played(cards: tuple[Card, ...]) -> Uses:
    """Return the uses of a play of these cards."""
    return Uses(played=cards)


@cache
def _take(seat: Seat, count: int) -> DealToHand:
    """Return the demand to deal this many cards from the stock to a seat."""
    return DealToHand(seat, count)


# --- a round ---


@dataclass(frozen=True)
class SheddingState:
    """The public state of a round. (Without slots, because `Motion` copies all fields at once.)"""

    dealer: Seat
    scores: tuple[int, ...]
    """The match score, which includes this round once it is scored."""
    present: tuple[Seat, ...]
    """The seats that were dealt to."""
    hand_sizes: tuple[int, ...]
    stock_size: int
    pile: tuple[Card, ...]
    """The cards played and not yet recycled, the oldest first."""
    turn: Seat | None
    """The seat in turn; None before the first card is turned up, and after play has ended."""
    direction: int
    suit: str | None
    """The suit that was named."""
    penalty: int
    """The number of cards that the seat in turn must draw or pass on."""
    passes: int
    """The number of passes in a row, without a card played or drawn in between."""
    drawn: bool
    """The seat in turn has drawn already."""
    again: bool
    """The seat in turn may play one more card of any kind."""
    word: Seat | None
    """The seat that may still say the last-card word."""
    owed: tuple[int, ...]
    """For each seat, the cards that it will be dealt for a forgotten last-card word."""
    moves: int
    """The number of moves in a row in which nobody has gone out; the round is blocked when they are `LONGEST`."""
    out: tuple[Seat, ...]
    """The seats that have gone out, first to last."""
    ended: str | None
    """How play ended ("out", "blocked")."""
    points: tuple[int, ...] | None
    """The points of this round, a number a team, once all hands are revealed."""


R = TypeVar("R", bound=SheddingState)
_blank, _fill = object.__new__, object.__setattr__


class Motion(Generic[R]):
    """A round while a move takes effect: a mutable copy of its state, and the demands so far.

    All fields are copied at once, and moved to the next state at once, because passing some twenty fields by name takes longer
    than applying the rules. Call `outcome` last: it gives the fields away.
    """

    __slots__ = ("__dict__", "_demands", "_game", "_gone", "_kind", "_recycled", "_taken")

    dealer: Seat
    scores: tuple[int, ...]
    present: tuple[Seat, ...]
    hand_sizes: tuple[int, ...]
    stock_size: int
    pile: tuple[Card, ...]
    turn: Seat | None
    direction: int
    suit: str | None
    penalty: int
    passes: int
    drawn: bool
    again: bool
    word: Seat | None
    owed: tuple[int, ...]
    moves: int
    out: tuple[Seat, ...]
    ended: str | None
    points: tuple[int, ...] | None

    def __init__(self, game: Shedding[R], state: R) -> None:
        self._game = game
        self._kind = type(state)
        self._gone = len(state.out)
        self._demands: tuple[Demand, ...] = ()
        self._recycled: tuple[Card, ...] = ()
        self._taken: dict[Seat, int] = {}
        self.__dict__ = {
            **state.__dict__
        }  # copy() would keep the layout that a class's objects share: far slower to read

    def moved(self) -> Outcome[R]:
        """Count the move, which blocks a round that does not end, and return the outcome."""
        self.moves = self.moves + 1 if len(self.out) == self._gone else 0
        if self.moves >= LONGEST and self.ended is None:
            self.end("blocked")
        return self.outcome()

    def outcome(self) -> Outcome[R]:
        """Return the next state and its demands: a shuffle of recycled cards, then the deals in the order in which they arose.
        Where the pile was recycled twice, these come twice, so that no deal of the first is from the second."""
        state = _blank(self._kind)  # fill the frozen value before anything else can refer to it
        _fill(state, "__dict__", self.__dict__)
        self._flush()
        if self.ended is not None:
            self._demands += (OpenAll(),)
        return Outcome(state, self._demands)

    def _flush(self) -> None:
        """Demand what has been recycled and dealt since the last time."""
        if self._recycled:
            self._demands += (Shuffle(self._recycled),)
        if self._taken:
            self._demands += tuple(_take(seat, count) for seat, count in self._taken.items())
        self._recycled, self._taken = (), {}

    def after(self, seat: Seat) -> Seat:
        """Return the next seat in the direction of play that is still in."""
        seats, out = self._game.seats, self.out
        while True:
            seat = (seat + self.direction) % seats
            if seat not in out and seat in self.present:
                return seat

    @property
    def still_in(self) -> int:
        """The number of seats that are still in."""
        return len(self.present) - len(self.out)

    def change_hand(self, seat: Seat, by: int) -> None:
        """Change a hand's size."""
        sizes = list(self.hand_sizes)
        sizes[seat] += by
        self.hand_sizes = tuple(sizes)

    def draw(self, seat: Seat, count: int) -> None:
        """Deal this many cards to a seat, or as many as there are. The pile is recycled if the stock runs out."""
        if count > self.stock_size:
            if self._game.recycles and len(self.pile) > 1:
                if self._recycled:  # the card that was on top must not reach who was dealt the first recycled cards
                    self._flush()
                self._recycled = self.pile[:-1]
                self.stock_size += len(self.pile) - 1
                self.pile = self.pile[-1:]
            count = min(count, self.stock_size)
        if count:
            self.stock_size -= count
            self.change_hand(seat, count)
            self._taken[seat] = self._taken.get(seat, 0) + count
            self.passes = 0

    def owe(self, seat: Seat, count: int) -> None:
        """Set how many cards a seat will be dealt for a forgotten word."""
        owed = list(self.owed)
        owed[seat] = count
        self.owed = tuple(owed)

    def pay(self, seat: Seat) -> None:
        """Deal a seat the cards for a forgotten word."""
        if count := self.owed[seat]:
            self.owe(seat, 0)
            self.draw(seat, count)

    def end(self, how: str) -> None:
        """End play; cards that were still due lapse."""
        self.ended = how
        self.turn = self.word = None
        self.penalty = 0
        self.again = self.drawn = False
        self.owed = (0,) * len(self.owed)


@dataclass(frozen=True, slots=True, kw_only=True)
class SheddingView(PublicView):
    """A game of shedding cards as all players see it. `pile` and `stock` are always there."""

    drawn: bool = False
    """The player in turn has drawn already."""
    again: bool = False
    """The player in turn may play one more card, whatever it is."""
    word: Seat | None = None
    """Who may still say the last-card word."""

    def own_data(self) -> Data:
        return {"owed": {str(seat): each.owed for seat, each in enumerate(self.seats) if each.owed}}


class Shedding(Game[R, Move]):
    """A shedding game. The methods at the end differ from game to game."""

    seat_counts = range(2, 11)
    levels = (EASY, NORMAL)
    phases: ClassVar[tuple[str, ...]] = ("play", "over")
    MOVES: ClassVar[Mapping[str, MoveKind]] = {"call": MoveKind(key("one left"))}
    play_keys: ClassVar[tuple[str, ...]] = ("suit", "call")
    """The keys of a play's object besides `do` and `cards`."""
    first_direction: ClassVar[int] = 1
    word_penalty: int | None = None
    """The number of cards for a forgotten last-card word; None: the game has no such word."""
    pays_in_turn: ClassVar[bool] = False
    """Whether the cards for a forgotten word are dealt when the player's next turn begins, not at the next move of another."""
    recycles: bool = False
    round_type: type[R]
    view_type: ClassVar[type[SheddingView]] = SheddingView

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        super().__init__(seats, options)
        if self.options.get("teams") and seats != TEAM_SEATS:
            raise BadOption(
                "{option} needs {count} players, not {seats}", option="teams", count=TEAM_SEATS, seats=seats
            )
        self._deck = self.pack * self.decks
        self._faces = frozenset(self._deck)
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
        return ((0, 2), (1, 3)) if self.options.get("teams") else super().teams

    def start(
        self, dealer: Seat, scores: Sequence[int] | None = None, present: Sequence[Seat] | None = None
    ) -> Outcome[R]:
        seats = tuple(range(self.seats)) if present is None else tuple(sorted(present))
        sizes = [self.hand_size if seat in seats else 0 for seat in range(self.seats)]
        return self._deal(dealer, scores, seats, sizes, len(self._deck) - sum(sizes))

    def start_with(
        self, dealer: Seat, scores: Sequence[int] | None, hand_sizes: Sequence[int], stock_size: int
    ) -> Outcome[R]:
        return self._deal(dealer, scores, tuple(range(self.seats)), hand_sizes, stock_size)

    def _deal(
        self,
        dealer: Seat,
        scores: Sequence[int] | None,
        present: tuple[Seat, ...],
        sizes: Sequence[int],
        stock_size: int,
    ) -> Outcome[R]:
        state = self.round_type(
            dealer=dealer,
            scores=tuple(scores) if scores is not None else (0,) * len(self.teams),
            present=present,
            hand_sizes=tuple(sizes),
            stock_size=stock_size,
            pile=(),
            turn=None,
            direction=self.first_direction,
            suit=None,
            penalty=0,
            passes=0,
            drawn=False,
            again=False,
            word=None,
            owed=(0,) * self.seats,
            moves=0,
            out=(),
            ended=None,
            points=None,
        )
        takes = (_take(seat, size) for seat, size in enumerate(sizes) if size)
        return Outcome(state, (Shuffle(self._deck), *takes, Open()))

    def opened(self, state: R, face: Card) -> Outcome[R]:
        motion = Motion(self, state)
        motion.pile += (face,)
        motion.stock_size -= 1
        if self.is_covered(face) and motion.stock_size:
            return Outcome(motion.outcome().state, (Open(),))
        motion.turn = motion.after(state.dealer)
        return motion.outcome()

    # --- moves as objects ---

    def decode(self, data: Mapping[str, Any]) -> Move:
        kind = data.get("do")
        if kind == "play":
            return self._decode_play(data)
        move = _PLAIN.get(kind) if isinstance(kind, str) else None
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
            return {"do": _PLAIN_NAMES[move]}
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
                raise IllegalMove('it is too early for "last card": call it with the play that leaves one card')
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
                motion.pay(motion.word)
            motion.word = None

    def open_word(self, motion: Motion[R], seat: Seat, said: bool, next_seat: Seat) -> None:
        """Note after a play of `seat` whether the last-card word is missing. It is too late at once if the same seat is next."""
        if self.word_penalty is None or said or motion.hand_sizes[seat] != 1:
            return
        motion.owe(seat, self.word_penalty)
        if next_seat == seat:
            motion.pay(seat)
        else:
            motion.word = seat

    def begin_turn(self, motion: Motion[R], seat: Seat) -> None:
        """Begin a seat's turn."""
        motion.turn = seat
        motion.drawn = False
        if self.pays_in_turn:
            motion.pay(seat)

    def count_pass(self, motion: Motion[R]) -> bool:
        """Count a pass, and return whether it blocks the round."""
        motion.passes += 1
        return motion.passes >= motion.still_in

    def is_last_out(self, state: SheddingState | Motion[R], seat: Seat) -> bool:
        """Return whether the round ends when this seat goes out: it has no partners, or they are out already."""
        team = next(team for team in self.teams if seat in team)
        return all(each == seat or each in state.out or each not in state.present for each in team)

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
        return replace(state, points=points, scores=tuple(a + b for a, b in zip(state.scores, points, strict=True)))

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


POINTS, CARDS = Plural("{n} point", "{n} points"), Plural("{n} card", "{n} cards")
BY_PLAYERS = key("by number of players")
ONE_ROUND = key("a single round")

TEAMS = Option(
    False,
    values=(False, True),
    text="partners sit opposite: seats 0 and 2 against 1 and 3",
    label=key("Partners"),
    about=key("Four players in two teams; your partner sits opposite."),
    names={False: key("none"), True: key("two teams")},
)
DECKS = Option(
    None,
    low=1,
    high=4,
    none=True,
    text="number of decks (null: depends on the number of players)",
    label=key("Decks"),
    about=key("How many decks are shuffled together; usually depends on the number of players."),
    names={None: BY_PLAYERS},
)
HAND = Option(
    None,
    low=1,
    high=15,
    none=True,
    text="cards dealt to each player (null: depends on the number of players)",
    label=key("Cards per player"),
    about=key(
        "How many cards each player gets; usually depends on the number of players. Fewer cards make shorter rounds."
    ),
    names={None: BY_PLAYERS},
)


def target_option(default: int, high: int = 100_000) -> Option:
    """Return the option for the points that end a match."""
    return Option(
        default,
        low=0,
        high=high,
        text="points that end the match (0: one round only)",
        label=key("Play to"),
        about=key("The match ends at this many points; the lowest setting is a single round."),
        names={0: ONE_ROUND},
        unit=POINTS,
    )


def draw_option(default: str) -> Option:
    """Return the option for how many cards may be drawn in a turn, "until" or "one"."""
    return Option(
        default,
        values=("until", "one"),
        text="draw until you can play, or at most one card per turn",
        label=key("Drawing"),
        about=key("Draw as often as you like, or at most one card a turn for shorter rounds."),
        names={"one": key("one card a turn"), "until": key("until you can play")},
    )


def recycle_option(default: bool) -> Option:
    """Return the option to shuffle the pile and draw from it again."""
    return Option(
        default,
        values=(default, not default),
        text="reshuffle the discard pile when the stock runs out",
        label=key("Reshuffle the discard pile"),
    )


def effect_option(label: str, text: str, ranks: tuple[str, ...]) -> Option:
    """Return an option for the rank that has an effect, or none."""
    names: dict[object, str] = {None: key("none"), **{rank: RANK_PLURALS[rank] for rank in ranks}}
    return Option(None, values=ranks, none=True, text=text, label=label, names=names)
