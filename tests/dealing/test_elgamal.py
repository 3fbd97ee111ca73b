"""Masked cards and their forms."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from protocol.cards import PACK_52, Card
from protocol.dealing.elgamal import MaskedCard, decode_deck, encode_deck, hash_deck, mask_again, starting_deck
from protocol.dealing.faces import card_point
from protocol.dealing.group import IDENTITY, G, Scalar
from protocol.dealing.shares import open_with_secret
from protocol.errors import BadMessage, BadProof
from tests.dealing.altered import alterations
from tests.dealing.conftest import Seats, Shuffled


def test_a_starting_deck_is_what_it_says() -> None:
    deck = starting_deck(PACK_52)
    assert [card.b for card in deck] == [card_point(face) for face in PACK_52]
    assert all(card.a == IDENTITY for card in deck)
    assert [open_with_secret(Scalar(9), card) for card in deck] == list(PACK_52)


def test_masking_again_keeps_the_card(seats: Seats) -> None:
    card = starting_deck([Card("8h")])[0]
    for _ in range(3):
        card = mask_again(seats.joint, card, Scalar(77))
    assert card.a == Scalar(3 * 77) * G
    assert open_with_secret(seats.x_sum, card) == "8h"
    with pytest.raises(BadProof):
        open_with_secret(seats.x_sum + Scalar(1), card)


def test_a_deck_comes_back_as_it_went(shuffled: Callable[[int], Shuffled]) -> None:
    deck = shuffled(7).after
    data = encode_deck(deck)
    assert data == b"".join(card.encode() for card in deck)
    assert decode_deck(data, 7) == deck
    assert decode_deck(b"", 0) == ()


def test_a_deck_has_one_form_and_one_size(shuffled: Callable[[int], Shuffled]) -> None:
    data = encode_deck(shuffled(3).after)
    valid = {"another", "opposite", "exchanged"}
    for name, altered in alterations(data, "pppppp"):
        if not any(word in name for word in valid):
            with pytest.raises(BadMessage):
                decode_deck(altered, 3)
    with pytest.raises(BadMessage):
        decode_deck(data, 2)
    with pytest.raises(BadMessage):
        decode_deck(encode_deck(starting_deck(PACK_52[:3])), 3)


def test_the_hash_of_a_deck_is_of_all_of_it(shuffled: Callable[[int], Shuffled]) -> None:
    deck = shuffled(3).after
    others = [
        deck,
        deck[::-1],
        deck[:2],
        (*deck[:2], MaskedCard(deck[2].a, deck[2].b + G)),
        (*deck[:2], MaskedCard(deck[2].a + G, deck[2].b)),
        (MaskedCard(deck[0].b, deck[0].a), *deck[1:]),
    ]
    assert len({hash_deck(other) for other in others}) == len(others)
    assert len(hash_deck(deck)) == 64
