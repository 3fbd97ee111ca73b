"""What a game is: pure rules over public state. No cryptography, no randomness, no clock, no hidden card in a state.

A state is a frozen value, equal on every machine: it holds what is public, that is counts of face-down cards and the faces
that lie open. Where a rule needs a hidden hand, the caller who knows it passes it in. What cards must move is said in four
words, which any dealer can carry out: a trusted one in this process (`local`), the scripted one of a playthrough, or the
cryptographic one of a real table. (PROTOCOL.md, "Games".)
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from protocol.cards import Card, Seat
from protocol.errors import BadOption, IllegalMove
from protocol.games.deck_style import FRENCH, DeckStyle
from protocol.games.labels import MOVES, MoveKind
from protocol.games.options import Option, check_options
from protocol.games.views import Data, MoveView, PublicView, Standing, move_view_of, view_of

__all__ = [
    "NO_CARDS",
    "AnyGame",
    "Data",
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
    """These faces are shuffled by all and go under the stock (or are the stock, where there is none)."""

    faces: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class Take:
    """Cards enter a hand: `stock` of them from the top of the stock, and cards that others laid out face down.

    `laid` names each as (giver, which of the giver's laid-out cards, from 0). They enter in the order in which they stand.
    A round's entry holds at most one take for each hand.
    """

    seat: Seat
    stock: int = 0
    laid: tuple[tuple[Seat, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Open:
    """The top card of the stock is opened; its face comes back through `Game.opened`."""


@dataclass(frozen=True, slots=True)
class OpenAll:
    """The round is played: all hands are opened and come back through `Game.opened_all`."""


Demand: TypeAlias = Shuffle | Take | Open | OpenAll
"""One of the four words. An outcome lists them in this order: Shuffle, Take, Open, OpenAll (at most one of each but takes)."""


class Outcome(NamedTuple, Generic[State]):
    """The next state, and what the dealer has to do to get there."""

    state: State
    demands: tuple[Demand, ...] = ()


@dataclass(frozen=True, slots=True)
class Uses:
    """What a move does with its player's cards. `played` and `shown` are faces that the table proves; `laid` is a count of
    cards laid out face down, which stay in the hand until a take moves them."""

    played: tuple[Card, ...] = ()
    shown: tuple[Card, ...] = ()
    laid: int = 0


NO_CARDS = Uses()


class Strategy(Protocol):
    """A bot's mind. It is given only what its seat may know: the public state and its own hand."""

    def choose(self, state: Any, seat: Seat, hand: Sequence[Card], rng: Random) -> Any | None:
        """A legal move, or None where it need not act and does not want to (a call, a bomb out of turn)."""


class Game(ABC, Generic[State, Move]):
    """The rules of one game for a number of seats and a set of options. Holds no state: every method is a pure function.

    `name`, `version` (of the rules; it rises when they change), `options` with their defaults, the `seat_counts` offered, the
    `phases`, and the last-card `words` that it has (none for most) say what the game is.
    """

    name: ClassVar[str]
    version: ClassVar[int] = 1
    OPTIONS: ClassVar[Mapping[str, Option]]
    seat_counts: ClassVar[Sequence[int]]
    phases: ClassVar[tuple[str, ...]]
    words: ClassVar[tuple[str, ...]] = ()
    deck_depends_on_round: ClassVar[bool] = False
    """True where the next round's cards depend on how this one ends: then nothing can be prepared ahead."""
    few_points_win: ClassVar[bool] = False
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
    """All options of this table, defaults filled in."""

    def __init__(self, seats: int, options: Mapping[str, object] | None = None) -> None:
        """Raises BadOption with a sentence where seats or options do not fit (see `options.check_options`)."""
        self.seats = seats
        self.options = check_options(self.name, self.OPTIONS, self.seat_counts, seats, options or {})

    # --- the cards and the round ---

    @property
    @abstractmethod
    def deck(self) -> tuple[Card, ...]:
        """All cards of a round in the agreed order: what the first Shuffle of `start` holds."""

    @property
    def teams(self) -> tuple[tuple[Seat, ...], ...]:
        """Who scores together, seat 0's team first; without partners every seat alone."""
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
        """A new round: its state and first demands (Shuffle of `deck`, a Take for each seat, an Open where a card is turned
        up). `scores` is the match so far, a number a team; `present` are the seats dealt to (default: all)."""

    def start_with(
        self, dealer: Seat, scores: Sequence[int] | None, hand_sizes: Sequence[int], stock_size: int
    ) -> Outcome[State]:
        """A round as `start` begins it, but with these numbers of cards: the examples of a playthrough and what-if games
        deal as they like. `stock_size` counts a card that will be turned up. Where the deal is fixed, `start` itself."""
        return self.start(dealer, scores)

    def lead_state(
        self,
        lead: Seat,
        hands: Sequence[Sequence[Card]],
        out: Sequence[Seat],
        scores: Sequence[int] | None,
        dealer: Seat,
    ) -> State:
        """The round from the first lead on, with these hands and the seats in `out` already out in this order. Only a game
        that has a first lead after an exchange has this (Tichu). Raises BadOption."""
        raise BadOption("{game} has no lead to start from", game=self.name)

    def opened(self, state: State, face: Card) -> Outcome[State]:
        """The card that an Open demanded. A game that demands none leaves this as it is."""
        raise ValueError(f"{self.name} opens no card of the stock")

    @abstractmethod
    def opened_all(self, state: State, hands: Sequence[Sequence[Card]]) -> State:
        """All hands, as OpenAll demanded: the round is scored and over."""

    # --- moves ---

    @abstractmethod
    def decode(self, data: Mapping[str, Any]) -> Move:
        """A move from its object (`do`, `cards`, ...); strict. Keys left out get their defaults. Raises BadMessage."""

    @abstractmethod
    def encode(self, move: Move) -> Data:
        """The move's object with all keys that its kind has, defaults filled in. Hidden cards are names when the move is in
        its private form and a count in its public form."""

    def public(self, move: Move) -> Move:
        """The form that all see: hidden cards become a count. The same move where nothing is hidden."""
        return move

    def hidden(self, move: Move) -> tuple[Card, ...]:
        """The faces that a private form names and the public one hides, in order."""
        return ()

    def fill(self, move: Move, faces: Sequence[Card]) -> Move:
        """The private form of a public move, once its hidden faces are known: what the audit judges."""
        return move

    def uses(self, move: Move) -> Uses:
        """What the move does with its player's cards."""
        return NO_CARDS

    @abstractmethod
    def apply(self, state: State, seat: Seat, move: Move) -> Outcome[State]:
        """Check what is public, and return what follows. Takes both forms of a move. Raises IllegalMove."""

    def follow(self, state: State, seat: Seat, move: Move) -> Outcome[State]:
        """What follows from a move that is known to be legal: that `check` let pass or `legal` offered. As `apply`, but a
        game that can save judging the move once more does so (simulations make millions of moves)."""
        return self.apply(state, seat, move)

    @abstractmethod
    def check(self, state: State, seat: Seat, hand: Sequence[Card], move: Move) -> None:
        """Judge any single move of a seat whose hand is known. Raises IllegalMove with the rule that forbids it, also where
        the move is publicly legal and a breach by what the hand holds."""

    def is_legal(self, state: State, seat: Seat, hand: Sequence[Card], move: Move) -> bool:
        """Whether `check` lets the move pass."""
        try:
            self.check(state, seat, hand, move)
        except IllegalMove:
            return False
        return True

    @abstractmethod
    def legal(self, state: State, seat: Seat, hand: Sequence[Card]) -> Sequence[Move]:
        """The moves of a seat that knows its hand, one of each class of moves with equal effect, in a fixed order. May
        compute its items when asked. Private forms."""

    def default(self, state: State, seat: Seat, hand: Sequence[Card]) -> Move | None:
        """The move of a seat that nobody plays, by default the first one offered; None where it need not act."""
        return next(iter(self.legal(state, seat, hand)), None) if seat in self.awaited(state) else None

    @abstractmethod
    def to_act(self, state: State) -> tuple[Seat, ...]:
        """Seats that may have a legal move now, as far as the public can tell: the one in turn first, then rising."""

    def awaited(self, state: State) -> tuple[Seat, ...]:
        """The seats without whose move the game does not go on, as far as the public can tell (in Tichu's `show`, all four);
        by default all that may act."""
        return self.to_act(state)

    # --- the table's courtesies ---

    def waits_grace(self, state: State, seat: Seat, move: Move) -> bool:
        """Whether an honest client lets the grace pass before this closing move, so that others can still act (a bomb)."""
        return False

    def closing_seat(self, state: State) -> Seat | None:
        """The seat that has such a closing move to make now, as far as all can tell: the others see its grace running."""
        return None

    def is_stalled(self, state: State) -> bool:
        """Whether the round is stuck: one that is so for 10 s on end (moves may still be made) with all present may be broken
        off. It is void then, and the same seat deals again."""
        return False

    def holding_up(self, state: State, hands: Sequence[Sequence[Card]]) -> tuple[Seat, ...]:
        """Once the hands of a stuck round are open: the seats that could have gone on and did not."""
        return ()

    # --- the end ---

    @abstractmethod
    def is_round_over(self, state: State) -> bool:
        """Scored and over (after `opened_all`)."""

    @abstractmethod
    def scores(self, state: State) -> tuple[int, ...]:
        """The match score, a number a team."""

    @abstractmethod
    def is_match_over(self, state: State) -> bool:
        """Whether the round that is over was the last."""

    def winners(self, scores: Sequence[int]) -> tuple[Seat, ...]:
        """The seats whose team leads by these scores; several where they share it."""
        best = min(scores) if self.few_points_win else max(scores)
        leading = (team for team, score in zip(self.teams, scores, strict=True) if score == best)
        return tuple(sorted(seat for team in leading for seat in team))

    @abstractmethod
    def next_dealer(self, state: State) -> Seat:
        """Who deals the round after this finished one."""

    # --- what people and programs see ---

    def public_view(self, state: State) -> PublicView:
        """What all players see of a state. A game gives this, or at least the plain data of `view`."""
        if type(self).view is not Game.view:
            return view_of(self.view(state))
        return PublicView(**self.standing(state))

    def view(self, state: State, seat: Seat | None = None, hand: Sequence[Card] | None = None) -> Data:
        """The public view as plain data with the keys of the playthrough format (PROTOCOL.md, "Playthroughs") that this game
        has; with a seat and its hand, `hands` holds that hand too. `to_act` here is the public one."""
        view = self.public_view(state)
        return (view if seat is None or hand is None else view.with_hands({seat: hand})).data()

    def standing(self, state: State, phase: str = "") -> Standing:
        """The fields of a public view that this game's methods answer: `PublicView(**self.standing(state, phase), ...)`."""
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
        """What a move is, for clients that do not know the game."""
        return move_view_of(self.encode(move))

    def move_kind(self, do: str) -> MoveKind:
        """How people speak of the moves with this `do`; one that the game says nothing about is called by it."""
        return self.MOVES.get(do) or MOVES.get(do) or MoveKind(do.replace("_", " "))

    @abstractmethod
    def strategy(self, level: str = "") -> Strategy:
        """The game's bot."""


AnyGame: TypeAlias = Game[Any, Any]
