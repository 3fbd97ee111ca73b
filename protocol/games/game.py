"""The interface of a game: pure rules over public state, without cryptography, randomness, clock, or hidden cards.

A state is a frozen value that is equal on every machine. It holds what is public: the number of face-down cards and the faces
of open ones. Where a rule depends on a hidden hand, a caller that knows the hand passes it in. A game asks for cards by four
kinds of demands, which any dealer can meet: a trusted one in this process (`local`), the scripted one of a playthrough, or the
cryptographic one of a real table. (PROTOCOL.md, "Games".)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from protocol.cards import Card, Seat
from protocol.errors import BadOption, IllegalMove
from protocol.games.deck_style import FRENCH, DeckStyle
from protocol.games.labels import MOVES, MoveKind
from protocol.games.options import Option, check_options
from protocol.games.views import Data, MoveView, PublicView, Standing, move_view_of, view_of
from protocol.values import dataclass

__all__ = [
    "NO_CARDS",
    "AnyGame",
    "Data",
    "DealToHand",
    "Demand",
    "Game",
    "Move",
    "Open",
    "OpenAll",
    "Option",
    "Outcome",
    "Shuffle",
    "State",
    "Strategy",
    "Take",
    "Uses",
]

State = TypeVar("State")
Move = TypeVar("Move")


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Shuffle these faces and put them under the stock; they become the stock if there is none."""

    faces: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class DealToHand:
    """Deal cards to a hand: `stock` cards from the top of the stock, then cards that other players laid out face down.

    `laid` lists those as (giver, index of the card among those the giver laid out), in the order in which they enter the hand.
    An outcome holds at most one of these for each hand, unless a second Shuffle stands between them.
    """

    seat: Seat
    stock: int = 0
    laid: tuple[tuple[Seat, int], ...] = ()


Take = DealToHand
"""The former name, which games in other packages may use."""


@dataclass(frozen=True, slots=True)
class Open:
    """Turn up the top card of the stock; the dealer passes its face to `Game.opened`."""


@dataclass(frozen=True, slots=True)
class OpenAll:
    """Reveal all hands, as the round has ended; the dealer passes them to `Game.opened_all`."""


Demand: TypeAlias = Shuffle | DealToHand | Open | OpenAll
"""What a game asks of the dealer. An outcome lists demands in this order: Shuffle, DealToHand, Open, OpenAll; at most one of
each, except for DealToHand. Only where cards are recycled, dealt, and recycled again does a second Shuffle follow, with its
own DealToHand: the dealer begins it when all before it is done."""


def first_stage(demands: tuple[Demand, ...]) -> tuple[tuple[Demand, ...], tuple[Demand, ...]]:
    """Divide demands into those to meet first and those after them, which begin with a second Shuffle; usually none."""
    shuffles = [place for place, demand in enumerate(demands) if isinstance(demand, Shuffle)]
    end = shuffles[1] if len(shuffles) > 1 else len(demands)
    return demands[:end], demands[end:]


class Outcome(NamedTuple, Generic[State]):
    """The next state, and what the dealer must do for it."""

    state: State
    demands: tuple[Demand, ...] = ()


@dataclass(frozen=True, slots=True)
class Uses:
    """The cards of the player's hand that a move uses. `played` and `shown` are faces, which the table proves; `laid` counts
    cards laid out face down, which stay in the hand until a DealToHand moves them."""

    played: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    laid: int = 0


NO_CARDS = Uses()


LEVELS = EASY, NORMAL, STRONG = "easy", "normal", "strong"
"""How well bots can play, the weakest first."""


