"""Propose our player's move after its grace period, and again if another move came first.

The choice stands as long as what the player saw when choosing has not changed, even if other moves were committed. Otherwise,
or if the rules no longer allow the move, it is dropped and our player is told why.
"""

from __future__ import annotations

from typing import Any

from protocol.cards import Seat
from protocol.dealing.hashing import Rng
from protocol.errors import IllegalMove
from protocol.games.game import AnyGame
from protocol.messages import MoveProposal
from protocol.table import proposing
from protocol.table.ahead import Ahead
from protocol.table.events import Moved, MoveLost
from protocol.table.hand import SecretHand
from protocol.table.phases.values import Phase, Playing
from protocol.table.record import Record
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Intent:
    """A move that our player chose, when it may be proposed, and what the player saw."""

    move: Any
    not_before: float
    seen: tuple[Any, ...]


class PendingMove:
    """Holds the one move that our player may have under way."""

    def __init__(self, record: Record, hand: SecretHand, ahead: Ahead, rng: Rng) -> None:
        self._record, self._hand, self._ahead, self._rng = record, hand, ahead, rng
        self.intent: Intent | None = None
        """The move that was chosen but not yet proposed at this height."""
        self._proposed: tuple[int, int, Intent] | None = None
        """The epoch, height and move of our proposal, until it is decided."""
        self._weighed_height = 0

    def choose(self, move: Any, not_before: float) -> None:
        """Set our player's move, to be proposed at this time at the earliest."""
        self.intent = Intent(move, not_before, _scene(self._record.game, self._record.state))

    def give_up(self) -> MoveLost | None:
        """Drop our player's move: the round is void. Return the loss, if there was one."""
        intent = self.intent or (self._proposed[2] if self._proposed is not None else None)
        self._proposed = None
        return None if intent is None else self._lose(intent, IllegalMove("the round is void"))

    def weigh(self, seat: Seat) -> MoveLost | None:
        """Check, once per height, whether our choice stands. If another entry was committed instead of ours, our move will be
        proposed again. Return the loss if it can no longer be made."""
        record = self._record
        if record.height == self._weighed_height or record.phase is Phase.SETTLING:
            return None
        self._weighed_height = record.height
        self.look(seat)
        if self._proposed is not None:
            (_, _, self.intent), self._proposed = self._proposed, None
        intent = self.intent
        if intent is None:
            return None
        if record.phase is not Phase.PLAYING or _scene(record.game, record.state) != intent.seen:
            return self._lose(intent, IllegalMove("another move came first"))
        try:
            record.game.check(record.state, seat, self._hand.cards(record.round, seat), intent.move)
        except IllegalMove as reason:
            return self._lose(intent, reason)
        return None

    def look(self, seat: Seat) -> None:
        """Forget our proposal once its move is committed. Where that began an epoch, its round may be void by now."""
        record, round = self._record, self._record.round
        if self._proposed is None:
            return
        epoch, height, _ = self._proposed
        is_begun = record.epoch != epoch and any(
            isinstance(each, Moved) and each.seat == seat for each in record.events
        )
        history = () if round is None else round.history
        if is_begun or any((each.height, each.seat) == (height, seat) for each in reversed(history)):
            self._proposed = None

    def proposal(self, seat: Seat, now: float) -> MoveProposal | MoveLost | None:
        """Return our proposal for this height. None if there is none, it must wait, or its proof is being computed."""
        record, desk, intent, playing = self._record, self._record.ledger.desk, self.intent, self._record.now
        if intent is None or not isinstance(playing, Playing) or now < intent.not_before:
            return None
        if record.from_seat(seat, "vote", record.height) is not None:
            return None
        round, secret = playing.round, self._hand.secret(playing.round)
        name = ("own", "proposal", record.height)
        result = desk.result(name)
        if result is None and desk.is_asked(name):
            return None
        if result is None:
            try:
                faces = self._hand.faces(round, seat)
                drafted = proposing.draft(record.game, playing.match, round, seat, intent.move, faces)
            except (IllegalMove, proposing.FaceMissing) as reason:
                return self._lose(intent, reason)
            made = self._ahead.of_hand(len(drafted.remask_before))
            if not self._ahead.may_begin(made):
                return None
            seed, half = self._rng(32), self._ahead.remask(made)
            weight = 3 * len(drafted.cards) + 12 * len(drafted.remask_before)
            result = desk.ask(name, lambda: proposing.complete(round, seat, secret, drafted, seed, half), weight)
        if result is None:
            return None
        self._proposed, self.intent = (record.epoch, record.height, intent), None
        if result.value.before:
            self._hand.remasked(round, seat, result.value.before, result.value.after, result.value.order)
        message: MoveProposal = result.value.message
        return message

    def _lose(self, intent: Intent, reason: Exception) -> MoveLost:
        self.intent = None
        return MoveLost(self._record.game.encode(intent.move), reason)


def _scene(game: AnyGame, state: Any) -> tuple[Any, ...]:
    """Return the part of the view that a player bases a move on."""
    view = game.public_view(state)
    pile = None if view.pile is None else (view.pile.top, view.pile.suit, view.pile.rank, view.pile.due)
    trick = None if view.trick is None else view.trick.cards
    return view.phase, view.turn, pile, trick
