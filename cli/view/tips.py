"""What a newcomer is told in the first turns, a key at a time, when it does something. What was told, a file in the person's
home remembers, so that nobody is told for ever."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from cli.text import key

SHEDDING = ("enter", "draw", "hint", "pass")
TICHU = ("pick", "pass", "hint")
"""Keys of the registry, in the order in which they are told; each where it does something sensible."""
ARROWS = "arrows"
"""Instead of Enter, while the card under the cursor cannot be played."""
TOLD = {
    "enter": key("plays the card above the ▲"),
    "enter picked": key("plays the picked cards"),
    ARROWS: key("go to another card, Enter plays it"),
    "draw": key("draws a card when nothing fits"),
    "hint": key("picks a card that can be played"),
    "pass": key("passes: nothing else can be done now"),
    "tichu pick": key("picks cards, Enter plays them together"),
    "tichu pass": key("passes when you cannot beat it, or will not"),
    "tichu hint": key("picks cards that can be played"),
}
MOST_BYTES = 160


def tips_for(is_tichu: bool) -> Sequence[str]:
    """The tips of a game, by names of their own: those of Tichu are others."""
    return tuple(f"tichu {name}" for name in TICHU) if is_tichu else SHEDDING


ALL = frozenset((*tips_for(False), *tips_for(True)))


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
