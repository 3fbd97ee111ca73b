"""Text from strangers."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.text import clean


@pytest.mark.parametrize(
    ("given_text", "shown"),
    [
        ("Ann", "Ann"),
        ("two\nlines\tand\x07bell", "two lines andbell"),
        ("\u202egnp.exe", "gnp.exe"),
        ("a\u200bb\ufeffc", "abc"),
        ("Zoë", "Zoë"),
        ("日本", "日本"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("x" + "\u0301" * 40, "x\u0301\u0301\u0301"),
        ("   ", ""),
    ],
)
def test_what_harms_is_taken_out(given_text: str, shown: str) -> None:
    assert clean(given_text, 100) == unicodedata.normalize("NFC", shown)


@given(st.text(max_size=300), st.integers(0, 50))
def test_any_text_becomes_one_short_line(text: str, limit: int) -> None:
    line = clean(text, limit)
    assert len(line.encode("utf-8")) <= limit
    assert line == line.strip()
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in line)
    assert not set(line) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f")
