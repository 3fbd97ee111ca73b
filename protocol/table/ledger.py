"""Keep what all phases of a match share: its messages, its transcript, jobs under way, and events.

Phases read the ledger and add to it; it does not know them. (PROTOCOL.md, "The table", "Transcript".)
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from protocol.cards import Seat
from protocol.dealing.hashing import Rng
from protocol.errors import FairdealError
from protocol.games.game import AnyGame
from protocol.hashing import digest
from protocol.messages import Closed, Echo, Goodbye, Proposal, Vote, Without
from protocol.signed import Signed, decode_signed
from protocol.table.departures import Departures
from protocol.table.events import Event
from protocol.table.roster import Roster
from protocol.table.store import MessageStore, Said
from protocol.table.work import Desk
from protocol.wire import pack

BlockPlace = tuple[int, ...]
"""The sort key of a message among those of its height."""
LAST = 1 << 20
"""Sorts after everything else of a height."""


class Convicted(Exception):
    """A seat was caught cheating. `evidence` are signed messages that prove it to anyone. `others` were caught with it, by the
    same check."""

    def __init__(
        self, seat: Seat, what: str, reason: FairdealError, *evidence: Signed, others: tuple[Convicted, ...] = ()
    ) -> None:
        super().__init__(what)
        self.seat, self.what, self.reason, self.evidence, self.others = seat, what, reason, evidence, others


@dataclass
class Trust:
    """What need not be checked again: of each epoch, heights below its number in `heights` and rounds up to its number in
    `rounds`, for which our own votes in the journal vouch."""

    epoch: int = 0
    """The epoch that is followed now: votes vouch for their own epoch only."""
    heights: dict[int, int] = field(default_factory=dict)
    rounds: dict[int, int] = field(default_factory=dict)

    def covers(self, height: int) -> bool:
        """Whether our own vote in the journal shows that this height was checked."""
        return height < self.heights.get(self.epoch, 0)

    def covers_chain(self, round: int, deck: int, step: int) -> bool:
        """Whether a shuffled deck need not be checked: a round's first by the vote that opened it, a recycled one by the next."""
        return round <= self.rounds.get(self.epoch, 0) if deck == 0 else self.covers(step)


