"""Drive one table: pass inputs to it, and carry out each step in a fixed order.

Per step: report events and start work at once, then write records to the journal, commit, append to the transcript,
send. The driver decides nothing and never waits for the disk (see `p2p.saving`).

PROTOCOL.md: "Saved before sent".
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Awaitable, Callable, Collection
from functools import partial
from pathlib import Path
from typing import Any

from p2p.budgets import TALK, Buckets, Rate
from p2p.costs import processor_time
from p2p.mesh import Mesh
from p2p.ports import Jobs
from p2p.reactions import reactions_in
from p2p.routes import Route, RouteChange
from p2p.saved import JournalRecord, Journals, RecordKind
from p2p.saving import Batch, Saver
from p2p.transcripts import Cut, TranscriptFile
from p2p.workers import timed
from protocol.cards import Seat
from protocol.errors import BadMessage, FairdealError, GameFailed, IllegalMove, as_failure
from protocol.messages import Ask, TakeSeat
from protocol.signed import decode_signed, slices
from protocol.table.events import Event, Said, SendsTooMuch
from protocol.table.step import NOTHING, Step
from protocol.table.table import Table
from protocol.table.work import SMALL, Job, Pace, Result
from protocol.values import replace

log = logging.getLogger("fairdeal.driver")
log.addHandler(logging.NullHandler())  # without a log, nothing goes to standard error: people read the fault

SAVE_AFTER_S = 0.5
"""What steps write that send nothing is saved after this time, or at once at the end and where somebody watches. Losing it only
means asking again."""
MAX_FOLLOWERS = 16
MAX_FOLLOWER_BYTES = 1 << 20
"""With more than this unread, who would take a seat is shown nothing more: it asks again."""
ASKED_S = 60.0
"""How long a bot's seat is kept for whoever has asked for it and does not offer to sit there yet: they read the match first."""
KEEPING = Rate(1 / 60, 4)
"""How often a seat is kept for somebody on one computer."""
MAX_KEPT_FOR = 256
SHOWN_TO_FOLLOWERS = Rate(1 << 20, 16 << 20)
"""Bytes a second that those on one computer are shown: there may be many, and each may ask for the whole match."""


