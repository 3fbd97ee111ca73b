"""The public side of a table, as any onlooker can follow it: what was said, and how far the match is.

A record takes signed messages in any order and keeps, for each seat and slot, the first; the same slot said twice with
different values convicts its seat. What the messages lead to is worked out by `preparation`, `ballot` and `settlement`, which
pull what they need from here by name, so that an early, late or repeated message makes no difference. A record knows no
secrets: a player's table, a watcher and the verifier of a file all run on the same one. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from protocol.cards import Seat
from protocol.dealing.context import Context
from protocol.errors import BadMessage, FairdealError
from protocol.games.game import AnyGame
from protocol.messages import (
    LATER,
    Chat,
    Closed,
    Echo,
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
    present_hash,
)
from protocol.signed import Signed, decode_signed
from protocol.table.canonical import differing
from protocol.table.events import Accused, Differs, Emoted, Event, Said, SaidGoodbye
from protocol.table.roster import Member, Roster
from protocol.table.round import Round, Settling
from protocol.table.work import Job, Result, Rng
from protocol.wire import pack, unpack

MAX_HELD_BYTES = 8 << 20
"""What one seat may have said that is not used yet; beyond it messages are dropped and asked for again."""

MAX_DIFFERENCES = 20
MAX_HEARD = 256
"""So many of a seat's last chats and emotes are known again when they are repeated."""
LAST = 1 << 20
"""Behind everything else of a height."""


class Phase(Enum):
    """How far a match is."""

    SEALING = "sealing"
    BETWEEN = "between"
    PLAYING = "playing"
    SETTLING = "settling"
    CLOSING = "closing"
    OVER = "over"
    BROKEN = "broken"


class Ending(Enum):
    """Why a match was broken off."""

    CHEAT = "cheat"
    GOODBYE = "goodbye"


@dataclass(frozen=True, slots=True)
class Broken:
    """How the match ended before its end, and by whom."""

    ending: Ending
    seat: Seat
    what: str


