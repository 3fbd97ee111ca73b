"""A match is written down beside what lies there already, and somewhere else where a folder takes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.client.exporting import save

NOW = 1_763_700_000.0


def test_words_and_transcript_lie_side_by_side(tmp_path: Path) -> None:
    transcript = tmp_path / "match.fairdeal"
    transcript.write_bytes(b"signed")
    saved = save([tmp_path], ["Round 1.", "次はあなた"], transcript, NOW)
    assert saved.text.name.startswith("evening-2025112")
    assert saved.text.read_text(encoding="utf-8") == "Round 1.\n次はあなた\n"
    assert saved.transcript is not None
    assert saved.transcript.read_bytes() == b"signed"
    assert saved.transcript.stem == saved.text.stem


def test_nothing_that_lies_there_is_overwritten(tmp_path: Path) -> None:
    first = save([tmp_path], ["first"], None, NOW)
    second = save([tmp_path], ["second"], None, NOW)
    assert first.text.read_text(encoding="utf-8") == "first\n"
    assert second.text.name == f"{first.text.stem}-2.txt"
    assert first.transcript is None


def test_where_a_folder_takes_nothing_the_next_one_does(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    saved = save([file / "below", tmp_path / "own"], ["words"], tmp_path / "missing.fairdeal", NOW)
    assert saved.text.parent == tmp_path / "own"
    assert saved.transcript is None


def test_where_none_does_the_reason_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("no folder")
    with pytest.raises(OSError, match=r"Not a directory|exists"):
        save([file / "below"], ["words"], None, NOW)