class Driver:
    """One table of one client. `on_events` receives the events of each step, in the same event loop iteration."""

    def __init__(
        self,
        table: Table,
        journal: Journals,
        mesh: Mesh,
        transcript: TranscriptFile,
        workers: Jobs,
        on_events: Callable[[tuple[Event, ...]], None],
        on_route: Callable[[Seat, Route], None] = lambda _seat, _route: None,
        on_failure: Callable[[GameFailed], FairdealError] = lambda fault: fault,
    ) -> None:
        """`on_failure` receives the game's failure when it stops the seat, and returns the fault that people are told."""
        self.table = table
        table.ahead.is_on = True
        self.match = table.record.table
        self.fault: FairdealError | None = None
        self._journal, self._mesh, self._transcript, self._workers = journal, mesh, transcript, workers
        self._loop = asyncio.get_running_loop()
        self._saver = Saver(self.match, journal, transcript, workers.save, self._send, self.fail)
        self.saved = transcript.count
        """Number of transcript messages that are saved, and therefore shown to watchers."""
        self._on_events, self._on_route, self._on_failure = on_events, on_route, on_failure
        self._inbox: deque[Callable[[float], Step]] = deque()
        self._is_closed = False
        self._at_work = 0
        """How many jobs are with the workers."""
        self._worked = asyncio.Event()
        self._timer: asyncio.Handle | None = None  # in a page, timers do not tell when they are due
        self._timer_at = 0.0
        self._save_timer: asyncio.Handle | None = None
        self._followers: dict[bytes, Seat] = {}
        """The players who would take seats, and the seats."""
        self._kept_for: dict[bytes, tuple[Seat, float]] = {}
        """Which seat each of them has asked for first, and until when it is kept; once for each key."""
        self._keeping: Buckets[str] = Buckets(KEEPING)
        self._shown_to_followers: Buckets[str] = Buckets(SHOWN_TO_FOLLOWERS)
        self._talk: Buckets[Seat] = Buckets(TALK)
        self.watchers: set[Callable[[bytes], None]] = set()
        self.reacted: set[Callable[[bytes], None]] = set()
        """Who is told what players say with one key."""
        self.finished = asyncio.Event()
        self.changed = asyncio.Event()

    @property
    def transcript_path(self) -> Path:
        """Path of the match's transcript."""
        return self._transcript.path

    # --- inputs ---

    def start(self) -> None:
        """Start a new table: sign the roster and report the peers that are already linked."""
        self.feed(self.table.start)
        self._report_links()

    def resume(self, step: Step) -> None:
        """Continue a table restored from the journal. `step`: the step that the restoration led to."""
        self.feed(lambda _now: replace(step, transcript=(), cut=None))
        self._report_links()

    def receive(self, author: bytes, data: bytes, via: bytes | None = None) -> Awaitable[None] | None:
        """Handle a peer's message. Until a returned awaitable is done, read nothing more of its link.

        `via`: who passed it on, if it did not arrive on the author's own link. It is ignored without blame if it is bad or too
        much, since the author or the relay may have made it.
        """
        if via is not None and self._drops(author, via):
            return None
        try:
            parts = slices(data, 1) if self.table.is_behind else slices(data)
        except BadMessage:
            parts = [data]  # refused, and counted, below
        if len(parts) > 1:
            return self._receive_all(author, parts, via)
        hold_s = self._receive(author, data, via)
        return asyncio.sleep(hold_s) if hold_s else None

    async def _receive_all(self, author: bytes, parts: list[bytes], via: bytes | None) -> None:
        """Handle a long page, and let others have their turn in between. Who is behind works off what one message leads to before
        the next, which would otherwise have to be done here, at once."""
        for part in parts:
            hold_s = self._receive(author, part, via)
            if hold_s is None:
                return
            await asyncio.sleep(hold_s)
            while self._at_work and self.table.is_behind and not self._is_closed:
                self._worked.clear()
                await self._worked.wait()

    def _receive(self, author: bytes, data: bytes, via: bytes | None) -> float | None:
        """Handle a peer's message; return for how long not to read on, None if its link is cut."""
        seat, mesh = self.seat_of(author), self._mesh
        if seat is None or self._is_closed:
            return 0.0
        if via is not None and self._drops(author, via):
            return 0.0
        useful, began = self.table.useful, processor_time()
        with contextlib.suppress(BadMessage):
            self.feed(lambda now: self.table.receive(seat, data, now, author))
        is_useful = self.table.useful > useful
        if self.table.answers.take(seat, len(data), is_useful) and (is_useful or self.table.is_behind):
            return 0.0
        spent_s = processor_time() - began
        if via is None:
            return mesh.charges.charge(author, spent_s, may_bar=not self.table.is_behind)
        mesh.charges.relayed.spend(via, author, spent_s, self._loop.time())
        return 0.0

    def _drops(self, author: bytes, via: bytes) -> bool:
        """Whether too much was passed on for this author; what we have asked it for, and need, is heard all the same."""
        seat = self.seat_of(author)
        if seat is not None and self.table.is_behind and self.table.answers.awaits(seat):
            return False
        return self._mesh.charges.relayed.is_in_debt(via, author, self._loop.time())

    def flooded_by(self, key: bytes) -> bool:
        """Tell who sent too much and was cut off, if it is who sits in a seat now; return whether it is."""
        seat, record = self.table.record.seat_of(key), self.table.record
        if seat is None or record.key(seat) != key or self._is_closed:
            return False
        log.warning("seat %d sends too much", seat)
        self._on_events((SendsTooMuch(seat),))
        return True

    def route_changed(self, change: RouteChange) -> None:
        """Handle a change of the route to a seat."""
        seat, record = self.seat_of(change.key), self.table.record
        if seat is None:
            return
        if change.key in self._followers and change.route is Route.NONE:
            self.feed(partial(self.table.withdraw, change.key))
        is_holder, is_empty = record.key(seat) == change.key, seat not in record.present
        if not is_holder and not is_empty:
            return  # somebody else sits there now
        if is_holder:  # of somebody who would sit there, people hear when they do
            self._on_route(seat, change.route)
        others = [key for key in self._keys(seat) if key != change.key and self._mesh.route(key) is not Route.NONE]
        if change.route is Route.NONE and is_empty and others:
            return  # somebody else may sit there, also if it is its former player who is gone
        if change.route is Route.NONE:
            self.feed(lambda now: self.table.lost(seat, now))
        else:
            self.feed(lambda now: self.table.connected(seat, now))

    def feed(self, call: Callable[[float], Step]) -> None:
        """Handle one input. Raises BadMessage or IllegalMove if the input is wrong; nothing has changed then.

        Anything else is a fault of ours, and stops the seat instead (see `crash`).
        """
        if self._is_closed:
            return
        try:
            step = call(self._loop.time())
        except (BadMessage, IllegalMove):
            raise
        except Exception as error:  # a bug of ours or of the game stops this seat, and keeps it
            self.crash(error)
            return
        if step is NOTHING:
            return
        if self.table.waits_for_more:  # nothing has changed but when to look
            self._set_timer()
            return
        try:
            self._carry_out(step)
            while self._inbox:
                self._carry_out(self._inbox.popleft()(self._loop.time()))
            self._set_timer()
        except Exception as error:  # a bug of ours or of the game stops this seat, and keeps it
            self.crash(error)
            return
        if not self._is_closed:  # by whoever heard what has happened
            self._workers.keep(self, self.table.turn.pace)
        self.changed.set()
        self._check_finished()

    def _check_finished(self) -> None:
        if self.table.may_go and self._saver.is_idle:
            self.finished.set()

    def seat_of(self, key: bytes) -> Seat | None:
        """Return the seat in which a key sits or sat, or that it would take (before the seats are drawn, its place in the
        roster), or None."""
        seat = self.table.record.seat_of(key)
        return self._followers.get(key) if seat is None else seat

    def sits(self, key: bytes) -> bool:
        """Whether this key sits or sat at the table."""
        return self.table.record.seat_of(key) is not None

    def let_follow(self, key: bytes, data: bytes) -> bool:
        """Show the match to somebody who would take a seat that can be had, as this message says; return whether that is new."""
        record = self.table.record
        try:
            said = decode_signed(data)
            if said.table != record.table or said.seat >= record.size or not isinstance(said.message, Ask | TakeSeat):
                return False
            said.verify(key)
        except BadMessage:
            return False
        known = self._followers.get(key)
        if record.seed is None or known == said.seat or (known is None and len(self._followers) >= MAX_FOLLOWERS):
            return False
        if said.seat in record.present and not record.gives_way(said.seat):
            return False
        self._followers[key] = said.seat
        self._keep_seat(key, said.seat)
        # The seat can be reached, though its former player is away.
        self.route_changed(RouteChange(key, self._mesh.route(key)))
        return True

    def _keep_seat(self, key: bytes, seat: Seat) -> None:
        """Offer the seat to nobody else for a while."""
        now = self._loop.time()
        if key not in self._kept_for and self._keeping.takes(self._mesh.host_of(key), now):
            self._kept_for[key] = seat, now + ASKED_S
            for old in list(self._kept_for)[:-MAX_KEPT_FOR]:
                del self._kept_for[old]

    def asked_for(self, key: bytes) -> frozenset[Seat]:
        """Return the seats that are kept for others than this key: who has asked a short while ago, or offers to sit there."""
        found, now, takers = set(), self._loop.time(), self.table.leaving.takers
        for follower, seat in self._followers.items():
            first, until = self._kept_for.get(follower, (None, 0.0))
            is_kept = first is not None and (takers.would_sit(seat, follower) or (first == seat and now < until))
            if follower != key and is_kept:
                found.add(seat)
        return frozenset(found)

    def forget_followers(self, keep: Collection[bytes]) -> None:
        """Forget those who would have taken a seat and are not among these; who sits there now is no follower any more."""
        newcomers = self.table.record.newcomers
        for key in [key for key in self._followers if key not in keep and key not in newcomers]:
            self.feed(partial(self.table.withdraw, key))
        self._followers = {key: seat for key, seat in self._followers.items() if key in keep and key not in newcomers}

    @property
    def keys(self) -> list[bytes]:
        """Return the other keys that sit or sat at the table."""
        return [key for key in self._keys(None) if key not in self._followers]

    def _keys(self, seat: Seat | None) -> list[bytes]:
        """Return the other keys that are told what goes to a seat, or to all: also who was left out, and who would sit there."""
        record = self.table.record
        keys = {**{member.key: 0 for member in record.roster.members}, **record.newcomers, **self._followers}
        return [key for key in keys if key != self._mesh.key and (seat is None or self.seat_of(key) == seat)]

    # --- a step ---

    def _carry_out(self, step: Step) -> None:
        letters = []
        for letter in step.outbox:
            keys = self._keys(letter.to) if letter.key is None else [letter.key]
            letters += [(key, letter.data) for key in keys]
        records = [JournalRecord(RecordKind(entry.kind), b"", entry.data) for entry in step.records]
        pieces: list[bytes | Cut] = [] if step.cut is None else [Cut(step.cut)]
        self._saver.gather(Batch(records, [*pieces, *step.transcript], letters))
        is_awaited = self.table.is_over or (step.transcript and self.watchers)
        if step.outbox or pieces or is_awaited:
            if self._save_timer is not None:  # what it was for is written now
                self._save_timer.cancel()
                self._save_timer = None
            self._saver.write()
        elif (step.records or step.transcript) and self._save_timer is None:
            self._save_timer = self._loop.call_later(SAVE_AFTER_S, self._save)
        events = tuple(event for event in step.events if not self._is_too_much(event))
        self._on_events(events)
        for reaction in reactions_in(events):
            for tell in list(self.reacted):
                tell(reaction)
        for job in step.work:
            self._work(job)

    def _is_too_much(self, event: Event) -> bool:
        """Return whether this is chat or an emote of somebody who says too much to be heard."""
        if not isinstance(event, Said) or event.seat == self.table.seat:
            return False
        return self._talk.spend(event.seat, 1, self._loop.time()) > 0

    def _save(self) -> None:
        self._save_timer = None
        self._saver.write()

    def _send(self, batch: Batch) -> None:
        """Send a batch that is saved, and show it to watchers."""
        for key, data in batch.letters:
            if key not in self._followers or self._may_be_shown(key, len(data)):
                self._mesh.send(key, data)
        for piece in batch.transcript:
            self.saved = piece.count if isinstance(piece, Cut) else self.saved + 1
            for watcher in list(self.watchers):
                watcher(piece.encode() if isinstance(piece, Cut) else piece)
        if not self._is_closed:
            self._check_finished()

    def _may_be_shown(self, follower: bytes, size: int) -> bool:
        """Whether to send so much to somebody who would take a seat."""
        link = self._mesh.links.get(follower)
        if link is not None and link.queued > MAX_FOLLOWER_BYTES:
            return False
        host, now = self._mesh.host_of(follower), self._loop.time()
        if self._shown_to_followers.debt_s(host, now):
            return False
        self._shown_to_followers.spend(host, size, now)
        return True

    def _work(self, job: Job) -> None:
        if job.weight <= SMALL:
            result = timed(job)
            self._inbox.append(lambda now: self.table.done(job, result, now))
        else:
            self._at_work += 1
            self._workers.submit(job, self._done)

    def _done(self, job: Job, result: Result) -> None:
        self._at_work -= 1
        self._worked.set()
        self.feed(lambda now: self.table.done(job, result, now))

    # --- time ---

    def _set_timer(self) -> None:
        """Have us look when the table wants it. A timer that is due before is kept, and looks again: each step moves the
        deadline, and a page holds a timer that was cancelled until it would have been due."""
        deadline = self.table.deadline
        if deadline is None or self._is_closed or (self._timer is not None and self._timer_at <= deadline):
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer_at = max(deadline, self._loop.time() + 0.001)
        self._timer = self._loop.call_at(self._timer_at, self._wake)

    def _wake(self) -> None:
        self._timer = None
        deadline = self.table.deadline
        if deadline is not None and deadline <= self._loop.time():
            self.feed(self.table.wake)
        else:
            self._set_timer()

    def _report_links(self) -> None:
        for key in self._keys(None):
            if self._mesh.route(key) is not Route.NONE:
                self.route_changed(RouteChange(key, self._mesh.route(key)))

    # --- the end ---

    def fail(self, fault: FairdealError) -> None:
        """Stop because nothing can be saved: nothing more is sent. What was saved remains for the next start."""
        self.fault = self.fault or fault
        self.finished.set()
        self.changed.set()
        self.close()

    def crash(self, error: Exception) -> None:
        """Stop after an unexpected error of the game or this program: the seat is kept, and says no goodbye."""
        if self.fault is not None:
            return
        log.error("the seat at table %s stops", self.match.hex()[:16], exc_info=error)
        fault = as_failure(self.table.game.name, error)
        self.fail(self._on_failure(fault) if isinstance(fault, GameFailed) else fault)

    @property
    def is_closed(self) -> bool:
        """Whether the table is left, or stopped: nothing more is heard here."""
        return self._is_closed

    def close(self) -> None:
        """Stop at once and keep the seat. Safe to call twice."""
        if self._is_closed:
            return
        self._is_closed = True
        self._workers.keep(self, Pace.FULL)
        self._worked.set()
        for timer in (self._timer, self._save_timer):
            if timer is not None:
                timer.cancel()
        try:
            self._saver.finish()
        finally:
            try:
                self._transcript.close()
            except FairdealError as fault:
                self.fault = self.fault or fault

    def finish(self, at: float, result: dict[str, Any], status: str) -> None:
        """Close a match that is over: its result is kept and its records are deleted. `at`: seconds since 1970."""
        self.close()
        tombstone = self.table.tombstone() if self.table.record.seed is not None else None
        if newcomers := self.table.record.newcomers:
            self._journal.set_meta(self.match, newcomers=sorted(key.hex() for key in newcomers))
        self._journal.finish(self.match, result, at=at, status=status, tombstone=tombstone)
        self._journal.commit()
