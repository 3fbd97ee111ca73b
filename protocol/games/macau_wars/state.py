"""The public state of a round of Macau Wars, and questions about it: who answers fours, what may be played, who may be named."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from protocol.cards import JOKER, PACK_52, SUITS, Card, Seat
from protocol.games.shedding import Motion, SheddingState

PLAY, FOURS, LAST_CALL, OVER = PHASES = ("play", "fours", "last-call", "over")

CALLED_RANKS = "56789T"
"""The ranks that a jack may call: those without effects."""
WAR_CARDS: frozenset[Card] = frozenset(
    [*(Card(rank + suit) for rank in "23Q" for suit in SUITS), Card("Kh"), Card("Ks")]
)
"""The cards that may be played in a war."""
FOUR_CARDS: frozenset[Card] = frozenset(Card("4" + suit) for suit in SUITS)
PLAIN_UPTURNED: frozenset[Card] = frozenset(
    [*(Card(rank + suit) for rank in CALLED_RANKS for suit in SUITS), Card("Qh"), Card("Kc"), Card("Kd")]
)
"""The cards that a pile may start with; others are covered by another card."""
NAMES_NEXT = Card("Qc")


@dataclass(frozen=True)
class MacauState(SheddingState):
    """The public state of a round. PROTOCOL.md lists the fields, since they are hashed."""

    stands: Card | None = None
    """The card that a joker on top of the pile stands for."""
    rank: str | None = None
    """The rank called with a jack."""
    caller: Seat | None = None
    """The seat whose call with a jack holds for a turn of each player (option `jack_call` "round")."""
    fours: int = 0
    """The fours played since the first one that is being answered or that led to turns alone."""
    last: Seat | None = None
    """The seat that played the last of them; None unless fours are answered or turns alone are played."""
    last_call: bool = False
    """Whether the others are asked for the last time."""
    answered: int = 0
    """How many of the others have passed in a row."""
    solo: int = 0
    """The turns that the last player has left alone, including the current one."""
    named: Seat | None = None
    """The seat that plays after the turns alone, if a queen of clubs has named one."""
    passed: tuple[Seat, ...] = ()
    """The seats that have passed, as counted by `passes`; they need not be in order."""


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
        """Return the previous seat in the direction of play that is still in."""
        self.direction = -self.direction
        found = self.after(seat)
        self.direction = -self.direction
        return found

    def clear_call(self) -> None:
        """End a call."""
        self.suit = self.rank = self.caller = None

    def clear_fours(self) -> None:
        """End the fours and the turns alone."""
        self.fours = self.answered = self.solo = 0
        self.last = self.named = None
        self.last_call = False

    def end(self, how: str) -> None:
        super().end(how)
        self.clear_fours()
        self.clear_call()


def is_asked(state: MacauState) -> bool:
    """Return whether the seat in turn answers fours, also in the last call."""
    return state.last is not None and not state.solo


def phase(state: MacauState) -> str:
    """Return the phase's name."""
    if state.ended is not None:
        return OVER
    if is_asked(state):
        return LAST_CALL if state.last_call else FOURS
    return PLAY


def top(state: MacauState) -> Card | None:
    """Return the top card; for a joker, the card that it stands for."""
    return state.stands or (state.pile[-1] if state.pile else None)


def fitting(state: MacauState) -> frozenset[Card]:
    """Return the cards that a play may begin with; a joker counts as what it stands for."""
    if is_asked(state):
        return FOUR_CARDS
    if state.penalty:
        return WAR_CARDS
    return _fitting(top(state), state.suit, state.rank)


@cache
def _fitting(upon: Card | None, suit: str | None, rank: str | None) -> frozenset[Card]:
    """Return the cards that match this card and call, outside a war."""
    if rank is not None:
        return frozenset(card for card in PACK_52 if card[0] == rank or card[0] in "JA")
    if suit is not None:
        return frozenset(card for card in PACK_52 if card[1] == suit or card[0] in "JA")
    if upon is None or upon == JOKER:  # a joker turned up as the last card matches anything
        return frozenset(PACK_52)
    also = "JA" if upon[0] in "JA" else upon[0]
    return frozenset(card for card in PACK_52 if card[0] in also or card[1] == upon[1])


def fits(state: MacauState, face: Card) -> bool:
    """Return whether a play may begin with this card."""
    return face in fitting(state)


def is_war(state: MacauState) -> bool:
    """Return whether a war is on, in which only some cards may be played."""
    return state.penalty > 0 and not is_asked(state)


def others_in(state: MacauState, seat: Seat) -> Iterator[Seat]:
    """Yield the other seats still in by number: those that a queen of clubs may name."""
    return (each for each in state.present if each != seat and each not in state.out)


def faces_of(cards: tuple[Card, ...], stands_for: tuple[Card, ...]) -> tuple[Card, ...]:
    """Return the cards of a play with each joker replaced by the card that it stands for."""
    if JOKER not in cards:
        return cards
    meant = iter(stands_for)
    return tuple(next(meant) if card == JOKER else card for card in cards)
