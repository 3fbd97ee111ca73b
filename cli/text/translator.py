"""Turn a template and its fields into a sentence in the reader's language.

A `Translator` is passed to whatever prints, under the name `_`, so that one process can use several languages without
globals. The template in the source is both the English text and the key in the catalogues:

    _("{name} drew one card.", name="Mia")
    _.n("{n} card", "{n} cards", 5)

A sentence names an action as `{@draw}`, or with what it does there as `{@draw:draw two}`, and never a key: each face fills
in its own name for it (see `ActionNames`).

A test collects these keys, those of the errors in `protocol` and `p2p`, and those marked with `key`, and requires each
in every language.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from cli.text.catalogue import read_catalogue

HERE = Path(__file__).parent
APOSTROPHE = re.compile(r"(?<=[a-z}])'(?=[a-z ])")
QUOTATION = re.compile(r"(?<![^\s(])'")


def key(template: str) -> str:
    """Mark a template that is translated later, where it is used; return it unchanged."""
    return template


class ActionNames(Protocol):
    """How a face names actions in its sentences: by a key, a button or a verb. Hashable."""

    def __hash__(self) -> int: ...

    def worded(self, template: str) -> str:
        """The English template that this face says instead; empty: nothing, where it shows the same by itself."""

    def name(self, _: Translator, action: str) -> str:
        """For `{@draw}`."""

    def offer(self, _: Translator, action: str, what: str) -> str:
        """For `{@draw:draw two}`."""


@dataclass(frozen=True, slots=True)
class OwnNames:
    """Actions by their names in the code, where no face has better ones."""

    def worded(self, template: str) -> str:
        return template

    def name(self, _: Translator, action: str) -> str:
        return action

    def offer(self, _: Translator, action: str, what: str) -> str:
        return what


@dataclass(frozen=True, slots=True)
class _Action:
    """An action as a field of a template; what it does there stands as the field's format."""

    words: Translator
    name: str

    def __format__(self, what: str) -> str:
        names = self.words.names
        return names.offer(self.words, self.name, what) if what else names.name(self.words, self.name)


class _Fields(dict[str, object]):
    """A template's fields, with all actions beside those that were given."""

    def __init__(self, words: Translator, fields: Mapping[str, object]) -> None:
        super().__init__(fields)
        self._words = words

    def __missing__(self, name: str) -> Any:
        if not name.startswith("@"):
            raise KeyError(name)
        return _Action(self._words, name[1:])


class Translator:
    """One language. Called with a template, it returns the sentence, with actions called as `names` says."""

    def __init__(
        self,
        lang: str = "en",
        entries: Mapping[str, tuple[str, ...]] | None = None,
        names: ActionNames = OwnNames(),
    ) -> None:
        self.lang = lang
        self._entries = entries or {}
        self.names = names

    def __call__(self, template: str, /, **fields: object) -> str:
        template = self.names.worded(template)
        if not template:  # argparse translates even None
            return template
        found = self._entries.get(template)
        text = found[0] if found else typeset(template)
        return self._filled(text, fields) if fields or "{@" in text else text

    def known(self, text: str) -> str:
        """A text that may stand in the catalogue as it is, or else is left so: it may be anybody's."""
        return self(text) if text in self._entries else text

    def _filled(self, text: str, fields: Mapping[str, object]) -> str:
        return text.format_map(_Fields(self, fields)) if "{@" in text else text.format_map(fields)

    def offer(self, action: str, what: str) -> str:
        """An action with what it does there, in words that are in this language already."""
        return self.names.offer(self, action, what)

    def n(self, one: str, many: str, n: int, /, **fields: object) -> str:
        """Return the singular or plural form; `{n}` is the number."""
        one, many = self.names.worded(one), self.names.worded(many)
        found = self._entries.get(one)
        if found is None:
            text = typeset(one if n == 1 else many)
        else:
            text = found[0] if n == 1 else found[-1]
        return self._filled(text, {"n": n, **fields})

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

    def of(self, what: str, text: str) -> str:
        """Return a text as it is said of `what`, which some languages say otherwise than elsewhere.

        The catalogue lists it under `WHAT: TEXT`.
        """
        found = self._entries.get(f"{what}: {text}")
        return found[0] if found else self(text)

    def typed(self, name: str) -> tuple[str, ...]:
        """Return the words of this language that can be typed for something, besides the English ones.

        The catalogue lists them under `typed: NAME`, separated by spaces.
        """
        found = self._entries.get(f"typed: {name}")
        return tuple(found[0].split()) if found else ()

    def join(self, sentences: Iterable[str]) -> str:
        """Join sentences with spaces, but not after an ideographic full stop: it is as wide as a stop and a space."""
        joined = ""
        for sentence in filter(None, sentences):
            joined += sentence if not joined or joined.endswith("。") else f" {sentence}"
        return joined


@lru_cache(maxsize=4096)
def typeset(template: str) -> str:
    """Return an English template with the apostrophes that books have: source text has others now and then. Where something is
    quoted, as in Python's errors, they stay."""
    return template if QUOTATION.search(template) else APOSTROPHE.sub("’", template)


@lru_cache(maxsize=16)
def load_translator(lang: str, names: ActionNames = OwnNames()) -> Translator:
    """Return the translator for a language that `languages` lists; English needs no file."""
    return Translator(lang, _entries(lang), names)


@lru_cache(maxsize=8)
def _entries(lang: str) -> Mapping[str, tuple[str, ...]]:
    return read_catalogue(HERE.joinpath(f"{lang}.po").read_text(encoding="utf-8")) if lang != "en" else {}
