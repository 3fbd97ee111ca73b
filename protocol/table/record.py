"""The public side of a table, as anyone can follow it: what was said, and how far the match is.

A record takes signed messages in any order and keeps, for each seat, epoch and slot, the first; the same slot said twice with
different values convicts its seat. What the messages lead to is up to the phase that the match is in (`phases.handlers`),
which looks up what it needs by name, so an early, late or repeated message makes no difference. The next phase is set here
and nowhere else. A record knows no secrets: a player's table, a watcher and the verifier of a file all run on the same one.
(PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

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
from protocol.table.events import Accused, Breach, Differs, Emoted, Event, SaidGoodbye
from protocol.table.events import Said as SaidAloud
from protocol.table.ledger import BlockPlace, Convicted, Ledger
from protocol.table.phases.handlers import ENTERED, HANDLERS, Handler, prepare
from protocol.table.phases.values import (
    Broken,
    Ending,
    Giving,
    Match,
    Now,
    Phase,
    Recycling,
    Settling,
    first_phase,
    key_of,
)
from protocol.table.roster import Member, Roster
from protocol.table.round import Preparation, Round
from protocol.table.store import Said
from protocol.table.work import JobName, Result, Rng
from protocol.wire import unpack

__all__ = ["Broken", "Checkpoint", "Ending", "Phase", "Record"]

MAX_DIFFERENCES = 20


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment that a match can be taken up at again: its phase, what of the open height is part of the match already, and how
    much of the transcript was written."""

    now: Now
    block: tuple[tuple[BlockPlace, Signed], ...]
    transcript: tuple[bytes, ...]
    marks: tuple[tuple[int, int], ...]
    kept: frozenset[Said]


