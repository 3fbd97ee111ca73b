"""One seat at one match, without any input or output: bytes, the person's moves and times go in, a step comes out.

A table is a record (what all can see) and what this seat adds: its secrets, its hand, its votes and duties. Whatever it owes
is said as soon as it can be; nothing is sent before the driver has saved the step's records. The same setup, inputs and
randomness give the same steps. (PROTOCOL.md, "The table".)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Literal

from protocol.cards import Card, Seat
from protocol.errors import BadMessage, IllegalMove
from protocol.games.game import AnyGame
from protocol.identity import Identity
from protocol.messages import Ask, Chat, Emote, Evidence, Goodbye, Message, Proposal, Ready, StateReport, Vote, WishOn
from protocol.signed import MAX_PAGE_BYTES, MAX_PAGE_ITEMS, Page, Signed, decode, decode_signed, sign
from protocol.table import ballot, duties, proposing
from protocol.table.effort import Effort
from protocol.table.events import (
    Accused,
    Awaiting,
    Emoted,
    Event,
    HandChanged,
    MoveLost,
    Returned,
    Said,
    WishesChanged,
)
from protocol.table.hand import Hand
from protocol.table.owed import owing, puzzling
from protocol.table.record import Phase, Record
from protocol.table.replica import advance
from protocol.table.roster import Roster
from protocol.table.wishes import REPEAT_S, WISHES_EVERY_S, Standing, Wishes
from protocol.table.work import Job, Result, Rng

ASK_AFTER_S = 2.0
"""Something is missing for so long: ask for it, and send again what we said."""
OVERDUE_S = 10.0
STUCK_S = 10.0
"""For so long, with all present, nobody made the move that the game waits for: the round may be broken off."""
RETURN_S = 10.0
CLOSE_S = 5.0
ANSWER_EVERY_S = 0.2
UNASKED = 0
"""The index of a page that nobody asked for; answers count from 1."""


@dataclass(frozen=True, slots=True)
class Letter:
    """Bytes for another seat, or for all others."""

    to: Seat | None
    data: bytes


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the journal: a message that came in or goes out, a secret, or a mark."""

    kind: Literal["in", "out", "secret", "mark"]
    data: bytes

    def __repr__(self) -> str:
        """Lets no secret into a log."""
        return f"Entry({self.kind}, {'hidden' if self.kind == 'secret' else self.data.hex()})"


