"""The transcript file: only appended to, whole messages, continued after a crash."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from p2p.errors import HomeUnwritable, TranscriptTaken
from p2p.transcripts import open_transcript, read_transcript

MESSAGES = [b"one", b"two" * 1000, b"3"]


def write(path: Path, messages: list[bytes]) -> bytes:
    transcript = open_transcript(path)
    transcript.append(*messages)
    transcript.close()
    return path.read_bytes()


def test_length_and_message_alternate(tmp_path: Path) -> None:
    assert write(tmp_path / "t", [b"abc", b"d"]) == b"\0\0\0\x03abc\0\0\0\x01d"
    assert read_transcript(tmp_path / "t") == ([b"abc", b"d"], 0)


def test_a_reader_sees_what_was_appended_at_once(tmp_path: Path) -> None:
    transcript = open_transcript(tmp_path / "t")
    transcript.append(b"abc")
    assert read_transcript(tmp_path / "t") == ([b"abc"], 0)
    assert (transcript.count, transcript.size) == (1, 7)
    transcript.close()
    transcript.close()


def test_what_is_written_late_becomes_the_same_file(tmp_path: Path) -> None:
    """Also after it was cut back, and where the file is continued."""
    for name, is_late in (("late", True), ("soon", False)):
        transcript = open_transcript(tmp_path / name, MESSAGES, is_late=is_late)
        begun = (tmp_path / name).stat().st_size
        transcript.append(b"four", b"five")
        assert (transcript.count, (tmp_path / name).stat().st_size == begun) == (5, is_late)
        transcript.cut(4)
        transcript.append(b"other")
        transcript.cut(2)
        transcript.append(b"last")
        transcript.close()
        transcript.close()
        assert read_transcript(tmp_path / name) == ([*MESSAGES[:2], b"last"], 0)
    refusing = open_transcript(tmp_path / "other", is_late=True)
    with pytest.raises(ValueError, match="no message"):
        refusing.append(b"")
    refusing.close()


def test_a_match_that_never_began_leaves_no_file(tmp_path: Path) -> None:
    transcript = open_transcript(tmp_path / "t")
    assert (tmp_path / "t").exists()
    transcript.close()
    assert not (tmp_path / "t").exists()
    transcript.close()
    write(tmp_path / "t", [b"abc"])
    open_transcript(tmp_path / "t", [b"abc"]).close()
    assert (tmp_path / "t").exists()


def test_wherever_the_file_is_torn_it_is_mended(tmp_path: Path) -> None:
    whole = write(tmp_path / "t", MESSAGES)
    for cut in [*range(20), len(whole) - 6, len(whole) - 2, len(whole)]:
        (tmp_path / "t").write_bytes(whole[:cut])
        transcript = open_transcript(tmp_path / "t", MESSAGES)
        transcript.append(b"next")
        transcript.close()
        assert read_transcript(tmp_path / "t") == ([*MESSAGES, b"next"], 0), cut


def test_a_tail_of_garbage_goes(tmp_path: Path) -> None:
    whole = write(tmp_path / "t", MESSAGES)
    (tmp_path / "t").write_bytes(whole + b"\0\0\0\0\0\0")
    open_transcript(tmp_path / "t", MESSAGES).close()
    assert (tmp_path / "t").read_bytes() == whole


@pytest.mark.parametrize("expected", [[], [b"ours", b"also"]])
def test_another_matchs_file_is_left_alone(tmp_path: Path, expected: list[bytes]) -> None:
    theirs = write(tmp_path / "t", [b"theirs"])
    with pytest.raises(TranscriptTaken, match="choose another file"):
        open_transcript(tmp_path / "t", expected)
    assert (tmp_path / "t").read_bytes() == theirs


def test_the_reader_counts_bytes_that_are_no_message(tmp_path: Path) -> None:
    for tail in (b"\0", b"\0\0\0\0", b"\0\0\0\x05abcd", b"\xff\xff\xff\xffabcd"):
        (tmp_path / "t").write_bytes(b"\0\0\0\x01a" + tail)
        assert read_transcript(tmp_path / "t") == ([b"a"], len(tail))


def test_what_is_no_message_is_not_written(tmp_path: Path) -> None:
    transcript = open_transcript(tmp_path / "t")
    transcript.append(b"a")
    for wrong in (b"", bytes((1 << 20) + 1)):
        with pytest.raises(ValueError):
            transcript.append(wrong)
    transcript.close()
    assert read_transcript(tmp_path / "t") == ([b"a"], 0)


def test_a_place_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "t").mkdir()
    with pytest.raises(HomeUnwritable):
        open_transcript(tmp_path / "t")


@pytest.mark.skipif(os.name != "posix", reason="rights of files are the system's on Windows")
def test_it_is_the_owners_alone(tmp_path: Path) -> None:
    write(tmp_path / "t", [b"x"])
    assert (tmp_path / "t").stat().st_mode & 0o777 == 0o600
