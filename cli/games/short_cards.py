"""Cards as the screen names and draws them: short, with the suit's sign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cli.games.cards import Cards
from cli.games.shown import CardFace
from protocol.cards import Card

COLOURS = {"black": "s", "red": "h", "blue": "d", "green": "c"}
"""The ink of each colour of four-colour decks."""


class ShortCards(Cards):
    """Cards of one game in two or three cells wherever a sentence names them: "10♥", "♠", "K"."""

    is_spelled = False
    """Signs are drawn as letters here, which would read as keys: a suit alone is called by its name."""

    def say(self, card: str) -> str:
        """In a sentence: short, but special cards by name, as "1" would read as a number and "Jk" as a jack."""
        return super().say(card) if self._special(card) else self.short(card)

    def row(self, cards: Iterable[str]) -> str:
        """Cards one after the other."""
        return " ".join(self.say(card) for card in cards)

    def suit(self, suit: str) -> str:
        """A suit alone in a sentence."""
        return self.suit_name(suit) if self.is_spelled else self.glyph(suit)

    def suit_name(self, suit: str) -> str:
        """The suit's name in full."""
        return super().suit(suit)

    def rank(self, rank: str) -> str:
        return "10" if rank == "T" else rank

    def rank_name(self, rank: str) -> str:
        """The rank's name in full."""
        return super().rank(rank)

    def ranks(self, rank: str) -> str:
        return self.rank(rank)

    def rank_names(self, rank: str) -> str:
        """The rank's name in full, in the plural."""
        return super().ranks(rank)

    def full(self, card: str) -> str:
        """The card in full words, as a screen reader says it."""
        if self._special(card):
            return super().say(card)
        return self.words("{rank} of {suit}", rank=self.rank_name(card[:1]), suit=self.suit_name(card[1:]))

    def ink(self, suit: str) -> str:
        """The ink of a suit."""
        return COLOURS.get(self.style.suit(suit).colour, "x")

    def face(self, card: str, kanji: bool = False) -> CardFace:
        """The card as it is drawn."""
        short = self.short(card)
        if special := self.style.specials.get(Card(card)):
            return CardFace(short, special.pictogram or "*" if kanji else "*", "x", short, self.full(card))
        rank = "10" if card[:1] == "T" else card[:1]
        return CardFace(rank, self.glyph(card[1:]), self.ink(card[1:]), short, self.full(card))


def told_apart(names: Sequence[str]) -> list[str]:
    """Each name without the word that it begins with as others do ("Bot Ada" is "Ada"), where they stay different.

    A number alone is no name: beside a player's cards and points it would be read as one more of them.
    """
    firsts = Counter(name.partition(" ")[0] for name in names)
    rests = [rest if any(map(str.isalpha, rest)) else "" for rest in (name.partition(" ")[2].strip() for name in names)]
    shorter = [
        rest if rest and (firsts[name.partition(" ")[0]] > 1 or name.startswith("Bot ")) else name
        for name, rest in zip(names, rests, strict=True)
    ]
    return shorter if len(set(shorter)) == len(set(names)) else list(names)