class Ledger:
    """What the phases of a match share. `rng` gives the random weights of batched proofs."""

    def __init__(self, roster: Roster, game: AnyGame, rng: Rng) -> None:
        self.roster, self.game, self.rng = roster, game, rng
        self.table = roster.table_id
        self.size = len(roster.members)
        self.store = MessageStore(self.size)
        self.desk = Desk()
        self.trust = Trust()
        self.own: Seat | None = None
        """Our seat, while our key signs for it in the epoch that is followed; None for watchers and verifiers."""
        self.departures = Departures()
        self.events: list[Event] = []
        self.transcript: list[bytes] = []
        self.cut_to: int | None = None
        """The least length to which the transcript was cut back since somebody looked."""
        self.marks: list[tuple[int, int]] = []
        """The index in the transcript at which each height's messages begin: (height, index)."""
        self._digests: list[bytes] = []
        """For each mark the digest of the transcript before it."""
        self._digest = self.table
        self._written: dict[Said, bytes] = {}
        """The message of each slot that was ever in the transcript: who signed it is bound by it for good."""
        self.promises: dict[Seat, list[Signed]] = {}
        """The promises of each seat that were ever in the transcript, with which epochs began."""
        self._spoken: dict[tuple[Seat, int], bytes] = {}
        """By seat and epoch: the first message there that was ever in the transcript."""
        self._last_votes: dict[tuple[Seat, int], bytes] = {}
        """By seat and epoch: the last vote there that was ever in the transcript."""
        self.counts = {"signatures": 0, "shuffles": 0, "shares": 0, "opened rounds": 0, "moves": 0}
        """How many of each were checked, or are our own."""
        self.disputed: set[Seat] = set()
        """Seats whose message differs from ours where all must be the same. Each will be shown our messages."""
        self.block: list[tuple[BlockPlace, Signed]] = []
        """Messages of the open height that are part of the match."""
        self.last_height: int | None = None
        """No height above this one is certified, because another epoch begins there."""
        self.kept: set[Said] = set()
        """Which messages are in the transcript or in the block."""

    def known(self, signed: Signed) -> Signed | None:
        """Return the message that we hold for the same seat, epoch and slot, however old, or None."""
        slot = signed.message.slot
        if slot is None or (held := self.store.known(signed)) is not None:
            return None if slot is None else held
        written = self._written.get((signed.seat, signed.epoch, slot))
        return None if written is None else signed if written == signed.data else decode_signed(written)

    def said_by(self, seat: Seat, epoch: int, vote_at: int) -> Iterable[Signed]:
        """Yield what may contradict what a seat says of its last epoch, of all that is held or was ever in the transcript: its
        votes there, at a height and the last one, and something in each later epoch."""
        yield from (signed for key, signed in self.store.said.items() if key[0] == seat)
        later = (data for (who, number), data in self._spoken.items() if who == seat and number > epoch)
        votes = self._written.get((seat, epoch, ("vote", vote_at))), self._last_votes.get((seat, epoch))
        yield from (decode_signed(data) for data in (*votes, *later) if data is not None)

    def digest_before(self, height: int) -> bytes:
        """Return the digest of all that the transcript holds of earlier heights, to compare it with others' copies."""
        at = next((at for at, (mark, _) in enumerate(self.marks) if mark >= height), None)
        return self._digest if at is None else self._digests[at]

    def forget(self, height: int, round: int) -> None:
        """Drop messages of past heights and rounds."""
        self.store.forget(height, round)
        self.kept &= self.store.said.keys()

    def begin_epoch(self) -> None:
        """Drop what belongs to an earlier epoch; what counts of it is in the transcript."""
        self.store.begin_epoch()
        self.kept.clear()
        self.disputed.clear()
        self.desk.drop(lambda _name: True)

    def is_own(self, signed: Signed) -> bool:
        """Whether we have signed this message, so that its proofs are ours and need no check. A seat may have had another
        player in an earlier epoch."""
        return signed.seat == self.own and signed.epoch == self.trust.epoch

    def may_certify(self, height: int) -> bool:
        """Whether votes of this height still count."""
        return self.last_height is None or height <= self.last_height

    # --- the transcript ---

    def open_transcript(self) -> None:
        """Begin the transcript with the roster, unless it has begun."""
        if not self.transcript:
            self.transcript.append(pack(["r", self.roster.encode()]))

    def keep(self, place: BlockPlace, signed: Signed) -> None:
        """Make a message part of the match."""
        self.block.append((place, signed))
        if signed.message.slot is not None:
            self.kept.add((signed.seat, signed.epoch, signed.message.slot))

    def emit(self, height: int) -> None:
        """Write the messages of a finished height into the transcript, in their fixed order."""
        self.block.sort(key=lambda item: item[0])
        self.marks.append((height, len(self.transcript)))
        self._digests.append(self._digest)
        self._digest = digest("copy", self._digest, *(signed.data for _, signed in self.block))
        for _, signed in self.block:
            self.transcript.append(signed.data)
            if signed.message.slot is not None:
                self._written.setdefault((signed.seat, signed.epoch, signed.message.slot), signed.data)
                self._note_spoken(signed)
        self.block = []

    def _note_spoken(self, signed: Signed) -> None:
        if isinstance(signed.message, Without):
            self.promises.setdefault(signed.seat, []).append(signed)
        elif not isinstance(signed.message, Goodbye):
            self._spoken.setdefault((signed.seat, signed.epoch), signed.data)
            if isinstance(signed.message, Vote | Proposal):
                self._last_votes[signed.seat, signed.epoch] = signed.data

    def keep_evidence(self, evidence: tuple[Signed, ...]) -> None:
        """Put evidence that nothing else will put there, such as second versions of messages, after all other messages."""
        kept = (signed.data for signed in self.store.said.values() if _is_kept_in_the_end(signed))
        held = {*self.transcript, *(signed.data for _, signed in self.block), *kept}
        for index, signed in enumerate(evidence):
            if signed.data not in held:
                self.block.append(((LAST + 1, index), signed))

    def cut(
        self, messages: int, heights: int, block: Iterable[tuple[BlockPlace, Signed]], kept: Iterable[Said]
    ) -> None:
        """Return the transcript to an earlier moment."""
        if heights < len(self.marks):
            self._digest = self._digests[heights]
        del self.transcript[messages:], self.marks[heights:], self._digests[heights:]
        self.cut_to = messages if self.cut_to is None else min(messages, self.cut_to)
        self.block, self.kept = list(block), set(kept)

    def keep_rest(self) -> None:
        """Keep all remaining messages, because evidence may depend on them. Some may have been shown again in a later epoch."""
        written = set(self.transcript)
        left = ((key, signed) for key, signed in self.store.said.items() if signed.data not in written)
        rest = [(repr(key[2]), key[0], signed) for key, signed in left if key not in self.kept]
        for index, (_, _, signed) in enumerate(sorted(rest, key=lambda item: item[:2])):
            if _is_kept_in_the_end(signed):
                self.keep((LAST, index), signed)


def _is_kept_in_the_end(signed: Signed) -> bool:
    """Whether a message that had no effect stands among what was said last. What only confirms something is left out, unless it
    is one of two versions."""
    return not isinstance(signed.message, Echo | Closed)
