"""Takes a typed play apart: cards by number or name, and what is named with them. No rules, no view: words only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from cli.games.base.answers import Refusal
from cli.games.base.words import words_for
from cli.games.cards import Cards, plain
from cli.text import Translator
from protocol.cards import Card, Seat

LONGEST_PHRASE = 4
"""Words in the longest name of a card ("eight of spades" has three)."""


@dataclass(slots=True)
class Parsed:
    """A play in pieces. `stands` are the cards that jokers stand for, in order."""

    cards: list[Card] = field(default_factory=list)
    stands: list[Card] = field(default_factory=list)
    suit: str | None = None
    rank: str | None = None
    wild_rank: str | None = None
    """The rank that a wild card was said to have."""
    seats: list[Seat] = field(default_factory=list)
    receivers: list[Seat | None] = field(default_factory=list)
    """For each card, the player it was said to go to ("3 to mia")."""
    call: bool = False
    nothing: bool = False
    """Said in so many words that nothing is named."""


Piece: TypeAlias = Parsed | Refusal


class LineParser:
    """Knows one table's cards and players in one language."""

    names_suits = True
    """A suit alone is one that is named, as with an eight or an ace."""

    def __init__(self, _: Translator, cards: Cards, names: Sequence[str], me: Seat | None) -> None:
        self._ = _
        self.cards = cards
        self.names = [plain(name) for name in names]
        self.me = me
        self.naming = words_for(_, "naming")
        self.standing = words_for(_, "standing")
        self.next = words_for(_, "next")
        self.last_word = words_for(_, "last word")
        self.fillers = words_for(_, "fillers")
        self.no = words_for(_, "no")

    def parse(self, text: str, hand: Sequence[Card]) -> Piece:
        """The pieces of what follows the verb; a refusal names the word that was not understood."""
        tokens = split(text)
        found = Parsed()
        used: set[int] = set()
        at = 0
        while at < len(tokens):
            token = tokens[at]
            if token in self.fillers:
                at += 1
                continue
            if self._is_standing(tokens, at, found):
                stands = self._stands(tokens, at + 1, found)
                if isinstance(stands, Refusal):
                    return stands
                at = stands
            elif (spoken := self._card(tokens, at)) is not None:
                card, at = spoken
                found.cards.append(card)
                found.receivers.append(None)
            elif token.isdecimal():
                refusal = self._number(int(token), hand, used, found)
                if refusal is not None:
                    return refusal
                at += 1
            elif token in self.naming and at + 1 < len(tokens) and self._name(tokens[at + 1], found):
                at += 2
            elif token in self.next and at + 1 < len(tokens) and self._players(tokens[at + 1]):
                refusal = self._player(tokens[at + 1], found)
                if refusal is not None:
                    return refusal
                at += 2
            elif token in self.last_word or token in self.naming:
                found.call = True
                at += 1
            elif self._name(token, found):
                at += 1
            elif token in self.no:
                found.nothing = True
                at += 1
            elif self._players(token):
                refusal = self._player(token, found)
                if refusal is not None:
                    return refusal
                at += 1
            else:
                return Refusal(self._("“{word}” isn’t a card, number or player here. Type help.", word=token))
        return found

    def _number(self, number: int, hand: Sequence[Card], used: set[int], found: Parsed) -> Refusal | None:
        _ = self._
        if not 1 <= number <= len(hand):
            if not hand:
                return Refusal(_("You have no cards."))
            return Refusal(
                _(
                    "There is no card {number}: your cards are 1 to {last}. To name a card, add its suit, e.g. 8s.",
                    number=number,
                    last=len(hand),
                )
            )
        if number in used:
            return Refusal(_("You named card {number} twice.", number=number))
        used.add(number)
        found.cards.append(hand[number - 1])
        found.receivers.append(None)
        return None

    def _card(self, tokens: Sequence[str], at: int) -> tuple[Card, int] | None:
        """The longest card name that begins here, and where it ends."""
        for length in range(min(LONGEST_PHRASE, len(tokens) - at), 0, -1):
            phrase = " ".join(tokens[at : at + length])
            if (card := self.cards.card_phrases.get(phrase)) is not None:
                return card, at + length
        return None

    def _is_standing(self, tokens: Sequence[str], at: int, found: Parsed) -> bool:
        """Whether "as" says here what a card stands for; else it is the ace of spades, or of swords."""
        if tokens[at] not in self.standing or not found.cards:
            return False
        if at + 1 == len(tokens):
            return tokens[at] not in self.cards.card_phrases
        return self.cards.is_joker(found.cards[-1]) or tokens[at] not in self.cards.card_phrases

    def _stands(self, tokens: Sequence[str], at: int, found: Parsed) -> int | Refusal:
        """What a joker stands for."""
        _ = self._
        if not self.cards.is_joker(found.cards[-1]):
            return Refusal(_("Only a joker can stand for another card."))
        if (spoken := self._card(tokens, at)) is not None and not self.cards.is_joker(spoken[0]):
            found.stands.append(spoken[0])
            return spoken[1]
        return Refusal(_("Say which card the joker stands for, e.g. joker as king of spades."))

    def _name(self, token: str, found: Parsed) -> bool:
        """A suit or a rank that is named."""
        if self.names_suits and (suit := self.cards.suit_words.get(token)) is not None:
            found.suit = suit
            return True
        if (rank := self.cards.rank_words.get(token)) is not None:
            found.rank = rank
            return True
        return False

    def _players(self, token: str) -> list[Seat]:
        """Seats whose player's name begins so; one whose whole name it is stands alone."""
        others = [seat for seat in range(len(self.names)) if seat != self.me]
        if whole := [seat for seat in others if self.names[seat].replace(" ", "") == token]:
            return whole
        # Names may hold blanks ("Bot Ada"): each word of a name may begin so.
        return [seat for seat in others if any(part.startswith(token) for part in self.names[seat].split())]

    def _player(self, token: str, found: Parsed) -> Refusal | None:
        seats = self._players(token)
        if len(seats) > 1:
            named = self._.either(self.names[seat] for seat in seats)
            return Refusal(self._("Who do you mean by “{word}”: {names}?", word=token, names=named))
        found.seats.append(seats[0])
        if found.receivers:
            found.receivers[-1] = seats[0]
        return None


def split(text: str) -> list[str]:
    """Words in the form in which they are compared. Commas part words; an exclamation mark counts as a word."""
    return plain(text).replace(",", " ").replace("、", " ").replace("!", " ! ").split()


def missing(cards: Sequence[Card], hand: Sequence[Card]) -> list[Card]:
    """Cards that a hand does not hold, or not so often."""
    return list((Counter(cards) - Counter(hand)).elements())
