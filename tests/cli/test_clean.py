"""Text from strangers, and the arithmetic of cells."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.clean import NAME_CELLS, clean, clean_name, clip, pad, width, wrap
from tests.adversaries.declared import By, attack


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Mia", "Mia"),
        ("  Mia \t van\nDyk ", "Mia van Dyk"),
        ("\x1b[31mred\x07", "[31mred"),
        ("\u202eevil\u202c\u2066x", "evilx"),
        ("a\u200bb\u200d\ufeffc\u00ad", "abc"),
        ("♥\ufe0f", "♥"),
        ("e\u0301", "é"),
        ("\u3164\u115f", ""),
        ("花子", "花子"),
        ("x\U000e0041\U000e0042", "x"),
        ("\u0301\u0301a", "a"),
    ],
)
def test_only_what_can_be_seen_stays(said: str, shown: str) -> None:
    assert clean(said) == shown


def test_towers_of_marks_are_cut() -> None:
    assert clean("z" + "\u0336" * 40) == "z\u0336\u0336"


@attack(
    By.ROOM,
    "A name or a line of chat is made of characters that count as having no width but take up space, and "
    "so pushes everything else aside.",
    "It does not work: each letter keeps two such characters, as many as languages need.",
)
@pytest.mark.parametrize("sign", ["\u0903", "\u0bbe", "\u1161", "\ud7cb"], ids=ascii)
def test_signs_that_count_no_cell_are_few(sign: str) -> None:
    assert len(clean_name("Mia" + 20 * sign)) == 5
    assert len(clean("a" + 100 * f"{sign}\u0301")) <= 5


@pytest.mark.parametrize("name", ["हिन्दी में", "தமிழ்", "မြန်မာ", "ภาษาไทย", "क़ीं", "각각"])
def test_names_of_all_languages_are_shown_whole(name: str) -> None:
    assert clean_name(name) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize("name", ["\u200b\u202e", "\u1923"], ids=["nothing", "a mark that takes no cell"])
def test_a_name_of_nothing_gets_a_sign(name: str) -> None:
    assert clean_name(name, "?") == "?"


@given(st.text(max_size=200))
def test_a_name_is_one_line_of_its_cells_and_sends_no_control(text: str) -> None:
    name = clean_name(text)
    assert 1 <= width(name) <= NAME_CELLS
    assert all(char.isprintable() for char in name)
    assert clean_name(name) == name


@given(st.text(max_size=60), st.integers(1, 40))
def test_padding_fills_exactly(text: str, cells: int) -> None:
    assert width(pad(clean(text), cells)) == cells
    assert width(clip(clean(text), cells)) <= cells


def test_wide_signs_count_two() -> None:
    assert width("花子 1") == 6
    assert clip("花子さん", 5) == "花子…"
    assert pad("花", 4, right=True) == "  花"


def test_lines_break_at_blanks_and_keep_their_indent() -> None:
    assert wrap("- a quick brown fox jumps", 12, "  ") == ["- a quick", "  brown fox", "  jumps"]


def test_japanese_breaks_between_signs_but_before_no_stop() -> None:
    lines = wrap("山札がなくなったら、捨て札をまぜます。", 10)
    assert all(width(line) <= 12 for line in lines)
    assert not any(line[0] in "、。" for line in lines)
    assert "".join(lines) == "山札がなくなったら、捨て札をまぜます。"


def test_signs_that_melt_in_some_terminals_are_spelled_or_left_out() -> None:
    assert clean_name("\U0001f1e9\U0001f1ea Mia") == "DE Mia"
    assert clean_name("\U0001f44d\U0001f3fd") == "\U0001f44d"
