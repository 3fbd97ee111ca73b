"""How the cards of a deck are named, drawn and sorted: data that any client can use, with English names to translate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from protocol.cards import DOG, DRAGON, JOKER, MAH_JONG, PHOENIX, RANKS, Card
from protocol.games.labels import key
from protocol.values import dataclass

RANK_NAMES: Mapping[str, str] = {
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
RANK_PLURALS: Mapping[str, str] = {
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


@dataclass(frozen=True, slots=True)
class Suit:
    """A suit: its letter in card names, its English name, its glyph, and its colour in four-colour decks."""

    letter: str
    name: str
    glyph: str
    colour: str
    """"black", "red", "blue" or "green"."""


@dataclass(frozen=True, slots=True)
class Special:
    """A card without rank and suit: its English name, a short form of one or two letters, and a pictogram where it has one."""

    name: str
    short: str
    pictogram: str = ""
    is_low: bool = False
    """Sorted before all other cards, not behind them."""


@dataclass(frozen=True, slots=True)
class DeckStyle:
    """The suits of a deck from the lowest to the highest, its cards without suit, and how a hand is sorted."""

    suits: tuple[Suit, ...]
    specials: Mapping[Card, Special] = field(default_factory=dict, hash=False)
    by_rank: bool = False
    """Hands are sorted by rank first; else by suit, the highest suit first."""

    @property
    def letters(self) -> str:
        """The suits' letters in order."""
        return "".join(suit.letter for suit in self.suits)

    def suit(self, letter: str) -> Suit:
        """The suit of this letter; one that the deck does not have is shown as it is written."""
        for suit in self.suits:  # asked a hundred times for each screen
            if suit.letter == letter:
                return suit
        return Suit(letter, letter, letter, "black")

    def place(self, card: str) -> tuple[int, int]:
        """Where a card stands in a sorted hand."""
        special = self.specials.get(Card(card))
        if special is not None:
            return (-1 if special.is_low else 99, list(self.specials).index(Card(card)))
        rank, suit = RANKS.find(card[:1]), self.letters.find(card[1:])
        return (rank, suit) if self.by_rank else (len(self.suits) - suit, rank)


FRENCH = DeckStyle(
    suits=(
        Suit("c", key("clubs"), "♣", "green"),
        Suit("d", key("diamonds"), "♦", "blue"),
        Suit("h", key("hearts"), "♥", "red"),
        Suit("s", key("spades"), "♠", "black"),
    ),
    specials={JOKER: Special(key("joker"), "Jk")},
)
"""The usual cards, with jokers."""

TICHU = DeckStyle(
    suits=(
        Suit("j", key("jade"), "◆", "green"),
        Suit("s", key("swords"), "†", "black"),
        Suit("p", key("pagodas"), "⌂", "blue"),
        Suit("k", key("stars"), "★", "red"),
    ),
    specials={
        MAH_JONG: Special(key("Mah Jong"), "1", "雀", is_low=True),
        DOG: Special(key("Dog"), "Dg", "犬"),
        PHOENIX: Special(key("Phoenix"), "Ph", "鳳"),
        DRAGON: Special(key("Dragon"), "Dr", "龍"),
    },
    by_rank=True,
)
"""Tichu's cards. "Jk" is the jack of stars here, not a joker."""
