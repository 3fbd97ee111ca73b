"""Take the signed messages of a match, in any order, and keep the first for each seat, epoch and slot.

Two different messages for one slot convict their seat. What a message cannot lead to is not kept, and its signature not even
checked where that is known before. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections import Counter

from protocol.cards import Seat
from protocol.errors import BadMessage
from protocol.messages import (
    Aside,
    Closed,
    Evidence,
    Goodbye,
    Hints,
    Nonce,
    Ready,
    Seal,
    Slot,
    StateReport,
    TakeSeat,
    WishOn,
    Without,
)
from protocol.signed import Signed, decode_signed
from protocol.table.canonical import differing
from protocol.table.course import Course, LeftAlone
from protocol.table.denials import denied_by, denier_of
from protocol.table.departures import CONCEALED
from protocol.table.epochs import FURTHEST, check_form, check_goodbye, plan_of, without
from protocol.table.events import Differs, SaidGoodbye, SeatWanted, SignedTwice
from protocol.table.events import Said as SaidAloud
from protocol.table.ledger import Convicted
from protocol.table.phases.values import Confirming, Ending, key_of
from protocol.table.reach import is_near, is_within_reach
from protocol.table.sitters import check_added, keeper_of
from protocol.wire import unpack

MAX_DIFFERENCES = 20
ACROSS_EPOCHS = (Seal, Nonce, Aside, Evidence, Hints)
"""What counts whatever the epoch is."""
MAX_IDLE_EVIDENCE = 16
"""So often evidence of one seat may convict nobody; then no more is read. Honest evidence convicts, but for bad luck."""


class Inbox:
    """Takes the messages of one match."""

    def __init__(self, course: Course) -> None:
        self._course = course
        self._reported: dict[Seat, int] = {}
        """The height of the last state that each seat reported."""
        self._idle: Counter[Seat] = Counter()
        """How often each seat sent evidence that convicted nobody."""
        self._signed_twice: set[Seat] = set()

    def receive(self, signed: Signed) -> bool:
        """Take a message; return False if it is known or of no use now.

        Raises BadMessage, which accuses nobody: the peer that passed these bytes on may not have made them.
        """
        course = self._course
        message, store = signed.message, course.ledger.store
        if signed.table != course.table:
            raise BadMessage("a message for another table")
        if signed.seat >= course.size:
            raise BadMessage("a message from a seat that does not exist")
        if course.seed is None and not isinstance(message, (Seal, Nonce, Evidence, Goodbye)):
            course.drew_before.add(signed.seat)  # it will be asked for as soon as the seats are drawn
            return False
        if course.seed is None and course.is_newcomer and not isinstance(message, (Seal, Nonce)):
            return False  # we only read what was sealed long ago
        if isinstance(message, Without):
            return self._promised(signed)
        if isinstance(message, Goodbye):
            return self._left(signed)
        if isinstance(message, TakeSeat):
            return self._offered(signed)
        epoch = signed.epoch, signed.epoch_hash
        if isinstance(message, Seal | Nonce) and epoch != (0, course.ledger.departures.epochs.get(0)):
            raise BadMessage("a message from another epoch")  # tables are sealed in the first one
        if isinstance(message, Closed) and self._is_of_an_end_before(signed, message.slot):
            return True
        known = course.ledger.known(signed)
        if known is not None and known.epoch_hash != signed.epoch_hash:
            known = None  # of another epoch of that number: it has begun twice, which is no fault of who speaks in both
        if known is not None and known.data == signed.data:
            return False
        if epoch != (course.epoch, course.epoch_hash):
            if known is None and self._is_denied(signed):
                return True
            self._look_at_epoch(signed)
            if known is None and not isinstance(message, ACROSS_EPOCHS):
                return False
        if isinstance(message, Closed) and (known is not None or not self._may_confirm(message)):
            return False
        if message.slot is None:
            if not store.is_newer(signed) or not self._is_wanted(signed):
                return False
            course.verify(signed)
            self._hear(signed)
            return True
        if known is not None:
            course.verify(signed)
            return self._said_twice(known, signed)
        if not self._is_of_use(signed):
            if getattr(message, "height", 0) > course.height:
                self._note_ahead(signed)
            return False
        course.verify(signed)
        if not store.add(signed):
            return False
        course.may_change |= isinstance(message, Closed)
        course.stir(message.kind)
        self._is_denied(signed)
        return True

    def _is_denied(self, signed: Signed) -> bool:
        """Whether a promise of the same player that we hold denies this message: both together convict it, in whatever epoch it
        was said, and whether or not that began."""
        course = self._course
        key = course.key(signed.seat)
        if signed.seat in course.ledger.departures.convicted:
            return False
        if (promise := denier_of(signed, key, course.ledger)) is None:
            return False
        signed.verify(key)
        self._convict_of_denying(promise, signed)
        return True

    def _convict_of_denying(self, promise: Signed, said: Signed) -> None:
        fault = BadMessage("a promise to play on without somebody denies what the same player has said before")
        self._course.convict(Convicted(promise.seat, CONCEALED, fault, promise, said))

    def _is_of_an_end_before(self, signed: Signed, slot: Slot) -> bool:
        """Keep a `closed` of an epoch before this one that began with the end. Return whether it was one, and new."""
        course = self._course
        for each in course.before:
            now, place = each.moment.now, (signed.seat, signed.epoch, slot)
            is_ours = isinstance(now, Confirming) and signed.message == Closed(now.match.previous)
            if is_ours and each.epoch.hash == signed.epoch_hash and place not in each.store.said:
                signed.verify(key_of(course.ledger, now.match, signed.seat))
                each.store.said[place] = signed
                return True
        return False

    def _may_confirm(self, message: Closed) -> bool:
        """Whether a `closed` may mean the end that we know. It binds nobody, so it convicts nobody: it is in a file only where it
        confirms the end, and there could not show two versions."""
        course = self._course
        return not isinstance(course.now, Confirming) or message.certificate == course.previous

    def _is_of_use(self, signed: Signed) -> bool:
        """Whether a message may be needed soon. A file may hold more: what was left over when a seat was convicted."""
        course = self._course
        if course.own is None:
            return is_near(signed.message, course.now)
        return is_within_reach(signed.message, course.now, course.size)

    def _is_wanted(self, signed: Signed) -> bool:
        """Whether a message without a slot may have an effect: costs nothing, where checking its signature would."""
        course = self._course
        message, seat = signed.message, signed.seat
        if isinstance(message, StateReport):
            return message.height == course.height and self._reported.get(seat) != course.height
        if isinstance(message, Evidence):
            # Evidence against a cheat that we know costs too much to read it. A file's is read: who it names means nothing there.
            is_known = course.own is not None and message.accused in course.ledger.departures.convicted
            # What is wrong with the drawing of seats ends a match that has not begun, whatever else has convicted somebody.
            return self._idle[seat] < MAX_IDLE_EVIDENCE and (not is_known or course.certified_height == 0)
        return True

    def _said_twice(self, known: Signed, signed: Signed) -> bool:
        """Take a second message for a slot; return whether it is of use: it convicts, or the others may count it."""
        course = self._course
        seat = course.signer(signed)
        if known.payload == signed.payload:
            if seat not in self._signed_twice:
                self._signed_twice.add(seat)
                course.ledger.events.append(SignedTwice(seat))
            return False
        is_news = seat not in course.ledger.departures.convicted
        course.convict_of_two(known, signed)
        if signed.message.slot == ("vote", course.height) and course.ledger.departures.keep_version(
            course.height, signed
        ):
            course.may_change = is_news = True
        # Who only reads goes back on no epoch.
        is_promise = isinstance(signed.message, Without) and course.own is not None
        if is_promise and course.ledger.departures.keep_other(without(signed).number, signed):
            course.may_change = is_news = True
            course.heard += 1
        return is_news

    def _look_at_epoch(self, signed: Signed) -> None:
        """Note whose message is of an epoch that we do not know yet. Raises BadMessage if it is of one that never was."""
        if self._is_of_no_epoch(signed):
            raise BadMessage("a message from another epoch")
        if self._course.ledger.departures.epochs.get(signed.epoch) != signed.epoch_hash:
            self._note_ahead(signed)

    def _note_ahead(self, signed: Signed) -> None:
        """Note that a seat speaks of what we do not know yet."""
        course, height = self._course, getattr(signed.message, "height", 0)
        keeper = keeper_of(course.member(signed.seat))
        if signed.seat in course.ahead and height <= course.claims.get(keeper, 0):
            return
        course.verify(signed)
        course.ahead.add(signed.seat)
        course.claims[keeper] = max(course.claims.get(keeper, 0), height)

    def _is_of_no_epoch(self, signed: Signed) -> bool:
        """Whether a message belongs to an epoch that never was. Where nothing is certified yet in ours, the others may have
        begun another one."""
        course = self._course
        sure = course.before[0].epoch.number if course.before else course.epoch
        return signed.epoch <= sure and course.ledger.departures.epochs.get(signed.epoch) != signed.epoch_hash

    def _promised(self, signed: Signed) -> bool:
        """Take a promise to go on in another epoch; return False if it is known or of no use now. Raises BadMessage."""
        course = self._course
        departures = course.ledger.departures
        check_form(signed, course.size)
        message = without(signed)
        held = departures.withouts.get((message.number, signed.seat))
        if held is not None and held.payload == signed.payload:
            return False
        speaker = course.speaker(signed)
        if not course.epoch < message.number <= course.epoch + FURTHEST:
            return message.number <= course.epoch and (self._is_denying(signed) or self._is_other_than_written(signed))
        if signed.seat not in course.present and not self._is_invited(signed):
            return False
        if (signed.epoch, signed.epoch_hash) == (course.epoch, course.epoch_hash) and message.base != course.present:
            raise BadMessage("this epoch had other seats")
        holder = course.key(signed.seat)
        is_holder = speaker == holder
        is_of_another = held is not None and departures.speakers[message.number, signed.seat] != holder
        if is_holder and is_of_another and signed.seat in course.present:
            held = None  # anybody can name themselves as who would sit there: that is not in the way of who does
        if held is None and departures.is_full(signed.seat, holder, is_holder):
            return False
        course.verify(signed)
        if held is not None and not is_holder and held.seat in without(held).stay and held.seat not in course.present:
            # From the seat's former player, who was left out: nothing comes of it, and it must not be in the newcomer's way.
            held = None
        if held is not None and (not is_holder or departures.speakers[message.number, signed.seat] != speaker):
            return False
        if held is not None:
            return self._said_twice(held, signed)
        concealed = departures.add(message.number, signed, speaker)
        if not departures.proves(message.out):
            course.ahead.add(signed.seat)
        if speaker == course.own:
            departures.promised = max(departures.promised, message.number)
        course.may_change = True
        course.heard += 1
        if concealed is not None and is_holder:
            fault = BadMessage("a promise to play on without somebody hides an earlier one")
            course.convict(Convicted(signed.seat, CONCEALED, fault, concealed, signed))
        self._is_denying(signed)
        return True

    def _is_denying(self, promise: Signed) -> bool:
        """Whether a promise denies what the same player has said, as far as we hold it: both together convict it."""
        course = self._course
        key = course.key(promise.seat)
        if promise.seat in course.ledger.departures.convicted or course.speaker(promise) != key:
            return False
        said = denied_by(promise, key, course.ledger)
        if said is None:
            return False
        promise.verify(key)
        self._convict_of_denying(promise, said)
        return True

    def _is_other_than_written(self, promise: Signed) -> bool:
        """Whether a promise is another version of one with which an epoch began here: with this it may have begun elsewhere, and
        whoever is there and we miss each other. Both are evidence, as if somebody had sent it. (Whoever reads a file takes them
        as such.)"""
        course = self._course
        key, number = course.key(promise.seat), without(promise).number
        if course.own is None or promise.seat in course.ledger.departures.convicted or course.speaker(promise) != key:
            return False
        written = (each for each in course.ledger.promises.get(promise.seat, ()) if without(each).number == number)
        other = next((each for each in written if each.payload != promise.payload and each.is_by(key)), None)
        if other is None:
            return False
        promise.verify(key)
        course.convict_of_two(other, promise)
        return True

    def _is_invited(self, signed: Signed) -> bool:
        """Whether somebody who is present has promised the same, and so asks the signer to take the seat."""
        message = without(signed)
        return any(
            number == message.number and seat in message.stay and plan_of(each) == plan_of(signed)
            for (number, seat), each in self._course.ledger.departures.withouts.items()
        )

    def _offered(self, signed: Signed) -> bool:
        """Take an offer to sit in a seat that is empty, or in which a bot makes room for a person; return False if it is known or
        of no use now. Raises BadMessage."""
        course = self._course
        message = signed.message
        assert isinstance(message, TakeSeat)
        if self._is_of_no_epoch(signed):
            raise BadMessage("a message from another epoch")
        if (signed.epoch, signed.epoch_hash) != (course.epoch, course.epoch_hash):
            return False
        if signed.seat in course.present and (message.bot or not course.gives_way(signed.seat)):
            return False
        if message.key not in course.welcome and message.key != course.key(signed.seat):
            return False  # anybody can make up keys
        if not course.is_as_shown(signed.seat, message.key, message.name, message.bot):
            return False
        held = next((each for (_seat, key), each in course.offers.items() if key == message.key), None)
        if held is not None and isinstance(held.message, TakeSeat) and held.message.counter >= message.counter:
            return False
        check_added(((signed.seat, message.key, message.keeper, message.name, message.bot),), (), course.size)
        signed.verify(message.key)
        if held is not None and held.seat != signed.seat:
            del course.offers[held.seat, message.key]
        course.offers[signed.seat, message.key] = signed  # who offered it first stays the first
        if held is None and signed.seat in course.present:
            course.ledger.events.append(SeatWanted(signed.seat, message.key, message.name))
        return True

    def _left(self, signed: Signed) -> bool:
        """Take a goodbye; return False if it is known or of no use now. Raises BadMessage."""
        course = self._course
        departures = course.ledger.departures
        check_goodbye(signed, course.size)
        held = [seat for seat, each in departures.goodbyes.items() if each.payload == signed.payload]
        if held and course.verify(signed) in held:
            return False  # another seat may have said the same, by the number of its place in the roster
        seat = course.verify(signed)
        if course.is_over:
            return False
        if not departures.keep_goodbye(seat, signed):
            course.convict_of_two(departures.goodbyes[seat], signed, seat)
            return True
        course.ledger.events.append(SaidGoodbye(seat))
        is_own = course.key(seat) == course.own
        left = LeftAlone(Ending.GOODBYE, seat, "goodbye")
        if course.seed is None or is_own:
            course.break_off(left)
        elif not course.quorum.can_go_on(course.present):
            course.leave_alone(left)
        course.may_change = True
        course.heard += 1
        return True

    def _hear(self, signed: Signed) -> None:
        course = self._course
        message, store = signed.message, course.ledger.store
        match message:
            case Aside():
                if not store.is_repeated(signed):  # by a link or another seat
                    course.ledger.events.append(SaidAloud(signed.seat, message, signed.data))
            case Ready():
                store.ready[signed.seat] = max(message.round, store.ready.get(signed.seat, 0))
            case StateReport():
                self._reported[signed.seat] = message.height
                self._compare(signed.seat, message)
            case Evidence():
                convicted = len(course.ledger.departures.convicted)
                self._idle[signed.seat] += 1
                self._weigh(message)
                self._idle[signed.seat] -= len(course.ledger.departures.convicted) > convicted
            case WishOn():
                store.wishes[signed.seat, message.awaited] = signed
            case Hints():
                store.hints[signed.seat] = signed

    def _compare(self, seat: Seat, report: StateReport) -> None:
        """Report the fields in which another computer's state differs from ours."""
        course = self._course
        if report.height == course.height and course.state_bytes:
            fields = differing(unpack(course.state_bytes), unpack(report.state))
            if fields:
                course.ledger.events.append(Differs(seat, course.height, tuple(fields[:MAX_DIFFERENCES])))

    def _weigh(self, evidence: Evidence) -> None:
        """Take the accused seat's own messages, until they convict it here as they did elsewhere, or have no effect.

        Two versions of a message convict at any height, because the seat that found them may have been behind.
        """
        course = self._course
        inner = [decode_signed(data) for data in evidence.messages]
        is_binding = all(each.message.slot is not None and not isinstance(each.message, Closed) for each in inner)
        if len({each.seat for each in inner}) != 1 or not is_binding:
            raise BadMessage("evidence holds messages of several seats, or some that bind nobody")
        if course.seed is None and any(not isinstance(each.message, Seal | Nonce) for each in inner):
            return  # those who say this have drawn the seats, and so shall we; it will be sent again
        seen: dict[tuple[int | None, Slot | None], Signed] = {}
        convicted = len(course.ledger.departures.convicted)
        for each in inner:
            if len(course.ledger.departures.convicted) > convicted:
                return
            epoch = None if isinstance(each.message, Without | Goodbye) else each.epoch
            first = seen.setdefault((epoch, each.message.slot), each)
            if first.payload == each.payload:
                self.receive(each)
                continue
            signers = set[Seat]()
            for version in (first, each):
                is_known = course.ledger.departures.epochs.get(version.epoch) == version.epoch_hash
                if version.table != course.table or not (is_known or epoch is None):
                    raise BadMessage("evidence from another table or epoch")
                signers.add(course.verify(version))
            if len(signers) > 1 or not (course.is_by_sitter(first) and course.is_by_sitter(each)):
                raise BadMessage("evidence holds messages of several seats, or some that bind nobody")
            course.convict_of_two(first, each, signers.pop())
            return
