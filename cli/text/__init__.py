"""Translation: English in the source, other languages in catalogues beside this file."""

from cli.text.language import choose_language, languages
from cli.text.translator import ActionNames, Translator, key, load_translator

__all__ = ["ActionNames", "Translator", "choose_language", "key", "languages", "load_translator"]
