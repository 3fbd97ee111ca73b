"""Decide which messages a seat may need soon. All others are dropped, however well they are signed: they will be sent again.

Nobody can be further than one step ahead of us, because each step needs our own message, so what a seat may say now is a
few dozen messages. Without this, a seat could make all others keep, show and check thousands. (PROTOCOL.md, "Messages".)
"""

from __future__ import annotations

from protocol.messages import Complaint, DeckAgreed, Message, RecoveryOpen, Remask, Shares, Shuffled, ShuffleProof
from protocol.table.phases.values import Now, Settling

STEPS_AHEAD = 1


def is_near(message: Message, now: Now) -> bool:
    """Whether a message is for about the current height and round."""
    height, first = now.match.height, now.match.rounds_closed + 1
    return (
        -1 <= getattr(message, "height", height) - height <= STEPS_AHEAD
        and 0 <= getattr(message, "round", first) - first <= STEPS_AHEAD
    )


def is_within_reach(message: Message, now: Now, seats: int) -> bool:
    """Whether something that happens now or next may ask for this message. Raises nothing."""
    if not is_near(message, now):
        return False
    match message:
        case Shares() | Remask():
            stage = now.stage if isinstance(now, Settling) and message.height == now.match.height else 0
            to = message.take if isinstance(message, Shares) else None
            return message.stage <= stage + STEPS_AHEAD and (to is None or to < seats)
        case Shuffled() | ShuffleProof() | DeckAgreed():
            is_played = now.round is not None and now.round.number == message.round
            decks = len(now.round.chains) if is_played and now.round is not None else 0
            return message.deck <= decks + (STEPS_AHEAD if is_played else 0)
        case Complaint():
            return message.against < seats
        case RecoveryOpen():
            return message.of < seats
        case _:
            return True
