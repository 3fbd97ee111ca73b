"""Follow a match from its public messages alone.

A record takes signed messages in any order and keeps the first for each seat, epoch and slot. Two different messages for one
slot convict their seat. The current phase decides what messages lead to (`phases.handlers`). It looks up the messages that it
needs, so early, late or repeated messages make no difference. Only this module changes the phase. A record knows no secrets:
players' tables, watchers and the verifier of a file all use it. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.cards import Seat
from protocol.dealing.hashing import Rng
from protocol.dealing.library import LibraryUnusable
from protocol.errors import BadMessage, GameFailed
from protocol.games.game import AnyGame
from protocol.messages import (
    LATER,
    Aside,
    Evidence,
    Goodbye,
    Hints,
    Message,
    Nonce,
    Ready,
    Seal,
    Slot,
    StateReport,
    WishOn,
)
from protocol.signed import Signed, decode_signed
from protocol.table.canonical import differing
from protocol.table.events import Accused, Differs, Event, SaidGoodbye
from protocol.table.events import Said as SaidAloud
from protocol.table.ledger import BlockPlace, Convicted, Ledger
from protocol.table.phases.handlers import ENTERED, HANDLERS, Handler, prepare
from protocol.table.phases.values import (
    Broken,
    Ending,
    Now,
    Phase,
    first_phase,
    key_of,
)
from protocol.table.roster import Member, Roster
from protocol.table.store import Said
from protocol.table.work import Job, Result
from protocol.wire import unpack

__all__ = ["Broken", "Checkpoint", "Ending", "Phase", "Record"]

MAX_DIFFERENCES = 20
KEPT_CERTIFICATES = 3
"""Nobody can be further behind, because each height needs everyone's vote."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment to which a match can return: its phase, the messages of the open height that are already part of the match, and
    the number of messages and heights in the transcript."""

    now: Now
    block: tuple[tuple[BlockPlace, Signed], ...]
    kept: frozenset[Said]
    written: int
    heights: int


class Record:
    """One match, followed from its public messages. `rng` gives the random weights of batched proofs."""

    def __init__(self, roster: Roster, game: AnyGame, rng: Rng) -> None:
        self.ledger = ledger = Ledger(roster, game, rng)
        self.roster, self.game, self.table, self.size = roster, game, ledger.table, ledger.size
        self.transcript, self.proof_checks = ledger.transcript, ledger.counts
        self.ready, self.wishes, self.hints = ledger.store.ready, ledger.store.wishes, ledger.store.hints
        self.certificates: dict[bytes, Checkpoint] = {}
        """The match at each of its last certificates. A new epoch begins at one of them."""
        self._due: list[Handler] = []
        self._set(first_phase(ledger))

    def _set(self, following: Now) -> None:
        """Set the phase, and the attributes that others read from it. Nothing else changes the phase."""
        self.now, self.phase, self.match, self.round = following, following.phase, following.match, following.round
        match = self.match
        self.seed, self.words, self.seating = match.draw.seed or None, match.draw.words, match.draw.seating
        self.epoch, self.present, self.present_hash = match.epoch.number, match.epoch.present, match.epoch.hash
        self.height, self.previous, self.state = match.height, match.previous, match.state
        self.state_bytes, self.state_hash = match.state_bytes, match.state_hash
        self.scores, self.points, self.breaches = match.scores, match.points, match.breaches
        self.dealer, self.rounds_closed, self.preparing = match.dealer, match.rounds_closed, match.preparing
        if self.previous not in self.certificates:
            self.certificates[self.previous] = self.checkpoint()
            if len(self.certificates) > KEPT_CERTIFICATES:
                del self.certificates[next(iter(self.certificates))]
        self.is_over = self.phase in (Phase.OVER, Phase.BROKEN)
        self._due.clear()
        if self.preparing is not None:
            self._stir("prepare")
        self._stir(ENTERED)

    # --- what can be asked ---

    @property
    def broken(self) -> Broken | None:
        """Return how the match was broken off, or None."""
        return self.now if isinstance(self.now, Broken) else None

    @property
    def events(self) -> list[Event]:
        """Return the events that were not taken yet."""
        return self.ledger.events

    def member(self, seat: Seat) -> Member:
        """Return who sits here."""
        return self.roster.members[self.seating[seat]]

    def key(self, seat: Seat) -> bytes:
        """Return the public key that signs for this seat."""
        return key_of(self.ledger, self.match, seat)

    def from_seat(self, seat: Seat, *slot: str | int | None) -> Signed | None:
        """Return what a seat said for a slot in this epoch."""
        return self.ledger.store.get(seat, self.epoch, *slot)

    def take_events(self) -> tuple[Event, ...]:
        """Return the events since the last call."""
        events, self.ledger.events = tuple(self.ledger.events), []
        return events

    # --- messages ---

    def receive(self, signed: Signed) -> bool:
        """Take a message; return False if it is known or of no use now.

        Raises BadMessage, which accuses nobody: the peer that passed these bytes on may not have made them.
        """
        message, store, epoch = signed.message, self.ledger.store, self.match.epoch
        if signed.table != self.table:
            raise BadMessage("a message for another table")
        if signed.seat >= self.size:
            raise BadMessage("a message from a seat that does not exist")
        if self.seed is None and not isinstance(message, (Seal, Nonce, Evidence, Goodbye)):
            return False  # it will be sent again
        known = store.known(signed)
        if known is not None and known.data == signed.data:
            return False
        if (signed.epoch, signed.present) != (epoch.number, epoch.hash):
            raise BadMessage("a message from another epoch")
        if isinstance(message, LATER):
            raise BadMessage("this version of Fairdeal does not support {kind} messages yet", kind=message.kind)
        if not store.is_newer(signed):
            return False
        signer = self._verify(signed)
        if message.slot is None:
            self._hear(signed)
            return True
        if known is not None:
            if known.payload == signed.payload:
                return False
            self.convict_of_two(known, signed)
            return True
        if not self._is_near(message) or not store.add(signed):
            return False
        if isinstance(message, Goodbye):
            self._part(signer)
        self._stir(message.kind)
        return True

    def _verify(self, signed: Signed) -> Seat:
        """Check the signature, and return the seat that signed. Raises BadMessage.

        Seals and nonces name the signer by its place in the roster. Evidence and goodbyes may do so too, as they may be sent
        before the seats are drawn.
        """
        self.ledger.counts["signatures"] += 1
        place = self.roster.members[signed.seat]
        if not isinstance(signed.message, (Seal, Nonce)):
            try:
                signed.verify(self.key(signed.seat))
            except BadMessage:
                if not isinstance(signed.message, (Evidence, Goodbye)):
                    raise
            else:
                return signed.seat
        signed.verify(place.key)
        return self.seating.index(signed.seat)

    def _is_near(self, message: Message) -> bool:
        """Whether a message is for about the current height and round. Others are dropped; they will be sent again."""
        height, number = getattr(message, "height", self.height), getattr(message, "round", self.rounds_closed + 1)
        return -1 <= height - self.height <= 1 and 1 <= number - self.rounds_closed <= 2

    def _hear(self, signed: Signed) -> None:
        message, store = signed.message, self.ledger.store
        match message:
            case Aside():
                if not store.is_repeated(signed):  # by a link or another seat
                    self.ledger.events.append(SaidAloud(signed.seat, message))
            case Ready():
                store.ready[signed.seat] = max(message.round, store.ready.get(signed.seat, 0))
            case StateReport():
                self._compare(signed.seat, message)
            case Evidence():
                self._weigh(message)
            case WishOn():
                store.wishes[signed.seat, message.awaited] = signed
            case Hints():
                store.hints[signed.seat] = signed

    def _compare(self, seat: Seat, report: StateReport) -> None:
        """Report the fields in which another computer's state differs from ours."""
        if report.height == self.height and self.state_bytes:
            fields = differing(unpack(self.state_bytes), unpack(report.state))
            if fields:
                self.ledger.events.append(Differs(seat, self.height, tuple(fields[:MAX_DIFFERENCES])))

    def _weigh(self, evidence: Evidence) -> None:
        """Take the accused seat's own messages; they convict it here as they did elsewhere, or have no effect.

        Two versions of a message convict at any height, because the seat that found them may have been behind.
        """
        inner = [decode_signed(data) for data in evidence.messages]
        if len({each.seat for each in inner}) != 1 or any(each.message.slot is None for each in inner):
            raise BadMessage("evidence holds messages of several seats, or some that bind nobody")
        seen: dict[Slot | None, Signed] = {}
        for each in inner:
            first = seen.setdefault(each.message.slot, each)
            if first.payload == each.payload:
                self.receive(each)
                continue
            for version in (first, each):
                if (version.table, version.epoch, version.present) != (self.table, self.epoch, self.present_hash):
                    raise BadMessage("evidence from another table or epoch")
                self._verify(version)
            self.convict_of_two(first, each)

    # --- the next phase ---

    def advance(self) -> bool:
        """Set the next phase; return False if a message or the result of a job is missing for it."""
        while self._due:
            try:
                following = self._due.pop(0)(self.now, self.ledger)
            except Convicted as found:
                self._convict(found)
                return True
            if following is not None:
                self._set(following)
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
        self._stir(str(job.name[0]))
        return True

    def run_jobs(self) -> bool:
        """Run all requested jobs now; return False if there are none. Raises GameFailed or LibraryUnusable."""
        jobs = self.ledger.desk.take_jobs()
        for job in jobs:
            self.done(job, job.run())
        return bool(jobs)

    def checkpoint(self) -> Checkpoint:
        """Return the current moment of the match."""
        ledger = self.ledger
        written, heights = len(ledger.transcript), len(ledger.marks)
        return Checkpoint(self.now, tuple(ledger.block), frozenset(ledger.kept), written, heights)

    def return_to(self, moment: Checkpoint) -> None:
        """Continue the match from an earlier moment. Messages that the store still holds count where they fit; later
        certificates and all jobs are dropped."""
        ledger, certificates = self.ledger, list(self.certificates)
        ledger.block, ledger.kept = list(moment.block), set(moment.kept)
        del ledger.transcript[moment.written :], ledger.marks[moment.heights :]
        ledger.desk.drop(lambda _name: True)
        previous = moment.now.match.previous
        later = certificates[certificates.index(previous) + 1 :] if previous in self.certificates else certificates
        for each in later:
            del self.certificates[each]
        self._set(moment.now)

    def _stir(self, kind: str) -> None:
        """Schedule the handler for a kind of message or job of which there is a new one."""
        handler = HANDLERS.get((type(self.now), kind))
        if handler is not None and handler not in self._due:
            self._due.insert(0 if handler is prepare else len(self._due), handler)

    # --- the end of it ---

    def convict_of_two(self, first: Signed, second: Signed) -> None:
        """Convict a seat of signing two versions of one message."""
        seat = first.seat
        if isinstance(first.message, (Seal, Nonce)):
            seat = self.seating.index(seat)
        fault = BadMessage("two different signed versions of the same message")
        self._convict(Convicted(seat, "two-versions", fault, first, second))

    def _convict(self, found: Convicted) -> None:
        """End the match because a seat was caught, and put the evidence into the transcript."""
        if self.is_over:
            return
        accused = [_accusation(each) for each in (found, *found.others)]
        self.ledger.events += accused
        self.ledger.keep_evidence(tuple(signed for each in (found, *found.others) for signed in each.evidence))
        self._break_off(Ending.CHEAT, found.seat, found.what, accused[0])

    def _part(self, seat: Seat) -> None:
        """End the match because a seat left for good; playing on without a seat is not supported yet."""
        if not self.is_over:
            self.ledger.events.append(SaidGoodbye(seat))
            self._break_off(Ending.GOODBYE, seat, "goodbye")

    def _break_off(self, ending: Ending, seat: Seat, what: str, accused: Accused | None = None) -> None:
        """End the match early. The messages of the open height go into the transcript, because evidence may depend on them."""
        self.ledger.open_transcript()
        self.ledger.keep_rest()
        self.ledger.emit(self.height)
        self._set(Broken(self.match, self.round, ending, seat, what, accused))


def _accusation(found: Convicted) -> Accused:
    return Accused(found.seat, found.what, found.reason, tuple(signed.data for signed in found.evidence))