class Record:
    """One match as its public messages tell it. `rng` gives verifiers the random weights of their batches."""

    def __init__(self, roster: Roster, game: AnyGame, rng: Rng) -> None:
        self.roster = roster
        self.game = game
        self.rng = rng
        self.table = roster.table_id
        self.size = len(roster.members)
        self.phase = Phase.SEALING
        self.seed: bytes | None = None
        self.words: tuple[str, ...] = ()
        self.seating: tuple[int, ...] = tuple(range(self.size))
        self.epoch = 0
        self.present: tuple[Seat, ...] = tuple(range(self.size))
        self.present_hash = present_hash(0, self.present)
        self.height = 1
        self.previous = self.table
        self.state: Any = None
        self.scores: tuple[int, ...] = (0,) * len(game.teams)
        self.points: list[tuple[int, ...]] = []
        """What each round that was scored brought to each team."""
        self.dealer: Seat = 0
        self.round: Round | None = None
        self.preparing: Round | None = None
        self.settling: Settling | None = None
        self.entries: dict[Seat, Any] = {}
        """Proposals of the open height that were read: `ballot.Entry` by author."""
        self.is_split = False
        self.broken: Broken | None = None
        self.accused: Accused | None = None
        """Who was caught, with the evidence: it is shown to whoever asks."""
        self.quarrel: set[Seat] = set()
        """Seats whose word differs from ours where all must say the same: each is shown what we hold."""
        self.state_bytes = self.state_hash = b""
        self.breaches: tuple[Any, ...] = ()
        self.closing: Any = None
        self.rounds_closed = 0
        self.said: dict[tuple[Seat, Slot], Signed] = {}
        self.held_bytes = [0] * self.size
        self.events: list[Event] = []
        self.jobs: list[Job] = []
        self.transcript: list[bytes] = []
        self.marks: list[tuple[int, int]] = []
        """Where in the transcript each height's messages begin: (height, index)."""
        self.ready: dict[Seat, int] = {}
        self.wishes: dict[tuple[Seat, Seat], Signed] = {}
        """By wisher and awaited seat: the last that was said about going on without it, whether or not it is awaited here."""
        self.hints: dict[Seat, Signed] = {}
        """The last that each seat said about the help that it takes."""
        self._heard: dict[Seat, deque[bytes]] = {}
        self.trusted_height = self.trusted_round = self.opened_round = 0
        """What one's own votes up to here vouched for was checked before they were cast, and is not checked again; and rounds
        whose shuffles are judged by their revealed seeds alone."""
        self._asked: set[tuple[Any, ...]] = set()
        self._results: dict[tuple[Any, ...], Result] = {}
        self._block: list[tuple[tuple[int, ...], bytes]] = []
        self._kept: set[tuple[Seat, Slot]] = set()
        self.proof_checks = {"signatures": 0, "shuffles": 0, "shares": 0, "opened rounds": 0, "moves": 0}

    @property
    def is_over(self) -> bool:
        """Nothing more will happen: played to the end, or broken off."""
        return self.phase in (Phase.OVER, Phase.BROKEN)

    # --- who is who ---

    def member(self, seat: Seat) -> Member:
        """Who sits here."""
        return self.roster.members[self.seating[seat]]

    def key(self, seat: Seat) -> bytes:
        """The public key that signs for this seat."""
        return self.member(seat).key

    def context(
        self, round: int, step: int, seat: Seat, purpose: str, deck: int = 0, receiver: int | None = None
    ) -> Context:
        """The context of a proof in this epoch."""
        return Context(self.table, self.epoch, round, deck, step, seat, purpose, receiver)

    # --- messages ---

    def receive(self, signed: Signed) -> bool:
        """Take a message in; False where it is known already or comes too late to matter. Raises BadMessage, which accuses
        nobody: whoever passed these bytes on may not have made them."""
        message = signed.message
        if signed.table != self.table:
            raise BadMessage("a message for another table")
        if signed.seat >= self.size:
            raise BadMessage("a message from a seat that does not exist")
        if self.seed is None and not isinstance(message, (Seal, Nonce, Evidence, Goodbye)):
            return False  # the seats are not drawn yet: it will be sent again
        known = self._known(signed)
        if known is not None and known.data == signed.data:
            return False
        if (signed.epoch, signed.present) != (self.epoch, self.present_hash):
            raise BadMessage("a message of another epoch")
        if isinstance(message, LATER):
            raise BadMessage("{kind}: this version of Fairdeal cannot do that yet", kind=message.kind)
        if isinstance(message, WishOn) and not self._is_later_wish(signed.seat, message):
            return False
        if isinstance(message, Hints) and not self._is_later_level(signed.seat, message):
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
        if not self._is_near(message) or self.held_bytes[signed.seat] + len(signed.data) > MAX_HELD_BYTES:
            return False
        self.said[signed.seat, message.slot] = signed
        self.held_bytes[signed.seat] += len(signed.data)
        if isinstance(message, Goodbye):
            self._part(signer)
        return True

    def _verify(self, signed: Signed) -> Seat:
        """The seat that has signed. Seals and nonces name it by its place in the roster; evidence and a goodbye may, as they are
        said before the draw too. Raises BadMessage."""
        self.proof_checks["signatures"] += 1
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

    def _known(self, signed: Signed) -> Signed | None:
        slot = signed.message.slot
        return None if slot is None else self.said.get((signed.seat, slot))

    def _is_later_wish(self, seat: Seat, wish: WishOn) -> bool:
        """Whether a seat's wish is newer than what it said about the same seat before. Raises BadMessage for nonsense."""
        if wish.awaited >= self.size:
            raise BadMessage("a wish about a seat that does not exist")
        if wish.awaited == seat:
            raise BadMessage("a seat cannot wish to go on without itself")
        known = self.wishes.get((seat, wish.awaited))
        return known is None or (isinstance(known.message, WishOn) and wish.counter > known.message.counter)

    def _is_later_level(self, seat: Seat, hints: Hints) -> bool:
        known = self.hints.get(seat)
        return known is None or (isinstance(known.message, Hints) and hints.counter > known.message.counter)

    def _is_near(self, message: Message) -> bool:
        """Whether a message is of now or of the next step: what is farther off can wait until it is sent again."""
        height = getattr(message, "height", None)
        if height is not None and not self.height - 1 <= height <= self.height + 1:
            return False
        number = getattr(message, "round", None)
        if number is None:
            return True
        current = self.rounds_closed + 1
        return current <= int(number) <= current + 1

    def _hear(self, signed: Signed) -> None:
        message = signed.message
        if isinstance(message, (Chat, Emote)):
            heard = self._heard.setdefault(signed.seat, deque(maxlen=MAX_HEARD))
            if signed.signature in heard:
                return  # a link said it twice, or somebody says it again in its name
            heard.append(signed.signature)
        if isinstance(message, Chat):
            self.events.append(Said(signed.seat, message.text))
        elif isinstance(message, Emote):
            self.events.append(Emoted(signed.seat, message.name))
        elif isinstance(message, Ready):
            self.ready[signed.seat] = max(message.round, self.ready.get(signed.seat, 0))
        elif isinstance(message, StateReport):
            self._compare(signed.seat, message)
        elif isinstance(message, Evidence):
            self._weigh(signed, message)
        elif isinstance(message, WishOn):
            self.wishes[signed.seat, message.awaited] = signed
        elif isinstance(message, Hints):
            self.hints[signed.seat] = signed

    def _compare(self, seat: Seat, report: StateReport) -> None:
        """Name what another machine holds otherwise than ours."""
        if report.height == self.height and self.state_bytes:
            fields = differing(unpack(self.state_bytes), unpack(report.state))
            if fields:
                self.events.append(Differs(seat, self.height, tuple(fields[:MAX_DIFFERENCES])))

    def _weigh(self, signed: Signed, evidence: Evidence) -> None:
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

    def _part(self, seat: Seat) -> None:
        """A goodbye: while going on without a seat is not in force, the match ends with it."""
        if self.is_over:
            return
        self.events.append(SaidGoodbye(seat))
        self.break_off(Broken(Ending.GOODBYE, seat, "goodbye"))

    def from_seat(self, seat: Seat, *slot: str | int | None) -> Signed | None:
        """What a seat said for this slot."""
        return self.said.get((seat, slot))

    def from_all(self, *slot: str | int | None) -> list[Signed] | None:
        """What all seats said for this slot, in their order; None while one is missing."""
        return self.from_seats(self.present, *slot)

    def from_seats(self, seats: Sequence[Seat], *slot: str | int | None) -> list[Signed] | None:
        """What these seats said for this slot; None while one is missing."""
        found = [self.said.get((seat, slot)) for seat in seats]
        return None if any(each is None for each in found) else [each for each in found if each is not None]

    def forget(self) -> None:
        """Drop what is past: nothing of it can be asked for but through the transcript."""
        current = self.rounds_closed + 1

        def is_past(message: Message) -> bool:
            return (
                getattr(message, "height", self.height) < self.height - 1
                or getattr(message, "round", current) < current
            )

        for place in [place for place, signed in self.said.items() if is_past(signed.message)]:
            self.held_bytes[place[0]] -= len(self.said.pop(place).data)
            self._kept.discard(place)

    # --- work ---

    def job(
        self,
        name: tuple[Any, ...],
        function: Callable[[], Any],
        weight: int,
        urgent: bool = True,
        trusted: bool = False,
    ) -> Result | None:
        """The result of a piece of work, or None while it is under way. Asked for once by name. `trusted` work need not be
        done again: it has no value, and its success was vouched for by one's own vote."""
        if (result := self._results.get(name)) is not None:
            return result
        if trusted:
            result = self._results[name] = Result(None)
            return result
        if name not in self._asked:
            self._asked.add(name)
            self.jobs.append(Job(name, function, weight, urgent))
        return None

    def pending_or(self, name: tuple[Any, ...]) -> Result | None:
        """The result of a piece of work that may have been asked for."""
        return self._results.get(name)

    def is_asked(self, name: tuple[Any, ...]) -> bool:
        """Whether this work is under way."""
        return name in self._asked

    def done(self, name: tuple[Any, ...], result: Result) -> bool:
        """A job came back; False where nobody asked for it (any more)."""
        if name not in self._asked:
            return False
        self._asked.discard(name)
        self._results[name] = result
        return True

    def drop_work(self, is_past: Callable[[tuple[Any, ...]], bool]) -> None:
        """Forget results (and unfinished work) that no one asks for any more."""
        self._results = {name: result for name, result in self._results.items() if not is_past(name)}
        self._asked = {name for name in self._asked if not is_past(name)}

    def is_trusted(self, height: int) -> bool:
        """Whether our own vote, cast before this program started, says that all of this height was checked."""
        return height < self.trusted_height

    def is_trusted_chain(self, round: int, deck: int, step: int) -> bool:
        """The same for a shuffled deck: the first by the vote that opened its round, a recycled one by the next vote."""
        if round <= self.opened_round:
            return True
        return round <= self.trusted_round if deck == 0 else self.is_trusted(step)

    # --- transcript ---

    def open_transcript(self) -> None:
        """A file begins with the roster, also where nothing more came of it."""
        if not self.transcript:
            self.transcript.append(pack(["r", self.roster.encode()]))

    def keep(self, place: tuple[int, ...], signed: Signed) -> None:
        """This message is part of the match; `place` is where it stands among those of its height."""
        self._block.append((place, signed.data))
        if signed.message.slot is not None:
            self._kept.add((signed.seat, signed.message.slot))

    def emit(self) -> None:
        """A height is done: its messages go into the transcript, in their one order."""
        self._block.sort(key=lambda item: item[0])
        self.marks.append((self.height, len(self.transcript)))
        self.transcript += [data for _, data in self._block]
        self._block = []

    # --- the end of it ---

    def convict(self, seat: Seat, what: str, reason: FairdealError, *evidence: Signed) -> None:
        """A seat was caught: the match ends here, and the evidence goes into the transcript."""
        if self.is_over:
            return
        self.accused = Accused(seat, what, reason, tuple(signed.data for signed in evidence))
        self.events.append(self.accused)
        held = {signed.data for signed in self.said.values()}
        for index, signed in enumerate(evidence):
            if signed.data not in held:  # a second version, behind the first
                self._block.append(((LAST + 1, index), signed.data))
        self.break_off(Broken(Ending.CHEAT, seat, what))

    def convict_of_two(self, first: Signed, second: Signed) -> None:
        """One seat has signed two versions of one message."""
        seat = first.seat
        if isinstance(first.message, (Seal, Nonce)) and self.seed is not None:
            seat = self.seating.index(seat)
        self.convict(seat, "two-versions", BadMessage("two different versions of one message"), first, second)

    def break_off(self, broken: Broken) -> None:
        """Nothing more is voted or dealt. What was said last goes into the transcript as it is: evidence rests on it."""
        self.broken = broken
        self.phase = Phase.BROKEN
        self.open_transcript()
        self.settling = None
        rest = [
            (repr(slot), seat, signed) for (seat, slot), signed in self.said.items() if (seat, slot) not in self._kept
        ]
        for index, (_, _, signed) in enumerate(sorted(rest, key=lambda item: item[:2])):
            if not isinstance(signed.message, Echo | Closed):
                self.keep((LAST, index), signed)
        self.emit()
