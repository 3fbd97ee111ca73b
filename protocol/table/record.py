"""Follow a match from its public messages alone.

A record takes signed messages in any order and keeps the first for each seat, epoch and slot. Two different messages for one
slot convict their seat. The current phase decides what messages lead to (`phases.handlers`). It looks up the messages that it
needs, so early, late or repeated messages make no difference. Only this module changes the phase. A record knows no secrets:
players' tables, watchers and the verifier of a file all use it. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product

from protocol.cards import Seat
from protocol.dealing.group import Point
from protocol.dealing.hashing import Rng
from protocol.dealing.keys import RoundKey
from protocol.dealing.library import LibraryUnusable
from protocol.errors import BadMessage, GameFailed
from protocol.games.game import AnyGame
from protocol.messages import (
    Aside,
    Closed,
    Evidence,
    Goodbye,
    Hints,
    Nonce,
    Prepare,
    Ready,
    Seal,
    Slot,
    StateReport,
    TakeSeat,
    WishOn,
    Without,
)
from protocol.signed import Signed, decode_signed
from protocol.table import ballot
from protocol.table.canonical import differing
from protocol.table.departures import TWO_VERSIONS, Departures, departed
from protocol.table.epochs import (
    FURTHEST,
    Epoch,
    Out,
    Quorum,
    Start,
    attempt_of,
    attempts_of,
    check_form,
    check_goodbye,
    complete,
    next_epoch,
    out_of,
    plan_of,
    start_of,
    step_towards,
    torn_epoch,
    without,
)
from protocol.table.events import Accused, Cause, Differs, EpochBegan, Event, SaidGoodbye, SignedTwice
from protocol.table.events import Said as SaidAloud
from protocol.table.ledger import LAST, BlockPlace, Convicted, Ledger
from protocol.table.phases import between
from protocol.table.phases.between import begun, is_short, short_hash
from protocol.table.phases.closing import adopted, closing_hash
from protocol.table.phases.handlers import ENTERED, HANDLERS, Handler, prepare
from protocol.table.phases.values import (
    Between,
    Broken,
    Closing,
    Ending,
    Match,
    Now,
    Over,
    Phase,
    Playing,
    Recovering,
    Sealing,
    Settling,
    first_phase,
    key_of,
    member_of,
)
from protocol.table.places import Departure
from protocol.table.reach import is_near, is_within_reach
from protocol.table.roster import Member, Roster
from protocol.table.sitters import Added, check_added, check_sitters, sitters_of
from protocol.table.store import Said, Saved
from protocol.table.work import Job, Result
from protocol.wire import unpack

__all__ = ["Broken", "Checkpoint", "Ending", "Phase", "Record"]

MAX_DIFFERENCES = 20
ACROSS_EPOCHS = (Seal, Nonce, Aside, Evidence, Hints)
"""What counts whatever the epoch is."""
MAX_COMBINATIONS = 256
"""How many combinations of a height's votes are tried; more than one seat with two versions of its vote is rare."""
MAX_OFFERS = 32
"""So many offers of other keys than those that sat there are kept."""
MAX_IDLE_EVIDENCE = 16
"""So often evidence of one seat may convict nobody; then no more is read. Honest evidence convicts, but for bad luck."""
KEPT_CERTIFICATES = 3
"""Nobody can be further behind, because each height needs everyone's vote."""
MAX_BEFORE = 8
"""So many epochs in a row may begin here without anything being certified in them, and be given up again."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A moment to which a match can return: its phase, the messages of the open height that are already part of the match, and
    the number of messages and heights in the transcript."""

    now: Now
    block: tuple[tuple[BlockPlace, Signed], ...]
    kept: frozenset[Said]
    written: int
    heights: int


