"""Cards as the screen names and draws them: short, with the suit's sign."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from cli.games.cards import Cards
from cli.games.narrator import Narrator
from cli.games.tichu_narrator import TichuNarrator
from cli.text import Translator
from cli.view.views import CardFace
from protocol.cards import DOG, DRAGON, MAH_JONG, PHOENIX, Seat
from protocol.games.game import AnyGame, Data

INKS = {"s": "s", "h": "h", "d": "d", "c": "c", "k": "h", "p": "d", "j": "c"}
KANJI: dict[str, str] = {DRAGON: "龍", PHOENIX: "鳳", DOG: "犬", MAH_JONG: "雀"}


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
        """The card in full words."""
        return super().say(card)

    def face(self, card: str, kanji: bool = False) -> CardFace:
        """The card as it is drawn."""
        short = self.short(card)
        if self._special(card):
            return CardFace(short, KANJI.get(card, "*") if kanji else "*", "x", short)
        return CardFace("10" if card[0] == "T" else card[0], self.glyph(card[1]), INKS.get(card[1], "x"), short)


class ScreenNarrator(Narrator):
    """Tells moves in short; whose turn it is, the seats show."""

    def cards_played(self, move: Data) -> str:
        stands = iter(move.get("as") or ())
        named = []
        for card in move.get("cards", ()):
            face = next(stands, None) if self.cards.is_joker(card) else None
            # In brackets, as in "joker as 4♥, 4♦ and 4♣" it would seem to be all of them.
            named.append(f"{self.cards.say(card)} ({self.cards.say(face)})" if face else self.cards.say(card))
        return self._.list(named)

    def next_turn(self, before: Data, after: Data) -> list[str]:
        return []


class ScreenTichuNarrator(TichuNarrator):
    """Tichu's moves in short."""

    def ranks(self, rank: str) -> str:
        """In full, as "three 5" is no language."""
        return self.cards.rank_names(rank) if isinstance(self.cards, ShortCards) else super().ranks(rank)

    def played_combination(self, seat: Seat, move: Data, before: Data, after: Data) -> str:
        leader = after.get("turn")
        if list(move.get("cards", ())) != [DOG] or leader is None or after.get("round_over"):
            return super().played_combination(seat, move, before, after)
        if leader == self.seat:
            return self.did(seat, "You play the Dog, and lead again.", "{name} plays the Dog: you lead.")
        return self.did(
            seat, "You play the Dog: {leader} leads.", "{name} plays the Dog: {leader} leads.", leader=self.name(leader)
        )

    def consequences(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        told = super().consequences(seat, move, before, after)
        if after.get("phase") == "collect" and before.get("phase") != "collect":
            told = told[:-1]  # whose trick it is stands on the table; that it is taken is told next
        out: Sequence[Seat] = after.get("out") or ()
        if out and not before.get("out"):
            for caller, call in sorted((after.get("calls") or {}).items()):
                if int(caller) != out[0]:
                    named = self._("Grand Tichu") if call == "grand" else self._("Tichu")
                    told.append(self.did(int(caller), "Your {call} is lost.", "{name}’s {call} is lost.", call=named))
        return told

    def next_turn(self, before: Data, after: Data) -> list[str]:
        return []


def told_apart(names: Sequence[str]) -> list[str]:
    """Each name without the word that it begins with as others do ("Bot Ada" is "Ada"), where they stay different."""
    firsts = Counter(name.partition(" ")[0] for name in names)
    rests = [name.partition(" ")[2].strip() for name in names]
    shorter = [
        rest if rest and (firsts[name.partition(" ")[0]] > 1 or name.startswith("Bot ")) else name
        for name, rest in zip(names, rests, strict=True)
    ]
    return shorter if len(set(shorter)) == len(set(names)) else list(names)


def narrator_of(
    _: Translator, game: AnyGame, names: Sequence[str], seat: Seat | None, is_spelled: bool = False
) -> tuple[Narrator, ShortCards]:
    """A narrator that names cards in short."""
    kind = ScreenTichuNarrator if game.name == "tichu" else ScreenNarrator
    narrator = kind(_, game, names, seat)
    cards = ShortCards(_, game.deck)
    cards.is_spelled = is_spelled
    narrator.cards = cards
    return narrator, cards