class Strategy(Protocol):
    """Choose moves for a bot. It receives only what its seat may know: the public state and its own hand."""

    def choose(self, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Any | None:
        """Return a legal move, or None to do nothing where nothing needs to be done (no call, no bomb out of turn)."""


class Game(ABC, Generic[State, Move]):
    """The rules of one game for a number of seats and a set of options. Holds no state: every method is a pure function.

    A game declares its `name`, the `version` of its rules (raised when they change), its `OPTIONS`, the possible `seat_counts`,
    its `phases`, and what players say with one card left (`words`, empty for most games).
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    OPTIONS: ClassVar[Mapping[str, Option]]
    seat_counts: ClassVar[Sequence[int]]
    phases: ClassVar[tuple[str, ...]]
    words: ClassVar[tuple[str, ...]] = ()
    levels: ClassVar[tuple[str, ...]] = (NORMAL,)
    """How well its bots can play, of EASY, NORMAL and STRONG."""
    deck_depends_on_round: ClassVar[bool] = False
    """Whether the next round's cards depend on how this round ends, so that its deck cannot be prepared early."""
    few_points_win: ClassVar[bool] = False
    all_can_act: ClassVar[bool] = False
    """Whether each seat of `to_act` has a legal move, whatever its hand."""
    title: ClassVar[str] = ""
    """What people call the game, a text to translate; empty: made of the name."""
    phase_labels: ClassVar[Mapping[str, str]] = {}
    """What people call the phases, texts to translate; those without a label need none."""
    MOVES: ClassVar[Mapping[str, MoveKind]] = {}
    """How people speak of the kinds of moves, by the `do` of their objects; `play`, `draw` and `pass` are known."""
    deck_style: ClassVar[DeckStyle] = FRENCH
    """How the cards are named, drawn and sorted."""

    seats: int
    options: Mapping[str, Any]
    """All options of this table, with defaults filled in."""

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        """Raises BadOption if the number of seats or an option is not allowed (see `options.check_options`)."""
        self.seats = seats
        self.options = check_options(self.name, self.OPTIONS, self.seat_counts, seats, options or {})

    # --- the cards and the round ---

    @property
    @abstractmethod
    def deck(self) -> tuple[Card, ...]:
        """All cards of a round in the agreed order, as in the first Shuffle of `start`."""

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """The seats that score together, seat 0's team first; without partners, each seat is a team."""
        return tuple((seat,) for seat in range(self.seats))

    def team_of(self, seat: Seat) -> int:
        """The number of this seat's team."""
        return next(number for number, members in enumerate(self.teams) if seat in members)

    def partners(self, seat: Seat) -> tuple[Seat, ...]:
        """The other seats of this seat's team."""
        return tuple(each for each in self.teams[self.team_of(seat)] if each != seat)

    @abstractmethod
    def start(
        self, dealer: Seat, scores: Sequence[int] | None = None, present: Sequence[Seat] | None = None
    ) -> Outcome[State]:
        """Begin a round: return its state and first demands (a Shuffle of `deck`, a DealToHand for each seat, an Open if a
        card is turned up). `scores` is the match score before this round, a number a team; `present` are the seats dealt to
        (default: all)."""

    def start_with(
        self, dealer: Seat, scores: Sequence[int] | None, hand_sizes: Sequence[int], stock_size: int
    ) -> Outcome[State]:
        """Begin a round as `start` does, but with these hand sizes, for playthroughs and simulations. `stock_size` includes
        a card that will be turned up. A game with a fixed deal ignores the sizes."""
        return self.start(dealer, scores)

    def lead_state(
        self,
        lead: Seat,
        hands: Sequence[Sequence[Card]],
        out: Sequence[Seat],
        scores: Sequence[int] | None,
        dealer: Seat,
    ) -> State:
        """Begin a round at the first lead, with these hands and the seats in `out` already out in this order. Only for games
        with an exchange before the first lead (Tichu); others raise BadOption."""
        raise BadOption("{game} can't start from a lead", game=self.name)

    def opened(self, state: State, face: Card) -> Outcome[State]:
        """Continue with the card that an Open turned up. Games without Open need not define this."""
        raise ValueError(f"{self.name} opens no card of the stock")

    @abstractmethod
    def opened_all(self, state: State, hands: Sequence[Sequence[Card]]) -> State:
        """Score the round, now that OpenAll has revealed all hands."""

    # --- moves ---

    @abstractmethod
    def decode(self, data: Mapping[str, Any]) -> Move:
        """Read a move from its object (`do`, `cards`, ...). Missing keys get defaults; raises BadMessage for anything else."""

    @abstractmethod
    def encode(self, move: Move) -> Data:
        """Return the move's object with all keys of its kind. Hidden cards are a list of names in a move's private form, and
        a count in its public form."""

    def public(self, move: Move) -> Move:
        """Return the form of a move that everyone sees, with a count in place of hidden cards."""
        return move

    def hidden(self, move: Move) -> tuple[Card, ...]:
        """Return the faces that are in the private form of a move but not in its public form, in order."""
        return ()

    def fill(self, move: Move, faces: Sequence[Card]) -> Move:
        """Return the private form of a public move, given its hidden faces, for the audit."""
        return move

    def uses(self, move: Move) -> Uses:
        """Return which of the player's cards the move uses."""
        return NO_CARDS

    @abstractmethod
    def apply(self, state: State, seat: Seat, move: Move) -> Outcome[State]:
        """Check a move as far as the public can, and return what follows. Accepts both forms of a move. Raises IllegalMove."""

    def follow(self, state: State, seat: Seat, move: Move) -> tuple[State, tuple[Demand, ...]]:
        """Return what follows from a move that is known to be legal, because `check` accepted it or `legal` offered it. Like
        `apply`, but need not check the move again, nor name the parts of what it returns (simulations make millions of moves)."""
        return self.apply(state, seat, move)

    @abstractmethod
    def check(self, state: State, seat: Seat, hand: Sequence[Card], move: Move) -> None:
        """Check a move of a seat whose hand is known. Raises IllegalMove with the rule that forbids it, also if only the hand
        shows that the move is a breach."""

    def is_legal(self, state: State, seat: Seat, hand: Sequence[Card], move: Move) -> bool:
        """Return whether `check` accepts the move."""
        try:
            self.check(state, seat, hand, move)
        except IllegalMove:
            return False
        return True

    @abstractmethod
    def legal(self, state: State, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
        """List the legal moves of a seat with this hand in a fixed order, in their private form. Of moves with the same
        effect one is listed. The sequence may compute its items lazily."""

    def default(self, state: State, seat: Seat, hand: Sequence[Card]) -> Move | None:
        """Return the move that is made for a player who does not choose one: unless overridden, the first legal one. None if
        the seat need not act."""
        return next(iter(self.legal(state, seat, hand)), None) if seat in self.awaited(state) else None

    @abstractmethod
    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that may have a legal move, as far as the public can tell: first the seat in turn, then the others
        by number."""

    def acting(
        self, state: State, hands: Sequence[Sequence[Card]], legal: Callable[[Seat], Sequence[Move]]
    ) -> tuple[Seat, ...]:
        """Return the seats of `to_act` that have a legal move, given all hands. `legal` returns those of a seat; a game that can
        tell without listing them overrides this."""
        seats = self.to_act(state)
        if self.all_can_act or (len(seats) == 1 and legal(seats[0])):
            return seats
        return tuple(seat for seat in seats if legal(seat))

    def awaited(self, state: State) -> tuple[Seat, ...]:
        """Return the seats that the game waits for, as far as the public can tell (in Tichu's `show`, all four). Unless
        overridden, all that may act."""
        return self.to_act(state)

    # --- grace periods and stuck rounds ---

    def waits_grace(self, state: State, seat: Seat, move: Move) -> bool:
        """Return whether an honest client waits for the grace period before this closing move, so that others can still act
        (play a bomb)."""
        return False

    def closing_seat(self, state: State) -> Seat | None:
        """Return the seat with such a closing move to make, as far as the public can tell, so that clients can show its grace
        period."""
        return None

    def is_stalled(self, state: State) -> bool:
        """Return whether the round is stuck. If it is for 10 s without a break while all players are connected, even if moves
        are made, it may be broken off: the round is void, and the same seat deals again."""
        return False

    def holding_up(self, state: State, hands: Sequence[Sequence[Card]]) -> tuple[Seat, ...]:
        """Return the seats that could have continued a stuck round but did not, once its hands are revealed."""
        return ()

    # --- the end ---

    @abstractmethod
    def is_round_over(self, state: State) -> bool:
        """Return whether the round has been scored (after `opened_all`)."""

    @abstractmethod
    def scores(self, state: State) -> tuple[int, ...]:
        """Return the match score, a number a team."""

    @abstractmethod
    def is_match_over(self, state: State) -> bool:
        """Return whether the match ended with this round."""

    def winners(self, scores: Sequence[int]) -> tuple[Seat, ...]:
        """Return the seats of the team with the best score, or of all teams that share it."""
        best = min(scores) if self.few_points_win else max(scores)
        leading = (team for team, score in zip(self.teams, scores, strict=True) if score == best)
        return tuple(sorted(seat for team in leading for seat in team))

    def can_deal_to(self, present: Sequence[Seat]) -> bool:
        """Return whether a round can be dealt to these seats alone: unless overridden, only to all seats. A game that overrides
        this deals to `present` in `start`, and waits for no other seat."""
        return len(present) == self.seats

    @abstractmethod
    def next_dealer(self, state: State) -> Seat:
        """Return who deals the round after this finished one."""

    # --- what people and programs see ---

    def public_view(self, state: State) -> PublicView:
        """Return what all players see. Games define this, or at least `view`; otherwise only scores and seats to act show."""
        if type(self).view is not Game.view:
            return view_of(self.view(state))
        return PublicView(**self.standing(state))

    def view(self, state: State, seat: Seat | None = None, hand: Sequence[Card] | None = None) -> Data:
        """Return the public view as plain data with the keys of the playthrough format (PROTOCOL.md, "Playthroughs"). With a
        seat and its hand, `hands` holds that hand. `to_act` is what the public can tell."""
        view = self.public_view(state)
        return (view if seat is None or hand is None else view.with_hands({seat: hand})).data()

    def standing(self, state: State, phase: str = "") -> Standing:
        """Return the fields of a public view that follow from the other methods: `PublicView(**self.standing(state, phase))`."""
        scores = self.scores(state)
        over = self.is_match_over(state)
        return {
            "phase": phase,
            "phase_label": self.phase_labels.get(phase, ""),
            "to_act": self.to_act(state),
            "scores": scores,
            "round_over": self.is_round_over(state),
            "match_over": over,
            "winners": self.winners(scores) if over else None,
        }

    def move_view(self, move: Move) -> MoveView:
        """Describe a move for clients that do not know the game."""
        return move_view_of(self.encode(move))

    def move_kind(self, do: str) -> MoveKind:
        """Return how people speak of moves with this `do`. Without a declaration in `MOVES` its label is the name itself."""
        return self.MOVES.get(do) or MOVES.get(do) or MoveKind(do.replace("_", " "))

    @abstractmethod
    def strategy(self, level: str = "") -> Strategy:
        """Return the strategy of a bot of this level; one that is not in `levels` is taken as NORMAL."""


AnyGame: TypeAlias = Game[Any, Any]
