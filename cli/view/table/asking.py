"""The questions that a play raises: the suit, the rank, the joker's card, the order, the next player, the word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cli.games.cards import last_word, plain
from cli.games.short_cards import INKS, ShortCards
from cli.plain.reader import remaining
from cli.view.table.combos import capital, named
from cli.view.table.judging import Judging
from cli.view.views import Choice
from protocol.cards import MAH_JONG, PHOENIX, RANKS, Card
from protocol.games.game import Data
from protocol.games.tichu.combinations import rank_name, readings

MOST_IN_HALF = 6
"""So many cards have room in half a box."""
SHOWN_RANKS = {"T": "10"}


def suit_keys(cards: ShortCards) -> dict[str, str]:
    """The letter of each suit as it may be typed beside a rank: the first of its name in this language where that is a
    letter of the keyboard and means nothing else, else of its English name, which is understood in all of them."""
    first = {suit: plain(cards.suit_name(suit))[:1].upper() for suit in cards.suits}
    taken = Counter([*first.values(), *(suit.upper() for suit in cards.suits), *"JQKA"])
    return {
        suit: letter if letter.isascii() and letter.isalpha() and taken[letter] == 1 else suit.upper()
        for suit, letter in ((suit, first[suit]) for suit in "shdc")
    }


@dataclass(frozen=True, slots=True)
class Option:
    """One answer: its value, and how it is shown."""

    value: Any
    choice: Choice


@dataclass(frozen=True, slots=True)
class Query:
    """A question; the value of the chosen option goes into what was said under `field`."""

    field: str
    title: str
    options: tuple[Option, ...]
    footer: str = ""
    columns: int = 0
    cursor: int = 0
    lines: tuple[str, ...] = ()


class Asking(Judging):
    """What can be named, and only that, is offered."""

    def _ask_call(self, move: Data) -> Query:
        _ = self._
        word = last_word(_, self.position.game.words, move["cards"])
        return Query(
            "call",
            _("One card left after this: say “{word}”?", word=word)
            if len(self.position.hand) > len(move["cards"])
            else _("Your last card: say “{word}”?", word=word),
            (
                Option(True, Choice(_("Y"), _("Yes, say it"))),
                Option(False, Choice(_("N"), _("No, keep silent"))),
            ),
            _("←→ or Y N, then Enter · Esc: back"),
            lines=(self._forgetting(),),
        )

    def _forgetting(self) -> str:
        _, game = self._, self.position.game
        if game.name == "mau-mau":
            return _("Who forgets it is not out, and draws a card.")
        return _.n(
            "Who forgets it draws a card.", "Who forgets it draws {n} cards.", getattr(game, "word_penalty", None) or 1
        )

    def _ask_order(self, orders: Sequence[tuple[Card, ...]]) -> Query:
        _ = self._
        options = tuple(
            Option(order, Choice(str(number), " ".join(self.cards.short(card) for card in order)))
            for number, order in enumerate(orders[:9], 1)
        )
        return Query(
            "order",
            _("In which order? The first must fit, the last ends on top"),
            options,
            _("Arrows or number, then Enter · Esc: back"),
            columns=2 if len(orders[0]) <= MOST_IN_HALF else 1,
        )

    def _ask_joker(self, cards: Sequence[Card], known: tuple[Card, ...], count: int) -> Query:
        """The next joker: only cards with which the play is possible."""
        _ = self._
        options: list[Option] = []
        for rank in self._values(cards, known):
            for suit in self.cards.suits[::-1]:
                card = Card(rank + suit)
                tried = self._stands(cards, (*known, card))
                if any(self._possible({"do": "play", "cards": list(cards), **stands}) for stands in tried):
                    face = self.cards.face(card)
                    options.append(Option((*known, card), Choice("", face.short, ink=face.ink)))
        number = len(known) + 1
        title = (
            _("The joker stands for which card?")
            if count == 1
            else _("Joker {number} of {count} stands for which card?", number=number, count=count)
        )
        keys = " ".join(f"{typed}={self.cards.glyph(suit)}" for suit, typed in suit_keys(self.cards).items())
        footer = _("Arrows, or rank and suit ({keys}), then Enter · Esc: back", keys=keys)
        return Query("as", title, tuple(options), footer, columns=8)

    def _ask_phoenix(self, move: Data) -> Query | Data:
        if PHOENIX not in move["cards"] or len(move["cards"]) == 1:
            return {}
        _ = self._
        found: dict[str, Option] = {}
        for reading in readings(move["cards"]):
            if reading.phoenix is None:
                continue
            rank = rank_name(reading.phoenix)
            if self.passes({**move, "phoenix": rank}):
                shown = SHOWN_RANKS.get(rank, rank)
                found[rank] = Option(rank, Choice(shown, capital(named(_, reading.combo))))
        if len(found) == 1:
            return {"phoenix": next(iter(found))}
        if not found:
            return {}
        return Query(
            "phoenix",
            _("The Phoenix stands for which rank?"),
            tuple(found.values()),
            _("Arrows or type the rank, then Enter · Esc: back"),
        )

    def _ask_suit(self, move: Data) -> Query | Data:
        """A suit that must be named, or may be."""
        if self.cards.is_tichu:
            return {}
        _ = self._
        suits = [suit for suit in "shdc" if self.passes({**move, "suit": suit})]
        if not suits:
            return {}
        is_free = self.passes(move)
        held = remaining(self.position.hand, move["cards"])
        options = [
            Option(
                suit,
                Choice(
                    str(number),
                    self.cards.suit_name(suit),
                    _("{n} held", n=sum(len(card) == 2 and card[1] == suit for card in held)),
                    glyph=self.cards.glyph(suit),
                    ink=INKS[suit],
                ),
            )
            for number, suit in enumerate(suits, 1)
        ]
        shown = self._shown(move)
        if is_free:
            options.append(Option(None, Choice("0", _("no call"))))
            title = _("{cards}: call a suit?", cards=shown)
        else:
            title = _("{cards}: name the suit", cards=shown)
        most = max(range(len(suits)), key=lambda at: sum(len(card) == 2 and card[1] == suits[at] for card in held))
        footer = _("←→ or 1-4, then Enter · Esc: keep {cards}", cards=self._kept(move))
        if is_free:
            footer = _("←→ or 0-4, then Enter · Esc: keep {cards}", cards=self._kept(move))
        return Query("suit", title, tuple(options), footer, cursor=most)

    def _ask_rank(self, move: Data) -> Query | Data:
        if self.cards.is_tichu:
            return {}
        _ = self._
        ranks = [rank for rank in RANKS if self.passes({**move, "rank": rank})]
        if not ranks:
            return {}
        options = [Option(rank, Choice("", SHOWN_RANKS.get(rank, rank))) for rank in ranks]
        if self.passes(move):
            options.insert(0, Option(None, Choice("", _("none"))))
        shown = self._shown(move)
        held = Counter(
            card[0] for card in remaining(self.position.hand, move["cards"]) if not self.cards.is_joker(card)
        )
        # The value that is held most lies under the cursor, none where none is.
        most = max(range(len(options)), key=lambda at: held[options[at].value] if options[at].value else 0)
        return Query(
            "rank",
            _("{cards}: call a value?", cards=shown),
            tuple(options),
            _("Arrows or type the value, then Enter · Esc: keep {cards}", cards=self._kept(move)),
            columns=7,
            cursor=most,
            lines=self._held_values([rank for rank in ranks if held[rank]], held),
        )

    def _held_values(self, ranks: Sequence[str], held: Mapping[str, int]) -> tuple[str, ...]:
        """How many of each value one holds that can be called."""
        _ = self._
        if not ranks:
            return (_("You hold none of them."),)
        counted = _.list(f"{held[rank]} × {SHOWN_RANKS.get(rank, rank)}" for rank in ranks)
        return (_("You hold {cards}.", cards=counted),)

    def _shown(self, move: Data) -> str:
        """The cards of a play in a row, jokers with what they stand for."""
        stands = iter(move.get("as") or ())
        return " ".join(
            f"{self.cards.say(card)} ({self.cards.short(face)})"
            if self.cards.is_joker(card) and (face := next(stands, None))
            else self.cards.short(card)
            for card in move["cards"]
        )

    def _kept(self, move: Data) -> str:
        """The cards that Esc leaves in the hand."""
        return self.cards.row(move["cards"]) if len(move["cards"]) <= 2 else self._("the cards")

    def _ask_wish(self, move: Data) -> Query | Data:
        if MAH_JONG not in move["cards"]:
            return {}
        _ = self._
        ranks = [rank for rank in RANKS if self.passes({**move, "wish": rank})]
        if not ranks:
            return {}
        options = [
            Option(None, Choice("", _("none"))),
            *(Option(rank, Choice("", SHOWN_RANKS.get(rank, rank))) for rank in ranks),
        ]
        return Query(
            "wish",
            _("Mah Jong: wish for a rank?"),
            tuple(options),
            _("Arrows or type the rank, then Enter · Esc: keep {cards}", cards=self._kept(move)),
            columns=7,
        )

    def _ask_next(self, move: Data) -> Query | Data:
        if self.cards.is_tichu:
            return {}
        _, position = self._, self.position
        seats = [
            seat for seat in range(len(position.names)) if seat != position.seat and self.passes({**move, "next": seat})
        ]
        if not seats:
            return {}
        if len(seats) == 1:
            return {"next": seats[0]}
        sizes: Sequence[int] = position.view.get("hand_sizes", ())
        options = tuple(
            Option(
                seat,
                Choice(
                    str(number % 10),
                    position.names[seat],
                    _.n("{n} card", "{n} cards", sizes[seat] if seat < len(sizes) else 0),
                ),
            )
            for number, seat in enumerate(seats, 1)
        )
        return Query(
            "next",
            _("Who plays next?"),
            options,
            _("Arrows or number, then Enter · Esc: keep {cards}", cards=self._kept(move)),
        )
