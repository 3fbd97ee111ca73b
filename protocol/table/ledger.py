"""What a record keeps beside its phase: what was said, what goes into the transcript, work under way, and news.

Phases read it, and tell it what their step led to; it knows no phase. (PROTOCOL.md, "The table", "Transcript".)
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.cards import Seat
from protocol.dealing.hashing import Rng
from protocol.errors import FairdealError
from protocol.games.game import AnyGame
from protocol.messages import Closed, Echo
from protocol.signed import Signed
from protocol.table.events import Event
from protocol.table.roster import Roster
from protocol.table.store import Said, Store
from protocol.table.work import Desk
from protocol.wire import pack

BlockPlace = tuple[int, ...]
"""Where a message stands among those of its height."""
LAST = 1 << 20
"""Behind everything else of a height."""


class Convicted(Exception):
    """A seat was caught: `evidence` are signed messages that convict it before anybody."""

    def __init__(self, seat: Seat, what: str, reason: FairdealError, *evidence: Signed) -> None:
        super().__init__(what)
        self.seat, self.what, self.reason, self.evidence = seat, what, reason, evidence


@dataclass
class Trust:
    """What need not be checked again: the heights and the round that one's own votes in the journal vouch for, and rounds
    whose shuffles are judged by their revealed seeds alone."""

    height: int = 0
    round: int = 0
    opened_round: int = 0

    def covers(self, height: int) -> bool:
        """Whether our own vote, cast before this program started, says that all of this height was checked."""
        return height < self.height

    def covers_chain(self, round: int, deck: int, step: int) -> bool:
        """The same for a shuffled deck: the first by the vote that opened its round, a recycled one by the next vote."""
        if round <= self.opened_round:
            return True
        return round <= self.round if deck == 0 else self.covers(step)


class Ledger:
    """Everything that a match's phases share and only add to. `rng` gives verifiers the random weights of their batches."""

    def __init__(self, roster: Roster, game: AnyGame, rng: Rng) -> None:
        self.roster, self.game, self.rng = roster, game, rng
        self.table = roster.table_id
        self.size = len(roster.members)
        self.store = Store(self.size)
        self.desk = Desk()
        self.trust = Trust()
        self.events: list[Event] = []
        self.transcript: list[bytes] = []
        self.marks: list[tuple[int, int]] = []
        """Where in the transcript each height's messages begin: (height, index)."""
        self.counts = {"signatures": 0, "shuffles": 0, "shares": 0, "opened rounds": 0, "moves": 0}
        """How much of what was checked."""
        self.disputed: set[Seat] = set()
        """Seats whose word differs from ours where all must say the same: each is shown what we hold."""
        self.block: list[tuple[BlockPlace, Signed]] = []
        """Messages of the open height that are part of the match."""
        self.kept: set[Said] = set()
        """What is in the transcript, or in the block."""

    def forget(self, height: int, round: int) -> None:
        """Drop messages that are past."""
        self.store.forget(height, round)
        self.kept &= self.store.said.keys()

    # --- the transcript ---

    def open_transcript(self) -> None:
        """Begin the transcript with the roster, also where nothing more comes of it."""
        if not self.transcript:
            self.transcript.append(pack(["r", self.roster.encode()]))

    def keep(self, place: BlockPlace, signed: Signed) -> None:
        """Make a message part of the match."""
        self.block.append((place, signed))
        if signed.message.slot is not None:
            self.kept.add((signed.seat, signed.epoch, signed.message.slot))

    def emit(self, height: int) -> None:
        """A height is done: write its messages into the transcript, in their one order."""
        self.block.sort(key=lambda item: item[0])
        self.marks.append((height, len(self.transcript)))
        self.transcript += [signed.data for _, signed in self.block]
        self.block = []

    def keep_evidence(self, evidence: tuple[Signed, ...]) -> None:
        """Put second versions of messages behind all others."""
        held = {signed.data for signed in self.store.said.values()}
        for index, signed in enumerate(evidence):
            if signed.data not in held:
                self.block.append(((LAST + 1, index), signed))

    def keep_rest(self) -> None:
        """Keep what was said last as it is: evidence rests on it."""
        rest = [(repr(key[2]), key[0], signed) for key, signed in self.store.said.items() if key not in self.kept]
        for index, (_, _, signed) in enumerate(sorted(rest, key=lambda item: item[:2])):
            if not isinstance(signed.message, Echo | Closed):
                self.keep((LAST, index), signed)
