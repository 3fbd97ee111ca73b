"""Shuffles keep the cards, follow from their seed, and prove themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from protocol.cards import PACK_52, Card
from protocol.dealing.elgamal import starting_deck
from protocol.dealing.group import IDENTITY
from protocol.dealing.hashing import Stream
from protocol.dealing.remasking import expand_permutation, uniform
from protocol.dealing.shares import open_with_secret
from protocol.dealing.shuffle import (
    BadShuffle,
    ShuffleStatement,
    proof_size,
    prove_shuffle,
    remask_hand,
    shuffle,
    verify_shuffle,
    verify_shuffles,
)
from protocol.values import replace
from tests.dealing.conftest import SHUFFLE, Seats, Shuffled, elsewhere, make_shuffled, rng_of

SIZES = (0, 1, 2, 3, 4, 7, 13, 52)


@pytest.mark.parametrize("n", SIZES)
def test_a_shuffle_of_any_size_is_proved(shuffled: Callable[[int], Shuffled], n: int) -> None:
    made = shuffled(n)
    assert len(made.proof) == proof_size(n)
    verify_shuffle(made.ctx, made.joint, made.before, made.after, made.proof, rng_of("verify"))


def test_a_shuffle_keeps_the_cards_and_follows_its_witness(seats: Seats, shuffled: Callable[[int], Shuffled]) -> None:
    made = shuffled(52)
    first = [open_with_secret(seats.x_sum, card) for card in made.before]
    last = [open_with_secret(seats.x_sum, card) for card in made.after]
    assert sorted(last) == sorted(first) == sorted(PACK_52)
    assert last == [first[position] for position in made.witness.permutation]
    assert last != first
    assert not {card.a for card in made.before} & {card.a for card in made.after}


def test_a_shuffle_is_a_function_of_seed_place_key_and_deck(seats: Seats, shuffled: Callable[[int], Shuffled]) -> None:
    made = shuffled(7)
    seed, joint = seats.secrets[0].seed, seats.joint
    assert shuffle(made.ctx, joint, seed, made.before) == (made.after, made.witness)
    swapped = (made.before[1], made.before[0], *made.before[2:])
    others = [
        shuffle(made.ctx, joint, bytes(32), made.before),
        shuffle(made.ctx, seats.keys[0].y, seed, made.before),
        shuffle(made.ctx, joint, seed, swapped),
        *[shuffle(ctx, joint, seed, made.before) for ctx in elsewhere(made.ctx)],
    ]
    masks = [set(map(int, witness.scalars)) for _, witness in [*others, (made.after, made.witness)]]
    for i, one in enumerate(masks):
        for other in masks[:i]:
            assert not one & other


def test_another_deck_gives_another_permutation(seats: Seats) -> None:
    """Two shuffles under one permutation and one set of masks would show the permutation: out1 - out2 is in1 - in2, permuted."""
    joint, seed = seats.joint, seats.secrets[0].seed
    first = starting_deck(PACK_52)
    second = starting_deck((PACK_52[1], PACK_52[0], *PACK_52[2:]))
    out1, one = shuffle(SHUFFLE, joint, seed, first)
    out2, two = shuffle(SHUFFLE, joint, seed, second)
    assert one.permutation != two.permutation
    assert not {a.a for a in out1} & {a.a for a in out2}
    differences = {a.b - b.b for a, b in zip(out1, out2, strict=True)}
    assert IDENTITY not in differences


def test_a_hand_is_masked_afresh_each_time(seats: Seats, shuffled: Callable[[int], Shuffled]) -> None:
    hand = shuffled(7).after
    rng = rng_of("hand")
    (first, one), (second, two) = (remask_hand(seats.joint, hand, rng) for _ in range(2))
    faces = sorted(open_with_secret(seats.x_sum, card) for card in hand)
    for deck, witness in ((first, one), (second, two)):
        assert sorted(open_with_secret(seats.x_sum, card) for card in deck) == faces
        proof = prove_shuffle(SHUFFLE, seats.joint, hand, deck, witness, rng)
        verify_shuffle(SHUFFLE, seats.joint, hand, deck, proof, rng)
    assert not set(one.scalars) & set(two.scalars)


def test_packs_with_equal_cards_and_jokers_are_proved(seats: Seats) -> None:
    before = starting_deck((*PACK_52[:5], *PACK_52[:5], Card("Jk"), Card("Jk")))
    made = make_shuffled(seats, 12, before=before)
    verify_shuffle(made.ctx, made.joint, made.before, made.after, made.proof, rng_of("verify"))
    again = make_shuffled(seats, 12, seat=1, before=made.after)
    verify_shuffle(again.ctx, again.joint, again.before, again.after, again.proof, rng_of("verify"))


def test_all_permutations_are_equally_likely() -> None:
    stream = Stream("test", "permutations", expected=2**17)
    rounds = 24 * 400
    counts = Counter(expand_permutation(stream, 4) for _ in range(rounds))
    assert len(counts) == 24
    chi_squared = sum((count - 400) ** 2 / 400 for count in counts.values())
    assert chi_squared < 60  # 23 degrees of freedom: once in 40 000 runs; and this run is always the same


def test_numbers_below_a_bound_are_not_biased() -> None:
    """Numbers at or above the largest multiple of the bound are drawn again, those below are reduced."""

    class Scripted(Stream):
        def __init__(self, *words: int) -> None:
            self.words = iter(words)

        def read(self, count: int) -> bytes:
            return next(self.words).to_bytes(count, "big")

    limit = 2**32 - 2**32 % 52
    assert uniform(Scripted(limit - 1), 52) == 51
    assert uniform(Scripted(limit, 2**32 - 1, 53), 52) == 1
    assert uniform(Scripted(2**32 - 1), 2**31) == 2**31 - 1
    assert uniform(Scripted(7), 1) == 0


def test_a_chain_is_checked_in_one(seats: Seats) -> None:
    items = chain(seats, 7)
    verify_shuffles(seats.joint, items, rng_of("verify"))
    verify_shuffles(seats.joint, [], rng_of("verify"))


@pytest.mark.parametrize("n", [1, 2, 7])
def test_a_chain_names_the_first_that_is_wrong(seats: Seats, n: int) -> None:
    good = chain(seats, n)
    for wrong in range(len(good)):
        for spoiled in (
            good[wrong].proof[:-32] + bytes([good[wrong].proof[-32] ^ 1]) + good[wrong].proof[-31:],
            good[wrong].proof[:-1],
            bytes(len(good[wrong].proof)),
        ):
            items = list(good)
            items[wrong] = replace(items[wrong], proof=spoiled)
            items[-1] = replace(items[-1], proof=spoiled)
            with pytest.raises(BadShuffle) as caught:
                verify_shuffles(seats.joint, items, rng_of("verify"))
            assert caught.value.index == wrong


def test_a_chain_names_a_wrong_sum_before_a_later_wrong_form(seats: Seats) -> None:
    """The group's equations are summed up last; a shuffle that fails there still comes before one that does not decode."""
    items = list(chain(seats, 3))
    items[0] = replace(items[0], after=items[0].after[::-1])
    items[2] = replace(items[2], proof=b"")
    with pytest.raises(BadShuffle) as caught:
        verify_shuffles(seats.joint, items, rng_of("verify"))
    assert caught.value.index == 0


def chain(seats: Seats, n: int) -> list[ShuffleStatement]:
    """Three shuffles, each of the one before."""
    items = []
    before = starting_deck(PACK_52[:n])
    for seat in range(3):
        made = make_shuffled(seats, n, seat, before)
        items.append(ShuffleStatement(made.ctx, made.before, made.after, made.proof))
        before = made.after
    return items
