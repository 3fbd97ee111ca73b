"""Verify a match from its file alone: offline, trusting no client, with the same rules and proofs as a seat.

A transcript is a sequence of frames: the roster, then signed messages in a fixed order. They are fed to the same record that
seats use. The record's own transcript must match the file, so nothing can be added, left out or moved. A file may end before
its match, after any message. Every signature and every proof is checked, and every shuffle is also made again where its seed is
revealed: there is one verdict, the same that the seats came to. (PROTOCOL.md, "Transcript".)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, TypeAlias

from protocol.cards import Card, Seat
from protocol.checks import Decide, at_once, deciding
from protocol.dealing import library
from protocol.dealing.hashing import Rng
from protocol.dealing.keys import RoundSecret
from protocol.errors import BadMessage, BadOption, FairdealError, failures_of
from protocol.games.game import AnyGame
from protocol.games.views import PublicView
from protocol.identity import fingerprint
from protocol.messages import Closed, Evidence, Goodbye, Reveal, Slot, Without
from protocol.signed import Signed, decode_signed
from protocol.steps import Steps, done
from protocol.table.audit import CardReader
from protocol.table.events import Accused, EpochBegan, Event, RoundVoid, SaidGoodbye
from protocol.table.places import Place
from protocol.table.record import Phase, Record
from protocol.table.result import places_of_match
from protocol.table.roster import PROTOCOL_VERSION, Member, Roster, decode_roster, game_of
from protocol.values import dataclass
from protocol.wire import frames, unpack

CONTRADICTION = "contradiction"
"""What `Report.evidence` lists where another file shows another end of the same match, no matter who is to blame."""
NOT_CHEATING = ("breach", "goodbye", "two-signatures", CONTRADICTION)
"""What `Report.evidence` lists besides cheating: breaches, which the match itself names, and what convicts nobody."""

MOST_LEFT_OVER = 2
"""At most this many heights after the start of an epoch may appear in what a conviction left over."""

_Place: TypeAlias = tuple[Seat, bytes | int | None, Slot | None]

Progress = Callable[[int, int], None]
"""Called with the number of bytes checked and the total."""


@dataclass(frozen=True, slots=True)
class NamedStep:
    """A step of a match: its text as a template, for whoever translates it, and its round or height."""

    template: str
    number: int = 0

    def __str__(self) -> str:
        return self.template.format(number=self.number)


@dataclass(frozen=True, slots=True)
class Failure:
    """The point where a file stops being valid: the step, the seat that the message claims to be from, the problem, and the
    number of the frame, the roster being 0 (at the end of the file: the number of frames)."""

    at: NamedStep
    seat: Seat | None
    fault: FairdealError = field(compare=False)
    frame: int

    @property
    def step(self) -> str:
        return str(self.at)

    @property
    def what(self) -> str:
        return str(self.fault)


@dataclass(slots=True)
class Report:
    """The result of verifying a file."""

    ok: bool = False
    complete: bool = False
    match: bytes = b""
    roster: Roster | None = None
    members: tuple[Member, ...] = ()
    """Who sat at each seat last."""
    players: tuple[tuple[str, str], ...] = ()
    """Their names and fingerprints."""
    replaced: tuple[tuple[Seat, str, str], ...] = ()
    """Whose seats were taken by others, in that order: the seat, and the name and fingerprint of who sat there before."""
    words: tuple[str, ...] = ()
    rounds: int = 0
    heights: int = 0
    """The number of entries that everyone voted for."""
    void: list[int] = field(default_factory=list)
    """The numbers of the rounds that were void: nobody scored in them."""
    unopened_moves: int = 0
    """How many moves of the last round were checked, but not against the hands, which were never opened."""
    scores: tuple[int, ...] = ()
    winners: tuple[Seat, ...] = ()
    places: tuple[Place, ...] = ()
    checks: dict[str, int] = field(default_factory=dict)
    evidence: list[dict[str, Any]] = field(default_factory=list)
    failed: Failure | None = None
    over: bool = False
    """Whether the match was played to its end."""
    seating: tuple[int, ...] | None = None
    """Each seat's place in the roster; None before it is drawn."""
    sitters: dict[bytes, tuple[tuple[str, bytes], ...]] = field(default_factory=dict, repr=False)
    """The name and key of each seat's player (or its last one), in each epoch, by its hash, once seats are drawn."""
    frames: list[bytes] = field(default_factory=list, repr=False)
    """The messages that were read, for comparing files."""

    @property
    def is_contradicted(self) -> bool:
        """Whether the comparison with other files shows another end of this match."""
        return any(each["what"] == CONTRADICTION for each in self.evidence)

    @property
    def cheats(self) -> tuple[str, ...]:
        """Return the names of who was convicted, by seat: somebody else may sit there by now."""
        found = {(each["seat"], each["name"]): None for each in self.evidence if each["what"] not in NOT_CHEATING}
        return tuple(name for _, name in sorted(found))

    @property
    def convicted(self) -> tuple[Seat, ...]:
        """Return the seats that the file, or its comparison with others, convicts of cheating."""
        return tuple(sorted({each["seat"] for each in self.evidence if each["what"] not in NOT_CHEATING}))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A moment of a match, for replays: an event, the public view, and all hands (None if the file lacks the round's keys)."""

    height: int
    round: int
    event: Event
    view: PublicView
    hands: tuple[tuple[Card, ...], ...] | None


class Unreadable(FairdealError):
    """A file that is not a transcript, or that needs another version of this program or a missing game."""


def verify(data: bytes, rng: Rng, progress: Progress | None = None, decide: Decide = at_once) -> Report:
    """Check a transcript. Raises Unreadable only if nothing can be checked, and GameFailed where the rules fail. `rng` gives the
    random weights of batched proofs.

    `decide` may take proofs and signatures for valid, and look later: the report counts if all of them were, and not at all if
    one was not.
    """
    with deciding(decide):
        return followed(data, rng, progress).report


def followed(data: bytes, rng: Rng, progress: Progress | None = None) -> Follower:
    """Check a transcript as `verify`, and return who has followed it; its report is complete."""
    return done(following(data, rng), lambda at: progress(at, len(data)) if progress is not None else None)


def following(data: bytes, rng: Rng) -> Steps[int, Follower]:
    """As `followed`, in steps of one message: yields how many bytes are read."""
    reading, frames, tail = _read(data, rng)
    reading.wants_snapshots = False
    at = 0
    for frame in frames:
        reading.feed(frame)
        at += len(frame)
        if reading.report.failed is not None:
            break
        yield at
    reading.end(tail)
    return reading


def replaying(data: bytes, rng: Rng) -> Steps[None, tuple[Follower, list[Snapshot]]]:
    """Return the match moment by moment, in steps of one message, up to where the file is valid.

    Raises Unreadable and GameFailed.
    """
    reading, frames, tail = _read(data, rng)
    reading.secrets = _reveals(frames, reading.record.size)
    snapshots: list[Snapshot] = []
    for frame in frames:
        snapshots += reading.feed(frame)
        yield
    reading.end(tail)
    return reading, snapshots


def _read(data: bytes, rng: Rng) -> tuple[Follower, list[bytes], BadMessage | None]:
    """Return a follower that knows the roster, the frames to feed to it, and the problem with the bytes after them, if any."""
    frames, tail = _frames(data)
    if not frames:
        raise Unreadable("this is not a Fairdeal transcript, or it is cut off right at the start")
    return Follower(frames[0], rng), frames[1:], tail


@dataclass(frozen=True, slots=True)
class Doubt:
    """A place where messages are out of order, which is a failure unless a conviction left them over. `count`: so many messages
    were read."""

    height: int
    count: int
    failure: Failure


class Follower:
    """Check a transcript message by message, from a file or while it grows. Results are in `report`; a failure is final."""

    def __init__(self, first: bytes, rng: Rng) -> None:
        """`first`: the transcript's first frame, the roster. Raises Unreadable."""
        library.load()  # fail early if it cannot be loaded
        roster, self.game = _opening(first)
        self.report = Report(roster=roster)
        self.record = Record(roster, self.game, rng)
        self.secrets: dict[int, dict[Seat, RoundSecret]] = {}
        """Secrets that the transcript will reveal, by round, if known beforehand: snapshots then show all hands."""
        self.wants_snapshots = True
        self._frames = [first]
        self._seen: set[bytes] = set()
        self._spoken: dict[_Place, Signed] = {}
        self._unpaired: set[_Place] = set()
        """First versions of messages from earlier epochs, each without the second that would convict its seat."""
        self._caught = 0
        self._compared = 0
        self._doubt: Doubt | None = None

    @property
    def frames(self) -> Sequence[bytes]:
        """Return what has been read, the roster first."""
        return self._frames

    def cut(self, count: int) -> None:
        """Follow the transcript again from its start to its first `count` messages: its writer dropped the rest."""
        first, *rest = self._frames[: max(count, 1)]
        self.report = Report(roster=self.report.roster)
        self.record = Record(self.record.roster, self.game, self.record.ledger.rng)
        self._frames, self._seen, self._spoken, self._compared, self._doubt = [first], set(), {}, 0, None
        self._unpaired, self._caught = set(), 0
        for frame in rest:
            self.feed(frame)

    def feed(self, frame: bytes) -> list[Snapshot]:
        """Take the next message, and return the snapshots that it led to. Raises GameFailed and LibraryUnusable."""
        if self.report.failed is not None:
            return []
        self._frames.append(frame)
        try:
            with failures_of(self.game.name, BadMessage):
                return self._feed(frame)
        except BadMessage as fault:
            self.report.failed = Failure(self._step(), _seat_of(frame), fault, len(self._frames) - 1)
            self._settle_doubt()
            return []
        finally:
            if self._doubt is not None and self.record.height > self._doubt.height + MOST_LEFT_OVER:
                self._settle_doubt()

    def _settle_doubt(self) -> None:
        """If the file is in doubt, it fails there: return to that place."""
        if (doubt := self._doubt) is not None:
            if doubt.count < len(self._frames):
                self.cut(doubt.count)
            self._doubt, self.report.failed = None, doubt.failure

    @property
    def is_clear(self) -> bool:
        """Return whether all that has been read is valid, and nothing of it waits to be explained by what follows."""
        return self.report.failed is None and self._doubt is None and not self._unpaired

    def end(self, tail: BadMessage | None = None) -> Report:
        """Complete and return the report. `tail`: the problem with bytes after the last message."""
        self._settle_doubt()
        report, record = self.report, self.record
        if report.failed is None and self._unpaired:
            fault = BadMessage("a message of an earlier epoch does not belong here")
            report.failed = Failure(self._step(), None, fault, len(self._frames))
        if report.failed is None and tail is not None:
            report.failed = Failure(self._step(), None, tail, len(self._frames))
        report.ok = report.failed is None
        report.complete = report.ok and record.phase in (Phase.OVER, Phase.BROKEN)
        report.over = report.ok and record.phase is Phase.OVER
        report.match = record.previous
        report.seating = None if record.seed is None else tuple(record.seating)
        report.frames = self._frames
        report.words = record.words
        report.members = tuple(record.member(seat) for seat in range(record.size))
        report.players = tuple((each.name, fingerprint(each.key)) for each in report.members)
        report.replaced = tuple((each.seat, each.member.name, fingerprint(each.member.key)) for each in record.replaced)
        report.rounds, report.heights = record.rounds_closed, record.height
        round = record.round
        if round is not None and round.number > record.rounds_closed and not round.secrets:
            report.unopened_moves = len(round.history)
        report.scores = record.scores
        if report.over:
            with failures_of(self.game.name, BadMessage):
                report.places = places_of_match(record)
            report.winners = tuple(each.seat for each in report.places if each.place == 1)
        report.checks = dict(record.proof_checks)
        for breach in record.breaches:
            report.evidence.append(
                {"what": "breach", "seat": breach.seat, "step": breach.height, "reason": str(breach.reason)}
            )
        return report

    def _feed(self, frame: bytes) -> list[Snapshot]:
        record = self.record
        signed = decode_signed(frame)
        if record.phase is Phase.OVER:
            raise BadMessage("there is a message after the end of the match")
        message, is_evidence = signed.message, isinstance(signed.message, Evidence)
        is_early = isinstance(message, Closed) and record.phase is not Phase.CONFIRMING
        is_early = is_early and not record.is_denied(signed)
        if is_early or (message.slot is None and not is_evidence):
            raise BadMessage("a {kind} message does not belong in a transcript", kind=message.kind)
        if frame in self._seen:
            raise BadMessage("a message occurs twice")
        self._seen.add(frame)
        place = self._place_of(signed)
        first = self._spoken.setdefault(place, signed)
        is_used = record.receive(signed)
        if not is_used:
            record.verify(signed)
        if not is_used and record.phase is not Phase.BROKEN:
            is_binding = message.slot is not None and not isinstance(message, Closed) and record.is_by_sitter(signed)
            if first.payload != signed.payload and is_binding:
                # Evidence of a height or an epoch long past.
                self._unpaired.discard(place)
                record.convict_of_two(first, signed)
                return self._go_on()
            if not record.is_past(signed):
                raise BadMessage("a {kind} message does not belong here", kind=signed.message.kind)
            self._unpaired.add(place)
            return []
        before = self._accused
        found = self._go_on()
        if is_evidence and self._accused == before:
            raise BadMessage("evidence that convicts nobody does not belong in a transcript")
        return found

    @property
    def _accused(self) -> int:
        """How often somebody was convicted so far; also again, in a later epoch."""
        return sum(each["what"] not in NOT_CHEATING for each in self.report.evidence)

    def _go_on(self) -> list[Snapshot]:
        record, found = self.record, []
        while True:
            moved = record.advance()
            if record.seed is not None and record.epoch_hash not in self.report.sitters:
                members = map(record.member, range(record.size))
                self.report.sitters[record.epoch_hash] = tuple((each.name, each.key) for each in members)
            for event in record.take_events():
                self._note(event)
                if isinstance(event, EpochBegan):
                    self._compared = 0  # what came after its start is dropped, and must not stand in the file
                    self._check_pairs()
                    if (caught := record.ledger.departures.caught) > self._caught:
                        self._caught = caught
                        self._take_tail()
                if self.wants_snapshots:
                    found.append(self._snapshot(event))
            if not record.run_jobs() and not moved:
                break
        if record.broken is None:
            self._compare()
        elif self._doubt is not None and self._doubt.height == record.height:
            self._doubt = (
                None  # what was said last settles a height that the writer had not checked yet, and stands in no order
            )
        return found

    def _check_pairs(self) -> None:
        """Check that what is left over of an earlier epoch convicts. Raises BadMessage."""
        if self._unpaired:
            raise BadMessage("a message of an earlier epoch does not belong here")

    def _take_tail(self) -> None:
        """Take what an epoch with a conviction left over as it stands in the file: each seat keeps what it held as evidence.
        That may be enough to settle the height after the epoch's start, but stands in no order."""
        tail = self.record.ledger.departures.marks[self.record.epoch]
        self.record.transcript[tail:] = self._frames[tail:]
        self.record.note_written()  # another epoch may begin here
        self._doubt = None

    def _compare(self) -> None:
        """Check that the record's own transcript is identical up to here, in content and order; if not, the file is in doubt."""
        if self._doubt is not None:
            return
        emitted = self.record.transcript
        if emitted[self._compared :] == self._frames[self._compared : len(emitted)]:
            self._compared = len(emitted)
        else:
            fault = BadMessage("the messages of this step are out of order")
            failure = Failure(self._step(), _seat_of(self._frames[-1]), fault, len(self._frames) - 1)
            self._doubt = Doubt(self.record.height, len(self._frames), failure)

    def _note(self, event: Event) -> None:
        if isinstance(event, RoundVoid):
            self.report.void.append(event.round)
        elif isinstance(event, EpochBegan) and event.void is not None:
            self.report.void.append(event.void)
        if isinstance(event, Accused):
            found = {"what": event.what, "seat": event.seat, "reason": str(event.reason)}
        elif isinstance(event, SaidGoodbye):
            found = {"what": "goodbye", "seat": event.seat}
        else:
            return
        # With the name, since others may sit there later.
        self.report.evidence.append({**found, "name": self.record.member(event.seat).name})

    def _snapshot(self, event: Event) -> Snapshot:
        record = self.record
        round = record.round
        hands = None
        if round is not None and round.number in self.secrets:
            keys = [secret.x for secret in self.secrets[round.number].values()]
            reader = CardReader([*keys, *round.recovered.values()])
            hands = tuple(tuple(reader.face(place.card) for place in hand) for hand in round.hands)
        view = PublicView() if record.state is None else self.game.public_view(record.state)
        return Snapshot(record.height, round.number if round else 0, event, view, hands)

    def _place_of(self, signed: Signed) -> _Place:
        """Return what a seat may say only once: in its epoch, or ever. A promise binds the key that signs it, a goodbye whoever
        has that key, also where it names their place in the roster."""
        message, seat, when = signed.message, signed.seat, signed.epoch
        if seat >= self.record.size or not isinstance(message, Without | Goodbye):
            return seat, when, message.slot
        if isinstance(message, Without):
            return seat, self.record.speaker(signed), message.slot
        is_of_seat = signed.is_by(self.record.key(seat))
        return seat if is_of_seat else self.record.seating.index(seat), None, message.slot

    def _step(self) -> NamedStep:
        record = self.record
        if record.phase is Phase.SEALING:
            return NamedStep("sealing")
        if record.phase is Phase.BETWEEN:
            return NamedStep("preparing round {number}", record.rounds_closed + 1)
        return NamedStep("step {number}", record.height)


def _frames(data: bytes) -> tuple[list[bytes], BadMessage | None]:
    """Return the complete frames of a file, and the problem with the bytes after them, if any."""
    found: list[bytes] = []
    try:
        for _, each in frames(data):
            found.append(each)
    except BadMessage as fault:
        return found, fault
    return found, None


def _opening(frame: bytes) -> tuple[Roster, AnyGame]:
    """Decode the roster and load its game. Raises Unreadable and GameFailed."""
    try:
        value = unpack(frame)
        if type(value) is not list or len(value) != 2 or value[0] != "r" or type(value[1]) is not bytes:
            raise BadMessage("the roster is missing")
        roster = decode_roster(value[1])
        with failures_of(roster.game, BadMessage):
            return roster, game_of(roster)
    except BadMessage as fault:
        raise Unreadable("this is not a version {version} Fairdeal transcript", version=PROTOCOL_VERSION) from fault
    except BadOption as fault:
        raise Unreadable("this match cannot be checked here: {reason}", reason=str(fault)) from fault


def _reveals(frames: list[bytes], seats: int) -> dict[int, dict[Seat, RoundSecret]]:
    """Return the secrets that the file will reveal, for rounds with those of all seats. They are not trusted: each is checked
    against its key when the reveal is read."""
    found: dict[int, dict[Seat, RoundSecret]] = {}
    for frame in frames[1:]:
        if b"reveal" not in frame[:32]:
            continue
        try:
            signed = decode_signed(frame)
            if isinstance(signed.message, Reveal):
                secret = RoundSecret.decode(signed.message.secret)
                found.setdefault(signed.message.round, {})[signed.seat] = secret
        except BadMessage:
            continue
    return {number: secrets for number, secrets in found.items() if len(secrets) == seats}


def _seat_of(frame: bytes) -> Seat | None:
    """Return the seat that a message claims to be from, or None."""
    try:
        return decode_signed(frame).seat
    except BadMessage:
        return None
