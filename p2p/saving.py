"""Save before sending, without blocking the event loop.

The steps of a table are gathered in batches. A thread writes one batch at a time, and the messages of a batch are sent
once it is on the disk, in the order of the steps. While a batch is written the next one is gathered, so a slow disk
leads to fewer commits, not to a growing delay.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from p2p.errors import SaveFault
from p2p.saved import JournalRecord, Journals
from p2p.transcripts import Cut, TranscriptFile
from protocol.errors import FairdealError

Save = Callable[[Callable[[], None], Callable[[FairdealError | None], None]], None]
"""Calls the first function, waits until everything in the journal is durable, then calls the second in the event loop, with the
reason if it is not durable."""


@dataclass(slots=True)
class Batch:
    """What one or more steps want: records for the journal, messages for the transcript (and where it is cut back first),
    letters (key, data) to send."""

    records: list[JournalRecord] = field(default_factory=list)
    transcript: list[bytes | Cut] = field(default_factory=list)
    letters: list[tuple[bytes, bytes]] = field(default_factory=list)
    is_written: bool = False
    is_settled: bool = False

    @property
    def is_empty(self) -> bool:
        return not (self.records or self.transcript or self.letters)


class Saver:
    """Writes the batches of one match. Everything but the writing happens in the event loop.

    `on_saved` is called for each saved batch, `on_failure` once, for the first error, after which nothing is written.
    """

    def __init__(
        self,
        match: bytes,
        journal: Journals,
        transcript: TranscriptFile,
        save: Save,
        on_saved: Callable[[Batch], None],
        on_failure: Callable[[FairdealError], None],
    ) -> None:
        self.fault: FairdealError | None = None
        self._match, self._journal, self._transcript = match, journal, transcript
        self._save, self._on_saved, self._on_failure = save, on_saved, on_failure
        self._gathering = Batch()
        self._writing: Batch | None = None
        self._bug: Exception | None = None
        self._is_ending = False
        self._lock = threading.Lock()
        """Held while a batch is written: the next holder finds the batch written or not started."""

    @property
    def is_idle(self) -> bool:
        """Whether everything gathered is saved and reported."""
        return self._writing is None and self._gathering.is_empty

    def gather(self, batch: Batch) -> None:
        """Add a batch to the next write."""
        self._gathering.records += batch.records
        self._gathering.transcript += batch.transcript
        self._gathering.letters += batch.letters

    def write(self) -> None:
        """Write what was gathered now, or as soon as the current batch is written."""
        if self._writing is not None or self._gathering.is_empty or self.fault is not None:
            return
        batch, self._gathering = self._gathering, Batch()
        self._writing = batch
        if not batch.records and not batch.transcript:  # only letters, such as repeated ones: nothing to save
            batch.is_written = True
            self._settle(batch)
        elif not self._is_ending:
            self._save(lambda: self._write(batch), lambda fault: self._saved(batch, fault))

    def finish(self) -> None:
        """Write and report everything that is left, in this thread: the worker threads may be gone."""
        self._is_ending = True
        self.write()
        while self._writing is not None:
            self._write(self._writing)
            if not self._journal.waits_for_disk:  # it may not be durable yet; who misses these letters asks again
                self._writing.letters.clear()
            self._settle(self._writing)

    # --- in a thread, or in the event loop at the end ---

    def _write(self, batch: Batch) -> None:
        with self._lock:
            if batch.is_written:
                return
            batch.is_written = True
            try:
                with self._journal.lock:
                    if batch.records:
                        self._journal.append(self._match, *batch.records)
                    self._journal.commit()
                self._write_transcript(batch.transcript)
            except FairdealError as fault:
                self._stop(fault)
            except Exception as bug:  # raised again in the event loop
                self._bug = bug
                self._stop(self._save_fault(bug))
            except BaseException as interrupt:  # while finishing: nothing of this batch may be sent
                self._stop(self._save_fault(interrupt))
                raise

    def _write_transcript(self, pieces: list[bytes | Cut]) -> None:
        messages: list[bytes] = []
        for piece in pieces:
            if isinstance(piece, Cut):
                self._transcript.append(*messages)
                self._transcript.cut(piece.count)
                messages = []
            else:
                messages.append(piece)
        if messages:
            self._transcript.append(*messages)

    def _stop(self, fault: FairdealError) -> None:
        """Roll back, so that nothing of a failed batch is committed together with other writes to this journal."""
        self.fault = fault
        with contextlib.suppress(Exception):
            self._journal.rollback()

    def _save_fault(self, cause: BaseException) -> FairdealError:
        return SaveFault("the match could not be saved ({reason})", reason=repr(cause))

    # --- in the event loop ---

    def _saved(self, batch: Batch, fault: FairdealError | None) -> None:
        if fault is not None and not batch.is_settled:
            self._stop(fault)
        self._settle(batch)

    def _settle(self, batch: Batch) -> None:
        """Report a batch that was written or failed. Safe to call twice."""
        if batch.is_settled:
            return
        batch.is_settled = True
        self._writing = None
        if self.fault is not None:
            self._gathering = Batch()
            self._on_failure(self.fault)
            if self._bug is not None:
                raise self._bug
            return
        self._on_saved(batch)
        self.write()
