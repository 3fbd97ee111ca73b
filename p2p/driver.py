"""Drives one table: what comes in goes to the table, and of each step the journal is written before anything is sent.

Short enough to check by eye: news and work at once, records to the journal, commit, transcript, send. Nothing here judges
anything, and nothing waits for the disk: see `p2p.saving`. (PROTOCOL.md, "Saved before sent".)
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from p2p.journal import Journal, Kind, Record
from p2p.mesh import Change, Mesh, Way
from p2p.saving import Batch, Saver
from p2p.transcripts import Transcript
from p2p.workers import Workers, timed
from protocol.cards import Seat
from protocol.errors import BadMessage, FairdealError, GameFailed
from protocol.table.events import Event
from protocol.table.step import Step
from protocol.table.table import Table
from protocol.table.work import SMALL, Job, Result

log = logging.getLogger("fairdeal.driver")

SAVE_AFTER_S = 0.5
"""What came in and led to nothing sent is made durable after this time: losing it would only mean asking again."""
MAX_NONSENSE = 1000
"""Messages that no honest peer sends, after which a link is closed."""


class Driver:
    """One table of one client. `on_events` gets the news of each step, in the same step of the loop."""

    def __init__(
        self,
        table: Table,
        journal: Journal,
        mesh: Mesh,
        transcript: Transcript,
        workers: Workers,
        on_events: Callable[[tuple[Event, ...]], None],
        on_way: Callable[[Seat, Way], None] = lambda _seat, _way: None,
    ) -> None:
        self.table = table
        self.match = table.record.table
        self.fault: FairdealError | None = None
        self._journal, self._mesh, self._transcript, self._workers = journal, mesh, transcript, workers
        self._loop = asyncio.get_running_loop()
        self._saver = Saver(self.match, journal, transcript, workers.disk, self._loop, self._send, self.fail)
        self.shown = transcript.count
        """How many messages of the transcript are saved, and shown to watchers."""
        self._on_events, self._on_way = on_events, on_way
        self._inbox: deque[Callable[[float], Step]] = deque()
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._save_timer: asyncio.TimerHandle | None = None
        self._nonsense: dict[bytes, int] = {}
        self.watchers: set[Callable[[bytes], None]] = set()
        self.finished = asyncio.Event()
        self.changed = asyncio.Event()

    @property
    def transcript_path(self) -> Path:
        """Where the match's file is."""
        return self._transcript.path

    # --- inputs ---

    def start(self) -> None:
        """A new table: sign the roster, and greet those who are linked already."""
        self.feed(self.table.start)
        self._greet()

    def take_up(self, step: Step) -> None:
        """A table that was restored from the journal, which led to this step."""
        self.feed(lambda _now: replace(step, transcript=()))
        self._greet()

    def receive(self, author: bytes, data: bytes, is_proved: bool = True) -> None:
        """A peer's message. `is_proved`: it came on a link of its own; else another passed it on, and what is wrong with it is
        held against nobody: either of the two may have made it."""
        seat = self.seat_of(author)
        if seat is None:
            return
        try:
            self.feed(lambda now: self.table.receive(seat, data, now))
        except BadMessage:
            if not is_proved:
                return
            self._nonsense[author] = self._nonsense.get(author, 0) + 1
            if self._nonsense[author] == MAX_NONSENSE:
                self._mesh.drop(author, "nonsense")

    def change(self, change: Change) -> None:
        """A way to a seat came, went or is another."""
        seat = self.seat_of(change.key)
        if seat is None:
            return
        self._on_way(seat, change.way)
        if change.way is Way.NONE:
            self.feed(lambda now: self.table.lost(seat, now))
        else:
            self.feed(lambda now: self.table.connected(seat, now))

    def feed(self, call: Callable[[float], Step]) -> None:
        """Give the table one input. What is wrong with the input is raised here, and nothing has changed then. A bug stops the
        seat instead (see `crash`)."""
        if self._is_closed:
            return
        try:
            self._carry_out(call(self._loop.time()))
            while self._inbox:
                self._carry_out(self._inbox.popleft()(self._loop.time()))
            self._set_timer()
        except GameFailed as fault:
            self.crash(fault)
            return
        except FairdealError:
            raise
        except Exception as error:
            self.crash(error)
            return
        self.changed.set()
        self._look_for_end()

    def _look_for_end(self) -> None:
        if self.table.may_go and self._saver.is_idle:
            self.finished.set()

    def seat_of(self, key: bytes) -> Seat | None:
        """The seat of a key; before the draw its place in the roster."""
        record = self.table.record
        return next((seat for seat in range(record.size) if record.key(seat) == key), None)

    # --- a step ---

    def _carry_out(self, step: Step) -> None:
        letters = []
        for letter in step.outbox:
            for seat in self.table.record.present if letter.to is None else (letter.to,):
                key = self.table.record.key(seat)
                if key != self._mesh.key:
                    letters.append((key, letter.data))
        records = [Record(Kind(entry.kind), b"", entry.data) for entry in step.records]
        self._saver.gather(Batch(records, list(step.transcript), letters))
        if step.outbox or step.transcript:
            self._saver.write()
        elif step.records and self._save_timer is None:
            self._save_timer = self._loop.call_later(SAVE_AFTER_S, self._save)
        self._on_events(step.events)
        for job in step.work:
            self._work(job)

    def _save(self) -> None:
        self._save_timer = None
        self._saver.write()

    def _send(self, batch: Batch) -> None:
        """The batch is on the disk."""
        for key, data in batch.letters:
            self._mesh.send(key, data)
        self.shown += len(batch.transcript)
        for message in batch.transcript:
            for watcher in list(self.watchers):
                watcher(message)
        if not self._is_closed:
            self._look_for_end()

    def _work(self, job: Job) -> None:
        if job.weight <= SMALL:
            result = timed(job)
            self._inbox.append(lambda now: self.table.done(job, result, now))
        else:
            self._workers.submit(job, self._done)

    def _done(self, job: Job, result: Result) -> None:
        self.feed(lambda now: self.table.done(job, result, now))

    # --- time ---

    def _set_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        deadline = self.table.deadline
        if deadline is not None and not self._is_closed:
            self._timer = self._loop.call_at(max(deadline, self._loop.time() + 0.001), self._wake)

    def _wake(self) -> None:
        self._timer = None
        self.feed(self.table.wake)

    def _greet(self) -> None:
        for seat in self.table.record.present:
            key = self.table.record.key(seat)
            if key != self._mesh.key and self._mesh.way(key) is not Way.NONE:
                self.change(Change(key, self._mesh.way(key)))

    # --- the end ---

    def fail(self, fault: FairdealError) -> None:
        """Nothing more can be saved, so nothing more is said; what was saved stays for the next start."""
        self.fault = self.fault or fault
        self.finished.set()
        self.changed.set()
        self.close()

    def crash(self, error: Exception) -> None:
        """The game or this program raised something unexpected: the seat stops and is kept, and says no goodbye."""
        log.error("the seat at table %s stops", self.match.hex()[:16], exc_info=error)
        self.fail(error if isinstance(error, GameFailed) else GameFailed(self.table.game.name, error))

    def close(self) -> None:
        """Stops at once; the seat is kept. Safe to call twice."""
        if self._is_closed:
            return
        self._is_closed = True
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
        """The match is over: its file is complete, its scores are kept, its records are not needed any more."""
        self.close()
        self._journal.finish(self.match, result, at=at, status=status)
        self._journal.commit()
