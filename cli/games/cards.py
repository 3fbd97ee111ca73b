"""Cards by name: as they are spoken, as they are drawn, and as a person may type them. No rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property

from cli.text import Translator, key
from protocol.cards import JOKER, RANKS, Card
from protocol.games.deck_style import FRENCH, RANK_NAMES, RANK_PLURALS, DeckStyle

LAST_WORDS = (key("Last one!"), key("One left!"), key("Mau!"), key("Mau-Mau!"), key("Macau!"))
"""What players say with one card left, in all games."""


def last_word(_: Translator, words: Sequence[str], cards: Sequence[str] = ()) -> str:
    """The word that goes with playing these cards, as it is said in this language. Mau-Mau has two, the second for a jack."""
    is_jack = bool(cards) and cards[-1][0] == "J" and cards[-1] != JOKER
    return _(words[-1] if is_jack else words[0]) if words else "!"


class Cards:
    """The names of one game's cards in one language."""

    def __init__(self, _: Translator, faces: Iterable[Card], style: DeckStyle = FRENCH) -> None:
        self.words = _
        self.faces = tuple(dict.fromkeys(faces))
        self.style = style
        self.suits = style.letters

    # --- spoken ---

    def say(self, card: str) -> str:
        """The card in full: "eight of spades"."""
        if special := self._special(card):
            return self.words(special)
        return self.words("{rank} of {suit}", rank=self.rank(card[:1]), suit=self.suit(card[1:]))

    def _special(self, card: str) -> str | None:
        """The name of a card without rank and suit. "Jk" is the joker, but among Tichu's cards the jack of stars."""
        special = self.style.specials.get(Card(card))
        return None if special is None else special.name

    def is_joker(self, card: str) -> bool:
        return card == JOKER and JOKER in self.style.specials

    def say_all(self, cards: Iterable[str]) -> str:
        return self.words.list(self.say(card) for card in cards)

    def suit(self, suit: str) -> str:
        return self.words(self.style.suit(suit).name)

    def rank(self, rank: str) -> str:
        return self.words(RANK_NAMES.get(rank, rank))

    def ranks(self, rank: str) -> str:
        """The rank in the plural: "only sevens fit"."""
        return self.words(RANK_PLURALS.get(rank, rank))

    # --- drawn ---

    def short(self, card: str, ascii_only: bool = False) -> str:
        """Two or three cells: "10♥", or "10H" in ASCII."""
        if special := self.style.specials.get(Card(card)):
            return special.short
        rank = "10" if card[:1] == "T" else card[:1]
        return rank + self.glyph(card[1:], ascii_only)

    def glyph(self, suit: str, ascii_only: bool = False) -> str:
        return suit.upper() if ascii_only else self.style.suit(suit).glyph

    def sort(self, hand: Iterable[Card]) -> tuple[Card, ...]:
        """The order in which a hand is shown and numbered."""
        return tuple(sorted(hand, key=self.style.place))

    # --- typed ---

    @cached_property
    def card_phrases(self) -> dict[str, Card]:
        """Every way to type a card. Where "kj" could be two cards, the rank stands first: the king of jade."""
        phrases: dict[str, Card] = {}
        for face in self.faces:
            for phrase in self._direct(face):
                phrases[plain(phrase)] = face
        for face in self.faces:
            if self._special(face) is None:
                for rank in self._short_ranks(face[0]):
                    for suit in (face[1], self.glyph(face[1])):
                        phrases.setdefault(plain(suit + rank), face)
        return phrases

    def _short_ranks(self, rank: str) -> tuple[str, ...]:
        return ("10", "t") if rank == "T" else (rank,)

    def _direct(self, face: Card) -> list[str]:
        if special := self._special(face):
            return [special, special.replace(" ", ""), self.words(special), *self.words.typed(special), face]
        rank, suit = face[0], face[1]
        called = self.style.suit(suit).name
        suits = [called, called.removesuffix("s"), self.words(called)]
        phrases = [self.say(face)]
        for short in self._short_ranks(rank):
            phrases += [short + suit, short + self.glyph(suit)]
            phrases += [f"{short} of {name}" for name in suits]
            # "2 hearts" is the second card, naming hearts; a letter is no number, so "k hearts" is the king.
            phrases += [f"{short} {name}" for name in suits if not short.isdecimal()]
        for name in suits:
            phrases += [f"{RANK_NAMES[rank]} of {name}", f"{RANK_NAMES[rank]} {name}"]
        return phrases + self._suit_first(suit, rank)

    def _suit_first(self, suit: str, rank: str) -> list[str]:
        """The ways of a language that names the suit first: "Herz Acht", "Herz-8", "Herzacht"; none in the others."""
        if not self.words("{rank} of {suit}", rank="8", suit="h").startswith("h "):
            return []
        ranks = (self.rank(rank), *self.words.typed(RANK_NAMES[rank]), *self._short_ranks(rank))
        suits = (self.suit(suit), *self.words.typed(self.style.suit(suit).name))
        return [f"{name}{glue}{each}" for name in suits for each in ranks for glue in (" ", "-", "")]

    @cached_property
    def suit_words(self) -> dict[str, str]:
        """Every way to type a suit."""
        found: dict[str, str] = {}
        for suit in self.suits:
            name = self.style.suit(suit).name
            for word in (
                name,
                name.removesuffix("s"),
                self.words(name),
                *self.words.typed(name),
                suit,
                self.glyph(suit),
            ):
                found[plain(word)] = suit
        return found

    @cached_property
    def rank_words(self) -> dict[str, str]:
        """Every way to type a rank."""
        found: dict[str, str] = {}
        for rank in RANKS:
            own = (self.rank(rank), self.ranks(rank), *self.words.typed(RANK_NAMES[rank]))
            for word in (RANK_NAMES[rank], RANK_PLURALS[rank], rank, *own):
                found[plain(word)] = rank
        found["10"] = "T"
        return found


UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


def plain(text: str) -> str:
    """A typed phrase in the form in which phrases are compared: full-width letters and digits become ordinary ones, and
    umlauts what is typed for them where the keyboard has none."""
    bare = unicodedata.normalize("NFKC", text.replace("\ufe0f", "").replace("\ufe0e", ""))
    return bare.casefold().translate(UMLAUTS).strip()


def without(hand: Sequence[Card], cards: Iterable[Card]) -> tuple[Card, ...]:
    """The hand less these cards; what it does not hold is passed over."""
    left = list(hand)
    for card in cards:
        if card in left:
            left.remove(card)
    return tuple(left)
