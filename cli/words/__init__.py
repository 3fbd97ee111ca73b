"""The words that people read: English in the source, other languages in catalogues beside this file."""

from cli.words.choice import choose_language, languages
from cli.words.words import Words, key, load_words

__all__ = ["Words", "choose_language", "key", "languages", "load_words"]
