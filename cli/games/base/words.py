"""The words that people type for moves: those of any game here, those of one game with its face.

The other languages' spellings stand in their catalogues, under `typed: NAME`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cli.games.cards import plain
from cli.text import Translator, key
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Verb:
    """A word that may be typed: its name, other English spellings, and its line in the help. `move` verbs are offered only
    while such a move is legal."""

    name: str
    also: tuple[str, ...]
    help: str
    move: bool = False
    lists: tuple[str, ...] = ()
    """Lists in `WORDS` whose words mean it too."""


PLAY = Verb("play", (), key("card numbers or names: play them (2, 8s, eight of spades)"), move=True)
DRAW = Verb("draw", ("d", "take"), key("draw: draw a card, or take the penalty cards"), move=True)
PASS = Verb("pass", ("p",), key("pass: play nothing this time"), move=True)
MOVE_VERBS = (PLAY, DRAW, PASS)

WORDS: Mapping[str, tuple[str, ...]] = {
    "yes": ("yes", "y"),
    "no": ("no", "n", "nothing", "none"),
    "naming": (
        "name",
        "naming",
        "names",
        "call",
        "calls",
        "calling",
        "wish",
        "wishing",
        "wishes",
        "suit",
        "rank",
        "value",
        "for",
        "=",
    ),
    "standing": ("as",),
    "next": ("next", "to"),
    "last word": ("macau", "mau", "maumau", "mau-mau", "last", "!"),
    "fillers": ("and", "with", "the", "a", "+"),
}
"""Other words that are understood in a move, in English."""


def words_for(_: Translator, name: str, lists: Mapping[str, tuple[str, ...]] = WORDS) -> frozenset[str]:
    """All words for one of the lists, in English and in the reader's language."""
    return frozenset(plain(word) for word in (*_.typed(name), *lists[name]))


def spellings(_: Translator, verbs: Collection[Verb]) -> dict[str, str]:
    """Each typed form of these verbs in this language and in English, with the verb's name."""
    found: dict[str, str] = {}
    for verb in verbs:
        for word in (*_.typed(verb.name), verb.name, *verb.also):
            found.setdefault(plain(word), verb.name)
    for verb in verbs:
        for name in verb.lists:
            for word in words_for(_, name):
                found.setdefault(word, verb.name)
    return found


def shown(_: Translator, name: str) -> str:
    """What a person of this language is told to type for a verb: the first of its spellings."""
    return next(iter(_.typed(name)), name)
