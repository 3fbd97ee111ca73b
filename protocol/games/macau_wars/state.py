"""The public state of a round of Macau Wars, and questions about it: who answers fours, what may be played, who may be named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from protocol.cards import JOKER, PACK_52, SUITS, Card, Seat
from protocol.games.shedding import Motion, SheddingState

PLAY, FOURS, LAST_CALL, OVER = PHASES = ("play", "fours", "last-call", "over")

CALLED_RANKS = "56789T"
"""The values that a jack may call: those of cards that do nothing."""
WAR_CARDS: frozenset[Card] = frozenset(
    [*(Card(rank + suit) for rank in "23Q" for suit in SUITS), Card("Kh"), Card("Ks")]
)
"""What may be played while cards are due."""
FOUR_CARDS: frozenset[Card] = frozenset(Card("4" + suit) for suit in SUITS)
PLAIN_UPTURNED: frozenset[Card] = frozenset(
    [*(Card(rank + suit) for rank in CALLED_RANKS for suit in SUITS), Card("Qh"), Card("Kc"), Card("Kd")]
)
"""Cards that a pile may start with; all others are covered."""
NAMES_NEXT = Card("Qc")


@dataclass(frozen=True)
class MacauState(SheddingState):
    """What is public of a round. PROTOCOL.md lists the fields, as they are hashed."""

    stands: Card | None = None
    """The card that a joker on top of the pile stands for."""
    rank: str | None = None
    """The value called with a jack."""
    caller: Seat | None = None
    """Whose jack's call stands for a full turn of each seat (option `jack_call` "round")."""
    fours: int = 0
    """Fours put since the first one that is being answered, or that has left its player alone."""
    last: Seat | None = None
    """Who put the last of them; nobody outside of the fours and the solo."""
    last_call: bool = False
    """The others are asked for the last time."""
    answered: int = 0
    """How many of them have passed in a row."""
    solo: int = 0
    """Turns that the last player has left, the one about to be played included."""
    named: Seat | None = None
    """Who follows after the solo, where a queen of clubs has named them."""
    passed: tuple[Seat, ...] = ()
    """The seats whose passes `passes` counts; they do not always come in turn, so they are remembered."""


class Turn(Motion[MacauState]):
    """A round while a move takes effect."""

    stands: Card | None
    rank: str | None
    caller: Seat | None
    fours: int
    last: Seat | None
    last_call: bool
    answered: int
    solo: int
    named: Seat | None
    passed: tuple[Seat, ...]

    def before(self, seat: Seat) -> Seat:
        """The seat still in that comes before this one in the direction of play."""
        self.direction = -self.direction
        found = self.after(seat)
        self.direction = -self.direction
        return found

    def clear_call(self) -> None:
        """Nothing is called any more."""
        self.suit = self.rank = self.caller = None

    def clear_fours(self) -> None:
        """The fours and what they brought are over."""
        self.fours = self.answered = self.solo = 0
        self.last = self.named = None
        self.last_call = False

    def end(self, how: str) -> None:
        super().end(how)
        self.clear_fours()
        self.clear_call()


def is_asked(state: MacauState) -> bool:
    """Whether the seat in turn answers fours, in the first round or in the last call."""
    return state.last is not None and not state.solo


def phase(state: MacauState) -> str:
    """The phase's name."""
    if state.ended is not None:
        return OVER
    if is_asked(state):
        return LAST_CALL if state.last_call else FOURS
    return PLAY


def top(state: MacauState) -> Card | None:
    """The top card; a joker as the card that it stands for."""
    return state.stands or (state.pile[-1] if state.pile else None)


def fitting(state: MacauState) -> frozenset[Card]:
    """The cards that a play may begin with (a joker as what it stands for)."""
    if is_asked(state):
        return FOUR_CARDS
    if state.penalty:
        return WAR_CARDS
    return _fitting(top(state), state.suit, state.rank)


@cache
def _fitting(upon: Card | None, suit: str | None, rank: str | None) -> frozenset[Card]:
    """What fits on this card under this call, with no cards due."""
    if rank is not None:
        return frozenset(card for card in PACK_52 if card[0] == rank or card[0] in "JA")
    if suit is not None:
        return frozenset(card for card in PACK_52 if card[1] == suit or card[0] in "JA")
    if upon is None or upon == JOKER:  # a joker turned up last, with no card to cover it, means nothing
        return frozenset(PACK_52)
    also = "JA" if upon[0] in "JA" else upon[0]
    return frozenset(card for card in PACK_52 if card[0] in also or card[1] == upon[1])


def fits(state: MacauState, face: Card) -> bool:
    """Whether a play may begin with this card."""
    return face in fitting(state)


def is_war(state: MacauState) -> bool:
    """Whether every card of a play must be one for the war."""
    return state.penalty > 0 and not is_asked(state)


def others_in(state: MacauState, seat: Seat) -> Iterator[Seat]:
    """The other seats still in, rising: those whom a queen of clubs may name."""
    return (each for each in state.present if each != seat and each not in state.out)


def faces_of(cards: tuple[Card, ...], stands_for: tuple[Card, ...]) -> tuple[Card, ...]:
    """The cards of a play with each joker as what it stands for; there are as many of those as jokers."""
    if JOKER not in cards:
        return cards
    meant = iter(stands_for)
    return tuple(next(meant) if card == JOKER else card for card in cards)
