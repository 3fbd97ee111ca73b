"""One's hand as it is held: its order and what is picked. Equal cards of two packs are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from protocol.cards import Card
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Held:
    """One card in the hand; `id` stays the same however the hand is sorted."""

    id: int
    card: Card


class Hand:
    """`cards` in the order shown; `picked` holds ids in the order of picking."""

    def __init__(self) -> None:
        self.cards: list[Held] = []
        self.picked: list[int] = []
        self._arrived: list[Held] = []
        self._next_id = 0

    def update(self, hand: Sequence[Card], order: Callable[[Iterable[Card]], Sequence[Card]]) -> tuple[int, ...]:
        """The hand as it is now. What left it is no longer picked; ids of what is new."""
        wanted = Counter(hand)
        kept: list[Held] = []
        # Of equal cards, a picked one was the one that was played.
        for held in sorted(self._arrived, key=lambda each: each.id in self.picked):
            if wanted[held.card] > 0:
                wanted[held.card] -= 1
                kept.append(held)
        kept_ids = {held.id for held in kept}
        self._arrived = [held for held in self._arrived if held.id in kept_ids]
        new: list[int] = []
        for card in hand:
            if wanted[card] > 0:
                wanted[card] -= 1
                self._arrived.append(Held(self._next_id, card))
                new.append(self._next_id)
                self._next_id += 1
        self.picked = [each for each in self.picked if each in kept_ids]
        self.sort(order)
        return tuple(new)

    def sort(self, order: Callable[[Iterable[Card]], Sequence[Card]]) -> None:
        """Another order."""
        left = list(self._arrived)
        self.cards = []
        for card in order([held.card for held in self._arrived]):
            place = next(at for at, held in enumerate(left) if held.card == card)
            self.cards.append(left.pop(place))

    def card(self, each: int) -> Card | None:
        """The card of this id."""
        return next((held.card for held in self.cards if held.id == each), None)

    def ids(self, cards: Iterable[Card]) -> list[int]:
        """Ids of these cards, as far as they are held."""
        found: list[int] = []
        for card in cards:
            each = next((held.id for held in self.cards if held.card == card and held.id not in found), None)
            if each is not None:
                found.append(each)
        return found

    @property
    def chosen(self) -> tuple[Card, ...]:
        """The picked cards in the order of picking."""
        by_id = {held.id: held.card for held in self.cards}
        return tuple(by_id[each] for each in self.picked if each in by_id)

    def toggle(self, each: int, takes_one: bool = False) -> None:
        """Pick a card or put it back. `takes_one`: another pick takes the place of the one before."""
        if each in self.picked:
            self.picked.remove(each)
        elif self.card(each) is not None:
            self.picked = [each] if takes_one else [*self.picked, each]

    def pick(self, cards: Iterable[Card]) -> int | None:
        """Exactly these cards; the id of the last one."""
        self.picked = self.ids(cards)
        return self.picked[-1] if self.picked else None

    def clear(self) -> None:
        self.picked = []

    def unpick_last(self) -> None:
        if self.picked:
            self.picked.pop()
