"""Golden canvases: each screen in each size, language and charset, as text; and its styles once. A change is read as a diff.

`make golden` (GOLDEN=rewrite) writes them anew.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.clean import width
from cli.terminal.canvas import Canvas
from cli.terminal.glyphs import ASCII
from cli.terminal.picture import picture
from cli.terminal.render import render
from cli.terminal.theme import FELT
from cli.text import languages
from cli.text.translator import HERE
from cli.view.settings import Settings
from tests.cli.catalogue_keys import spoken_keys
from tests.cli.screen.screens import SCREENS

FOLDER = Path(__file__).parent / "golden"
SIZES = ((80, 24), (60, 20), (100, 30), (200, 60), (40, 12))
REWRITE = os.environ.get("GOLDEN") == "rewrite"


def drawn(name: str, lang: str, ascii_only: bool, columns: int, rows: int) -> Canvas:
    settings = Settings(lang=lang, ascii_only=ascii_only)
    presenter = SCREENS[name](settings)
    return render(presenter.view(columns, rows), columns, rows, settings.shown, settings.words)


def compare(path: Path, text: str) -> None:
    if REWRITE:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.exists(), "a new screen: look at it, then run make golden"
    assert text == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("ascii_only", [False, True], ids=["utf8", "ascii"])
@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", SCREENS)
def test_canvases_are_as_they_were(name: str, lang: str, ascii_only: bool) -> None:
    parts = []
    for columns, rows in SIZES:
        canvas = drawn(name, lang, ascii_only, columns, rows)
        for line in canvas.lines():
            assert width(line) == columns, line
        parts.append(f"=== {columns}x{rows} ===\n{canvas.text()}\n")
    compare(FOLDER / f"{name}.{lang}.{'ascii' if ascii_only else 'utf8'}.txt", "\n".join(parts))


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("name", SCREENS)
def test_no_text_of_ours_is_cut(name: str, lang: str) -> None:
    """Dots that end a line's text stand in the message itself; only what people made, such as lists of names, may be cut."""
    known = "\n".join(spoken_keys()) if lang == "en" else HERE.joinpath(f"{lang}.po").read_text(encoding="utf-8")
    for columns, rows in ((80, 24), (60, 20)):
        for line in drawn(name, lang, False, columns, rows).lines():
            for found in re.finditer(r"(\S{1,6})…", line):
                assert found[0] in known or found[1] in "Lukas" or name == "records", line


@pytest.mark.parametrize("name", SCREENS)
def test_styles_are_as_they_were(name: str) -> None:
    canvas = drawn(name, "en", False, 80, 24)
    parts = []
    for y in range(canvas.rows):
        runs = [f"{style}*{width(text)}" for style, text in canvas.runs(y)]
        parts.append(f"{y:2d} {' '.join(runs)}")
    compare(FOLDER / f"{name}.styles.txt", "\n".join(parts) + "\n")


@pytest.mark.parametrize("lang", ["en", "de"])
@pytest.mark.parametrize("name", SCREENS)
def test_ascii_screens_draw_with_ascii(name: str, lang: str) -> None:
    """Letters of people's names stay; no sign of ours is left."""
    for columns, rows in SIZES:
        text = drawn(name, lang, True, columns, rows).text()
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
