"""Export a match: a readable text, and a copy of its transcript for verification."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path

from cli.news import ExportedFiles

MOST_OF_A_SECOND = 100
"""At most this many files of one second get distinct names."""


def save(folders: Iterable[Path], lines: Sequence[str], transcript: Path | None, now: float) -> ExportedFiles:
    """Write to the first folder that works, without overwriting anything. Raises the last folder's OSError."""
    stem = time.strftime("evening-%Y%m%d-%H%M%S", time.localtime(now))
    copied = transcript.read_bytes() if transcript is not None and transcript.exists() else None
    refused: OSError = FileNotFoundError("no folder")
    for folder in folders:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            return _save(folder, stem, "\n".join(lines) + "\n", copied)
        except OSError as fault:
            refused = fault
    raise refused


def _save(folder: Path, stem: str, text: str, copied: bytes | None) -> ExportedFiles:
    for number in range(1, MOST_OF_A_SECOND):
        name = stem if number == 1 else f"{stem}-{number}"
        written, file = folder / f"{name}.txt", folder / f"{name}.fairdeal"
        if file.exists():
            continue
        try:
            with written.open("x", encoding="utf-8") as out:
                out.write(text)
        except FileExistsError:
            continue
        if copied is not None:
            file.write_bytes(copied)
        return ExportedFiles(written, file if copied is not None else None)
    raise FileExistsError(17, "File exists", stem)
