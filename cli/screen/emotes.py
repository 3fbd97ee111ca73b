"""What is said with a few keys: `:gg` and its like."""

from __future__ import annotations

from cli.clean import clean

CHAT_CELLS = 200
EMOTES = {":gg": "good game", ":wow": "wow", ":hurry": "hurry up", ":sorry": "sorry", ":clap": "clap clap"}


def is_no_emote(text: str) -> bool:
    """A word that looks like an emote and is none, so that nobody says ":wa" by mistake; a smiley is a text."""
    word = text[1:]
    return text.startswith(":") and len(word) > 1 and word.isascii() and word.isalpha() and text not in EMOTES


def shown_text(text: str) -> str:
    """Somebody's chat as it may be shown, an emote in full."""
    return clean(EMOTES.get(text, text), CHAT_CELLS)
