"""Ends of rounds that can be counted out: plays that nothing unseen beats, and one last play.

Only cards decide here, no estimates: a play is sure if the cards in the other hands hold nothing that beats it, bombs included.
"""

from __future__ import annotations

from collections.abc import Sequence

from protocol.cards import PACK_TICHU, PHOENIX, Card, Seat
from protocol.games.tichu.combinations import DOG_STRENGTH, SINGLE, Combo
from protocol.games.tichu.plays import Cards, PlayGroup, groups
from protocol.games.tichu.state import SEATS, TichuState

MOST_CARDS = 9
"""The largest hand that is counted out: larger ones can be divided in too many ways."""
MOST_LOOKS = 300
"""How many ways to go on are looked at for one decision."""


class Counting:
    """Whether a hand can be played to its end without losing the lead."""

    def __init__(self, state: TichuState, seat: Seat, hand: Sequence[Card]) -> None:
        seen = {*state.played, *hand}
        self._unseen = [card for card in PACK_TICHU if card not in seen]
        self._largest = max((state.hand_sizes[each] for each in range(SEATS) if each != seat), default=0)
        self._sure: dict[Combo, bool] = {}
        self._looks = 0

    def play(self, found: Sequence[PlayGroup], hand: Sequence[Card]) -> tuple[PlayGroup, Cards] | None:
        """Return one of these plays after which the rest goes out for certain, or which is the last; None if there is none."""
        if len(hand) > MOST_CARDS:
            return None
        for group in found:
            if group.combo.size == len(hand):
                return group, group.cards[0]
        for group in found:
            if not self.is_sure(group.combo):
                continue
            for cards in group.cards[:2]:
                if self._goes_out([card for card in hand if card not in cards]):
                    return group, cards
        return None

    def is_sure(self, what: Combo) -> bool:
        """Return whether nothing in the other hands can beat this."""
        if what.kind == SINGLE and (what.strength == DOG_STRENGTH or what.strength % 2):
            return False  # the Dog hands the lead on, and the Phoenix is never stronger than what it was played on
        if (known := self._sure.get(what)) is None:
            beaten = (group.combo.size <= self._largest for group in groups(self._unseen, what))
            known = self._sure[what] = not any(beaten)
        return known

    def _goes_out(self, hand: Sequence[Card]) -> bool:
        """Return whether this hand, on lead, goes out for certain."""
        self._looks += 1
        if self._looks > MOST_LOOKS:
            return False
        found = groups(hand)
        if any(group.combo.size == len(hand) for group in found):
            return True
        return any(
            self.is_sure(group.combo) and self._goes_out([card for card in hand if card not in group.cards[0]])
            for group in found
            if not (group.combo.size == 1 and group.cards[0] == (PHOENIX,))
        )
