"""All colours, by name. A style is `surface.ink`: what it lies on, and what it is written with. Nothing else has colours."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from protocol.values import dataclass

if TYPE_CHECKING:
    from cli.terminal.settings import TerminalSettings

SURFACES = {
    "felt": "night",
    "bar": "night",
    "log": "night",
    "seat": "night",
    "partner": "night",
    "key": "night",
    "back": "night",
    "card": "paper",
    "dull": "dull",
    "shade": "dull",
    "pick": "gold",
    "turn": "gold",
    "prompt": "gold",
    "row": "night",
    "dialog": "paper",
    "choice": "paper",
    "alarm": "red",
}
"""Each surface with the set of inks that can be read on it."""

BOLD = frozenset({"gold", "alarm", "strong", "cap", "s", "h", "d", "c", "x"})
"""Inks that are written bold (suits only on what lies bright)."""


@dataclass(frozen=True, slots=True)
class CellStyle:
    """One cell's colours as #rrggbb or by their names (empty: the terminal's own), and attributes."""

    fg: str = ""
    bg: str = ""
    bold: bool = False
    reverse: bool = False
    underline: bool = False

    def spelled(self) -> str:
        """As prompt_toolkit writes it."""
        words = []
        if self.fg:
            words.append(self.fg)
        if self.bg:
            words.append(f"bg:{self.bg}")
        words += [name for name in ("bold", "reverse", "underline") if getattr(self, name)]
        return " ".join(words)


@dataclass(frozen=True, slots=True)
class Theme:
    """`backs` is each surface's colour; `inks` each set's colours by ink."""

    name: str
    backs: Mapping[str, str]
    inks: Mapping[str, Mapping[str, str]]
    is_mono: bool = False
    has_bold: bool = True

    def look(self, style: str) -> CellStyle:
        """A style's colours. KeyError for one that there is not."""
        surface, _dot, ink = style.partition(".")
        family = SURFACES[surface]
        if self.is_mono:
            return self._mono(surface, ink)
        bold = self.has_bold and ink in BOLD and not (family == "dull" and ink in "shdcx")
        return CellStyle(self.inks[family][ink], self.backs[surface], bold)

    def _mono(self, surface: str, ink: str) -> CellStyle:
        """Without colours: reverse and bold alone. Of several choices only the one under the cursor is reversed."""
        bright = surface in ("turn", "prompt", "card", "pick", "key", "alarm")
        is_bold = (ink in BOLD and surface not in ("dull", "shade")) or surface == "pick"
        return CellStyle(bold=is_bold, reverse=bright, underline=surface == "pick")

    def styles(self) -> Iterator[str]:
        """All styles that there are."""
        for surface, family in SURFACES.items():
            for ink in self.inks[family]:
                yield f"{surface}.{ink}"

    def sheet(self) -> dict[str, str]:
        """All styles as prompt_toolkit takes them."""
        return {style: self.look(style).spelled() for style in self.styles()}


NIGHT = {
    "text": "#cfe6da",
    "strong": "#ffffff",
    "dim": "#a3c4b6",
    "gold": "#ffd166",
    "ok": "#86e0a3",
    "alarm": "#ff9e95",
    "chat": "#8ec7ff",
    "bars": "#8bbcf3",
    "cap": "#ffffff",
    "s": "#ffffff",
    "h": "#ff9e95",
    "d": "#8ec7ff",
    "c": "#86e0a3",
    "x": "#e0b0ff",
}
PAPER = {
    "text": "#1a1a1a",
    "strong": "#1a1a1a",
    "dim": "#5b5f63",
    "gold": "#7a4b00",
    "ok": "#00603f",
    "alarm": "#a81e10",
    "chat": "#1b4f8f",
    "s": "#1a1a1a",
    "h": "#c03400",
    "d": "#0054bc",
    "c": "#00704f",
    "x": "#7a1fa2",
}
DULL = {
    "text": "#1a1a1a",
    "dim": "#40413b",
    "s": "#1a1a1a",
    "h": "#7a2200",
    "d": "#003f86",
    "c": "#004a34",
    "x": "#5c1480",
}
GOLD = {
    "text": "#1a1a1a",
    "strong": "#1a1a1a",
    "dim": "#54430f",
    "alarm": "#8f1505",
    "s": "#1a1a1a",
    "h": "#8a2600",
    "d": "#004590",
    "c": "#00492f",
    "x": "#64128a",
}
RED = {"text": "#ffffff", "strong": "#ffffff", "dim": "#ffe3de"}

FELT = Theme(
    "felt",
    {
        "felt": "#0e3b2e",
        "bar": "#08231b",
        "log": "#0a2a21",
        "seat": "#17513f",
        "partner": "#1c4a6b",
        "key": "#1d4a3b",
        "back": "#1b457d",
        "card": "#f7f2e4",
        "dull": "#c2c1b3",
        "shade": "#b4b3a5",
        "pick": "#ffd166",
        "turn": "#ffd166",
        "prompt": "#ffd166",
        "row": "#17513f",
        "dialog": "#eef3f2",
        "choice": "#f7f2e4",
        "alarm": "#8f1d14",
    },
    {"night": NIGHT, "paper": PAPER, "dull": DULL, "gold": GOLD, "red": RED},
)
"""The default: a card table's green."""

