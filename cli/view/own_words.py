"""Sentences that name keys, where a player has set other ones: "D draws" is "Z draws" for whoever draws with Z."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from cli.text import Translator, load_translator
from cli.view.commands import COMMANDS, TABLE

LETTERS = {
    command.name: command.cap
    for command in COMMANDS
    if TABLE in command.places and len(command.cap) == 1 and command.cap.isalpha() and command.name != "grand"
}
"""What the sentences of the table call each command's key."""
NO_KEYS = ("S A G", "S H D C")
"""Letters that choose in a box, where all keys stay as they are, and letters of suits."""


class OwnWords(Translator):
    """A language with other letters for keys. In its templates, not in names and cards that are filled in, a capital letter
    by itself is a key's."""

    def __init__(self, words: Translator, changed: Mapping[str, str]) -> None:
        super().__init__(words.lang, words._entries)
        self._keys = {
            LETTERS[name]: own.upper() for name, own in changed.items() if name in LETTERS and own not in "{}"
        }
        letters = "".join(self._keys)
        self._letter = re.compile(rf"(?<![A-Za-z0-9{{])[{letters}](?![A-Za-z0-9}}])" if letters else r"(?!)")

    def __call__(self, template: str, /, **fields: object) -> str:
        found = self._entries.get(template)
        text = self._with_own(found[0] if found else template)
        return text.format(**fields) if fields else text

    def n(self, one: str, many: str, n: int, /, **fields: object) -> str:
        found = self._entries.get(one) or (one, many)
        return self._with_own(found[0] if n == 1 else found[-1]).format(n=n, **fields)

    def _with_own(self, text: str) -> str:
        if any(letters in text for letters in NO_KEYS):
            return text
        return self._letter.sub(lambda letter: self._keys[letter[0]], text)


def own_words(lang: str, changed: Mapping[str, str]) -> Translator:
    """The language's words with the player's own keys."""
    return _own_words(lang, tuple(sorted(changed.items()))) if changed else load_translator(lang)


@lru_cache(maxsize=4)
def _own_words(lang: str, changed: tuple[tuple[str, str], ...]) -> Translator:
    return OwnWords(load_translator(lang), dict(changed))
