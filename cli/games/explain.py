"""Faults of the protocol's layers as sentences in the reader's language. Their fields hold cards, suits and seats by their
short names; a person hears them in full."""

from __future__ import annotations

from collections.abc import Sequence

from cli.clean import harmless
from cli.games.cards import Cards
from cli.text import Translator
from cli.text.sentences import sentence
from protocol.cards import ALL_FACES
from protocol.errors import FairdealError
from protocol.games.deck_style import RANK_NAMES

SEATS = ("seat", "player", "turn", "giver", "taker", "partner", "opponent", "next", "to")
"""Fields whose numbers are seats."""

LITERAL = frozenset({"command", "word", "close", "known", "flag", "option", "key", "value", "text", "path", "name"})
"""Fields with what people type, or how they are called: it stays so in every language."""
AS_WRITTEN = LITERAL | {"names", "game"}
"""Fields that get no capital letter at the beginning of a sentence: a file or a game is called as it is."""


def explain(_: Translator, fault: FairdealError, cards: Cards | None = None, names: Sequence[str] = ()) -> str:
    """The fault's sentence, begun with a capital and ended with a stop. A file or a name at its beginning stays as it is."""
    told = reason_told(_, fault, cards, names)
    is_kept = any(told.startswith(str(fault.fields[field])) for field in AS_WRITTEN & fault.fields.keys())
    return told[:1] + sentence(told)[1:] if is_kept else sentence(told)


def reason_told(_: Translator, fault: FairdealError, cards: Cards | None = None, names: Sequence[str] = ()) -> str:
    """The fault as a part of a sentence. A file, or somebody else, may have named its fields."""
    fields = {name: spoken(_, name, value, cards, names) for name, value in fault.fields.items()}
    try:
        return harmless(_(fault.template, **fields))
    except (KeyError, IndexError, ValueError):
        # A third-party game may write a template that does not fit its fields; its player still gets a sentence.
        return harmless(fault.template)


def spoken(_: Translator, name: str, value: object, cards: Cards | None, names: Sequence[str]) -> object:
    """A field's value in words."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int):
        if name in SEATS and 0 <= value < len(names):
            return names[value]
        return value
    if isinstance(value, str):
        if cards is not None:
            known = frozenset((*ALL_FACES, *cards.faces))
            if name in ("cards", "top", "bombs") and " " in value and known.issuperset(value.split()):
                return cards.say_all(value.split())
            if value in known:
                return cards.say(value)
            if name in ("suit", "named", "trump") and value and value in cards.suits:
                return cards.suit(value)
            if name in ("rank", "wish", "called", "value") and value in RANK_NAMES:
                return cards.rank(value)
        # Words that a fault passes on (a kind of combination, a word to be said) have entries of their own.
        return value if name in LITERAL else _(value)
    if isinstance(value, (list, tuple)):
        return _.list(str(spoken(_, name.removesuffix("s"), each, cards, names)) for each in value)
    return value
