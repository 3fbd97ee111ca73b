"""QR codes (ISO/IEC 18004) as rows of modules, for any face to draw."""

from __future__ import annotations

from functools import lru_cache

QUIET = 1
"""Light modules around the code. The standard asks for four; what lies around them is read as light enough by phones, and a
terminal has no room for more."""


@lru_cache(maxsize=4)
def modules(text: str) -> tuple[str, ...]:
    """Return the rows of the smallest code that holds a text: "1" for a dark module, "0" for a light one, quiet zone included."""
    import segno

    code = segno.make_qr(text, error="l", boost_error=False)
    return tuple("".join("1" if dark else "0" for dark in row) for row in code.matrix_iter(border=QUIET))


def half_blocks(rows: tuple[str, ...]) -> tuple[str, ...]:
    """Return lines of text with two rows of modules each: dark modules are written, light ones are the ground."""
    if len(rows) % 2:
        rows = (*rows, "0" * len(rows[0]))
    signs = {"00": " ", "10": "\u2580", "01": "\u2584", "11": "\u2588"}
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return tuple("".join(signs[a + b] for a, b in zip(top, bottom, strict=True)) for top, bottom in pairs)
