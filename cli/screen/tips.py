"""What a newcomer is told in the first turns, one key in each. Which turn it is, a file in the person's home remembers, so
that nobody is told for ever."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cli.words import key

SHEDDING = (
    ("enter", key("plays the card above the ▲")),
    ("draw", key("draws a card when nothing fits")),
    ("hint", key("picks a card that can be played")),
)
TICHU = (
    ("pick", key("picks cards, Enter plays them together")),
    ("pass", key("passes when you cannot beat it, or will not")),
    ("hint", key("picks cards that can be played")),
)
"""Each a command of the registry and what its key does."""
MOST_BYTES = 16


def tips_for(is_tichu: bool) -> Sequence[tuple[str, str]]:
    return TICHU if is_tichu else SHEDDING


def turns_seen(folder: Path | None) -> int:
    """How many turns of this person had a tip. Where nothing can be kept, nobody is told again and again."""
    if folder is None:
        return len(SHEDDING)
    try:
        with (folder / "turns-seen").open("rb") as file:
            text = file.read(MOST_BYTES)
        return int(text) if text.strip().isdigit() else 0
    except FileNotFoundError:
        return 0
    except OSError:
        return len(SHEDDING)


def note_turns(folder: Path | None, count: int) -> None:
    """Remembers it. A folder that cannot be written keeps nobody from playing."""
    if folder is None:
        return
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "turns-seen").write_text(f"{count}\n", encoding="ascii")
    except OSError:
        return
