"""Saved before sent: letters wait for the disk, in order, and nothing that waits is lost or said after a fault."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from p2p.errors import DiskFull, SaveFault
from p2p.journal import Journal
from p2p.saved import JournalRecord, RecordKind
from p2p.saving import Batch, Saver
from p2p.transcripts import TranscriptFile, open_transcript, read_transcript
from p2p.workers import save_in
from protocol.errors import FairdealError

MATCH = b"m" * 32
PEER = b"p" * 32


class Later(Executor):
    """An executor and an event loop of which the test says when each goes on."""

    def __init__(self) -> None:
        self.jobs: list[Callable[[], object]] = []
        self.calls: list[Callable[[], object]] = []

    def submit(self, job: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        self.jobs.append(lambda: job(*args))
        return Future()

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> None:
        self.calls.append(callback)

    def is_closed(self) -> bool:
        return False

    def work(self) -> None:
        """The thread does its next job."""
        self.jobs.pop(0)()

    def tell(self) -> None:
        """The event loop takes its next call."""
        self.calls.pop(0)()


class Desk:
    """A saver with a real journal and a real transcript."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.journal = Journal.open(folder / "journal")
        self.journal.begin_match(MATCH, b"roster", role="host", created=1.0, seats={})
        self.journal.commit()
        self.transcript: TranscriptFile = open_transcript(folder / "match")
        self.later = Later()
        self.sent: list[bytes] = []
        self.saved_when_sent: list[int] = []
        self.faults: list[FairdealError] = []
        self.saver = Saver(
            MATCH,
            self.journal,
            self.transcript,
            partial(save_in, self.later, self.later),
            self.told,
            self.faults.append,
        )

    def told(self, batch: Batch) -> None:
        self.sent += [data for _, data in batch.letters]
        self.saved_when_sent.append(len(self.saved()))

    def saved(self) -> list[bytes]:
        """What another process would find."""
        other = Journal.read_only(self.folder / "journal")
        try:
            return [record.data for _, record in other.records(MATCH)]
        finally:
            other.close()

    def step(self, name: bytes) -> None:
        """A step that saves, shows and sends something of this name."""
        self.saver.gather(Batch([JournalRecord(RecordKind.OUT, b"", name)], [name], [(PEER, name)]))
        self.saver.write()

    def close(self) -> None:
        self.journal.close()
        self.transcript.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.close()


def test_nothing_is_sent_before_it_is_on_the_disk(desk: Desk) -> None:
    desk.step(b"one")
    assert not desk.sent and not desk.saver.is_idle
    desk.later.work()
    assert desk.saved() == [b"one"]
    assert not desk.sent  # the event loop has not heard of it yet
    desk.later.tell()
    assert desk.sent == [b"one"] and desk.saver.is_idle
    assert read_transcript(desk.transcript.path)[0] == [b"one"]


def test_what_comes_meanwhile_gathers_and_goes_out_in_order(desk: Desk) -> None:
    for name in (b"one", b"two", b"three"):
        desk.step(name)
    assert len(desk.later.jobs) == 1  # one writing at a time
    desk.later.work()
    assert desk.saved() == [b"one"]
    desk.later.tell()
    assert desk.sent == [b"one"]
    desk.later.work()
    desk.later.tell()
    assert desk.sent == [b"one", b"two", b"three"]
    assert desk.saved_when_sent == [1, 3]  # two steps, one commit
    assert not desk.later.jobs


def test_a_letter_without_records_does_not_overtake_one_that_waits(desk: Desk) -> None:
    desk.step(b"one")
    desk.saver.gather(Batch(letters=[(PEER, b"again")]))
    desk.saver.write()
    assert not desk.sent
    desk.later.work()
    desk.later.tell()
    assert desk.sent == [b"one", b"again"]
    desk.saver.gather(Batch(letters=[(PEER, b"once more")]))
    desk.saver.write()
    assert desk.sent[-1] == b"once more" and not desk.later.jobs  # nothing to wait for


