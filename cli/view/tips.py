"""What a newcomer is told in the first turns, a key at a time, when it does something. What was told, a file in the person's
home remembers, so that nobody is told for ever."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from cli.text import key

ARROWS = "arrows"
"""Instead of Enter, while the card under the cursor cannot be played."""
TOLD = {
    "enter": key("plays the card marked ▲"),
    "enter picked": key("plays the picked cards"),
    ARROWS: key("go to another card, {@play} plays it"),
    "draw": key("draws a card if you can’t play"),
    "hint": key("picks a card you can play"),
    "pass": key("passes (your only move right now)"),
    "tichu pick": key("picks cards, {@play} plays them together"),
    "tichu pass": key("passes if you can’t (or don’t want to) beat it"),
    "tichu hint": key("picks cards you can play"),
}
MOST_BYTES = 160


ALL = frozenset(TOLD) - {ARROWS, "enter picked"}
"""All tips, by names of their own; a game says which of them it tells, and in which order."""


def tips_seen(folder: Path | None) -> frozenset[str]:
    """What this person has been told. Where nothing can be kept, nobody is told again and again."""
    if folder is None:
        return ALL
    try:
        with (folder / "tips-seen").open("rb") as file:
            text = file.read(MOST_BYTES)
        return ALL & set(text.decode("ascii", "replace").splitlines())
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
