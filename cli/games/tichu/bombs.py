"""Bombs among cards: which cards make one, and which a hand holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protocol.cards import RANKS, Card


def is_bomb(cards: Sequence[str]) -> bool:
    """Four of a kind, or five or more of one suit that were legally played together."""
    if any(len(card) != 2 for card in cards):
        return False
    ranks, suits = {card[0] for card in cards}, {card[1] for card in cards}
    return (len(cards) == 4 and len(ranks) == 1) or (len(cards) >= 5 and len(suits) == 1)


def bombs_in(hand: Iterable[Card]) -> set[frozenset[Card]]:
    """The bombs that a Tichu hand holds: fours of a kind, and each longest run of one suit."""
    held = [card for card in hand if len(card) == 2]
    found: set[frozenset[Card]] = set()
    by_rank: dict[str, set[Card]] = {}
    by_suit: dict[str, set[str]] = {}
    for card in held:
        by_rank.setdefault(card[0], set()).add(card)
        by_suit.setdefault(card[1], set()).add(card[0])
    found |= {frozenset(cards) for cards in by_rank.values() if len(cards) == 4}
    for suit, ranks in by_suit.items():
        run: list[str] = []
        for rank in (*RANKS, ""):
            if rank in ranks and rank:
                run.append(rank)
                continue
            if len(run) >= 5:
                found.add(frozenset(Card(each + suit) for each in run))
            run = []
    return found