@pytest.mark.parametrize("is_begun", [False, True])
def test_at_the_end_all_is_written_and_sent_once(desk: Desk, is_begun: bool) -> None:
    desk.step(b"one")
    desk.step(b"two")
    if is_begun:
        desk.later.work()
    desk.saver.finish()
    assert desk.saver.is_idle
    assert desk.sent == [b"one", b"two"] and desk.saved() == [b"one", b"two"]
    while desk.later.jobs or desk.later.calls:  # what had been handed out before comes too late and does nothing
        (desk.later.work if desk.later.jobs else desk.later.tell)()
    assert desk.sent == [b"one", b"two"] and desk.saved() == [b"one", b"two"]
    assert read_transcript(desk.transcript.path)[0] == [b"one", b"two"]


def test_after_a_full_disk_nothing_is_sent(desk: Desk) -> None:
    (pages,) = desk.journal._db.execute("PRAGMA page_count").fetchone()
    desk.journal._db.execute(f"PRAGMA max_page_count = {pages + 2}")
    desk.step(b"x" * 60_000)
    desk.step(b"behind it")
    desk.later.work()
    desk.later.tell()
    assert [type(fault) for fault in desk.faults] == [DiskFull]
    desk.step(b"later")
    desk.saver.finish()
    assert not desk.sent and not desk.saved() and len(desk.faults) == 1


def test_a_mistake_of_ours_is_raised_and_ends_the_match(desk: Desk) -> None:
    desk.saver.gather(Batch([JournalRecord(RecordKind.OUT, b"", b"good"), JournalRecord(RecordKind.OUT, b"", None)]))  # type: ignore[arg-type]
    desk.saver.write()
    desk.later.work()
    with pytest.raises(TypeError):
        desk.later.tell()
    assert [type(fault) for fault in desk.faults] == [SaveFault]  # not a full disk, and not silence
    desk.step(b"later")
    desk.saver.finish()
    assert not desk.sent and not desk.later.jobs


def test_an_interrupt_while_the_last_batch_is_written_sends_nothing_of_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C twice: the second one breaks out of the writing, and the event loop goes on for a moment."""
    desk.step(b"one")

    def interrupted() -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(desk.journal, "commit", interrupted)
        with pytest.raises(KeyboardInterrupt):
            desk.saver.finish()
    while desk.later.jobs or desk.later.calls:  # the thread had been asked before, and answers now
        (desk.later.work if desk.later.jobs else desk.later.tell)()
    desk.journal.commit()
    assert not desk.sent and desk.saved() == []
    assert len(desk.faults) == 1


def test_at_the_end_no_thread_is_needed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    with ThreadPoolExecutor(1) as gone:
        gone.shutdown()
    saver = Saver(
        MATCH, desk.journal, desk.transcript, partial(save_in, gone, desk.later), desk.told, desk.faults.append
    )
    for name in (b"one", b"two"):
        saver.gather(Batch([JournalRecord(RecordKind.OUT, b"", name)], [name], [(PEER, name)]))
    saver.finish()
    assert desk.sent == [b"one", b"two"] and desk.saved() == [b"one", b"two"]
    desk.close()


def test_a_slow_disk_keeps_the_event_loop_free(tmp_path: Path) -> None:
    """The disk stands still until the loop has gone round a hundred times."""

    async def run() -> list[bytes]:
        free = threading.Event()

        class Slow(Journal):
            def commit(self) -> None:
                assert free.wait(30)
                super().commit()

        desk = Desk(tmp_path)
        journal = Slow(desk.journal._db, desk.journal.path, writable=True)
        sent: list[bytes] = []
        done = asyncio.Event()

        def told(batch: Batch) -> None:
            sent.extend(data for _, data in batch.letters)
            done.set()

        with ThreadPoolExecutor(1) as disk:
            loop = asyncio.get_running_loop()
            saver = Saver(MATCH, journal, desk.transcript, partial(save_in, disk, loop), told, desk.faults.append)
            saver.gather(Batch([JournalRecord(RecordKind.OUT, b"", b"one")], [], [(PEER, b"one")]))
            saver.write()
            for _ in range(100):
                await asyncio.sleep(0)
            assert not sent
            free.set()
            await done.wait()
        desk.close()
        return sent

    assert asyncio.run(run()) == [b"one"]
