"""What a deal and a move of a table need at least: the group operations of all seats together.

They are counted from the procedures that every seat must run (PROTOCOL.md, "Dealing"). A seat checks neither its own proofs nor
its own shares. Hashing, signatures, the journal, and waiting for one another are left out, so that a floor is never reached.
"""

from __future__ import annotations

from protocol.dealing.costs import (
    Ops,
    make_round_key,
    open_card,
    open_share,
    open_with_secret,
    prove_shares,
    prove_shuffle,
    shuffle,
    split,
    verify_many_shares,
    verify_round_key,
    verify_shares,
    verify_shuffle,
    verify_shuffles,
    verify_split,
)

KEEPERS_FOR_RECOVERY = 4
"""From so many computers on, seats entrust their round keys to the others."""


def chain(seats: int, cards: int) -> Ops:
    """Return the cost of shuffling a starting deck by all seats in turn, each checking the others' proofs."""
    made = shuffle(cards, first=True) + prove_shuffle(cards, first=True)
    made += (shuffle(cards) + prove_shuffle(cards)) * (seats - 1)
    return made + verify_shuffles(seats - 1, cards, first=True) * seats


def taken(seats: int, hand: int, entered: int) -> Ops:
    """Return the cost of the shares for one hand: made and checked by all seats but its owner, who opens the cards that entered
    it, and knows the others."""
    others = seats - 1
    given = prove_shares(hand) * others
    checked = verify_many_shares(others, hand) + verify_many_shares(others - 1, hand) * others
    return given + checked + (open_card(others) + open_with_secret()) * entered


def remasked(seats: int, hand: int) -> Ops:
    """Return the cost of re-masking one hand with a proof that all other seats check."""
    return shuffle(hand) + prove_shuffle(hand) + verify_shuffle(hand) * (seats - 1)


def opened(seats: int) -> Ops:
    """Return the cost of turning up a card of the stock."""
    return (prove_shares(1) + verify_many_shares(seats - 1, 1) + open_card(seats)) * seats


def prepared(seats: int, cards: int) -> Ops:
    """Return what can be done before a round is opened: its keys and its deck."""
    return (make_round_key() + verify_round_key() * (seats - 1)) * seats + chain(seats, cards)


def dealt(seats: int, hand: int, turned_up: int) -> Ops:
    """Return what follows the opening of a round: recovery shares, hands, and the cards that are turned up."""
    others = seats - 1
    ops = taken(seats, hand, hand) * seats + opened(seats) * turned_up
    if seats >= KEEPERS_FOR_RECOVERY:
        ops += (split(others) + verify_split(others) * others + open_share() * others) * seats
    return ops


def played(seats: int) -> Ops:
    """Return the cost of playing one card."""
    return prove_shares(1) + (verify_shares(1) + open_card(seats)) * (seats - 1)


def drawn(seats: int, hand: int) -> Ops:
    """Return the cost of drawing a card into a hand that then has `hand` cards."""
    return remasked(seats, hand) + taken(seats, hand, 1)
