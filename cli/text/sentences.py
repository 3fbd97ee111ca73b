"""Turn a line into a sentence, by the rules of its script."""

from __future__ import annotations


def sentence(text: str) -> str:
    """Add a capital letter at the start and a full stop at the end, if the script has them."""
    text = text.strip()
    if not text:
        return text
    is_japanese = any("\u3040" <= char <= "\u30ff" for char in text)
    # The command's name keeps its small letter, since it is what one types; Japanese has no capitals of its own.
    if not is_japanese and not text.startswith("fairdeal"):
        text = text[0].upper() + text[1:]
    if text[-1] in ".!?。！？…":
        return text
    return text + ("。" if is_japanese else ".")
