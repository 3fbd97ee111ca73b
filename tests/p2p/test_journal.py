"""The journal: nothing that was committed is lost, and what is wrong is said by name."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from p2p.database import faults
from p2p.errors import DiskFull, HomeUnwritable, SaveDamaged, SaveFault, SaveLocked
from p2p.journal import Journal
from p2p.saved import JournalRecord, RecordKind

ANN, BEN = b"a" * 32, b"b" * 32
MATCH = b"m" * 32


def begin(journal: Journal, match: bytes = MATCH, created: float = 1.0) -> None:
    journal.begin_match(match, b"roster", role="host", created=created, seats={ANN: [("10.0.0.1", 7000)], BEN: []})


def record(kind: RecordKind, data: bytes) -> JournalRecord:
    return JournalRecord(kind, b"", data)


def records(journal: Journal, since: int = 0) -> list[JournalRecord]:
    return [record for _, record in journal.records(MATCH, since)]


def test_what_was_written_is_read_again(tmp_path: Path) -> None:
    written = [
        JournalRecord(RecordKind.IN, ANN, b"hello"),
        record(RecordKind.OUT, b""),
        record(RecordKind.SECRET, b"\0" * 70000),
    ]
    journal = Journal.open(tmp_path / "j")
    begin(journal)
    journal.append(MATCH, *written[:2])
    journal.append(MATCH, *written[2:])
    journal.set_meta(MATCH, name="Evening", colour="red")
    journal.set_meta(MATCH, colour=None)
    journal.remember_peer(ANN, "Ann", at=5.0, addresses=[("fe80::1%2", 7000)])
    journal.remember_peer(ANN, "Anna", at=6.0)
    journal.commit()
    journal.close()

    journal = Journal.open(tmp_path / "j")
    assert records(journal) == written
    assert records(journal, since=1) == written[1:]
    (match,) = journal.unfinished()
    assert (match.roster, match.role, match.meta) == (b"roster", "host", {"name": "Evening"})
    assert match.seats == {ANN: (("10.0.0.1", 7000),), BEN: ()}
    (ann,) = journal.peers
    assert (ann.name, ann.seen, ann.addresses) == ("Anna", 6.0, (("fe80::1%2", 7000),))
    journal.append(MATCH, record(RecordKind.MARK, b"later"))
    assert [n for n, _ in journal.records(MATCH)] == [0, 1, 2, 3]
    journal.close()


def test_secrets_do_not_show_in_reports() -> None:
    assert "sesame" not in repr(record(RecordKind.SECRET, b"sesame"))


def test_a_finished_match_keeps_its_scores_and_no_secrets(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j")
    begin(journal)
    begin(journal, b"other", created=2.0)
    journal.append(MATCH, record(RecordKind.SECRET, b"sesame"))
    journal.finish(MATCH, {"scores": [3, 1]}, at=9.0)
    journal.commit()
    assert [m.id for m in journal.unfinished()] == [b"other"]
    (over,) = journal.finished()
    assert (over.status, over.finished, over.result) == ("finished", 9.0, {"scores": [3, 1]})
    assert records(journal) == []
    with pytest.raises(ValueError, match="already"):
        begin(journal)
    journal.close()


def test_a_match_put_aside_keeps_all_and_can_be_taken_up(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j")
    begin(journal)
    journal.append(MATCH, record(RecordKind.SECRET, b"sesame"))
    journal.put_aside(MATCH, {"left": ["Ann"]}, at=9.0)
    journal.commit()
    journal.close()
    journal = Journal.open(tmp_path / "j")
    assert journal.unfinished() == []
    (kept,) = journal.aside()
    assert (kept.status, kept.finished, kept.result) == ("aside", 9.0, {"left": ["Ann"]})
    assert [match.id for match in journal.finished()] == [MATCH], "how it stands is told with the others"
    assert [r.data for r in records(journal)] == [b"sesame"]
    journal.take_up(MATCH)
    (match,) = journal.unfinished()
    assert (match.finished, match.result, journal.aside(), journal.finished()) == (None, None, [], [])
    journal.finish(MATCH, {"scores": [3, 1]}, at=10.0)
    journal.take_up(MATCH)
    assert journal.unfinished() == [], "what is over stays so"
    journal.close()


def test_a_rollback_forgets_only_the_last_input(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j")
    begin(journal)
    journal.append(MATCH, record(RecordKind.OUT, b"kept"))
    journal.commit()
    journal.append(MATCH, record(RecordKind.OUT, b"gone"))
    journal.rollback()
    journal.append(MATCH, record(RecordKind.OUT, b"next"))
    journal.commit()
    assert [r.data for r in records(journal)] == [b"kept", b"next"]
    journal.close()


KILLED = """
import os, pathlib, signal, sys
from p2p.journal import Journal
from p2p.saved import JournalRecord as Record, RecordKind as Kind
journal = Journal.open(pathlib.Path(sys.argv[1]))
journal.begin_match(b"m" * 32, b"roster", role="host", created=1.0, seats={})
for n in range(50):
    journal.append(b"m" * 32, Record(Kind.OUT, b'', b"%d" % n))
journal.commit()
journal.append(b"m" * 32, Record(Kind.OUT, b'', b"never committed"), Record(Kind.SECRET, b'', bytes(3000000)))
if sys.argv[2] == "exit":
    os._exit(0)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("how", ["exit", "kill"])