@dataclass(frozen=True, slots=True)
class Step:
    """What one input led to. The driver writes `records` before it sends `outbox`, and runs `work` when it likes."""

    events: tuple[Event, ...] = ()
    outbox: tuple[Letter, ...] = ()
    records: tuple[Entry, ...] = ()
    work: tuple[Job, ...] = ()
    transcript: tuple[bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Intent:
    """A move that our player wants, and when it may go out."""

    move: Any
    not_before: float
    seen: tuple[Any, ...]


class Table:
    """One seat at one match."""

    def __init__(self, roster: Roster, game: AnyGame, identity: Identity, nonce: bytes, rng: Rng, now: float) -> None:
        """`nonce`: the 32 bytes whose hash the roster holds for us. Raises ValueError if we are not in the roster."""
        keys = [member.key for member in roster.members]
        if identity.public not in keys:
            raise ValueError("this identity does not sit at this table")
        self.place = keys.index(identity.public)
        self.identity = identity
        self.nonce = nonce
        self.record = Record(roster, game, rng)
        self.hand = Hand()
        self.rng = rng
        self.intent: Intent | None = None
        self._proposed: tuple[int, Intent] | None = None
        """What we have proposed, and at which height, until that is decided."""
        self.returning: set[Seat] = set()
        self._return_until: float | None = None
        self._waiting_since = self._last_ask = now
        self._pause_until = now
        self._closed_until: float | None = None
        self._away: set[Seat] = set()
        self._complete_since = now
        """Since when nobody is away."""
        self._stalled_since: float | None = None
        """Since when the round has been stuck, though moves may still be made."""
        self._now = now
        self._late: dict[Seat, float] = {}
        """Since when each seat has owed what needs no thought."""
        self._awaiting: frozenset[Seat] = frozenset()
        self.wishes = Wishes(self.record)
        self.effort = Effort()
        self._standing = Standing()
        """What our player was told last of wishes."""
        self._standing_since = self._wished_last = -REPEAT_S
        self._answered: dict[tuple[Seat, bool], float] = {}
        self._quarrelled: set[tuple[Seat, int]] = set()
        self._counter = 0
        self._outbox: list[Letter] = []
        self._records: list[Entry] = []
        self._own_events: list[Event] = []
        self._seeds: dict[tuple[Any, ...], bytes] = {}
        self._written = 0
        self._height_seen = self._weighed_height = 0
        self._rounds_seen = 0
        self.is_replaying = False

    # --- what a client asks ---

    @property
    def game(self) -> AnyGame:
        """The rules."""
        return self.record.game

    @property
    def seat(self) -> Seat:
        """Our seat; before the draw our place in the roster."""
        return self.record.seating.index(self.place)

    @property
    def is_over(self) -> bool:
        """Nothing more will happen: played to the end, or broken off."""
        return self.record.phase in (Phase.OVER, Phase.BROKEN)

    @property
    def can_move(self) -> bool:
        """Whether a move may be made now: none of ours is under way, and the table is settled."""
        if self.record.phase is not Phase.PLAYING or self.intent is not None or self.returning:
            return False
        said = self.record.from_seat(self.seat, "vote", self.record.height)
        return said is None or isinstance(said.message, Vote)

    @property
    def cards(self) -> tuple[Card, ...]:
        """Our hand, as far as it is open to us."""
        return tuple(face for face in self.hand.faces(self.record, self.seat) if face is not None)

    def legal(self) -> Sequence[Any]:
        """The moves that we may make now; none while the table settles."""
        if not self.can_move:
            return ()
        return self.game.legal(self.record.state, self.seat, self.cards)

    def view(self) -> dict[str, Any]:
        """What our seat sees of the game; empty before the first deal."""
        if self.record.state is None:
            return {}
        return self.game.view(self.record.state, self.seat, self.cards)

    @property
    def awaited(self) -> tuple[Seat, ...]:
        """Whom the table waits for now: for a move, or for what needs no thought."""
        owing = self._owing(self._now)
        if self.record.phase is Phase.PLAYING and not owing:
            return self.game.awaited(self.record.state)
        return tuple(sorted(owing))

    # --- inputs ---

    def start(self, now: float) -> Step:
        """The first input: we sign the roster."""
        return self._step(now)

    def receive(self, sender: Seat, data: bytes, now: float) -> Step:
        """A peer sent these bytes (not necessarily its own). Raises BadMessage for what no honest peer sends; nothing has
        changed then."""
        found = decode(data)
        if isinstance(found, Page):
            for inner in found.messages:
                try:
                    self._take(decode_signed(inner))
                except BadMessage:
                    continue  # somebody passed on what is not for us; the rest may still be
                if self.returning:
                    self._catch_up()  # all of it, before we sign anything: our own word may be further on
            if found.last and found.index != UNASKED:
                self._shown_by(sender)
        elif isinstance(found.message, Ask):
            if found.table != self.record.table:
                raise BadMessage("a message for another table")
            found.verify(self.record.key(sender))  # not by its number: before the draw that is its place in the roster
            self._answer(sender, found.message, now)
        else:
            self._take(found)
        return self._step(now)

    def act(self, move: Any, now: float) -> Step:
        """Our player chose. Raises IllegalMove, and nothing has changed then."""
        if not self.can_move:
            raise IllegalMove("the table is not ready for a move yet: wait a moment")
        state, seat = self.record.state, self.seat
        self.game.check(state, seat, self.cards, move)
        grace = self.grace_s if self.game.waits_grace(state, seat, move) else 0.0
        self.intent = Intent(move, now + grace, _scene(self.game, state))
        return self._step(now)

    def done(self, job: Job, result: Result, now: float) -> Step:
        """A job came back."""
        if self.record.done(job.name, result):
            self.effort.add(job.name, result.took_s)
        return self._step(now)

    def wake(self, now: float) -> Step:
        """The deadline passed."""
        if self._return_until is not None and now >= self._return_until:
            self._stop_returning()
        if (limit := self._move_deadline()) is not None and now >= limit:
            self._play_default(now)
        return self._step(now)

    def connected(self, seat: Seat, now: float) -> Step:
        """A link to this seat is there (again): show it what we hold, and ask for what it holds."""
        if seat == self.seat:
            return Step()
        if seat in self._away:
            self._away.discard(seat)
            self._complete_since = now
        if self.returning and self._return_until is None:
            self._return_until = now + RETURN_S
        self._ask(seat)
        self._show(seat, self.record.height)
        return self._step(now)

    def lost(self, seat: Seat, now: float) -> Step:
        """There is no way to this seat now."""
        self._away.add(seat)
        return self._step(now)

    def ready(self, now: float) -> Step:
        """Our player does not need the rest of the pause."""
        if self.record.phase is Phase.BETWEEN:
            number = self.record.rounds_closed + 1
            self.record.ready[self.seat] = number
            self._send(Ready(number))
        return self._step(now)

    def say(self, text: str, now: float) -> Step:
        """Chat."""
        self._counter += 1
        self._send(Chat(self._counter, text))
        self._own_events.append(Said(self.seat, text))
        return self._step(now)

    def emote(self, name: str, now: float) -> Step:
        """An emote."""
        self._counter += 1
        self._send(Emote(self._counter, name))
        self._own_events.append(Emoted(self.seat, name))
        return self._step(now)

    def wish_on(self, wish: bool, now: float) -> Step:
        """Our player wishes to go on without whoever is awaited, or no longer does. Raises IllegalMove where one cannot, or
        not yet; nothing has changed then."""
        if wish:
            may_from = self._may_wish_from()
            standing = self.wishes.standing(may_from, now)
            if not standing.awaited:
                raise IllegalMove("nobody is awaited: there is nothing to go on without")
            if standing.may_at is None:
                raise IllegalMove("too few would be left to go on: the match waits")
            ripe = [seat for seat, since in may_from.items() if now >= since]
            if not ripe:
                raise IllegalMove("the table waits {seconds} s more", seconds=ceil(min(may_from.values()) - now))
            for seat in sorted(set(ripe) - self.wishes.own):
                self._wish(seat, True)
        else:
            for seat in sorted(self.wishes.own):
                self._wish(seat, False)
        return self._step(now)

    def leave(self, now: float) -> Step:
        """Goodbye, for good: asked for in so many words."""
        if not self.is_over:
            self._say(Goodbye(b""))
        return self._step(now)

    def restore(self, entries: Iterable[Entry], now: float) -> Step:
        """Take up a match from its journal: the first input of a table that was away. What we said counts as it was said;
        until the others have shown us what they know of us, nothing is signed."""
        self.is_replaying = True
        lines = list(entries)
        duties.trust(self.record, lines)
        for entry in lines:
            if entry.kind == "secret":
                self.hand.learn(entry.data)
            elif entry.kind in ("in", "out"):
                try:
                    self.record.receive(decode_signed(entry.data))
                except BadMessage:
                    continue  # a message of a moment that is past
                self._catch_up()
        self._catch_up()
        self.is_replaying = False
        self.record.events.clear()
        self._records.clear()
        self.record.trusted_height = self.record.trusted_round = 0
        self._height_seen = self.record.height
        self._rounds_seen = self.record.rounds_closed
        self.wishes.is_back = True
        if not self.is_over:
            self.returning = {seat for seat in self.record.present if seat != self.seat}
            self._away = set(self.returning) if self.record.seed is not None else set()
        self._pause_until = now
        self._waiting_since = self._last_ask = self._complete_since = now
        self._look_for_stall(now)
        return self._step(now)

    @property
    def deadline(self) -> float | None:
        """When to call `wake`, if nothing comes before."""
        times: list[float] = []
        if self._return_until is not None:
            times.append(self._return_until)
        if self.intent is not None and self.intent.not_before > self._now:
            times.append(self.intent.not_before)
        if (limit := self._move_deadline()) is not None and (limit > self._now or self._default() is not None):
            times.append(limit)
        if self.record.phase is Phase.BETWEEN and self._pause_until > self._now:
            times.append(self._pause_until)
        if self.record.phase is Phase.OVER and self._closed_until is not None and self._closed_until > self._now:
            times.append(self._closed_until)
        if (stuck := self._stuck_at()) is not None and self.record.from_seat(
            self.seat, "vote", self.record.height
        ) is None:
            own = stuck + duties.BREAK_OFF_STEP_S * self.seat
            times.append(stuck if self._now < stuck else max(own, self._now + 0.01))
        if self._late:
            times.append(max(self._last_ask, min(self._late.values())) + ASK_AFTER_S)
        times += [since + OVERDUE_S for seat, since in self._late.items() if seat not in self._awaiting]
        times += [time for time in self._may_wish_from().values() if time > self._now]
        if self._standing_now(self._now) != self._standing:
            times.append(max(self._standing_since + WISHES_EVERY_S, self._now + 0.01))
        if (limit := self._movers_limit()) is not None and limit > self._now:
            times.append(limit)
        return min(times, default=None)

    @property
    def may_go(self) -> bool:
        """The match is over and all hold its last certificate, or were given the time to."""
        if self.record.phase is Phase.BROKEN:
            return True
        return self.record.phase is Phase.OVER and (
            self.record.from_all("closed") is not None or self._closed_until == 0.0
        )

    # --- the step ---

    def _take(self, signed: Signed) -> None:
        broken = self.record.broken
        if not self.record.receive(signed):
            return
        is_proof = isinstance(signed.message, Evidence) and self.record.broken is not broken
        if signed.message.slot is not None or is_proof:
            self._records.append(Entry("in", signed.data))
            if signed.seat == self.seat:
                self.hand.adopt(signed)

    def _catch_up(self) -> None:
        """While a journal is read: all work at once."""
        while True:
            while advance(self.record):
                pass
            if not self.record.jobs:
                return
            jobs, self.record.jobs = self.record.jobs, []
            for job in jobs:
                self.record.done(job.name, job.run())

    def _step(self, now: float) -> Step:
        self._now = now
        while advance(self.record) or self._speak(now):
            self._rest(now)
        self._notice(now)
        record = self.record
        events = (*record.events, *self._own_events)
        outbox, records, work = tuple(self._outbox), tuple(self._records), tuple(record.jobs)
        transcript = tuple(record.transcript[self._written :])
        self._written = len(record.transcript)
        record.events, self._own_events, self._outbox, self._records, record.jobs = [], [], [], [], []
        return Step(events, outbox, records, work, transcript)

    def _rest(self, now: float) -> None:
        """A round was closed: the pause begins, before we can vote for the next one (which may be prepared already)."""
        if self.record.rounds_closed != self._rounds_seen:
            self._rounds_seen = self.record.rounds_closed
            self._pause_until = now + self._pause()

    def _speak(self, now: float) -> bool:
        """Say one thing that we owe; False when there is none."""
        if self.returning or self.record.phase is Phase.BROKEN:
            return False
        found = duties.next_message(self, now)
        if found is None:
            return self._propose(now)
        self._say(found)
        return True

    def _propose(self, now: float) -> bool:
        """Our player's move, if it can go out at this height."""
        record, seat = self.record, self.seat
        if record.height != self._weighed_height and record.phase is not Phase.SETTLING:
            self._weighed_height = record.height
            self._reconsider()
        intent = self.intent
        if intent is None or record.phase is not Phase.PLAYING or now < intent.not_before:
            return False
        if record.from_seat(seat, "vote", record.height) is not None:
            return False
        faces, secret = self.hand.faces(record, seat), self.hand.secret(record)
        name = ("own", "proposal", record.height)
        result = record.pending_or(name)
        if result is None and record.is_asked(name):
            return False
        if result is None:
            try:
                drafted = proposing.draft(record, seat, intent.move, faces)
            except (IllegalMove, proposing.FaceMissing) as reason:
                self._lose(reason)
                return True
            seed = self.rng(32)
            weight = 3 * len(drafted.cards) + 12 * len(drafted.remask_before)
            result = record.job(name, lambda: proposing.complete(record, seat, secret, drafted, seed), weight)
        if result is None:
            return False
        self._proposed, self.intent = (record.height, intent), None
        self._say(result.value)
        return True

    def _lose(self, reason: Exception) -> None:
        assert self.intent is not None
        move = self.game.encode(self.intent.move)
        self.intent = None
        self._own_events.append(MoveLost(move, reason))

    def _notice(self, now: float) -> None:
        """After everything is said: what is new for our player, and who is slow."""
        record = self.record
        if record.round is not None:
            self.effort.begin(record.round.number, record.height)
        if record.phase is Phase.OVER and self._closed_until is None:
            self._closed_until = now + CLOSE_S
        elif self._closed_until and now >= self._closed_until:
            self._closed_until = 0.0
        if record.height != self._height_seen:
            self._height_seen = record.height
            self._waiting_since = now
            self._late.clear()
            self._look_for_stall(now)
            self._seeds.clear()
        self._see_whether_it_counted()
        if (changed := self.hand.changes(record, self.seat)) is not None:
            self._own_events.append(HandChanged(*changed))
        self._settle_quarrels()
        for event in record.events:
            if isinstance(event, Accused):
                self._send(_evidence(event))
        self._nudge(now)

    def _reconsider(self) -> None:
        """Another entry came first: our move goes out again, also where it was proposed already, if it still means the same."""
        record = self.record
        self._see_whether_it_counted()
        if self._proposed is not None:
            (_, self.intent), self._proposed = self._proposed, None
        intent = self.intent
        if intent is None:
            return
        if record.phase is not Phase.PLAYING or _scene(self.game, record.state) != intent.seen:
            self._lose(IllegalMove("another move came first"))
            return
        try:
            self.game.check(record.state, self.seat, self.cards, intent.move)
        except IllegalMove as reason:
            self._lose(reason)

    def _see_whether_it_counted(self) -> None:
        if self._proposed is not None and self.record.round is not None:
            mine = self._proposed[0], self.seat
            if any((each.height, each.seat) == mine for each in self.record.round.history):
                self._proposed = None

    def seed_for(self, name: tuple[Any, ...]) -> bytes:
        """32 fresh bytes for a piece of our own work; the same when it is asked for again before it is done."""
        if name not in self._seeds:
            self._seeds[name] = self.rng(32)
        return self._seeds[name]

    # --- talking ---

    def _sign(self, message: Message) -> Signed:
        record = self.record
        seat = self.place if record.seed is None else self.seat
        return sign(self.identity, record.table, record.epoch, record.present_hash, seat, message)

    def _say(self, message: Message) -> None:
        """Sign what the match holds us to; it counts for us as for the others, through the same door."""
        signed = self._sign(message)
        self._records += [Entry("secret", data) for data in self.hand.unsaved()]
        if duties.is_opening_vote(self.record, message):
            self._records.append(Entry("mark", duties.round_mark(self.record)))
        self._records.append(Entry("out", signed.data))
        self.record.receive(signed)
        self._outbox.append(Letter(None, signed.data))

    def _send(self, message: Message, to: Seat | None = None) -> None:
        """Sign something beside the match."""
        self._outbox.append(Letter(to, self._sign(message).data))

    def _ask(self, seat: Seat) -> None:
        self._counter += 1
        self._send(Ask(self._counter, self.record.height, seat in self.returning), seat)

    def _answer(self, seat: Seat, ask: Ask, now: float) -> None:
        if now - self._answered.get((seat, ask.own), -1e9) < ANSWER_EVERY_S:
            return
        self._answered[seat, ask.own] = now
        messages = self._since(ask.height)
        if ask.own:
            own = [signed.data for signed in self.record.said.values() if signed.seat == seat]
            messages = own + messages
        self._send_pages(seat, messages, first=UNASKED + 1)

    def _show(self, seat: Seat, height: int) -> None:
        self._send_pages(seat, self._since(height), first=UNASKED)

    def _since(self, height: int) -> list[bytes]:
        """All that belongs to the match from a height on, as it was signed."""
        record = self.record
        start = next((index for mark, index in record.marks if mark >= height), len(record.transcript))
        past = record.transcript[max(start, 1) :]
        proof = [self._sign(_evidence(record.accused)).data] if record.accused is not None else []
        beside = (signed.data for signed in record.wishes.values())
        return [*past, *(signed.data for signed in record.said.values()), *beside, *proof]

    def _send_pages(self, seat: Seat, messages: list[bytes], first: int) -> None:
        pages: list[list[bytes]] = [[]]
        size = 0
        for data in messages:
            if size + len(data) > MAX_PAGE_BYTES or len(pages[-1]) >= MAX_PAGE_ITEMS:
                pages.append([])
                size = 0
            pages[-1].append(data)
            size += len(data) + 8
        for index, page in enumerate(pages):
            number = first if first == UNASKED else first + index
            self._outbox.append(Letter(seat, Page(number, index == len(pages) - 1, tuple(page)).encode()))

    def _shown_by(self, seat: Seat) -> None:
        self.returning.discard(seat)
        if not self.returning and self._return_until is not None:
            self._stop_returning()

    def _stop_returning(self) -> None:
        self._own_events.append(Returned(tuple(sorted(self.returning))))
        self.returning = set()
        self._return_until = None

    def _settle_quarrels(self) -> None:
        """Somebody's vote stands on something else than ours: show what we hold, once a height; of two signed versions
        the sender will be named."""
        record = self.record
        height = record.height
        for signed in ballot.estranged(record):
            if (signed.seat, height) in self._quarrelled or signed.seat == self.seat:
                continue
            self._quarrelled.add((signed.seat, height))
            self._show(signed.seat, height - 1)
            message = signed.message
            assert isinstance(message, (Proposal, Vote))
            if message.previous == record.previous and record.state_bytes:
                self._send(StateReport(height, record.state_bytes), signed.seat)
        differing = duties.dissenting(record, self.seat) | record.quarrel
        if record.phase is Phase.PLAYING and ballot.all_stand(record) and puzzling(record):
            differing |= set(record.present) - {self.seat}  # what explains it may be in anybody's hands
        for seat in differing:
            if (seat, height) not in self._quarrelled:
                self._quarrelled.add((seat, height))
                self._show(seat, height - 1)
        record.quarrel.clear()

    # --- time ---

    def is_stuck(self, now: float) -> bool:
        """Whether the round stands where it may be broken off, and has stood there long enough with all present."""
        return self._stuck_at() is not None and now >= (self._stuck_at() or 0.0)

    def _stuck_at(self) -> float | None:
        if self.record.phase is not Phase.PLAYING or self._away or self._stalled_since is None:
            return None
        return max(self._stalled_since, self._complete_since) + STUCK_S

    def _look_for_stall(self, now: float) -> None:
        record = self.record
        if record.phase is Phase.PLAYING and self.game.is_stalled(record.state):
            self._stalled_since = now if self._stalled_since is None else self._stalled_since
        elif record.phase is not Phase.SETTLING:
            self._stalled_since = None

    def is_pausing(self, now: float) -> bool:
        """Between rounds: the pause is not over, and not all are ready."""
        number = self.record.rounds_closed + 1
        if all(self.record.ready.get(seat) == number for seat in self.record.present):
            return False
        return now < self._pause_until

    @property
    def pause_until(self) -> float:
        """When the pause between rounds ends, whoever is not ready."""
        return self._pause_until

    def _pause(self) -> float:
        return (
            0.0 if all(member.bot for member in self.record.roster.members) else self.record.roster.table.pause / 1000
        )

    @property
    def grace_s(self) -> float:
        """How long a closing move of ours waits, so that others can still act."""
        return self._grace_of(self.seat)

    def _grace_of(self, seat: Seat) -> float:
        others = [self.record.member(each) for each in self.record.present if each != seat]
        return 0.0 if all(member.bot for member in others) else self.record.roster.table.grace / 1000

    @property
    def closing(self) -> tuple[Seat, float] | None:
        """The seat whose closing move is expected now, and how long an honest client of it waits with that, in seconds, since
        the table has settled at the least; None where nothing waits."""
        record = self.record
        seat = self.game.closing_seat(record.state) if record.phase is Phase.PLAYING else None
        if seat is None:
            return None
        grace_s = self._grace_of(seat)
        return (seat, grace_s) if grace_s else None

    def _owing(self, now: float) -> set[Seat]:
        return owing(self.record, self.is_pausing(now)) - {self.seat}

    def _move_deadline(self) -> float | None:
        limit = self.record.roster.table.time
        if not limit or not self.can_move or self.seat not in self.game.awaited(self.record.state):
            return None
        return self._waiting_since + limit / 1000

    @property
    def move_deadline(self) -> float | None:
        """When our move is made for us, by the table's time limit."""
        return self._move_deadline()

    def _default(self) -> Any:
        """The move that is made for us; None where only our hand shows that we need not act (nobody waits for us then)."""
        return self.game.default(self.record.state, self.seat, self.cards)

    def _play_default(self, now: float) -> None:
        move = self._default()
        if move is not None:
            self.intent = Intent(move, now, _scene(self.game, self.record.state))

    def _movers_limit(self) -> float | None:
        """When those who have to move have had the table's time for it; their own clients move for them then."""
        limit, record = self.record.roster.table.time, self.record
        if not limit or record.phase is not Phase.PLAYING or self.game.is_stalled(record.state):
            return None
        return self._waiting_since + limit / 1000

    def _slow_movers(self, now: float) -> set[Seat]:
        """Seats whose move the game waits for and that cannot be reached, or had their time: a move needs thought, but these
        are not thinking."""
        record = self.record
        if record.phase is not Phase.PLAYING or owing(record, False):
            return set()
        movers = set(self.game.awaited(record.state)) - {self.seat}
        limit = self._movers_limit()
        return movers if limit is not None and now >= limit else movers & self._away

    def _nudge(self, now: float) -> None:
        """Ask those who owe something, and say again what we said: links lose what was under way when they broke."""
        owing = self._owing(now) | self.returning | self._slow_movers(now)
        self._late = {seat: self._late.get(seat, now) for seat in owing}
        overdue = frozenset(seat for seat, since in self._late.items() if now >= since + OVERDUE_S)
        if overdue != self._awaiting:
            self._end_waits(self._awaiting - overdue)
            self._awaiting = overdue
            self._own_events.append(Awaiting(tuple(sorted(overdue))))
        self._mind_wishes(now)
        late = [seat for seat, since in self._late.items() if now >= max(self._last_ask, since) + ASK_AFTER_S]
        if late:
            self._last_ask = now
        for seat in sorted(late):
            self._ask(seat)
            self._show(seat, self.record.height)

    # --- the wish to go on ---

    def _may_wish_from(self) -> dict[Seat, float]:
        """From when on one may wish to go on without each seat that is awaited."""
        if self.record.seed is None:
            return {}
        wait_s = OVERDUE_S + self.record.roster.table.leave_after / 1000
        return {seat: self._late[seat] + wait_s for seat in self._awaiting if seat in self._late}

    def _standing_now(self, now: float) -> Standing:
        return self.wishes.standing(self._may_wish_from(), now)

    def _wish(self, seat: Seat, wish: bool) -> None:
        """Say what we wish about a seat; it counts for us as for the others, through the same door."""
        (self.wishes.own.add if wish else self.wishes.own.discard)(seat)
        self._counter += 1
        signed = self._sign(WishOn(self._counter, seat, wish))
        self.record.receive(signed)
        self._outbox.append(Letter(None, signed.data))

    def _end_waits(self, seats: Iterable[Seat]) -> None:
        """They are back: every wish about them lapses, and ours is taken back for those who have not noticed yet."""
        for seat in sorted(seats):
            if seat in self.wishes.own and not self.is_over:
                self._wish(seat, False)
            self.wishes.own.discard(seat)
        self.wishes.lapse(seats)

    def _mind_wishes(self, now: float) -> None:
        """Correct what an earlier run of ours wished, say again what we wish, and tell our player what has changed."""
        said = self.wishes.said_by(self.seat) if self.record.seed is not None else {}
        for about, signed in said.items():
            message = signed.message
            assert isinstance(message, WishOn)
            if message.counter > self._counter:
                self._counter = message.counter
                if message.wish != (about in self.wishes.own) and not self.is_over:
                    self._wish(about, about in self.wishes.own)
        if self._awaiting & said.keys() and now >= self._wished_last + REPEAT_S:
            self._wished_last = now
            self._outbox += [Letter(None, said[about].data) for about in sorted(self._awaiting & said.keys())]
        standing = self._standing_now(now)
        if standing == self._standing:
            return
        before, own = self._standing, self.seat
        is_only_others = standing.awaited == before.awaited and (own in standing.by) == (own in before.by)
        if is_only_others and now < self._standing_since + WISHES_EVERY_S:
            return
        self._standing, self._standing_since = standing, now
        since = min((self._late[seat] for seat in standing.awaited), default=0.0)
        self._own_events.append(WishesChanged(standing.awaited, since, standing.may_at, standing.needed, standing.by))


def _evidence(accused: Accused) -> Evidence:
    return Evidence(accused.seat, accused.what, accused.evidence)


def _scene(game: AnyGame, state: Any) -> tuple[Any, ...]:
    """What a person looks at when choosing a move: while it is the same, the choice stands."""
    view = game.view(state)
    keys = ("phase", "turn", "top", "trick", "penalty", "suit", "rank")
    return tuple(repr(view.get(key)) for key in keys)
