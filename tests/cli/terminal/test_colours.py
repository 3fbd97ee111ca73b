"""Contrast and colour-blind distance, computed from the themes themselves."""

from __future__ import annotations

from itertools import combinations

import pytest

from cli.terminal.draw.frame import MOODS
from cli.terminal.settings import TerminalSettings
from cli.terminal.theme import CONSOLE, CONTRAST, FELT, LIGHT, MONO, THEMES, TWO_COLOUR, Theme
from tests.cli.screen.screens import SCREENS
from tests.cli.screen.stage import drawn

PAINTED = (FELT, LIGHT, CONTRAST, TWO_COLOUR)
DECORATION = {"back.bars", "seat.bars", "partner.bars", "felt.bars"}
"""The pattern of card backs and the little bars repeat a number that stands beside them."""

Rgb = tuple[float, float, float]


def linear(colour: str) -> Rgb:
    """Linear light, 0 to 1, of #rrggbb (the sRGB curve)."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def luminance(colour: str) -> float:
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast ratio."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


SIGHTS: dict[str, tuple[Rgb, Rgb, Rgb]] = {
    # Machado, Oliveira and Fernandes 2009, severity 1.0, for linear light.
    "protan": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deutan": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritan": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
    "usual": ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
}


def lab(colour: str, sight: str) -> Rgb:
    """CIELAB (D65) as somebody with this sight sees it."""
    given = linear(colour)
    seen = [min(1.0, max(0.0, sum(a * b for a, b in zip(row, given, strict=True)))) for row in SIGHTS[sight]]
    x = (0.4124564 * seen[0] + 0.3575761 * seen[1] + 0.1804375 * seen[2]) / 0.95047
    y = 0.2126729 * seen[0] + 0.7151522 * seen[1] + 0.0721750 * seen[2]
    z = (0.0193339 * seen[0] + 0.1191920 * seen[1] + 0.9503041 * seen[2]) / 1.08883

    def f(t: float) -> float:
        return float(t ** (1 / 3)) if t > 216 / 24389 else (24389 / 27 * t + 16) / 116

    return 116 * f(y) - 16, 500 * (f(x) - f(y)), 200 * (f(y) - f(z))


def distance(one: str, other: str, sight: str) -> float:
    """CIE76."""
    return float(sum((a - b) ** 2 for a, b in zip(lab(one, sight), lab(other, sight), strict=True)) ** 0.5)


@pytest.mark.parametrize("theme", PAINTED, ids=lambda theme: theme.name)
def test_all_text_can_be_read(theme: Theme) -> None:
    poor = {}
    for style in theme.styles():
        if style in DECORATION:
            continue
        look = theme.look(style)
        ratio = contrast(look.fg, look.bg)
        if ratio < 4.5:
            poor[style] = round(ratio, 2)
    assert not poor


@pytest.mark.parametrize(("sight", "least"), [("usual", 28), ("protan", 28), ("deutan", 28), ("tritan", 16)])
@pytest.mark.parametrize("theme", [FELT, CONTRAST], ids=lambda theme: theme.name)
def test_four_suits_are_told_apart_by_any_sight(theme: Theme, sight: str, least: float) -> None:
    inks = [theme.look(f"card.{suit}").fg for suit in "shdc"]
    for one, other in combinations(inks, 2):
        assert distance(one, other, sight) >= least, (one, other)


def test_the_two_colour_deck_is_red_and_black() -> None:
    for surface in ("card", "dull", "pick", "dialog"):
        looks = {suit: TWO_COLOUR.look(f"{surface}.{suit}").fg for suit in "shdc"}
        assert looks["s"] == looks["c"] != looks["h"] == looks["d"]


def test_without_colours_nothing_is_coloured() -> None:
    for style in MONO.styles():
        look = MONO.look(style)
        assert not look.fg and not look.bg
    assert MONO.look("pick.h") != MONO.look("card.h") != MONO.look("dull.h")


@pytest.mark.sample
@pytest.mark.parametrize("name", SCREENS)
def test_every_style_that_is_drawn_is_in_every_theme(name: str) -> None:
    settings = TerminalSettings()
    screen = SCREENS[name](settings)
    for columns, rows in ((80, 24), (60, 20), (200, 60), (30, 10)):
        canvas = drawn(screen, columns, rows)
        used = {style for row in canvas.styles for style in row}
        for theme in THEMES.values():
            assert used <= set(theme.styles()), name


def test_the_contrast_of_a_pair_that_is_known() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert set(MOODS.values()) <= {style.partition(".")[0] for style in FELT.styles()}


def test_without_colours_the_choice_under_the_cursor_stands_out_from_the_others() -> None:
    mono = THEMES["mono"]
    for ink in ("text", "strong", "dim"):
        assert mono.look(f"turn.{ink}").reverse
        assert not mono.look(f"choice.{ink}").reverse


VGA = {
    "ansiblack": "#000000",
    "ansired": "#aa0000",
    "ansicyan": "#00aaaa",
    "ansigray": "#aaaaaa",
    "ansibrightred": "#ff5555",
    "ansibrightgreen": "#55ff55",
    "ansibrightyellow": "#ffff55",
    "ansibrightmagenta": "#ff55ff",
    "ansibrightcyan": "#55ffff",
    "ansiwhite": "#ffffff",
}
"""The Linux console's palette, of it those that are used."""


def test_sixteen_colours_are_enough_to_read() -> None:
    for style in CONSOLE.styles():
        look = CONSOLE.look(style)
        assert contrast(VGA[look.fg], VGA[look.bg]) >= 4.5, style
        assert not look.bg.startswith(("ansibright", "ansiwhite")), f"{style}: the console has eight backgrounds"
        assert not look.bold, f"{style}: bold is another colour there"
    for less, more in (
        ("dull.s", "card.s"),
        ("seat.text", "turn.text"),
        ("card.s", "pick.s"),
        ("log.text", "alarm.text"),
    ):
        assert CONSOLE.look(less).bg != CONSOLE.look(more).bg, f"{less} looks like {more}"
