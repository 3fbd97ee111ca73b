"""What the rules say to cards: whether they can be played, with something named or in another order, and why not in words.
Legality is never judged here: `Position.check` asks the rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from cli.games.explain import explain
from cli.games.short_cards import ShortCards
from cli.text import Translator
from cli.text.sentences import sentence
from cli.view.position import Position
from cli.view.table.combos import combo_of, described
from protocol.cards import RANKS, Card
from protocol.errors import FairdealError
from protocol.games.game import Data

MOST_FITS = 6
DUE = "{count} cards are due"
NO_COMBINATION, NO_MATCH = "{cards} make no combination", "{cards} cannot beat {top}"
"""The rules' words for what is told here with what would do."""
ONLY_FOURS = "only fours answer a four"
NO_STOCK = "there is nothing to draw"


class Judging:
    """For one moment of one seat."""

    def __init__(self, _: Translator, cards: ShortCards, position: Position, may_tell: bool = True) -> None:
        """`may_tell`: what could be played is told with a refusal."""
        self.may_tell = may_tell
        self._ = _
        self.cards = cards
        self.position = position

    def refusal(self, move: Data) -> str | None:
        """Why this move is not allowed; None where it is."""
        try:
            self.position.check(self.position.game.decode(move))
        except FairdealError as fault:
            if move.get("do") == "tichu":  # that is no matter of turns
                return explain(self._, fault, self.cards, self.position.names)
            return self._told(fault)
        return None

    def _told(self, fault: FairdealError) -> str:
        _, view = self._, self.position.view
        turn = view.get("turn")
        if turn not in (None, self.position.seat) and not self.position.verbs:
            return _("It is {name}’s turn.", name=self.position.names[turn])
        due = view.get("penalty") or 0
        if due and fault.template.startswith(DUE):
            return self._due(due)
        if fault.template.startswith(ONLY_FOURS):
            if "play" in self.position.verbs:
                return _("Only a four answers a four: add one, or P passes.")
            return _("Only a four answers a four, and you hold none: P passes.")
        if fault.template.startswith(NO_STOCK) and "pass" not in self.position.verbs:
            return _("There is nothing to draw: play a card that fits.")
        if fault.template.startswith(NO_STOCK) and "play" not in self.position.verbs:
            return _("There is nothing to draw: P passes.")
        return explain(_, fault, self.cards, self.position.names)

    def passes(self, move: Data) -> bool:
        return self.refusal(move) is None

    def _due(self, due: int) -> str:
        """Cards are due: with the key that takes them, so that nothing has to be said twice; where an answer must be played,
        with that alone."""
        _, verbs = self._, self.position.verbs
        if self.position.game.name == "macau-wars":
            return _("{n} are due: play 2, 3, K♠, K♥, a queen or a joker, or D takes them.", n=due)
        rank = self.cards.rank(str(self.position.view.get("top"))[0])
        if "draw" not in verbs:
            return _("{n} cards are due, and you hold a {rank}: it must be played.", n=due, rank=rank)
        if "play" not in verbs and self.may_tell:
            return _("{n} cards are due, and only a {rank} answers: D takes them.", n=due, rank=rank)
        return _("{n} cards are due: play a {rank}, or D takes them.", n=due, rank=rank)

    def suggested(self, reason: str) -> str:
        """The reason with what would do: the cards that fit come first, so that they are read in any case."""
        if self.fitting and not self.cards.is_tichu and self.may_tell:
            return self._after_fits(reason)
        due = self.position.view.get("penalty") or 0
        said_already = (due and reason == self._due(due)) or self.position.view.get("phase") in ("fours", "last-call")
        return reason if said_already or not self.position.verbs else self._.join([reason, self.way_out()])

    def _after_fits(self, reason: str) -> str:
        fits = self.fitting
        if not fits or self.cards.is_tichu or not self.may_tell:
            return reason
        named = [self.cards.short(card) for card in fits[:MOST_FITS]]
        if len(fits) > MOST_FITS:
            named.append("…")
        return self._("Fits: {cards} · {reason}", cards=" ".join(named), reason=reason)

    @property
    def fitting(self) -> list[Card]:
        """The cards that could be played now."""
        return [card for card in dict.fromkeys(self.position.hand) if card in self.position.playable]

    def way_out(self) -> str:
        """The key that does something where no card does; where some combination would, the key that shows it."""
        _, position = self._, self.position
        if self.cards.is_tichu and position.plays and self.may_tell:
            return _("H shows what can be played.")
        if "draw" in position.verbs:
            return self._drawing()
        if "pass" in position.verbs:
            return _("P passes.")
        return ""

    def _drawing(self) -> str:
        _, due = self._, self.position.view.get("penalty") or 0
        return _("D takes the {n} cards.", n=due) if due else _("D draws a card.")

    def nothing_fits(self) -> str:
        """What a hint says where there is no play."""
        way_out = self.way_out()
        return self._("Nothing fits: {what}", what=way_out) if way_out else ""

    def feasible(self, cards: Sequence[Card]) -> bool:
        """Whether these cards in this order can be played with something named."""
        return any(self._possible({"do": "play", "cards": list(cards), **stands}) for stands in self._stands(cards, ()))

    def feasible_orders(self, cards: Sequence[Card]) -> list[tuple[Card, ...]]:
        """In which orders these cards can be played: in this one alone where that is one of them."""
        if self.feasible(cards):
            return [tuple(cards)]
        return [order for order in self._orders(cards) if self.feasible(order)]

    def _possible(self, move: Data) -> bool:
        """Whether the rules let it pass, as it is or with a suit or a player named."""
        if self.passes(move):
            return True
        if self.cards.is_tichu:
            return False
        if any(self.passes({**move, "suit": suit}) for suit in self.cards.suits):
            return True
        return any(self.passes({**move, "next": seat}) for seat in range(len(self.position.names)))

    def _stands(self, cards: Sequence[Card], known: Sequence[Card]) -> Iterator[Data]:
        """What the jokers may stand for, as far as it makes a difference: the first card and the last one do."""
        count = sum(self.cards.is_joker(card) for card in cards)
        if not count:
            yield {}
            return
        values = self._values(cards, known)
        open_ = count - len(known)
        for rank in values:
            if open_ <= 0:
                yield {"as": list(known)}
                return
            suits = self.cards.suits
            if open_ == 1:
                for suit in suits:
                    yield {"as": [*known, Card(rank + suit)]}
            else:
                middle = [Card(rank + suits[0])] * (open_ - 2)
                for first, last in product(suits, suits):
                    yield {"as": [*known, Card(rank + first), *middle, Card(rank + last)]}

    def _values(self, cards: Sequence[Card], known: Sequence[Card]) -> Sequence[str]:
        """The value that the cards played together have; any, where only jokers are played."""
        for card in (*cards, *known):
            if not self.cards.is_joker(card):
                return card[0]
        return RANKS

    def _orders(self, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        """Other orders, one for each first and last card."""
        if self.cards.is_tichu or len(cards) < 2:
            return
        seen = {(cards[0], cards[-1])}
        for first, last in product(range(len(cards)), range(len(cards))):
            if first == last or (cards[first], cards[last]) in seen:
                continue
            seen.add((cards[first], cards[last]))
            middle = [card for at, card in enumerate(cards) if at not in (first, last)]
            yield (cards[first], *middle, cards[last])

    def _why(self, cards: Sequence[Card]) -> str:
        """The rule that forbids these cards."""
        first = next(self._stands(cards, ()), {})
        try:
            self.position.check(self.position.game.decode({"do": "play", "cards": list(cards), **first}))
        except FairdealError as fault:
            if fault.template in (NO_COMBINATION, NO_MATCH):
                top = combo_of(self.position.view)
                return sentence(described(self._, self.cards, cards, self.position, top))
            if self.position.view.get("penalty") and self.may_tell:
                unfit = [card for card in cards if card not in self.position.playable and not self.cards.is_joker(card)]
                if unfit and len(unfit) < len(cards):  # the others could be played: these are what is wrong
                    return self._("Not while cards are due: {cards}.", cards=self.cards.row(unfit))
            return self._told(fault)
        return ""
