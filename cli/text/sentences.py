"""Makes a sentence of a line, as the script has it."""

from __future__ import annotations


def sentence(text: str) -> str:
    """A capital at the front and a stop at the end, where the script has them."""
    text = text.strip()
    if not text:
        return text
    # The program's own name keeps its small letter: it is what one types.
    if not text.startswith("fairdeal"):
        text = text[0].upper() + text[1:]
    if text[-1] in ".!?。！？…":
        return text
    is_japanese = any("\u3040" <= char <= "\u30ff" for char in text)
    return text + ("。" if is_japanese else ".")
