"""Which tips a newcomer has been told: a file in the person's home remembers it, so that nobody is told for ever."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

MOST_BYTES = 500

ALL: Final = frozenset({"*"})
"""Stands for all tips of all games."""


def tips_seen(folder: Path | None) -> frozenset[str]:
    """What this person has been told. Where nothing can be kept, nobody is told again and again."""
    if folder is None:
        return ALL
    try:
        with (folder / "tips-seen").open("rb") as file:
            return frozenset(file.read(MOST_BYTES).decode("ascii", "replace").splitlines())
    except FileNotFoundError:
        return frozenset()
    except OSError:
        return ALL


def note_tip(folder: Path | None, seen: Iterable[str]) -> None:
    """Remembers them. A folder that cannot be written keeps nobody from playing."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "tips-seen").write_text("".join(f"{name}\n" for name in sorted(seen)), encoding="ascii")
    except OSError:
        return
