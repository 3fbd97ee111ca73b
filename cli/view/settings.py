"""What a player may set: language, colours, charset, hints, motion, mouse, sound. Kept in `config.toml` of the home."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from cli.terminal.theme import THEMES, Theme
from cli.text import Translator, load_translator
from cli.view.commands import Registry
from cli.view.own_keys import own_keys, unread
from cli.view.views import Shown
from protocol.errors import FairdealError
from protocol.levels import HINT_LEVELS


@dataclass(slots=True)
class Settings:
    """Changed in place; whoever shows something asks again."""

    lang: str = "en"
    theme: str = "felt"
    ascii_only: bool = False
    big: bool = False
    kanji: bool = True
    mouse: bool = True
    sound: bool = True
    hints: str = "legal"
    """One of `HINT_LEVELS`; a table may allow less."""
    sorting: str = ""
    """How the hand was sorted last, in the shedding games and in Tichu; empty: as each game does by itself."""
    sorting_tichu: str = ""
    last_table: str = ""
    """The game that was opened last with its seats and options, as `present.opening` writes them."""
    motion: bool = True
    keys: Mapping[str, str] = field(default_factory=dict)
    key_faults: tuple[FairdealError, ...] = ()
    """What the file wants of the keys and cannot have."""
    path: Path | None = None
    has_colours: bool = True
    needs_ascii: bool = False
    """The terminal can show nothing else: that is no wish of the player's, and is not kept."""

    @property
    def words(self) -> Translator:
        return load_translator(self.lang)

    @property
    def shown(self) -> Shown:
        return Shown(self.ascii_only, self.big, self.kanji and not self.ascii_only)

    @property
    def colours(self) -> Theme:
        return THEMES[self.theme if self.has_colours else "mono"]

    @property
    def registry(self) -> Registry:
        return Registry(self.keys)

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
            "sorting": self.sorting,
            "sorting_tichu": self.sorting_tichu,
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


def settings_from(
    config: Mapping[str, object], lang: str, ascii_only: bool, has_colours: bool, path: Path | None
) -> Settings:
    """As the config file says, what it does not say at its default."""
    theme = config.get("theme")
    hints = config.get("hints")
    keys, key_faults = own_keys(config.get("keys"))
    sorting, sorting_tichu = config.get("sorting"), config.get("sorting_tichu")
    last_table = config.get("last_table")
    return Settings(
        lang=lang,
        theme=theme if isinstance(theme, str) and theme in THEMES else "felt",
        ascii_only=ascii_only or config.get("ascii") is True,
        big=config.get("big") is True,
        kanji=config.get("kanji") is not False,
        mouse=config.get("mouse") is not False,
        sound=config.get("sound") is not False,
        hints=hints if isinstance(hints, str) and hints in HINT_LEVELS else "legal",
        sorting=sorting if isinstance(sorting, str) else "",
        sorting_tichu=sorting_tichu if isinstance(sorting_tichu, str) else "",
        last_table=last_table if isinstance(last_table, str) and re.fullmatch(r"[\w =.+-]*", last_table) else "",
        motion=config.get("motion") is not False,
        keys=keys,
        key_faults=(*(unread(path) if path is not None else ()), *key_faults),
        path=path,
        has_colours=has_colours,
        needs_ascii=ascii_only,
    )
