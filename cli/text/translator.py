"""Turn a template and its fields into a sentence in the reader's language.

A `Translator` is passed to whatever prints, under the name `_`, so that one process can use several languages without
globals. The template in the source is both the English text and the key in the catalogues:

    _("{name} drew one card.", name="Mia")
    _.n("{n} card", "{n} cards", 5)

A test collects these keys, those of the errors in `protocol` and `p2p`, and those marked with `key`, and requires each
in every language.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from cli.text.catalogue import read_catalogue

HERE = Path(__file__).parent


def key(template: str) -> str:
    """Mark a template that is translated later, where it is used; return it unchanged."""
    return template


class Translator:
    """One language. Called with a template, it returns the sentence."""

    def __init__(self, lang: str = "en", entries: Mapping[str, tuple[str, ...]] | None = None) -> None:
        self.lang = lang
        self._entries = entries or {}

    def __call__(self, template: str, /, **fields: object) -> str:
        found = self._entries.get(template)
        text = found[0] if found else template
        return text.format(**fields) if fields else text

    def n(self, one: str, many: str, n: int, /, **fields: object) -> str:
        """Return the singular or plural form; `{n}` is the number."""
        found = self._entries.get(one)
        if found is None:
            text = one if n == 1 else many
        else:
            text = found[0] if n == 1 else found[-1]
        return text.format(n=n, **fields)

    def list(self, items: Iterable[str]) -> str:
        """Return several things in one phrase: "a, b and c"."""
        every = list(items)
        if len(every) < 2:
            return "".join(every)
        return self("{these} and {last}", these=self(", ").join(every[:-1]), last=every[-1])

    def either(self, items: Iterable[str]) -> str:
        """Return several alternatives in one phrase: "a, b or c"."""
        every = list(items)
        if len(every) < 2:
            return "".join(every)
        return self("{these} or {last}", these=self(", ").join(every[:-1]), last=every[-1])

    def typed(self, name: str) -> tuple[str, ...]:
        """Return the words of this language that can be typed for something, besides the English ones.

        The catalogue lists them under `typed: NAME`, separated by spaces.
        """
        found = self._entries.get(f"typed: {name}")
        return tuple(found[0].split()) if found else ()

    def join(self, sentences: Iterable[str]) -> str:
        """Join sentences, with a space between them if the language uses one."""
        return self(" ").join(sentence for sentence in sentences if sentence)


@lru_cache(maxsize=8)
def load_translator(lang: str) -> Translator:
    """Return the translator for a language that `languages` lists; English needs no file."""
    if lang == "en":
        return Translator()
    return Translator(lang, read_catalogue(HERE.joinpath(f"{lang}.po").read_text(encoding="utf-8")))