_DAY = {
    "text": "#1d2b26",
    "strong": "#000000",
    "dim": "#46584f",
    "gold": "#6b4300",
    "ok": "#00583a",
    "alarm": "#a0160a",
    "chat": "#123f7d",
    "bars": "#1f4e8c",
    "cap": "#000000",
    "s": "#000000",
    "h": "#a02b00",
    "d": "#004aa0",
    "c": "#005a3e",
    "x": "#6a1590",
}
LIGHT = Theme(
    "light",
    {
        **FELT.backs,
        "felt": "#e4ece6",
        "bar": "#c9d8cf",
        "log": "#f1f5f2",
        "seat": "#cfe0d6",
        "partner": "#c6d9ea",
        "key": "#bfd2c8",
        "back": "#c6d9ea",
        "card": "#ffffff",
        "row": "#d5e3db",
        "dialog": "#ffffff",
        "choice": "#f4efe0",
        "pick": "#ffcf5c",
        "turn": "#ffcf5c",
        "prompt": "#ffcf5c",
    },
    {**FELT.inks, "night": _DAY},
)
CONTRAST = Theme(
    "contrast",
    {
        **dict.fromkeys(SURFACES, "#000000"),
        "seat": "#000000",
        "partner": "#00205a",
        "key": "#333333",
        "back": "#00205a",
        "card": "#ffffff",
        "dull": "#b8b8b8",
        "shade": "#b0b0b0",
        "pick": "#ffff00",
        "turn": "#ffff00",
        "prompt": "#ffff00",
        "dialog": "#ffffff",
        "choice": "#ffffff",
        "alarm": "#7a0000",
    },
    {
        "night": {
            **NIGHT,
            "text": "#ffffff",
            "strong": "#ffffff",
            "dim": "#d0d0d0",
            "gold": "#ffff00",
            "ok": "#7dff9a",
            "alarm": "#ffb0a8",
            "chat": "#a9d4ff",
            "bars": "#a9d4ff",
        },
        "paper": {**PAPER, "text": "#000000", "strong": "#000000", "dim": "#3a3a3a"},
        "dull": {**DULL, "text": "#000000", "dim": "#2e2e2e"},
        "gold": {**GOLD, "text": "#000000", "strong": "#000000", "dim": "#333300"},
        "red": RED,
    },
)


def _two(inks: Mapping[str, str], black: str, red: str) -> dict[str, str]:
    return {**inks, "s": black, "c": black, "h": red, "d": red}


TWO_COLOUR = Theme(
    "two-colour",
    FELT.backs,
    {
        "night": _two(NIGHT, NIGHT["s"], NIGHT["h"]),
        "paper": _two(PAPER, PAPER["s"], PAPER["h"]),
        "dull": _two(DULL, DULL["s"], DULL["h"]),
        "gold": _two(GOLD, GOLD["s"], GOLD["h"]),
        "red": RED,
    },
)
"""Red and black, as on printed cards. Tells suits apart by their signs alone."""

MONO = Theme("mono", {}, FELT.inks, is_mono=True)

_ON_BLACK = {
    **dict.fromkeys(NIGHT, "ansigray"),
    "strong": "ansiwhite",
    "cap": "ansiwhite",
    "gold": "ansibrightyellow",
    "ok": "ansibrightgreen",
    "alarm": "ansibrightred",
    "chat": "ansibrightcyan",
    "bars": "ansibrightcyan",
    "s": "ansiwhite",
    "h": "ansibrightred",
    "d": "ansibrightcyan",
    "c": "ansibrightgreen",
    "x": "ansibrightmagenta",
}
CONSOLE = Theme(
    "console",
    {
        **dict.fromkeys(SURFACES, "ansiblack"),
        **dict.fromkeys(("card", "dialog", "choice"), "ansigray"),
        **dict.fromkeys(("pick", "turn", "prompt"), "ansicyan"),
        "alarm": "ansired",
    },
    {
        "night": _ON_BLACK,
        "dull": {ink: _ON_BLACK[ink] for ink in DULL},
        "paper": dict.fromkeys(PAPER, "ansiblack"),
        "gold": dict.fromkeys(GOLD, "ansiblack"),
        "red": dict.fromkeys(RED, "ansiwhite"),
    },
    has_bold=False,
)
"""Where there are sixteen colours only, whatever theme was chosen: the nearest ones to the others' cannot be read. Backgrounds
are the eight dark ones, all that a Linux console has, and nothing is bold, which it shows as another colour."""
THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (FELT, LIGHT, CONTRAST, TWO_COLOUR, MONO)}


def theme_of(settings: TerminalSettings) -> Theme:
    """The one that is chosen, where the terminal has colours."""
    return THEMES[settings.theme if settings.has_colours else "mono"]
