"""What a player may set: language, colours, charset, hints, motion, mouse, sound. Kept in `config.toml` of the home."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Self

from cli.clean import clean
from cli.text import ActionNames, Translator, key, load_translator
from cli.view.actions import ButtonNames
from cli.view.views import Shown
from protocol.errors import FairdealError
from protocol.levels import HINT_LEVELS

NOT_READ = key("cannot read config.toml, so it is ignored: {reason}")

THEMES = ("felt", "light", "contrast", "two-colour", "mono")
SYSTEM = "system"
"""No theme is chosen: a page looks as the device does."""


@dataclass(slots=True)
class Settings:
    """Changed in place; read them anew whenever something is shown."""

    themes: ClassVar[Sequence[str]] = (SYSTEM, *THEMES)
    """Those that can be chosen, the usual one first."""
    rings: ClassVar[bool] = False
    """Whether there is a sound unless it is turned off: a phone that is at a party vibrates."""
    lang: str = "en"
    theme: str = "felt"
    ascii_only: bool = False
    big: bool = False
    kanji: bool = True
    mouse: bool = True
    sound: bool = True
    hints: str = "legal"
    """One of `HINT_LEVELS`; a table may allow less."""
    sortings: dict[str, str] = field(default_factory=dict)
    """How hands were sorted last, by the settings that games name; without an entry as each game does by itself."""
    last_table: str = ""
    """The game that was opened last with its seats and options, as `opening.noted` writes them."""
    motion: bool = True
    faults: tuple[FairdealError, ...] = ()
    """What the file wants and cannot have."""
    path: Path | None = None
    has_colours: bool = True
    needs_ascii: bool = False
    """The terminal can show nothing else: that is no wish of the player's, and is not kept."""

    @property
    def action_names(self) -> ActionNames:
        """How sentences name actions on this face."""
        return ButtonNames()

    @property
    def words(self) -> Translator:
        return load_translator(self.lang, self.action_names)

    @property
    def shown(self) -> Shown:
        return Shown(self.ascii_only, self.big, self.kanji and not self.ascii_only)

    def save(self) -> None:
        """Into the file, beside what else stands there. A folder that cannot be written keeps nobody from playing."""
        if self.path is None:
            return
        own: dict[str, str | bool] = {
            "lang": self.lang,
            "theme": self.theme,
            "big": self.big,
            "kanji": self.kanji,
            "hints": self.hints,
            **self.sortings,
            "last_table": self.last_table,
            "motion": self.motion,
            "mouse": self.mouse,
            "sound": self.sound,
        }
        if not (self.needs_ascii and self.ascii_only):
            own["ascii"] = self.ascii_only
        try:
            lines = self.path.read_text(encoding="utf-8").splitlines() if self.path.exists() else []
            first = next((at for at, line in enumerate(lines) if line.strip().startswith("[")), len(lines))
            kept = [line for line in lines[:first] if line.partition("=")[0].strip() not in own]
            mine = [
                f'{name} = "{value}"' if isinstance(value, str) else f"{name} = {str(value).lower()}"
                for name, value in own.items()
            ]
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text("\n".join([*kept, *mine, *lines[first:]]) + "\n", encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return

    @classmethod
    def read(
        cls, config: Mapping[str, object], lang: str, ascii_only: bool, has_colours: bool, path: Path | None
    ) -> Self:
        """As the config file says, what it does not say at its default."""
        own, own_faults = cls.read_own(config)
        theme = config.get("theme")
        hints = config.get("hints")
        last_table = config.get("last_table")
        return cls(
            lang=lang,
            theme=theme if isinstance(theme, str) and theme in cls.themes else cls.themes[0],
            ascii_only=ascii_only or config.get("ascii") is True,
            big=config.get("big") is True,
            kanji=config.get("kanji") is not False,
            mouse=config.get("mouse") is not False,
            sound=config.get("sound", cls.rings) is True,
            hints=hints if isinstance(hints, str) and hints in HINT_LEVELS else "legal",
            sortings={
                name: kept for name, kept in config.items() if name.startswith("sorting") and isinstance(kept, str)
            },
            last_table=last_table if isinstance(last_table, str) and re.fullmatch(r"[\w =.+-]*", last_table) else "",
            motion=config.get("motion") is not False,
            faults=(*(unread(path) if path is not None else ()), *own_faults),
            path=path,
            has_colours=has_colours,
            needs_ascii=ascii_only,
            **own,
        )

    @classmethod
    def read_own(cls, config: Mapping[str, object]) -> tuple[dict[str, Any], tuple[FairdealError, ...]]:
        """What only this face reads from the config file, by the names of its fields, and what cannot be had."""
        return {}, ()


def unread(path: Path) -> tuple[FairdealError, ...]:
    """Why the whole file cannot be read, if it cannot."""
    try:
        tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return ()
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as fault:
        return (FairdealError(NOT_READ, reason=clean(str(fault), 120)),)
    return ()
