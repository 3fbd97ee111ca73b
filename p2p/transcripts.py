"""A match's transcript file: signed messages, each after its length (4 bytes, big-endian), and nothing else.

It is append-only. The journal is what must survive a power failure; the transcript is derived from it. After a crash
`open_transcript` is given the messages that belong in the file, cuts off a partial message and adds what is missing.
"""

from __future__ import annotations

import contextlib
import os
from array import array
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

from p2p.errors import HomeFault, TranscriptTaken
from p2p.home import make_private_folder, writing
from protocol.values import dataclass

CUT_PREFIX = b"cut"
"""Begins what a stream sends instead of a message when the transcript is cut back; no message begins so."""
LENGTH_BYTES = 4
MAX_MESSAGE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Cut:
    """Drops all messages after the first `count`: the match went on from an earlier point."""

    count: int

    def encode(self) -> bytes:
        """Encode it for a stream."""
        return CUT_PREFIX + self.count.to_bytes(8, "big")


def read_cut(data: bytes) -> Cut | None:
    """Return the cut that a stream sends, or None for a message."""
    is_cut = data.startswith(CUT_PREFIX) and len(data) == len(CUT_PREFIX) + 8
    return Cut(int.from_bytes(data[len(CUT_PREFIX) :], "big")) if is_cut else None


def framed(message: bytes) -> bytes:
    """Encode a message as it is stored in the file. Raises ValueError if it is empty or too long."""
    if not 0 < len(message) <= MAX_MESSAGE_BYTES:
        raise ValueError(f"{len(message)} bytes are no message of a transcript")
    return len(message).to_bytes(LENGTH_BYTES, "big") + message


class TranscriptFile:
    """A transcript open for writing, holding `count` messages in `size` bytes."""

    def __init__(self, file: BinaryIO, path: Path, count: int, size: int) -> None:
        self._file = file
        self.path = path
        self.count = count
        self.size = size
        self._ends = array("Q")
        """Where each message ends that was added or found here: the last ones of `count`."""

    def append(self, *messages: bytes) -> None:
        """Append messages and flush them, so that readers see whole messages. Only sync() makes them durable."""
        records = list(map(framed, messages))
        with writing(self.path):
            self._file.write(b"".join(records))
            self._file.flush()
        for record in records:
            self.note(len(record))

    def note(self, size: int) -> None:
        """Count a message that stands in the file."""
        self.count += 1
        self.size += size
        self._ends.append(self.size)

    def cut(self, count: int) -> None:
        """Drop all messages after the first `count`."""
        if count >= self.count:
            return
        del self._ends[count:]
        self.count, self.size = count, self._ends[-1] if self._ends else 0
        with writing(self.path):
            self._file.seek(self.size)
            self._file.truncate()
            self._file.flush()

    def sync(self) -> None:
        """Wait until the file is on the disk."""
        with writing(self.path):
            self._file.flush()
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Sync and close. Safe to call twice. The file of a match that never began is empty, and goes."""
        if not self._file.closed:
            try:
                self.sync()
            finally:
                self._file.close()
            if self.count == 0:
                with contextlib.suppress(OSError):
                    if self.path.stat().st_size == 0:
                        self.path.unlink()


class LateTranscript(TranscriptFile):
    """A transcript that is written when it is closed, or synced. In a page the file lies in memory, and would be there a second
    time what the table holds, too."""

    def __init__(self, file: BinaryIO, path: Path, count: int, size: int) -> None:
        super().__init__(file, path, count, size)
        self._late: list[bytes] = []

    def append(self, *messages: bytes) -> None:
        """Append messages; sync() writes them."""
        for message in messages:
            self.note(len(framed(message)))
        self._late += messages

    def cut(self, count: int) -> None:
        if count < self.count:
            self._write()
            super().cut(count)

    def sync(self) -> None:
        self._write()
        super().sync()

    def _write(self) -> None:
        late, self._late = self._late, []
        with writing(self.path):
            self._file.write(b"".join(map(framed, late)))


def open_transcript(path: Path, messages: Iterable[bytes] = (), *, is_late: bool = False) -> TranscriptFile:
    """Open the transcript at `path` for appending, so that it holds exactly `messages`, in order. `is_late`: see LateTranscript.

    A file that begins with some of them is continued: what follows the last common message is cut off, what is missing
    is added. Any other file is left unchanged, and TranscriptTaken is raised.
    """
    make_private_folder(path.parent)
    with writing(path):
        file = open(os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600), "r+b")  # noqa: SIM115
    transcript = (LateTranscript if is_late else TranscriptFile)(file, path, 0, 0)
    try:
        missing = _skip_common(file, transcript, iter(messages))
        with writing(path):
            file.seek(0, os.SEEK_END)
            if transcript.count == 0 and file.tell() > 0 and not _is_torn_start(file, missing):
                raise TranscriptTaken(
                    "{path} already exists and is not the transcript of this match: choose another file", path=path
                )
            file.seek(transcript.size)
            file.truncate()
        transcript.append(*missing)
        transcript.sync()
    except BaseException:  # interrupted, too: nobody else will close it
        file.close()
        raise
    return transcript


def _skip_common(file: BinaryIO, transcript: TranscriptFile, messages: Iterable[bytes]) -> list[bytes]:
    """Advance over the messages that the file begins with; return the remaining ones."""
    waiting = iter(messages)
    for message in waiting:
        record = framed(message)
        if file.read(len(record)) != record:
            return [message, *waiting]
        transcript.note(len(record))
    return []


def _is_torn_start(file: BinaryIO, messages: list[bytes]) -> bool:
    """Return whether the file is a partly written first message."""
    file.seek(0)
    found = file.read(LENGTH_BYTES + MAX_MESSAGE_BYTES + 1)
    return bool(messages) and framed(messages[0]).startswith(found)


def read_transcript(path: Path) -> tuple[list[bytes], int]:
    """Return the whole messages in a file, and the number of bytes after them (0 in an intact file)."""
    try:
        data = path.read_bytes()
    except OSError as fault:
        raise HomeFault("cannot read {path} ({reason})", path=path, reason=fault.strerror or str(fault)) from fault
    messages: list[bytes] = []
    place = 0
    while len(data) - place >= LENGTH_BYTES:
        end = place + LENGTH_BYTES + int.from_bytes(data[place : place + LENGTH_BYTES], "big")
        if not place + LENGTH_BYTES < end <= min(len(data), place + LENGTH_BYTES + MAX_MESSAGE_BYTES):
            break
        messages.append(data[place + LENGTH_BYTES : end])
        place = end
    return messages, len(data) - place
