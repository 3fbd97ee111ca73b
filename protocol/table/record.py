"""The public side of a table, as anyone can follow it: what was said, and how far the match is.

A record takes signed messages in any order and keeps, for each seat, epoch and slot, the first; the same slot said twice with
different values convicts its seat. What the messages lead to is up to the phase that the match is in (`phases.handlers`),
which looks up what it needs by name, so an early, late or repeated message makes no difference. The next phase is set here
and nowhere else. A record knows no secrets: a player's table, a watcher and the verifier of a file all run on the same one.
(PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.cards import Seat
from protocol.errors import BadMessage, GameFailed
from protocol.games.game import AnyGame
from protocol.messages import (
    LATER,
    Chat,
    Emote,
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
from protocol.table.events import Accused, Differs, Emoted, Event, SaidGoodbye
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
from protocol.table.work import JobName, Result, Rng
from protocol.wire import unpack

__all__ = ["Broken", "Checkpoint", "Ending", "Phase", "Record"]

MAX_DIFFERENCES = 20
KEPT_CERTIFICATES = 3
"""Nobody can be further behind: each height needs the votes of all."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment that a match can be taken up at again: its phase, what of the open height is part of the match already, and how
    many messages and heights the transcript holds."""

    now: Now
    block: tuple[tuple[BlockPlace, Signed], ...]
    kept: frozenset[Said]
    written: int
    heights: int


class Record:
    """One match as its public messages tell it. `rng` gives verifiers the random weights of their batches."""

    def __init__(self, roster: Roster, game: AnyGame, rng: Rng) -> None:
        self.ledger = ledger = Ledger(roster, game, rng)
        self.roster, self.game, self.table, self.size = roster, game, ledger.table, ledger.size
        self.transcript, self.proof_checks = ledger.transcript, ledger.counts
        self.ready, self.wishes, self.hints = ledger.store.ready, ledger.store.wishes, ledger.store.hints
        self.certificates: dict[bytes, Checkpoint] = {}
        """The match as it was when each of the last certificates was fixed: an epoch begins at one of them."""
        self._due: list[Handler] = []
        self._set(first_phase(ledger))

    def _set(self, following: Now) -> None:
        """Set the phase: the one place where it changes. What others read of it stands beside it under plain names."""
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
        """How the match ended before its end."""
        return self.now if isinstance(self.now, Broken) else None

    @property
    def events(self) -> list[Event]:
        """News that nobody has taken yet."""
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
        """Return the news since the last call."""
        events, self.ledger.events = tuple(self.ledger.events), []
        return events

    # --- messages ---

    def receive(self, signed: Signed) -> bool:
        """Take a message in; False where it is known already or comes too late to matter. Raises BadMessage, which accuses
        nobody: whoever passed these bytes on may not have made them."""
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
            raise BadMessage("this version of Fairdeal does not support {kind} yet", kind=message.kind)
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
        """Return the seat that has signed. Seals and nonces name it by its place in the roster; evidence and a goodbye may, as
        they are said before the draw too. Raises BadMessage."""
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
        """Whether a message is of now or of the next step: what is farther off can wait until it is sent again."""
        height, number = getattr(message, "height", self.height), getattr(message, "round", self.rounds_closed + 1)
        return -1 <= height - self.height <= 1 and 1 <= number - self.rounds_closed <= 2

    def _hear(self, signed: Signed) -> None:
        message, store = signed.message, self.ledger.store
        match message:
            case Chat() | Emote() if store.is_repeated(signed):
                return  # a link said it twice, or somebody says it again in its name
            case Chat():
                self.ledger.events.append(SaidAloud(signed.seat, message.text))
            case Emote():
                self.ledger.events.append(Emoted(signed.seat, message.name))
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
        """Name the fields that another machine holds otherwise than ours."""
        if report.height == self.height and self.state_bytes:
            fields = differing(unpack(self.state_bytes), unpack(report.state))
            if fields:
                self.ledger.events.append(Differs(seat, self.height, tuple(fields[:MAX_DIFFERENCES])))

    def _weigh(self, evidence: Evidence) -> None:
        """Take in the accused's own words; they convict it here as they did elsewhere, or they are worth nothing. Two versions
        convict whatever height they are of: whoever found them may have been behind."""
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
        """Take one step: set the next phase; False where something is missing: a message, or the result of a job."""
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

    def done(self, name: JobName, result: Result) -> bool:
        """Take the result of a job; False where nobody asked for it (any more). Raises GameFailed if a bug, ours or the game's,
        made it fail."""
        if result.crash is not None:
            raise GameFailed(self.game.name, result.crash) from result.crash
        if not self.ledger.desk.done(name, result):
            return False
        self._stir(str(name[0]))
        return True

    def run_jobs(self) -> bool:
        """Run all jobs that were asked for, at once; False where there are none. Raises GameFailed."""
        jobs = self.ledger.desk.take_jobs()
        for job in jobs:
            self.done(job.name, job.run())
        return bool(jobs)

    def checkpoint(self) -> Checkpoint:
        """Return the moment that the match is at."""
        ledger = self.ledger
        written, heights = len(ledger.transcript), len(ledger.marks)
        return Checkpoint(self.now, tuple(ledger.block), frozenset(ledger.kept), written, heights)

    def return_to(self, moment: Checkpoint) -> None:
        """Take the match up again at an earlier moment of it. What was said since is kept, and counts where it fits."""
        ledger = self.ledger
        ledger.block, ledger.kept = list(moment.block), set(moment.kept)
        del ledger.transcript[moment.written :], ledger.marks[moment.heights :]
        ledger.desk.drop(lambda _name: True)
        self._set(moment.now)

    def _stir(self, kind: str) -> None:
        """A message of this kind, or the result of such a job, is new: its handler is due."""
        handler = HANDLERS.get((type(self.now), kind))
        if handler is not None and handler not in self._due:
            self._due.insert(0 if handler is prepare else len(self._due), handler)

    # --- the end of it ---

    def convict_of_two(self, first: Signed, second: Signed) -> None:
        """A seat has signed two versions of one message."""
        seat = first.seat
        if isinstance(first.message, (Seal, Nonce)):
            seat = self.seating.index(seat)
        fault = BadMessage("two different signed versions of the same message")
        self._convict(Convicted(seat, "two-versions", fault, first, second))

    def _convict(self, found: Convicted) -> None:
        """A seat was caught: the match ends here, and the evidence goes into the transcript."""
        if self.is_over:
            return
        evidence = tuple(signed.data for signed in found.evidence)
        accused = Accused(found.seat, found.what, found.reason, evidence)
        self.ledger.events.append(accused)
        self.ledger.keep_evidence(found.evidence)
        self._break_off(Ending.CHEAT, found.seat, found.what, accused)

    def _part(self, seat: Seat) -> None:
        """A goodbye: while playing on without a seat is not in force, the match ends with it."""
        if not self.is_over:
            self.ledger.events.append(SaidGoodbye(seat))
            self._break_off(Ending.GOODBYE, seat, "goodbye")

    def _break_off(self, ending: Ending, seat: Seat, what: str, accused: Accused | None = None) -> None:
        """Nothing more is voted or dealt. What was said last goes into the transcript as it is: evidence rests on it."""
        self.ledger.open_transcript()
        self.ledger.keep_rest()
        self.ledger.emit(self.height)
        self._set(Broken(self.match, self.round, ending, seat, what, accused))
