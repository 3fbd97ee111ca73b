"""Cards by name: as they are spoken, as they are drawn, and as a person may type them. No rules."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from functools import cached_property

from cli.text import Translator, key
from protocol.cards import DOG, DRAGON, JOKER, MAH_JONG, PHOENIX, RANKS, SUITS, TICHU_SPECIALS, TICHU_SUITS, Card

RANK_NAMES = {
    "2": key("two"),
    "3": key("three"),
    "4": key("four"),
    "5": key("five"),
    "6": key("six"),
    "7": key("seven"),
    "8": key("eight"),
    "9": key("nine"),
    "T": key("ten"),
    "J": key("jack"),
    "Q": key("queen"),
    "K": key("king"),
    "A": key("ace"),
}
RANK_PLURALS = {
    "2": key("twos"),
    "3": key("threes"),
    "4": key("fours"),
    "5": key("fives"),
    "6": key("sixes"),
    "7": key("sevens"),
    "8": key("eights"),
    "9": key("nines"),
    "T": key("tens"),
    "J": key("jacks"),
    "Q": key("queens"),
    "K": key("kings"),
    "A": key("aces"),
}
FRENCH_NAMES = {"c": key("clubs"), "d": key("diamonds"), "h": key("hearts"), "s": key("spades")}
TICHU_NAMES = {"j": key("jade"), "s": key("swords"), "p": key("pagodas"), "k": key("stars")}
SPECIAL_NAMES: dict[str, str] = {
    JOKER: key("joker"),
    MAH_JONG: key("Mah Jong"),
    DOG: key("Dog"),
    PHOENIX: key("Phoenix"),
    DRAGON: key("Dragon"),
}
LAST_WORDS = (key("Last one!"), key("One left!"), key("Mau!"), key("Mau-Mau!"), key("Macau!"))
"""The words of the games for who has one card left."""
FRENCH_GLYPHS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
TICHU_GLYPHS = {"j": "◆", "s": "†", "p": "⌂", "k": "★"}
SHORT_SPECIALS: dict[str, str] = {JOKER: "Jk", MAH_JONG: "1", DOG: "Dg", PHOENIX: "Ph", DRAGON: "Dr"}


def last_word(_: Translator, words: Sequence[str], cards: Sequence[str] = ()) -> str:
    """The word that goes with playing these cards, as it is said in this language. Mau-Mau has two, the second for a jack."""
    is_jack = bool(cards) and cards[-1][0] == "J" and cards[-1] != JOKER
    return _(words[-1] if is_jack else words[0]) if words else "!"


class Cards:
    """The names of one game's cards in one language."""

    def __init__(self, _: Translator, faces: Iterable[Card]) -> None:
        self.words = _
        self.faces = tuple(dict.fromkeys(faces))
        self.is_tichu = any(face in TICHU_SPECIALS for face in self.faces)
        self.suits = TICHU_SUITS if self.is_tichu else SUITS
        self._suit_names = TICHU_NAMES if self.is_tichu else FRENCH_NAMES
        self._glyphs = TICHU_GLYPHS if self.is_tichu else FRENCH_GLYPHS

    # --- spoken ---

    def say(self, card: str) -> str:
        """The card in full: "eight of spades"."""
        if special := self._special(card):
            return self.words(special)
        return self.words("{rank} of {suit}", rank=self.rank(card[0]), suit=self.suit(card[1]))

    def _special(self, card: str) -> str | None:
        """The name of a card without rank and suit. "Jk" is the joker, but among Tichu's cards the jack of stars."""
        return None if card == JOKER and self.is_tichu else SPECIAL_NAMES.get(card)

    def is_joker(self, card: str) -> bool:
        return card == JOKER and not self.is_tichu

    def say_all(self, cards: Iterable[str]) -> str:
        return self.words.list(self.say(card) for card in cards)

    def suit(self, suit: str) -> str:
        return self.words(self._suit_names.get(suit, suit))

    def rank(self, rank: str) -> str:
        return self.words(RANK_NAMES.get(rank, rank))

    def ranks(self, rank: str) -> str:
        """The rank in the plural: "only sevens fit"."""
        return self.words(RANK_PLURALS.get(rank, rank))

    # --- drawn ---

    def short(self, card: str, ascii_only: bool = False) -> str:
        """Two or three cells: "10♥", or "10H" in ASCII."""
        if self._special(card):
            return SHORT_SPECIALS[card]
        rank = "10" if card[0] == "T" else card[0]
        return rank + (card[1].upper() if ascii_only else self._glyphs.get(card[1], card[1]))

    def glyph(self, suit: str, ascii_only: bool = False) -> str:
        return suit.upper() if ascii_only else self._glyphs.get(suit, suit)

    def sort(self, hand: Iterable[Card]) -> tuple[Card, ...]:
        """The order in which a hand is shown and numbered: by suit, in Tichu by rank."""
        return tuple(sorted(hand, key=self._place))

    def _place(self, card: str) -> tuple[int, int]:
        if card == MAH_JONG:
            return (-1, 0)
        if self._special(card):
            return (99, list(SPECIAL_NAMES).index(card))
        rank, suit = RANKS.index(card[0]), "shdc".find(card[1])
        return (rank, self.suits.find(card[1])) if self.is_tichu else (suit, rank)

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
                    for suit in (face[1], self._glyphs[face[1]]):
                        phrases.setdefault(plain(suit + rank), face)
        return phrases

    def _short_ranks(self, rank: str) -> tuple[str, ...]:
        return ("10", "t") if rank == "T" else (rank,)

    def _direct(self, face: Card) -> list[str]:
        if special := self._special(face):
            return [special, special.replace(" ", ""), self.words(special), *self.words.typed(special), face]
        rank, suit = face[0], face[1]
        suits = [self._suit_names[suit], self._suit_names[suit].removesuffix("s"), self.words(self._suit_names[suit])]
        phrases = [self.say(face)]
        for short in self._short_ranks(rank):
            phrases += [short + suit, short + self._glyphs[suit]]
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
        suits = (self.suit(suit), *self.words.typed(self._suit_names[suit]))
        return [f"{name}{glue}{each}" for name in suits for each in ranks for glue in (" ", "-", "")]

    @cached_property
    def suit_words(self) -> dict[str, str]:
        """Every way to type a suit."""
        found: dict[str, str] = {}
        for suit in self.suits:
            name = self._suit_names[suit]
            for word in (
                name,
                name.removesuffix("s"),
                self.words(name),
                *self.words.typed(name),
                suit,
                self._glyphs[suit],
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