@dataclass(frozen=True, slots=True)
class Before:
    """What the last epoch was when the one after it began: nothing may come of that one, and the others may go on from here.

    `moment`: where it began. `certificates`: those up to there.
    """

    epoch: Epoch
    moment: Checkpoint
    certificates: dict[bytes, Checkpoint]
    store: Saved
    departures: Departures
    newcomers: dict[bytes, Seat]
    replaced: tuple[Replaced, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """Somebody whose seat was taken by somebody else, and why they stand last; None if they only did not come back in time."""

    seat: Seat
    member: Member
    reason: Departure | None


class Record:
    """One match, followed from its public messages. `rng` gives the random weights of batched proofs."""

    def __init__(
        self, roster: Roster, game: AnyGame, rng: Rng, own: bytes | None = None, seat: Seat | None = None
    ) -> None:
        """`own`: our key, if we sit at this table, or would take `seat`."""
        self.own, self._own_seat = own, seat
        places = [member.key for member in roster.members]
        self._own_place = places.index(own) if own in places else None
        self.ledger = ledger = Ledger(roster, game, rng)
        self.roster, self.game, self.table, self.size = roster, game, ledger.table, ledger.size
        self.transcript, self.proof_checks = ledger.transcript, ledger.counts
        self.ready, self.wishes, self.hints = ledger.store.ready, ledger.store.wishes, ledger.store.hints
        self.certificates: dict[bytes, Checkpoint] = {}
        """The match at each of its last certificates. A new epoch begins at one of them."""
        self.fruitless = 0
        """How many epochs since the last scored round left nobody out and let nobody in."""
        self._before: list[Before] = []
        """The epochs before this one to which we may have to return, because nothing is certified yet in those that followed."""
        self.offers: dict[tuple[Seat, bytes], Signed] = {}
        """The last offer of each key to take an empty seat, in this epoch."""
        self.newcomers: dict[bytes, Seat] = {}
        """The seat of each key that is not in the roster, and sat or sits there."""
        self.replaced: list[Replaced] = []
        """Whose seats were taken by others, in that order."""
        self.ahead: set[Seat] = set()
        """The seats that speak of a later epoch or height than ours: they can show us how it came about."""
        self._due: list[Handler] = []
        self._reported: dict[Seat, int] = {}
        """The height of the last state that each seat reported."""
        self._idle: Counter[Seat] = Counter()
        """How often each seat sent evidence that convicted nobody."""
        self._signed_twice: set[Seat] = set()
        self._may_change = self._is_following = False
        first = first_phase(ledger)
        ledger.departures.begin(first.match.epoch)
        self._set(first)

    def _set(self, following: Now) -> None:
        """Set the phase, and the attributes that others read from it. Nothing else changes the phase."""
        is_drawn = isinstance(getattr(self, "now", None), Sealing) and not isinstance(following, Sealing)
        self.now, self.phase, self.match, self.round = following, following.phase, following.match, following.round
        match = self.match
        self.seed, self.words, self.seating = match.draw.seed or None, match.draw.words, match.draw.seating
        self.own_seat = self._own_seat if self._own_place is None else self.seating.index(self._own_place)
        """Our seat (before the draw our place in the roster), also if we are left out or would take it; None if we only watch."""
        self.keepers = self._keepers(match)
        """Who is responsible for each seat: the seat's own key, or a bot's keeper."""
        self.epoch, self.present, self.epoch_hash = match.epoch.number, match.epoch.present, match.epoch.hash
        self.ledger.trust.epoch = self.epoch
        self.height, self.previous, self.state = match.height, match.previous, match.state
        self.state_bytes, self.state_hash = match.state_bytes, match.state_hash
        if len(match.points) > len(getattr(self, "points", ())):
            self.fruitless = 0
        self.points, self.breaches = match.points, match.breaches
        self.dealer, self.rounds_closed, self.preparing = match.dealer, match.rounds_closed, match.preparing
        if self.previous not in self.certificates or is_drawn:
            self.certificates[self.previous] = self.checkpoint()
            if len(self.certificates) > 1:
                self._before.clear()  # all seats of this epoch have voted in it
            if len(self.certificates) > KEPT_CERTIFICATES:
                del self.certificates[next(iter(self.certificates))]
        self.scores = self.certificates[self.previous].now.match.scores
        """The scores of the last closing: those of a round that is not closed do not count."""
        self.is_over = self.phase in (Phase.OVER, Phase.BROKEN)
        self._may_change = bool(self.ledger.departures.withouts)
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
    def is_waiting_for_players(self) -> bool:
        """Whether the match waits between rounds, because its game cannot be dealt to those who are present."""
        return is_short(self.now, self.ledger)

    @property
    def ended_short(self) -> bool:
        """Whether the match is over though it was not played to its end, because players are missing."""
        return isinstance(self.now, Over) and self.now.is_short

    @property
    def has_stand_ins(self) -> bool:
        """Whether a seat that left has a default move to make now."""
        return isinstance(self.now, Playing) and bool(self.now.stand_ins)

    @property
    def events(self) -> list[Event]:
        """Return the events that were not taken yet."""
        return self.ledger.events

    def member(self, seat: Seat) -> Member:
        """Return who sits here, or sat here last."""
        return member_of(self.ledger, self.match, seat)

    @property
    def is_seated(self) -> bool:
        """Whether we are present."""
        seat = self.own_seat
        return seat is not None and seat in self.present and self.key(seat) == self.own

    def speaker(self, signed: Signed) -> bytes:
        """Return the key that has to have signed a message: its seat's or, of a promise, that of whoever takes the seat."""
        if isinstance(signed.message, Without):
            named = (key for seat, key, *_ in signed.message.added if seat == signed.seat)
            return next(named, self.key(signed.seat))
        return self.key(signed.seat)

    def key(self, seat: Seat) -> bytes:
        """Return the public key that signs for this seat."""
        return key_of(self.ledger, self.match, seat)

    def seat_of(self, key: bytes) -> Seat | None:
        """Return the seat (before the draw the place in the roster) of a key that sits or sat there; None for any other."""
        place = next((place for place, member in enumerate(self.roster.members) if member.key == key), None)
        return self.newcomers.get(key) if place is None else self.seating.index(place)

    @property
    def quorum(self) -> Quorum:
        """Return who counts when seats go on alone, as far as we have heard."""
        departures = self.ledger.departures
        return departures.quorum(self.keepers, departures.out)

    @property
    def lost(self) -> frozenset[Seat]:
        """Return the present seats that have lost their secret of the round under way, or of the next one."""
        slot = ("lost", self.rounds_closed + 1)
        return frozenset(seat for seat in self.present if self.from_seat(seat, *slot) is not None)

    def round_key(self, seat: Seat) -> Point | None:
        """Return a seat's public key of the round under way, or of the next one, once we hold it."""
        number = self.rounds_closed + 1
        if self.round is not None and self.round.number == number:
            return self.round.keys[seat].y if seat in self.round.active and self.phase is not Phase.CLOSING else None
        said = self.from_seat(seat, "prepare", number)
        return RoundKey.decode(said.message.key).y if said is not None and isinstance(said.message, Prepare) else None

    @property
    def caught(self) -> frozenset[Seat]:
        """Return the seats whose conviction led to an epoch that began."""
        return frozenset(seat for seat, hash in self.ledger.departures.counted if hash is None)

    @property
    def certified_height(self) -> int:
        """Return the height of our last certificate."""
        return _certified(self.now)

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
        message, store = signed.message, self.ledger.store
        if signed.table != self.table:
            raise BadMessage("a message for another table")
        if signed.seat >= self.size:
            raise BadMessage("a message from a seat that does not exist")
        if self.seed is None and not isinstance(message, (Seal, Nonce, Evidence, Goodbye)):
            return False  # it will be sent again
        is_new = self._own_place is None and self._own_seat is not None
        if self.seed is None and is_new and not isinstance(message, (Seal, Nonce)):
            return False  # we only read what was sealed long ago
        if isinstance(message, Without):
            return self._promised(signed)
        if isinstance(message, Goodbye):
            return self._left(signed)
        if isinstance(message, TakeSeat):
            return self._offered(signed)
        known = self.ledger.known(signed)
        if known is not None and known.data == signed.data:
            return False
        if not self._is_of_this_epoch(signed) and known is None and not isinstance(message, ACROSS_EPOCHS):
            return False
        if message.slot is None:
            if not store.is_newer(signed) or not self._is_wanted(signed):
                return False
            self.verify(signed)
            self._hear(signed)
            return True
        if known is not None:
            self.verify(signed)
            return self._said_twice(known, signed)
        if not self._is_of_use(signed):
            if getattr(message, "height", 0) > self.height and signed.seat not in self.ahead:
                self.verify(signed)
                self.ahead.add(signed.seat)
            return False
        self.verify(signed)
        if not store.add(signed):
            return False
        self._may_change |= isinstance(message, Closed)
        self._stir(message.kind)
        return True

    def _is_of_use(self, signed: Signed) -> bool:
        """Whether a message may be needed soon. A file may hold more: what was left over when a seat was convicted."""
        if self.own is None:
            return is_near(signed.message, self.now)
        return is_within_reach(signed.message, self.now, self.size)

    def _is_wanted(self, signed: Signed) -> bool:
        """Whether a message without a slot may have an effect: costs nothing, where checking its signature would."""
        message, seat = signed.message, signed.seat
        if isinstance(message, StateReport):
            return message.height == self.height and self._reported.get(seat) != self.height
        if isinstance(message, Evidence):
            return message.accused not in self.ledger.departures.convicted and self._idle[seat] < MAX_IDLE_EVIDENCE
        return True

    def _said_twice(self, known: Signed, signed: Signed) -> bool:
        """Take a second message for a slot; return whether it is of use: it convicts, or the others may count it."""
        seat = self._signer(signed)
        if known.payload == signed.payload:
            if seat not in self._signed_twice:
                self._signed_twice.add(seat)
                self.ledger.events.append(SignedTwice(seat))
            return False
        is_news = seat not in self.ledger.departures.convicted
        self.convict_of_two(known, signed)
        if signed.message.slot == ("vote", self.height) and self.ledger.departures.keep_version(self.height, signed):
            self._may_change = is_news = True
        return is_news

    def _is_of_this_epoch(self, signed: Signed) -> bool:
        """Whether a message belongs to the epoch that we follow. Raises BadMessage if it belongs to one that never was."""
        if (signed.epoch, signed.epoch_hash) == (self.epoch, self.epoch_hash):
            return True
        if self._is_of_no_epoch(signed):
            raise BadMessage("a message from another epoch")
        is_known = self.ledger.departures.epochs.get(signed.epoch) == signed.epoch_hash
        if not is_known and signed.seat not in self.ahead:
            self.verify(signed)
            self.ahead.add(signed.seat)
        return False

    def _is_of_no_epoch(self, signed: Signed) -> bool:
        """Whether a message belongs to an epoch that never was. Where nothing is certified yet in ours, the others may have
        begun another one."""
        sure = self._before[0].epoch.number if self._before else self.epoch
        return signed.epoch <= sure and self.ledger.departures.epochs.get(signed.epoch) != signed.epoch_hash

    def _promised(self, signed: Signed) -> bool:
        """Take a promise to go on in another epoch; return False if it is known or of no use now. Raises BadMessage."""
        departures = self.ledger.departures
        check_form(signed, self.size)
        message = without(signed)
        held = departures.withouts.get((message.number, signed.seat))
        if held is not None and held.payload == signed.payload:
            return False
        speaker = self.speaker(signed)
        if self._is_of_no_epoch(signed):
            raise BadMessage("a message from another epoch")
        if not self.epoch < message.number <= self.epoch + FURTHEST:
            return False
        if signed.seat not in self.present and not self._is_invited(signed):
            return False
        if (signed.epoch, signed.epoch_hash) == (self.epoch, self.epoch_hash) and message.base != self.present:
            raise BadMessage("this epoch had other seats")
        if held is None and departures.is_full(signed.seat):
            return False
        self.verify(signed)
        is_holder = speaker == self.key(signed.seat)
        if held is not None and (not is_holder or departures.speakers[message.number, signed.seat] != speaker):
            return False
        if held is not None:
            return self._said_twice(held, signed)
        concealed = departures.add(message.number, signed, speaker)
        if not departures.proves(message.out):
            self.ahead.add(signed.seat)
        if speaker == self.own:
            departures.promised = max(departures.promised, message.number)
        self._may_change = True
        if concealed is not None and is_holder:
            fault = BadMessage("a promise to go on without somebody conceals an earlier one")
            self._convict(Convicted(signed.seat, "concealed", fault, concealed, signed))
        return True

    def _is_invited(self, signed: Signed) -> bool:
        """Whether somebody who is present has promised the same, and so asks the signer to take the seat."""
        message = without(signed)
        return any(
            number == message.number and seat in message.stay and plan_of(each) == plan_of(signed)
            for (number, seat), each in self.ledger.departures.withouts.items()
        )

    def _offered(self, signed: Signed) -> bool:
        """Take an offer to sit in an empty seat; return False if it is known or of no use now. Raises BadMessage."""
        message = signed.message
        assert isinstance(message, TakeSeat)
        if self._is_of_no_epoch(signed):
            raise BadMessage("a message from another epoch")
        if (signed.epoch, signed.epoch_hash) != (self.epoch, self.epoch_hash) or signed.seat in self.present:
            return False
        name = signed.seat, message.key
        held = self.offers.get(name)
        if held is not None and isinstance(held.message, TakeSeat) and held.message.counter >= message.counter:
            return False
        check_added(((signed.seat, message.key, message.keeper, message.name, message.bot),), self.present, self.size)
        signed.verify(message.key)
        if held is None and len(self.offers) >= MAX_OFFERS and message.key != self.key(signed.seat):
            return False
        self.offers[name] = signed
        return True

    def _left(self, signed: Signed) -> bool:
        """Take a goodbye; return False if it is known or of no use now. Raises BadMessage."""
        departures = self.ledger.departures
        check_goodbye(signed, self.size)
        if any(signed.payload == held.payload for held in departures.goodbyes.values()):
            return False
        if self._is_of_no_epoch(signed):
            raise BadMessage("a message from another epoch")
        seat = self.verify(signed)
        if self.is_over:
            return False
        if not departures.keep_goodbye(seat, signed):
            self.convict_of_two(departures.goodbyes[seat], signed)
            return True
        self.ledger.events.append(SaidGoodbye(seat))
        is_own = self.key(seat) == self.own
        if self.seed is None or is_own or not self.quorum.can_go_on(self.present):
            self._break_off(Ending.GOODBYE, seat, "goodbye")
        self._may_change = True
        return True

    def verify(self, signed: Signed) -> Seat:
        """Check the signature, and return the seat that signed. Raises BadMessage.

        Seals and nonces name the signer by its place in the roster. Evidence and goodbyes may do so too, as they may be sent
        before the seats are drawn.
        """
        self.ledger.counts["signatures"] += 1
        place = self.roster.members[signed.seat]
        if not isinstance(signed.message, (Seal, Nonce)):
            try:
                signed.verify(self.speaker(signed))
            except BadMessage:
                if not isinstance(signed.message, (Evidence, Goodbye)):
                    raise
            else:
                return signed.seat
        signed.verify(place.key)
        seat = self.seating.index(signed.seat)
        if self.key(seat) != place.key:
            raise BadMessage("somebody else sits there now")
        return seat

    def is_past(self, signed: Signed) -> bool:
        """Whether a message with a slot belongs to an epoch before the one that we follow."""
        departures = self.ledger.departures
        is_known = departures.epochs.get(signed.epoch) == signed.epoch_hash
        if isinstance(signed.message, Without):
            return is_known and signed.message.number <= self.epoch
        return is_known and signed.epoch < self.epoch and signed.message.slot is not None

    def _hear(self, signed: Signed) -> None:
        message, store = signed.message, self.ledger.store
        match message:
            case Aside():
                if not store.is_repeated(signed):  # by a link or another seat
                    self.ledger.events.append(SaidAloud(signed.seat, message))
            case Ready():
                store.ready[signed.seat] = max(message.round, store.ready.get(signed.seat, 0))
            case StateReport():
                self._reported[signed.seat] = message.height
                self._compare(signed.seat, message)
            case Evidence():
                convicted = len(self.ledger.departures.convicted)
                self._idle[signed.seat] += 1
                self._weigh(message)
                self._idle[signed.seat] -= len(self.ledger.departures.convicted) > convicted
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
        if self.seed is None and any(not isinstance(each.message, Seal | Nonce) for each in inner):
            return  # those who say this have drawn the seats, and so shall we; it will be sent again
        seen: dict[tuple[int | None, Slot | None], Signed] = {}
        for each in inner:
            epoch = None if isinstance(each.message, Without | Goodbye) else each.epoch
            first = seen.setdefault((epoch, each.message.slot), each)
            if first.payload == each.payload:
                self.receive(each)
                continue
            for version in (first, each):
                is_known = self.ledger.departures.epochs.get(version.epoch) == version.epoch_hash
                if version.table != self.table or not (is_known or epoch is None):
                    raise BadMessage("evidence from another table or epoch")
                self.verify(version)
            self.convict_of_two(first, each)

    # --- the next phase ---

    def advance(self) -> bool:
        """Set the next phase; return False if a message or the result of a job is missing for it."""
        if self._may_change and self._change():
            return True
        while self._due and not self.is_held:
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

    # --- the next epoch ---

    @property
    def is_held(self) -> bool:
        """Whether nothing of this epoch counts any more: we have signed for another, or somebody present was convicted. Not
        while we only catch up with where the next one begins, and no promise binds us once we are left out."""
        return self.is_bound and not self._is_following

    @property
    def is_bound(self) -> bool:
        """Whether nothing may be signed in this epoch any more: as `is_held`, but also while we catch up."""
        departures = self.ledger.departures
        has_promised = departures.promised > self.epoch and self.is_seated
        return (has_promised or not departures.convicted.keys().isdisjoint(self.present)) and not self.is_over

    def _follow(self, start: Start) -> None:
        """Go on in this epoch as far as to where another one begins."""
        ledger = self.ledger
        if start.base != self.epoch:
            ledger.last_height = None
        elif not self._is_following:
            ledger.last_height = start.height if self.is_bound else None
        elif ledger.last_height is not None:
            ledger.last_height = max(ledger.last_height, start.height)
        self._is_following = True

    def _change(self) -> bool:
        """Begin the next epoch, if all its seats have promised it and we hold its start, and the proofs against those whom it
        counts as out for good. Return whether it began.

        Whether it may begin is judged by its promises alone, so that all come to the same result.
        """
        self._may_change = self._is_following = False
        self.ledger.last_height = None
        if self.seed is None or self.is_over:
            return False
        sets = complete(self.ledger.departures.withouts, self.epoch)
        awaited: list[tuple[Start, list[Signed]]] = []
        """Those whose way there we do not know yet, with where they begin."""
        for signed in sets:
            if any(_excludes(later, theirs, signed) for later, theirs in awaited):
                continue
            start = start_of(signed)
            if (torn := torn_epoch(signed)) is not None:
                if torn == self.epoch and self._before:
                    self._return_to(len(self._before) - 1)
                    return True
                awaited.append((Start(torn - 1, b"", 0, b""), signed))
            if start is None:
                continue
            if start.base < self.epoch or (start.base == self.epoch and start.base_hash != self.epoch_hash):
                if self._give_up(start, signed):
                    return True
                continue
            step: Sequence[Signed] | None = signed
            if start.base > self.epoch:
                step = step_towards(start, self.table, self.match.epoch, sets)
            if step is None:
                awaited.append((start, signed))
                self._follow(start)
            elif (found := self._enter(list(step))) is not None:
                return found
        if self._has_ended_elsewhere():
            self._is_following = True  # its last votes count: no epoch begins with that seat below them
        elif self.is_bound and not self._is_following and self._has_other_accusers():
            self._is_following = True
            self.ledger.last_height = self.certified_height  # we only check, and certify nothing
        return False

    def _has_other_accusers(self) -> bool:
        """Whether somebody whom we have not convicted names a cheat whom we have not either: we may hold the proof, unchecked."""
        departures = self.ledger.departures
        return any(
            seat not in departures.convicted
            and not departures.proves(each for each in without(signed).out if each[1] is None)
            for (_, seat), signed in departures.withouts.items()
        )

    def _has_ended_elsewhere(self) -> bool:
        """Whether a seat that is in all epochs for which we have signed says that the match is over in this one."""
        if self.own is None or self.own_seat is None:
            return False
        store, promises = self.ledger.store, self.ledger.departures.of(self.own_seat, self.own)
        seats = set(self.present).intersection(*(plan_of(each).stay for each in promises)) - {self.own_seat}
        return any(store.get(seat, self.epoch, "closed") is not None for seat in seats)

    def _enter(self, signed: list[Signed]) -> bool | None:
        """Begin the epoch of these promises, which follows ours. Return whether it began; None if another one may begin."""
        start = start_of(signed)
        if start is None:
            return None
        if not self.ledger.departures.proves(out_of(signed)):
            self._follow(start)
            return None
        if not self._is_allowed(signed, self.match, self.ledger.departures.gone):
            return None
        found = self._moment(start)
        if found is None:
            self._follow(start)
            return False  # somebody of each lower one has signed for this one, and does nothing more there
        if without(signed[0]).added and not isinstance(found.now, Between):
            return None
        self._begin(signed, start, found)
        return True

    def _give_up(self, start: Start, signed: list[Signed]) -> bool:
        """Give up epochs in which nothing is certified, if somebody of them has gone on with others from an earlier one, or from
        another one. Return whether we did.

        Whoever did so never votes in them.
        """
        known = [i for i, each in enumerate(self._before) if each.epoch.hash == start.base_hash]
        older = [i for i, each in enumerate(self._before) if each.epoch.number < start.base]
        index = next(iter(known or older[-1:]), None)
        if index is None or not set(without(signed[0]).stay) & set(self.present):
            return False
        before = self._before[index]
        if known:
            if not self.ledger.departures.proves(out_of(signed)):
                return False
            if not self._is_allowed(signed, before.moment.now.match, before.departures.gone):
                return False
        self._return_to(index)
        return True

    def _return_to(self, index: int) -> None:
        """Return to one of the epochs before this one; drop whatever came after it."""
        before, ledger = self._before[index], self.ledger
        del self._before[index:]
        moment = before.moment
        ledger.cut(moment.written, moment.heights, moment.block, moment.kept)
        ledger.begin_epoch()
        ledger.store.restore(before.store)
        ledger.kept.update(moment.kept)
        ledger.departures.restore(before.departures)
        self.newcomers, self.replaced = dict(before.newcomers), list(before.replaced)
        self.offers.clear()
        self.ahead.clear()
        self.certificates = dict(before.certificates)
        self._set(moment.now)
        for phase, kind in HANDLERS:
            if phase is type(self.now):
                self._stir(kind)
        self._may_change = True

    def _is_allowed(self, signed: list[Signed], match: Match, gone: frozenset[bytes]) -> bool:
        """Whether the epoch of these promises, whose proofs we hold, may follow the epoch of this match. `gone`: the keys that
        were out for good before."""
        out = out_of(signed)
        quorum = self.ledger.departures.quorum(self._keepers(match), out)
        is_enough = quorum.allows(attempt_of(signed[0]), match.epoch.attempt, attempts_of(signed))
        return is_enough and self._may_join(without(signed[0]).added, out, match, gone)

    def _keepers(self, match: Match) -> tuple[bytes, ...]:
        members = (member_of(self.ledger, match, seat) for seat in range(self.size))
        return tuple(member.keeper if member.bot else member.key for member in members)

    def may_join(self, added: Iterable[Added], out: Iterable[Out]) -> bool:
        """Whether these may take empty seats where these others are out for good."""
        return self._may_join(added, out, self.match, self.ledger.departures.gone)

    def _may_join(self, added: Iterable[Added], out: Iterable[Out], match: Match, gone: frozenset[bytes]) -> bool:
        present = {seat: member_of(self.ledger, match, seat) for seat in match.epoch.present}
        try:
            check_sitters(sitters_of(added), present, gone | self._keys(out, match))
        except BadMessage:
            return False
        return True

    def _keys(self, out: Iterable[Out], match: Match) -> frozenset[bytes]:
        """Return the keys of these seats, and of their keepers."""
        members = [member_of(self.ledger, match, seat) for seat, _ in out]
        return frozenset(key for member in members for key in (member.key, member.keeper))

    def _moment(self, start: Start) -> Checkpoint | None:
        """Return the moment at which an epoch begins, or None while we do not hold it."""
        if not start.certificate:
            below = (each for each in self.certificates.values() if _certified(each.now) == start.height)
            return next(below, None)
        if start.closing is None:
            if start.certificate not in self.certificates and start.height == self.height:
                self._count_as(start.certificate)
            return self.certificates.get(start.certificate)
        now = self.now
        if self.previous != start.certificate:
            return None
        if isinstance(now, Closing):
            expected = closing_hash(now, self.ledger)
        elif isinstance(now, Between) and self.is_waiting_for_players:
            expected = short_hash(now)
        else:
            return None
        return self.checkpoint() if expected == start.closing else None

    def _count_as(self, certificate: bytes) -> None:
        """Count those versions of the open height's votes that make this certificate, if we hold them.

        A seat that sends different votes to different seats is left out, but the others may have counted another of its votes
        than we, and have acted on it.
        """
        store, others = self.ledger.store, self.ledger.departures.versions
        votes = {seat: ballot.vote_of(self.match, store, seat) for seat in self.present}
        choices = [
            [each for each in (vote, *others.get((seat, self.height), ())) if each and ballot.stands(self.match, each)]
            for seat, vote in votes.items()
        ]
        for chosen in islice(product(*choices), MAX_COMBINATIONS):
            if ballot.certificate_hash(self.table, self.match, chosen) != certificate:
                continue
            changed = {each.seat for each in chosen if each is not votes[each.seat]}
            if not changed:
                return
            for each in chosen:
                store.said[each.seat, each.epoch, ("vote", self.height)] = each
            names = {("proposal", self.height, seat) for seat in changed}
            self.ledger.desk.drop(names.__contains__)
            if isinstance(self.now, Playing):
                kept = {seat: entry for seat, entry in self.now.proposed.items() if seat not in changed}
                self._set(replace(self.now, proposed=kept))
            self._stir("vote")
            return

    def _begin(self, signed: list[Signed], start: Start, moment: Checkpoint) -> None:
        """Begin an epoch at this moment. A round that is under way is void."""
        ledger, departures, before = self.ledger, self.ledger.departures, self.match.epoch
        epoch = next_epoch(self.table, signed, before)
        left = [seat for seat in before.present if seat not in epoch.present]
        is_dropped = start.closing is None and self.certified_height > start.height
        out = out_of(signed)
        match = moment.now.match
        now: Now = replace(moment.now, match=replace(match, departed=departed(match.departed, out)))
        if isinstance(now, Closing) and start.closing is not None:
            now = adopted(now, epoch.present, ledger)
        elif isinstance(now, Between) and start.closing is not None:
            now = between.adopted(now, epoch.present, ledger)
        else:
            ledger.cut(moment.written, moment.heights, moment.block, moment.kept)
        self._remember(moment)
        block, ledger.block = ledger.block, []
        evidence, parting = self._proofs(out)
        if evidence:
            ledger.keep_evidence(evidence)
            ledger.keep_rest()
        for index, each in enumerate((*parting, *signed)):
            ledger.keep((LAST + 2, index), each)
        after, ledger.block = ledger.block, block
        if block:
            ledger.emit(now.match.height)
        causes = {seat: self._cause(seat, now.match.departed) for seat in left}
        departures.gone |= self._keys(out, self.match)
        taken = [seat for seat in epoch.sitters if epoch.sitters[seat].key != self.key(seat)]
        self.fruitless += epoch.present == before.present and not taken
        self.replaced += [Replaced(seat, self.member(seat), now.match.departed.get(seat)) for seat in taken]
        following = begun(now, epoch, left, ledger, is_sure=bool(start.certificate))
        ledger.block = after
        departures.marks[epoch.number] = len(ledger.transcript)
        ledger.emit(following.match.height)
        ledger.begin_epoch()
        departures.begin(epoch, out, taken)
        self.newcomers |= {epoch.sitters[seat].key: seat for seat in taken}
        self.offers.clear()
        for seat in taken:
            self.hints.pop(seat, None)
        joined = {seat: seat not in taken for seat in epoch.present if seat not in before.present}
        stand_in = following.of if isinstance(following, Recovering) else None
        void = now.round.number if isinstance(now, Settling) and isinstance(following, Between) else None
        ledger.events.append(EpochBegan(epoch.number, epoch.present, causes, void, is_dropped, stand_in, joined))
        self.ahead.clear()
        self.certificates.clear()
        self._set(following)
        self._may_change = True

    def _remember(self, moment: Checkpoint) -> None:
        """Keep what this epoch is while the next one begins at this moment. A file holds only what came of it."""
        if self.own is None:
            return
        certificates = {key: each for key, each in self.certificates.items() if each.written <= moment.written}
        store, departures = self.ledger.store.saved(), self.ledger.departures.saved()
        before = Before(
            self.match.epoch, moment, certificates, store, departures, dict(self.newcomers), tuple(self.replaced)
        )
        self._before = [*self._before, before][-MAX_BEFORE:]

    def _proofs(self, out: Iterable[Out]) -> tuple[tuple[Signed, ...], tuple[Signed, ...]]:
        """Return what proves that these seats are out for good, as far as the transcript does not say so yet: the messages that
        convict, and the goodbyes, by seat."""
        departures = self.ledger.departures
        new = sorted({*out} - departures.counted, key=lambda each: (each[0], each[1] or b""))
        evidence = tuple(each for seat, hash in new if hash is None for each in departures.evidence[seat])
        parting = (departures.goodbye(hash) for _, hash in new if hash is not None)
        return evidence, tuple(each for each in parting if each not in evidence)

    def _cause(self, seat: Seat, departed: Mapping[Seat, Departure]) -> Cause:
        """Return why the others go on without a seat: also for what another seat of its keeper did."""
        reasons = {departed.get(each) for each in self.quorum.with_company([seat])}
        if Departure.CONVICTED in reasons:
            return Cause.CONVICTED
        return Cause.GOODBYE if Departure.LEFT in reasons else Cause.VOTE

    def _stir(self, kind: str) -> None:
        """Schedule the handler for a kind of message or job of which there is a new one."""
        handler = HANDLERS.get((type(self.now), kind))
        if handler is not None and handler not in self._due:
            self._due.insert(0 if handler is prepare else len(self._due), handler)

    # --- the end of it ---

    def convict_of_two(self, first: Signed, second: Signed) -> None:
        """Convict a seat of signing two versions of one message."""
        fault = BadMessage("two different signed versions of the same message")
        self._convict(Convicted(self._signer(first), TWO_VERSIONS, fault, first, second))

    def _signer(self, signed: Signed) -> Seat:
        """Return the seat of who signed a message with a slot: seals and nonces name the place in the roster."""
        return self.seating.index(signed.seat) if isinstance(signed.message, (Seal, Nonce)) else signed.seat

    def _convict(self, found: Convicted) -> None:
        """Count a seat no more because it was caught. The match ends if too few are left; the transcript holds the evidence."""
        departures = self.ledger.departures
        if self.is_over or found.seat in departures.convicted:
            return
        for each in (found, *found.others):
            accused = _accusation(each)
            self.ledger.events.append(accused)
            departures.convicted[each.seat], departures.evidence[each.seat] = accused, each.evidence
        self._may_change = True
        # Of two nonces, somebody may hold the wrong one, and never see the seats drawn: then nobody can vote for the first round.
        is_about_seats = any(isinstance(each.message, Seal | Nonce) for each in found.evidence)
        is_unsealed = self.seed is None or (is_about_seats and self.certified_height == 0)
        if is_unsealed or not self.quorum.can_go_on(self.present):
            self.ledger.keep_evidence(tuple(signed for each in (found, *found.others) for signed in each.evidence))
            self._break_off(Ending.CHEAT, found.seat, found.what, departures.convicted[found.seat])

    def _break_off(self, ending: Ending, seat: Seat, what: str, accused: Accused | None = None) -> None:
        """End the match early. The messages of the open height go into the transcript, because evidence may depend on them.

        All who are out for good count now, also those whom no promise has named yet.
        """
        match = self.match
        match = replace(match, departed=departed(match.departed, self.ledger.departures.out))
        self.ledger.open_transcript()
        self.ledger.keep_rest()
        written = set(self.ledger.transcript)
        for index, each in enumerate(self.ledger.departures.said()):
            if each.data not in written:
                self.ledger.keep((LAST + 2, index), each)
        self.ledger.emit(self.height)
        self._set(Broken(match, self.round, ending, seat, what, accused))


def _accusation(found: Convicted) -> Accused:
    return Accused(found.seat, found.what, found.reason, tuple(signed.data for signed in found.evidence))


def _certified(now: Now) -> int:
    """Return the height of the last certificate."""
    return now.match.height - (not isinstance(now, Settling | Over))


def _excludes(start: Start, later: list[Signed], signed: list[Signed]) -> bool:
    """Whether nothing comes of an epoch because of a later one that begins at this start: it is not on the way there, and
    somebody has signed for both."""
    number = without(signed[0]).number
    return number > start.base and bool(set(without(later[0]).stay) & set(plan_of(signed[0]).seats))
