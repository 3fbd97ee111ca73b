"""What is said with a few keys: `:gg` and its like."""

from __future__ import annotations

from cli.clean import clean
from cli.text import Translator, key

CHAT_CELLS = 200
EMOTES = {
    ":gg": key("good game"),
    ":wow": key("wow"),
    ":hurry": key("hurry up"),
    ":sorry": key("sorry"),
    ":clap": key("clap clap"),
}
"""What travels is the key: each seat reads it in its own language."""


def is_no_emote(text: str) -> bool:
    """A word that looks like an emote and is none, so that nobody says ":wa" by mistake; a smiley is a text."""
    word = text[1:]
    return text.startswith(":") and len(word) > 1 and word.isascii() and word.isalpha() and text not in EMOTES


def text_of(emote: str) -> str:
    """The text of an emote that came by its name."""
    return f":{clean(emote, 32)}"


def shown_text(_: Translator, text: str) -> str:
    """Somebody's chat as it may be shown, an emote in full and in the reader's language."""
    return clean(_(EMOTES[text]) if text in EMOTES else text, CHAT_CELLS)