def test_a_kill_between_append_and_commit_loses_just_what_was_not_committed(tmp_path: Path, how: str) -> None:
    if how == "kill" and not hasattr(signal, "SIGKILL"):
        pytest.skip("no SIGKILL here")
    subprocess.run([sys.executable, "-c", KILLED, str(tmp_path / "j"), how], check=False)
    journal = Journal.open(tmp_path / "j")
    assert [r.data for r in records(journal)] == [b"%d" % n for n in range(50)]
    assert not journal.was_clean
    journal.close()
    journal = Journal.open(tmp_path / "j")
    assert journal.was_clean
    journal.close()


def test_a_reader_beside_a_writer_sees_what_is_committed(tmp_path: Path) -> None:
    writer = Journal.open(tmp_path / "j")
    begin(writer)
    writer.commit()
    begin(writer, b"uncommitted")
    reader = Journal.read_only(tmp_path / "j")
    assert [m.id for m in reader.unfinished()] == [MATCH]
    with pytest.raises(AssertionError):
        reader.append(MATCH, record(RecordKind.MARK, b""))
    reader.close()
    writer.close()


def test_reading_where_nobody_played_makes_nothing(tmp_path: Path) -> None:
    journal = Journal.read_only(tmp_path / "none" / "j")
    assert (journal.unfinished(), journal.finished()) == ([], [])
    journal.close()
    assert list(tmp_path.iterdir()) == []


def test_a_second_writer_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.database.BUSY_S", 0.01)
    first = Journal.open(tmp_path / "j")
    begin(first)
    with pytest.raises(SaveLocked):
        Journal.open(tmp_path / "j")
    first.close()


@pytest.mark.parametrize(
    "content", [b"x", b"not a database at all" * 100, b"SQLite format 3\0" + bytes(84) + b"junk" * 1000]
)
def test_a_foreign_file_is_reported_as_damaged(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "j"
    path.write_bytes(content)
    with pytest.raises(SaveDamaged):
        Journal.open(path)
    with pytest.raises(SaveDamaged):
        Journal.read_only(path).unfinished()


def test_changed_bytes_of_a_record_are_found(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = Journal.open(path)
    begin(journal)
    journal.append(MATCH, record(RecordKind.SECRET, b"sesame" * 500), record(RecordKind.OUT, b"after"))
    journal.commit()
    journal.close()
    data = path.read_bytes()
    place = data.index(b"sesamesesame") + 400
    path.write_bytes(data[:place] + b"S" + data[place + 1 :])
    journal = Journal.open(path)
    with pytest.raises(SaveDamaged):
        records(journal)
    journal.close()


def test_a_broken_page_is_found_after_an_unclean_end(tmp_path: Path) -> None:
    path = tmp_path / "j"
    journal = Journal.open(path)
    begin(journal)
    for n in range(2000):
        journal.append(MATCH, record(RecordKind.OUT, b"%d" % n * 20))
    journal.commit()
    journal.abandon()
    data = bytearray(path.read_bytes())
    for place in range(8 * 4096, len(data), 4096):
        data[place : place + 16] = b"\xff" * 16
    path.write_bytes(data)
    with pytest.raises(SaveDamaged):
        Journal.open(path)


def test_a_journal_from_the_future_says_so(tmp_path: Path) -> None:
    Journal.open(tmp_path / "j").close()
    database = sqlite3.connect(tmp_path / "j")
    database.execute("UPDATE about SET value = '99' WHERE key = 'schema'")
    database.commit()
    database.close()
    with pytest.raises(SaveFault, match="update"):
        Journal.open(tmp_path / "j")


@pytest.mark.skipif(os.name != "posix", reason="rights of files are the system's on Windows")
def test_it_is_the_owners_alone(tmp_path: Path) -> None:
    previous = os.umask(0)
    try:
        journal = Journal.open(tmp_path / "j")
        begin(journal)
        journal.commit()
        assert {p.name: p.stat().st_mode & 0o777 for p in tmp_path.iterdir()} == dict.fromkeys(
            ["j", "j-wal", "j-shm"], 0o600
        )
        journal.close()
    finally:
        os.umask(previous)


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "j").mkdir()
    with pytest.raises(HomeUnwritable):
        Journal.open(tmp_path / "j")


def test_a_full_disk_is_said_by_name_and_nothing_is_half_saved(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j")
    begin(journal)
    journal.commit()
    (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
    journal._db.execute(f"PRAGMA max_page_count = {pages + 2}")  # SQLite then says "full" as it does when the disk is
    with pytest.raises(DiskFull, match="free up some space"):
        journal.append(MATCH, record(RecordKind.OUT, bytes(100_000)))
    journal.rollback()
    journal._db.execute("PRAGMA max_page_count = 1000000")
    journal.append(MATCH, record(RecordKind.OUT, b"later"))
    journal.commit()
    assert [r.data for r in records(journal)] == [b"later"]
    journal.close()


def test_our_own_mistakes_are_not_blamed_on_the_disk(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j")
    with pytest.raises(sqlite3.OperationalError, match="syntax"), faults(tmp_path):
        journal._db.execute("SELEKT")
    journal.close()