class Record:
    """One match as its public messages tell it. `rng` gives verifiers the random weights of their batches."""

    def __init__(self, roster: Roster, game: AnyGame, rng: Rng) -> None:
        self.ledger = Ledger(roster, game, rng)
        self.now: Now = first_phase(self.ledger)
        """The phase that the match is in, with its data."""
        self._due: list[Handler] = []

    # --- what can be asked ---

    @property
    def phase(self) -> Phase:
        """The name of the phase that the match is in."""
        return self.now.phase

    @property
    def match(self) -> Match:
        """What goes on from phase to phase."""
        return self.now.match

    @property
    def roster(self) -> Roster:
        """Who plays what by which rules."""
        return self.ledger.roster

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.ledger.game

    @property
    def table(self) -> bytes:
        """The table's id."""
        return self.ledger.table

    @property
    def size(self) -> int:
        """How many seats there are."""
        return self.ledger.size

    @property
    def is_over(self) -> bool:
        """Nothing more will happen: played to the end, or broken off."""
        return self.phase in (Phase.OVER, Phase.BROKEN)

    @property
    def is_drawn(self) -> bool:
        """Whether the seats are drawn."""
        return bool(self.match.draw.seed)

    @property
    def seed(self) -> bytes | None:
        """The table seed, once it is drawn."""
        return self.match.draw.seed or None

    @property
    def words(self) -> tuple[str, ...]:
        """The table's words; none before the draw."""
        return self.match.draw.words

    @property
    def seating(self) -> tuple[int, ...]:
        """For each seat the place in the roster of whoever sits there."""
        return self.match.draw.seating

    @property
    def epoch(self) -> int:
        """The number of the epoch."""
        return self.match.epoch.number

    @property
    def present(self) -> tuple[Seat, ...]:
        """The seats that are present in this epoch, and vote."""
        return self.match.epoch.present

    @property
    def present_hash(self) -> bytes:
        """What names them."""
        return self.match.epoch.hash

    @property
    def height(self) -> int:
        """The open height."""
        return self.match.height

    @property
    def previous(self) -> bytes:
        """The last certificate."""
        return self.match.previous

    @property
    def state(self) -> Any:
        """The game's state; None before the first deal."""
        return self.match.state

    @property
    def state_bytes(self) -> bytes:
        """The settled state in full."""
        return self.match.state_bytes

    @property
    def state_hash(self) -> bytes:
        """The hash of the settled state."""
        return self.match.state_hash

    @property
    def scores(self) -> tuple[int, ...]:
        """The score of each team."""
        return self.match.scores

    @property
    def points(self) -> tuple[tuple[int, ...], ...]:
        """What each round that was scored brought to each team."""
        return self.match.points

    @property
    def breaches(self) -> tuple[Breach, ...]:
        """Moves against the rules, found when the hands were opened."""
        return self.match.breaches

    @property
    def dealer(self) -> Seat:
        """Who deals, or deals next."""
        return self.match.dealer

    @property
    def rounds_closed(self) -> int:
        """How many rounds are over."""
        return self.match.rounds_closed

    @property
    def round(self) -> Round | None:
        """The round that is played or, between rounds, was."""
        return self.now.round

    @property
    def preparing(self) -> Preparation | None:
        """The round that is prepared."""
        return self.match.preparing

    @property
    def settling(self) -> Settling | None:
        """What a committed entry still demands, while it does."""
        return self.now if isinstance(self.now, Settling) else None

    @property
    def giving(self) -> Giving | None:
        """The cards that enter hands, while they do."""
        return self.now if isinstance(self.now, Giving) else None

    @property
    def recycling(self) -> Recycling | None:
        """The recycled deck, while it goes round."""
        return self.now if isinstance(self.now, Recycling) else None

    @property
    def broken(self) -> Broken | None:
        """How the match ended before its end."""
        return self.now if isinstance(self.now, Broken) else None

    @property
    def transcript(self) -> list[bytes]:
        """The roster, and the messages of the match in their order."""
        return self.ledger.transcript

    @property
    def events(self) -> list[Event]:
        """News that nobody has taken yet."""
        return self.ledger.events

    @property
    def ready(self) -> dict[Seat, int]:
        """The latest round for which each seat said that it is ready."""
        return self.ledger.store.ready

    @property
    def wishes(self) -> dict[tuple[Seat, Seat], Signed]:
        """By wisher and awaited seat: the last that was said about playing on without it."""
        return self.ledger.store.wishes

    @property
    def hints(self) -> dict[Seat, Signed]:
        """The last that each seat said about the help it takes."""
        return self.ledger.store.hints

    @property
    def proof_checks(self) -> dict[str, int]:
        """How much of what was checked."""
        return self.ledger.counts

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
        if not self.is_drawn and not isinstance(message, (Seal, Nonce, Evidence, Goodbye)):
            return False  # it will be sent again
        known = store.known(signed)
        if known is not None and known.data == signed.data:
            return False
        if (signed.epoch, signed.present) != (epoch.number, epoch.hash):
            raise BadMessage("a message of another epoch")
        if isinstance(message, LATER):
            raise BadMessage("{kind}: this version of Fairdeal cannot do that yet", kind=message.kind)
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
                    raise BadMessage("evidence of another table or epoch")
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
        block, transcript, marks = tuple(ledger.block), tuple(ledger.transcript), tuple(ledger.marks)
        return Checkpoint(self.now, block, transcript, marks, frozenset(ledger.kept))

    def return_to(self, moment: Checkpoint) -> None:
        """Take the match up again at an earlier moment; what was said since is kept, and counts where it fits."""
        ledger = self.ledger
        ledger.block, ledger.transcript, ledger.marks = list(moment.block), list(moment.transcript), list(moment.marks)
        ledger.kept = set(moment.kept)
        ledger.desk.drop(lambda _name: True)
        self._set(moment.now)

    def _stir(self, kind: str) -> None:
        """A message of this kind, or the result of such a job, is new: its handler is due."""
        handler = HANDLERS.get((type(self.now), kind))
        if handler is not None and handler not in self._due:
            self._due.insert(0 if handler is prepare else len(self._due), handler)

    def _set(self, following: Now) -> None:
        """The one place where the phase changes."""
        is_new = type(following) is not type(self.now)
        self.now = following
        if is_new:
            self._due.clear()
        if self.preparing is not None:
            self._stir("prepare")
        self._stir(ENTERED)

    # --- the end of it ---

    def convict_of_two(self, first: Signed, second: Signed) -> None:
        """A seat has signed two versions of one message."""
        seat = first.seat
        if isinstance(first.message, (Seal, Nonce)):
            seat = self.seating.index(seat)
        fault = BadMessage("two different versions of one message")
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
