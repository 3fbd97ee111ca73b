"""What a round has shown of the cards in other hands: who drew or passed held nothing that fitted then, and nobody who held
cards when the pile was shuffled into the stock has those.

People may draw although they could play; that is rare; a bot that relies on this is wrong then, but never stuck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from protocol.cards import Card, Seat
from protocol.games.eights import Eights
from protocol.games.memory import Made, Memory
from protocol.games.shedding import Draw, Pass, PlayCards, SheddingState

Excluded = frozenset[Card]
"""The faces that a card in another hand cannot have."""
UNKNOWN: Excluded = frozenset()


class Held:
    """A card in another hand, or in the stock."""

    __slots__ = ("cannot", "card")

    def __init__(self, cannot: Excluded = UNKNOWN, card: Card | None = None) -> None:
        self.cannot = cannot
        self.card = card
        """The card it was when it was played; before that, the one that is imagined."""


@dataclass(frozen=True, slots=True)
class Played:
    """Another seat's play, and the other cards that it held then."""

    made: Made
    rest: tuple[Held, ...]

    @property
    def hand(self) -> list[Card]:
        """The hand as it was then, if its cards are the ones imagined."""
        return [*self.made.move.cards, *(held.card for held in self.rest if held.card is not None)]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of the other hands: their cards, in the order in which they were dealt, and their plays."""

    hands: dict[Seat, list[Held]]
    plays: dict[Seat, list[Played]] = field(default_factory=dict)


def nothing(seat: Seat, sizes: Sequence[int]) -> Known:
    """Return what is known of hands of these sizes when only this seat's own is."""
    return Known({each: [Held() for _ in range(size)] for each, size in enumerate(sizes) if each != seat})


def shown(game: Eights, memory: Memory, now: SheddingState) -> Known:
    """Return what the round has shown."""
    states = [*(made.state for made in memory.moves), now]
    known = nothing(memory.seat, states[0].hand_sizes)
    for made, after in zip(memory.moves, states[1:], strict=True):
        pile = made.state.pile
        hand = known.hands.get(made.seat, [])
        if isinstance(made.move, PlayCards):
            pile += made.move.cards
            if made.seat != memory.seat:
                _remove(hand, made.move.cards[0])
                known.plays.setdefault(made.seat, []).append(Played(made, tuple(hand)))
        elif isinstance(made.move, (Draw, Pass)) and not made.state.again:
            _exclude(hand, game.fitting(made.state))
        recycled = pile[: -len(after.pile)]
        for seat, each in known.hands.items():
            if recycled and game.decks == 1:
                _exclude(each, frozenset(recycled))
            each += [Held() for _ in range(after.hand_sizes[seat] - len(each))]
            del each[after.hand_sizes[seat] :]
    return known


def _exclude(hand: Sequence[Held], faces: Excluded) -> None:
    for each in hand:
        each.cannot |= faces


def _remove(hand: list[Held], card: Card) -> None:
    """Take away the card that was played: the oldest that can have been it.

    Whatever is known of a card is known of those held longer, too. So if it was a newer one, what is said of the rest holds.
    """
    for place, held in enumerate(hand):
        if card not in held.cannot:
            held.card = card
            del hand[place]
            return
    if hand:  # who drew could have played, after all
        hand.pop().card = card
