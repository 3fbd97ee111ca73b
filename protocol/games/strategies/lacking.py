"""What a round has shown of the cards in other hands: who drew or passed held nothing that fitted then.

People may draw although they could play; that is rare; a bot that relies on this is wrong then, but never stuck.
"""

from __future__ import annotations

from protocol.cards import Card, Seat
from protocol.games.eights import Eights
from protocol.games.memory import Memory
from protocol.games.shedding import Draw, Pass, PlayCards, SheddingState

Excluded = frozenset[Card]
"""The faces that a card in another hand cannot have."""
UNKNOWN: Excluded = frozenset()


def excluded(game: Eights, memory: Memory, now: SheddingState) -> dict[Seat, list[Excluded]]:
    """Return for each other seat what each of its cards cannot be, in the order in which they were dealt."""
    hands: dict[Seat, list[Excluded]] = {}
    states = [*(made.state for made in memory.moves), now]
    for seat, size in enumerate(states[0].hand_sizes):
        if seat != memory.seat:
            hands[seat] = [UNKNOWN] * size
    for made, after in zip(memory.moves, states[1:], strict=True):
        if (hand := hands.get(made.seat)) is not None:
            if isinstance(made.move, PlayCards):
                for card in made.move.cards:
                    _remove(hand, card)
            elif isinstance(made.move, (Draw, Pass)) and not made.state.again:
                fitting = game.fitting(made.state)
                hand[:] = [each | fitting for each in hand]
        for seat, each in hands.items():
            missing = after.hand_sizes[seat] - len(each)
            each += [UNKNOWN] * missing
            del each[after.hand_sizes[seat] :]
    return hands


def _remove(hand: list[Excluded], card: Card) -> None:
    """Take away the card that was played: the oldest that can have been it.

    Whatever is known of a card is known of those held longer, too. So if it was a newer one, what is said of the rest holds.
    """
    for place, cannot in enumerate(hand):
        if card not in cannot:
            del hand[place]
            return
    if hand:  # who drew could have played, after all
        hand.pop()
