"""Moves in words, by the labels that their game brings: as a person may type them, too."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cli.games.base.words import words_for
from cli.games.cards import Cards, plain
from cli.games.explain import SEATS, spoken
from cli.text import Translator
from protocol.games.game import AnyGame, Data
from protocol.games.views import move_view_of


class MoveWords:
    """Names the moves of one game at one table in one language."""

    def __init__(self, _: Translator, game: AnyGame, cards: Cards, names: Sequence[str]) -> None:
        self._ = _
        self.game = game
        self.cards = cards
        self.names = names

    def label(self, do: str) -> str:
        """What a kind of move is called: "bid"."""
        return self._(self.game.move_kind(do).label)

    def tell(self, move: Data) -> str:
        """A move in a few words, which can be typed: its label, its cards, and what else was chosen."""
        seen = move_view_of(move)
        words = [self.label(seen.do)]
        if seen.cards:
            words.append(self.cards.say_all(seen.cards))
        words += [self.value(name, value) for name, value in seen.named.items()]
        return " ".join(word for word in words if word)

    def value(self, name: str, value: object) -> str:
        """What a player chose, in words."""
        if value is True:
            return self._(name.replace("_", " "))
        return str(spoken(self._, name, value, self.cards, self.names))

    def question(self, do: str, name: str) -> str:
        """The game's question for a key of a move's object; empty where it brings none."""
        question = self.game.move_kind(do).questions.get(name, "")
        return self._(question) if question else ""

    def typed_kinds(self, do: str) -> set[str]:
        """All that may be typed for a kind of move."""
        label = self.game.move_kind(do).label
        words = (do, do.replace("_", " "), label, self._(label), *self._.typed(label))
        return {plain(word) for word in words if word}

    def typed_values(self, name: str, value: object) -> Iterator[str]:
        """All that may be typed for what a player chooses."""
        if value is True:
            yield from words_for(self._, "yes")
            yield plain(name)
        elif value is False or value is None:
            yield from words_for(self._, "no")
        else:
            yield plain(str(value))
            yield plain(self.value(name, value))
        if isinstance(value, str):
            for words in (self.cards.suit_words, self.cards.rank_words, self.cards.card_phrases):
                yield from (word for word, meant in words.items() if meant == value)
        elif type(value) is int and name in SEATS and 0 <= value < len(self.names):
            whole = plain(self.names[value])
            yield from (whole, *whole.split())
