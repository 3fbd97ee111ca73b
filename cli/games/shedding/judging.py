"""What the rules of the shedding games say to cards: whether they can be played, with something named or in another order, and
why not in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from cli.games.base.judging import Judging, code_of
from protocol.cards import RANKS, Card
from protocol.errors import FairdealError
from protocol.games.game import Data


class SheddingJudging(Judging):
    """For one moment of one seat."""

    @property
    def due(self) -> int:
        return self.position.view.due

    def told(self, fault: FairdealError) -> str:
        _, position = self._, self.position
        if position.verbs or position.view.turn in (None, position.seat):
            if self.due and code_of(fault) == "penalty":
                return self.told_due()
            if code_of(fault) == "no stock" and "pass" not in position.verbs:
                return _("There is nothing to draw: play a card that matches.")
            if code_of(fault) == "no stock" and "play" not in position.verbs:
                return _("There is nothing to draw: press {@pass} to pass.")
        return super().told(fault)

    def told_due(self) -> str:
        """Cards are due: with the key that takes them, so that nothing has to be said twice; where an answer must be played,
        with that alone."""
        _, verbs, due = self._, self.position.verbs, self.due
        rank = self.cards.rank(str(self.position.view.top)[0])
        if "draw" not in verbs:
            return _("You have a {rank}, so you must play it (else you’d draw {n}).", n=due, rank=rank)
        if "play" not in verbs and self.may_tell:
            return _("You have no {rank} to answer with: press {@draw} to draw {n}.", n=due, rank=rank)
        return _("Play a {rank}, or press {@draw} to draw {n}.", n=due, rank=rank)

    def suggested(self, reason: str) -> str:
        said_already = bool(self.due) and reason == self.told_due()
        return reason if said_already and not (self.fitting and self.may_tell) else super().suggested(reason)

    def drawing(self) -> str:
        return self._("Press {@draw} to draw {n}.", n=self.due) if self.due else super().drawing()

    def feasible(self, cards: Sequence[Card]) -> bool:
        """Whether these cards in this order can be played with something named."""
        return any(self.possible({"do": "play", "cards": list(cards), **stands}) for stands in self.stands(cards, ()))

    def feasible_orders(self, cards: Sequence[Card]) -> list[tuple[Card, ...]]:
        """In which orders these cards can be played: in this one alone where that is one of them."""
        if self.feasible(cards):
            return [tuple(cards)]
        return [order for order in self._orders(cards) if self.feasible(order)]

    def possible(self, move: Data) -> bool:
        """Whether the rules let it pass, as it is or with a suit or a player named."""
        if self.passes(move):
            return True
        if any(self.passes({**move, "suit": suit}) for suit in self.cards.suits):
            return True
        return any(self.passes({**move, "next": seat}) for seat in range(len(self.position.names)))

    def stands(self, cards: Sequence[Card], known: Sequence[Card]) -> Iterator[Data]:
        """What the jokers may stand for, as far as it makes a difference: the first card and the last one do."""
        count = sum(self.cards.is_joker(card) for card in cards)
        if not count:
            yield {}
            return
        values = self.values(cards, known)
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

    def values(self, cards: Sequence[Card], known: Sequence[Card]) -> Sequence[str]:
        """The value that the cards played together have; any, where only jokers are played."""
        for card in (*cards, *known):
            if not self.cards.is_joker(card):
                return card[0]
        return RANKS

    def _orders(self, cards: Sequence[Card]) -> Iterator[tuple[Card, ...]]:
        """Other orders, one for each first and last card."""
        if len(cards) < 2:
            return
        seen = {(cards[0], cards[-1])}
        for first, last in product(range(len(cards)), range(len(cards))):
            if first == last or (cards[first], cards[last]) in seen:
                continue
            seen.add((cards[first], cards[last]))
            middle = [card for at, card in enumerate(cards) if at not in (first, last)]
            yield (cards[first], *middle, cards[last])

    def why(self, cards: Sequence[Card]) -> str:
        first = next(self.stands(cards, ()), {})
        try:
            self.position.check(self.position.game.decode({"do": "play", "cards": list(cards), **first}))
        except FairdealError as fault:
            if self.due and self.may_tell:
                unfit = [card for card in cards if card not in self.position.playable and not self.cards.is_joker(card)]
                if unfit and len(unfit) < len(cards):  # the others could be played: these are what is wrong
                    return self._("Not during a penalty: {cards}.", cards=self.cards.row(unfit))
            return self.told(fault)
        return ""
