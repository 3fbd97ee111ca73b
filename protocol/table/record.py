"""Follow a match from its public messages alone.

The inbox takes signed messages in any order. The current phase decides what they lead to (`phases.handlers`). It looks up the
messages that it needs, so early, late or repeated messages make no difference. `changes` leads from one epoch to the next. A
record knows no secrets: players' tables, watchers and the verifier of a file all use it. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from protocol.cards import Seat
from protocol.dealing.hashing import Rng
from protocol.dealing.library import LibraryUnusable
from protocol.errors import GameFailed
from protocol.games.game import AnyGame
from protocol.signed import Signed
from protocol.table.changes import Changes
from protocol.table.course import Checkpoint, Course
from protocol.table.denials import denier_of
from protocol.table.inbox import Inbox
from protocol.table.ledger import Convicted
from protocol.table.phases.values import Broken, Ending, Phase
from protocol.table.roster import Roster
from protocol.table.work import Job, Result

__all__ = ["Broken", "Checkpoint", "Ending", "Phase", "Record"]


class Record(Course):
    """One match, followed from its public messages. `rng` gives the random weights of batched proofs."""

    def __init__(
        self, roster: Roster, game: AnyGame, rng: Rng, own: bytes | None = None, seat: Seat | None = None
    ) -> None:
        """`own`: our key, if we sit at this table, or would take `seat`."""
        super().__init__(roster, game, rng, own, seat)
        self._inbox, self.changes = Inbox(self), Changes(self)

    def is_denied(self, signed: Signed) -> bool:
        """Whether a promise of the same player that we hold denies this message, and both together convict it."""
        is_ours = signed.table == self.table and signed.seat < self.size and not self.is_over
        is_known = signed.seat in self.ledger.departures.convicted
        return is_ours and not is_known and denier_of(signed, self.key(signed.seat), self.ledger) is not None

    def receive(self, signed: Signed) -> bool:
        """Take a message; return False if it is known or of no use now. Raises BadMessage as `Inbox.receive`."""
        return self._inbox.receive(signed)

    def advance(self) -> bool:
        """Set the next phase; return False if a message or the result of a job is missing for it."""
        if self.changes.confirm() or (self.may_change and self.changes.look()):
            return True
        while self.due and not self.is_held:
            try:
                following = self.due.pop(0)(self.now, self.ledger)
            except Convicted as found:
                self.convict(found)
                return True
            if following is not None:
                self.enter(following)
                return True
        return False

    def done(self, job: Job, result: Result) -> bool:
        """Take the result of a job; return False if it is not asked for (any more).

        Raises GameFailed if a bug, ours or the game's, made it fail, and LibraryUnusable as it is. A job of our own checks no
        peer: whatever it raises is a bug.
        """
        if not self.ledger.desk.done(job, result):
            return False
        crash = result.fault if result.crash is None and job.name[0] == "own" else result.crash
        if isinstance(crash, LibraryUnusable):
            raise crash
        if crash is not None:
            raise GameFailed(self.game.name, crash) from crash
        self.stir(str(job.name[0]))
        self.may_change |= bool(self.ledger.departures.withouts)  # it may be what another epoch's start waits for
        return True

    def run_jobs(self) -> bool:
        """Run all requested jobs now; return False if there are none. Raises GameFailed or LibraryUnusable."""
        jobs = self.ledger.desk.take_jobs()
        for job in jobs:
            self.done(job, job.run())
        return bool(jobs)
