"""Golden canvases: each kind of screen as text, and the styles of a few. A change is read as a diff.

`make golden` (GOLDEN=rewrite) writes them anew.
"""

from __future__ import annotations

import os
import re
from functools import cache
from itertools import product
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.clean import width
from cli.terminal.canvas import Canvas
from cli.terminal.glyphs import ASCII
from cli.terminal.picture import picture
from cli.terminal.screen import Screen
from cli.terminal.settings import TerminalSettings
from cli.terminal.theme import FELT
from cli.text import languages
from cli.text.translator import HERE
from tests.cli.screen.screens import SCREENS
from tests.cli.screen.stage import drawn as drawn_as
from tests.rows import row

FOLDER = Path(__file__).parent / "golden"
SIZES = ((80, 24), (60, 20), (100, 30), (200, 60), (40, 12))
STYLED = ("crazy-eights", "lobby", "paused", "tichu-picked")
REWRITE = os.environ.get("GOLDEN") == "rewrite"


def drawn(name: str, lang: str, ascii_only: bool, columns: int, rows: int) -> Canvas:
    settings = TerminalSettings(lang=lang, ascii_only=ascii_only)
    return drawn_as(SCREENS[name](settings), columns, rows)


@cache
def screen_of(name: str, lang: str, ascii_only: bool) -> Screen:
    """One screen, in a window that is made larger and smaller."""
    return SCREENS[name](TerminalSettings(lang=lang, ascii_only=ascii_only))


@cache
def lines_of(name: str, lang: str, columns: int, rows: int) -> tuple[str, ...]:
    return tuple(drawn_as(screen_of(name, lang, False), columns, rows).lines())


@cache
def spoken(lang: str) -> str:
    """All that is said in this language; in English, what catalogues translate."""
    return HERE.joinpath(f"{'de' if lang == 'en' else lang}.po").read_text(encoding="utf-8")


def compare(path: Path, text: str) -> None:
    if REWRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), "a new screen: look at it, then run make golden"
    assert text == path.read_text(encoding="utf-8")


GOLDEN = {
    "en 80x24": "accused between-rounds big-cards broken choosing crazy-eights exchange leaving lobby match-over opening paused "
    "phones replay report room shuffling tichu-picked waiting",
    "en 60x20": "dragon empty-lobby tichu-lead tichu-wish war",
    "en 100x30": "ten-players",
    "en 200x60": "watching",
    "en 40x12": "grand refused",
    "en 80x24 ascii": "crazy-eights tichu-picked",
    "de 80x24": "help penalty tichu-call",
    "de 60x20": "joker records suit-pick",
    "ja 80x24": "last-word log lobby practice two-players",
    "ja 60x20": "next-player rank-call settings tichu-mended",
}
"""Each screen once, where it tells most, by language, size and charset. What is drawn elsewhere is held by the rules below."""
WITH_KEYS = ("crazy-eights", "lobby")
"""The key bar stands in these alone; which keys each screen offers, tests/cli/view/test_key_bars.py says."""
CANVASES = [(where, name) for where, names in GOLDEN.items() for name in names.split()]


@pytest.mark.sample
@pytest.mark.parametrize(("where", "name"), CANVASES)
def test_canvases_are_as_they_were(where: str, name: str) -> None:
    lang, size, *charset = where.split()
    columns, rows = map(int, size.split("x"))
    lines = drawn(name, lang, bool(charset), columns, rows).text().splitlines()
    shown = lines if name in WITH_KEYS else lines[:-1]
    compare(FOLDER / f"{name}.{where.replace(' ', '.')}.txt", "\n".join(shown) + "\n")


def test_every_screen_has_a_golden_canvas() -> None:
    assert {name for _where, name in CANVASES} == set(SCREENS)
    assert {path.name for path in FOLDER.iterdir()} == {
        *(f"{name}.{where.replace(' ', '.')}.txt" for where, name in CANVASES),
        *(f"{name}.styles.txt" for name in STYLED),
    }


@pytest.mark.sample
@pytest.mark.parametrize("name", SCREENS)
def test_every_line_is_as_wide_as_the_window(name: str) -> None:
    for lang, (columns, rows) in product(languages(), SIZES):
        with row(f"{lang}, {columns} x {rows}"):
            for line in lines_of(name, lang, columns, rows):
                assert width(line) == columns, line


@pytest.mark.slow
@pytest.mark.parametrize("name", SCREENS)
def test_no_text_of_ours_is_cut(name: str) -> None:
    """Dots that end a line's text stand in the message itself; only what people made, such as lists of names, may be cut."""
    for lang, (columns, rows) in product(languages(), SIZES[:2]):
        known = spoken(lang)
        with row(f"{lang}, {columns} x {rows}"):
            for line in lines_of(name, lang, columns, rows):
                for found in re.finditer(r"(\S{1,6})…", line):
                    assert found[0] in known or found[1] in "Lukas" or name == "records", line


@pytest.mark.parametrize("name", STYLED)
def test_styles_are_as_they_were(name: str) -> None:
    canvas = drawn(name, "en", False, 80, 24)
    parts = []
    for y in range(canvas.rows):
        runs = [f"{style}*{width(text)}" for style, text in canvas.runs(y)]
        parts.append(f"{y:2d} {' '.join(runs)}")
    compare(FOLDER / f"{name}.styles.txt", "\n".join(parts) + "\n")


@pytest.mark.sample
@pytest.mark.parametrize("name", SCREENS)
def test_ascii_screens_draw_with_ascii(name: str) -> None:
    """Letters of people's names stay; no sign of ours is left."""
    for lang, (columns, rows) in product(("en", "de"), SIZES):
        with row(f"{lang}, {columns} x {rows}"):
            text = drawn_as(screen_of(name, lang, True), columns, rows).text()
            assert not set(text) & set(ASCII), name
            foreign = {char for char in text if not char.isascii()}
            assert not {char for char in foreign if not char.isalpha() and char not in "！"}, name


@pytest.mark.parametrize("name", ["crazy-eights", "tichu-picked"])
def test_pictures_in_the_documents_are_what_is_drawn(name: str) -> None:
    canvas = drawn(name, "en", False, 80, 24)
    compare(FOLDER.parents[3] / "docs" / f"{name}.svg", picture(canvas, FELT))


def test_a_picture_is_sound_xml_and_holds_all_text() -> None:
    tree = ElementTree.fromstring(picture(drawn("lobby", "ja", False, 80, 24), FELT))
    words = "".join(node.text or "" for node in tree if node.tag.endswith("text"))
    assert "Kitchen" in words
    assert "ロビー" in words or "卓" in words
