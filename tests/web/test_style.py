"""The style sheet is made of all its parts, and has no rule for what the page never draws."""

from __future__ import annotations

import re

from cli.page.files import FOLDER, STYLE, found_files


def test_every_part_is_sent_once() -> None:
    parts = {path.stem: path.read_text(encoding="utf-8") for path in (FOLDER / "style").iterdir()}
    assert set(parts) == set(STYLE) and len(STYLE) == len(parts)
    sent = found_files()["/style.css"][1].decode()
    assert all(part in sent for part in parts.values())


def test_every_class_variable_and_motion_is_used() -> None:
    """`ink-alarm` is made of `ink-` and a word."""
    sheet = re.sub(r"/\*.*?\*/", "", found_files()["/style.css"][1].decode(), flags=re.DOTALL)
    drawn = "".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*.[jh]*"))
    names, made = set(re.findall(r"[\w-]+", drawn)), tuple(re.findall(r"[\w-]+-(?=\$\{)", drawn))
    classes = set(re.findall(r"\.([a-z][\w-]*)", " ".join(re.findall(r"([^{}]+)\{", sheet))))
    assert len(classes) > 100
    assert {each for each in classes if each not in names and not each.startswith(made)} == set()
    assert {each for each in re.findall(r"(--[\w-]+)\s*:", sheet) if f"var({each}" not in sheet + drawn} == set()
    assert {
        each for each in re.findall(r"@keyframes\s+([\w-]+)", sheet) if len(re.findall(rf"\b{each}\b", sheet)) < 2
    } == set()
