"""Decide whether our player can move, which moves there are, and which one is made for a player whose time is up.

(PROTOCOL.md, "Time" and "Rounds that are stuck".)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from protocol.cards import Card
from protocol.games.memory import Made, Memory
from protocol.messages import Vote
from protocol.table import pauses
from protocol.table.choice import PendingMove
from protocol.table.hand import SecretHand
from protocol.table.phases.values import Playing, Settling
from protocol.table.record import Phase, Record
from protocol.table.signer import Signer
from protocol.table.waits import Waits
from protocol.table.work import Pace

FORCED_BEFORE_S = 5.0
"""How long before a stuck round may be broken off we make the move that only our hand shows to be due."""


class Turn:
    """Our player's part in the game, as the open height leaves it."""

    def __init__(self, record: Record, hand: SecretHand, choice: PendingMove, signer: Signer, waits: Waits) -> None:
        self._record, self._hand, self._choice = record, hand, choice
        self._signer, self._waits = signer, waits

    @property
    def cards(self) -> tuple[Card, ...]:
        """Return our hand, as far as we can see it."""
        return self._hand.cards(self._record.round, self._signer.seat)

    @property
    def memory(self) -> Memory:
        """Return what our seat remembers of the round under way; empty between rounds."""
        round, game, seat = self._record.round, self._record.game, self._signer.seat
        moves = []
        for played in () if round is None else round.history:
            faces = self._hand.laid_by(played) if played.seat == seat else ()
            moves.append(Made(played.state, played.seat, game.fill(played.move, faces) if faces else played.move))
        return Memory(seat, tuple(moves))

    @property
    def has_lost(self) -> bool:
        """Whether the others hold our key of the round under way or of the next one, or what we shuffled with it, and we lost
        its secret, as after a restart from an older copy of our files: we cannot play it."""
        record, seat = self._record, self._signer.seat
        if record.is_over:
            return False
        number, key = record.rounds_closed + 1, record.round_key(seat)
        if key is None:
            is_under_way = record.round is not None and record.round.number == number
            return not is_under_way and record.from_seat(seat, "shuffled", number, 0) is not None
        return self._hand.lacks(number, key)

    @property
    def can_move(self) -> bool:
        """Whether our player can move now: the table is settled, and no move of ours is under way."""
        record, seat = self._record, self._signer.seat
        if record.phase is not Phase.PLAYING or self._choice.intent is not None:
            return False
        if record.is_bound or not record.is_seated or self.has_lost:
            return False
        said = record.from_seat(seat, "vote", record.height)
        return said is None or isinstance(said.message, Vote)

    @property
    def pace(self) -> Pace:
        """How the preparation of the next round may go on. A move, ours or another's, is under way from its proposal until all
        have what follows from it."""
        now = self._record.now
        if isinstance(now, Playing):
            return Pace.STILL if now.proposed or self._choice.intent is not None else Pace.EASY
        return Pace.STILL if isinstance(now, Settling) else Pace.FULL

    def legal(self) -> Sequence[Any]:
        """Return the moves that the rules allow us."""
        return self._record.game.legal(self._record.state, self._signer.seat, self.cards)

    def choose(self, move: Any, now: float) -> None:
        """Take our player's move. Raises IllegalMove if the rules are against it; nothing has changed then."""
        record, seat = self._record, self._signer.seat
        record.game.check(record.state, seat, self.cards, move)
        grace = pauses.grace_of(record, seat) if record.game.waits_grace(record.state, seat, move) else 0.0
        self._choice.choose(move, now + grace)

    # --- when time is up ---

    @property
    def limit(self) -> float | None:
        """Return when our time runs out and our move is made for us, or None."""
        record, seat = self._record, self._signer.seat
        limit = self._waits.move_limit(seat)
        if limit is None or not self.can_move or seat not in record.game.awaited(record.state):
            return None
        return limit

    @property
    def forced_at(self) -> float | None:
        """Return when our move is made for us because nothing else can be done and only our hand shows that it is due: in time,
        before the round is broken off. None if there is no such move."""
        stuck = self._waits.stuck_at
        if stuck is None or not self.can_move or self._default() is None:
            return None
        return stuck - FORCED_BEFORE_S

    def look(self, now: float) -> None:
        """Make our player's move if time is up."""
        limits = [limit for limit in (self.limit, self.forced_at) if limit is not None]
        if limits and now >= min(limits) and (move := self._default()) is not None:
            self._choice.choose(move, now)

    def times(self, now: float) -> list[float]:
        """Return when to look again."""
        times = []
        if (intent := self._choice.intent) is not None and intent.not_before > now:
            times.append(intent.not_before)
        if (limit := self.limit) is not None and (limit > now or self._default() is not None):
            times.append(limit)
        if (forced := self.forced_at) is not None:
            times.append(max(forced, now + 0.01))
        return times

    def _default(self) -> Any:
        """Return the move that is made for us when time is up. None if we need not act, as only our hand shows."""
        return self._record.game.default(self._record.state, self._signer.seat, self.cards)
