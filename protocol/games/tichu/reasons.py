"""Why a move is good at Tichu: what happens after it in one imagined deal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from protocol.cards import DRAGON, PHOENIX, Card, Seat
from protocol.games.advice import KEEPS, OUT_FIRST, PARTNER_WINS, WINS_TRICK, Reason
from protocol.games.tichu.moves import Collect, Move, Pass, PlayCombination
from protocol.games.tichu.state import TichuState, partner

FOR_A_PLAY: Final = (OUT_FIRST, WINS_TRICK, KEEPS)
"""What is said for a play, the best first."""
FOR_A_PASS: Final = (PARTNER_WINS, KEEPS)


def wanted(move: Move) -> tuple[str, ...]:
    """Return the kinds of reasons that count for a move, the best first; none for calls."""
    if isinstance(move, PlayCombination):
        return FOR_A_PLAY
    return FOR_A_PASS if isinstance(move, Pass) else ()


def strong(hand: Sequence[Card], move: Move) -> tuple[Card, ...]:
    """Return the cards that are worth keeping and that this move keeps: aces, else the Dragon, else the Phoenix."""
    used = move.cards if isinstance(move, PlayCombination) else ()
    kept = [card for card in hand if card not in used]
    aces = tuple(card for card in kept if card[0] == "A")
    return aces or tuple(card for card in kept if card == DRAGON) or tuple(card for card in kept if card == PHOENIX)


def true_after(
    seat: Seat, hand: Sequence[Card], move: Move, steps: Iterable[tuple[Seat, Move, TichuState]]
) -> frozenset[Reason]:
    """Return what is true in the rest of a round. `steps`: who made which move, this one first, and the state after it."""
    kept = strong(hand, move)
    taker: Seat | None = None
    later: set[Card] = set()
    state: TichuState | None = None
    for at, (each, made, after) in enumerate(steps):
        state = after
        if taker is None and isinstance(made, Collect):
            taker = each
        if at and each == seat and isinstance(made, PlayCombination):
            later.update(made.cards)
    found = set()
    if state is not None and state.out[:1] == (seat,):
        found.add(Reason(OUT_FIRST))
    if taker == seat:
        found.add(Reason(WINS_TRICK))
    if taker == partner(seat):
        found.add(Reason(PARTNER_WINS, partner(seat)))
    if kept and later.issuperset(kept):
        found.add(Reason(KEEPS, cards=kept))
    return frozenset(found)
