"""One's hand as it is held: its order, the cursor, what is picked. Equal cards of two packs are told apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass

from protocol.cards import JOKER, MAH_JONG, RANKS, Card


@dataclass(frozen=True, slots=True)
class Held:
    """One card in the hand; `id` stays the same however the hand is sorted."""

    id: int
    card: Card


class Holding:
    """A hand. `order` sorts it; `picked` holds ids in the order of picking."""

    def __init__(self) -> None:
        self.cards: list[Held] = []
        self.picked: list[int] = []
        self.has_jokers = True
        """In Tichu the joker's letters are those of a jack."""
        self.cursor = 0
        self.takes_one = False
        """Only one card is played at a time: another pick takes the place of the one before."""
        self._arrived: list[Held] = []
        self._next_id = 0
        self._jumped_to = -1
        """The id of the card that a rank's key went to last."""

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
        """Another order; the cursor stays on its card."""
        under = self.cards[self.cursor].id if self.cursor < len(self.cards) else None
        left = list(self._arrived)
        self.cards = []
        for card in order([held.card for held in self._arrived]):
            place = next(at for at, held in enumerate(left) if held.card == card)
            self.cards.append(left.pop(place))
        self.cursor = next((at for at, held in enumerate(self.cards) if held.id == under), self.cursor)
        self.cursor = max(0, min(self.cursor, len(self.cards) - 1))

    # --- the cursor ---

    def move(self, by: int) -> None:
        """Along the hand, and round its ends."""
        if self.cards:
            self.cursor = (self.cursor + by) % len(self.cards)

    def jump(self, rank: str, fitting: Container[Card] = ()) -> bool:
        """To a card of this rank ("1" is the Mah Jong), one of `fitting` and not picked yet first; said again, to the next one
        and round. Whether there is one."""
        places = [at for at, held in enumerate(self.cards) if self._rank_of(held.card) == rank]
        if not places:
            return False
        places.sort(key=lambda at: self.cards[at].card not in fitting)
        # Who picks one after the other by its letter wants another one each time.
        places = [at for at in places if self.cards[at].id not in self.picked] or places
        if self.cursor in places and self.cards[self.cursor].id == self._jumped_to:
            self.cursor = places[(places.index(self.cursor) + 1) % len(places)]
        else:
            self.cursor = places[0]
        self._jumped_to = self.cards[self.cursor].id
        return True

    def _rank_of(self, card: Card) -> str:
        """What is typed to go to this card; nothing for cards that no key names."""
        if len(card) == 2 and not (card == JOKER and self.has_jokers):
            return card[0]
        return "1" if card == MAH_JONG else ""

    # --- picking ---

    @property
    def under(self) -> Held | None:
        return self.cards[self.cursor] if self.cards else None

    @property
    def chosen(self) -> tuple[Card, ...]:
        """The picked cards in the order of picking."""
        by_id = {held.id: held.card for held in self.cards}
        return tuple(by_id[each] for each in self.picked if each in by_id)

    def toggle(self, place: int) -> None:
        if not 0 <= place < len(self.cards):
            return
        each = self.cards[place].id
        if each in self.picked:
            self.picked.remove(each)
        elif self.takes_one:
            self.picked = [each]
        else:
            self.picked.append(each)

    def pick(self, cards: Iterable[Card]) -> None:
        """Exactly these cards."""
        self.picked = []
        for card in cards:
            found = next((held for held in self.cards if held.card == card and held.id not in self.picked), None)
            if found is not None:
                self.picked.append(found.id)
                self.cursor = self.cards.index(found)

    def clear(self) -> None:
        self.picked = []

    def unpick_last(self) -> None:
        if self.picked:
            self.picked.pop()


def by_rank(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Low ranks first, specials around them."""
    order = {"Dog": -2, "Mah": -1, "Phx": 98, "Drg": 99}
    return tuple(sorted(cards, key=lambda card: (order.get(card, RANKS.find(card[0]) if len(card) == 2 else 97), card)))


def by_arrival(cards: Iterable[Card]) -> tuple[Card, ...]:
    return tuple(cards)


def by_kind(cards: Iterable[Card]) -> tuple[Card, ...]:
    """For Tichu: what there is most of first, so that fours, triples and pairs stand together."""
    held = list(cards)
    counts = Counter(card[0] for card in held if len(card) == 2)
    return tuple(
        sorted(held, key=lambda card: (-(counts[card[0]] if len(card) == 2 else 0), RANKS.find(card[0]), card))
    )
