"""Decryption shares, and those who would cheat with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from protocol.dealing import shares as module
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.faces import face_of
from protocol.dealing.group import ONE, G, Point, Scalar
from protocol.dealing.hashing import Rng
from protocol.dealing.shares import (
    BadShares,
    ProvenShares,
    ShareProof,
    ShareStatement,
    open_card,
    open_with_secret,
    prove_shares,
    shares_size,
    verify_many_shares,
    verify_shares,
)
from protocol.errors import BadMessage, BadProof
from protocol.values import replace
from tests.dealing.altered import alterations
from tests.dealing.conftest import SHUFFLE, Seats, Shuffled, elsewhere, rng_of

Cards = Sequence[MaskedCard]


def context(seat: int) -> ProofContext:
    return replace(SHUFFLE, seat=seat, purpose="share")


def prove(seats: Seats, seat: int, cards: Cards) -> ProvenShares:
    rng = rng_of(f"shares {seat}")
    return prove_shares(context(seat), seats.secrets[seat].x, seats.keys[seat].y, cards, rng)


def statements(seats: Seats, cards: Cards, count: int = 4) -> list[ShareStatement]:
    return [
        ShareStatement(context(seat), seats.keys[seat].y, cards, prove(seats, seat, cards)) for seat in range(count)
    ]


@pytest.fixture
def cards(shuffled: Callable[[int], Shuffled]) -> Cards:
    return shuffled(7).after


@pytest.mark.parametrize("m", [1, 2, 7])
def test_shares_open_cards_and_prove_themselves(seats: Seats, cards: Cards, m: int) -> None:
    items = statements(seats, cards[:m])
    for item in items:
        verify_shares(item.ctx, item.y, item.cards, item.shares)
        data = item.shares.encode()
        assert len(data) == shares_size(m)
        assert ProvenShares.decode(data, m) == item.shares
    verify_many_shares(items, rng_of("verify"))
    faces = [open_card(card, [item.shares.points[i] for item in items]) for i, card in enumerate(cards[:m])]
    assert faces == [open_with_secret(seats.x_sum, card) for card in cards[:m]]


def test_all_but_one_share_tell_nothing(seats: Seats, cards: Cards) -> None:
    points = [item.shares.points[0] for item in statements(seats, cards[:1])]
    for left_out in range(4):
        with pytest.raises(BadProof):
            open_card(cards[0], points[:left_out] + points[left_out + 1 :])


def test_seats_with_other_cards_are_checked_together(seats: Seats, cards: Cards) -> None:
    """A take: each seat gives shares for the hands of the others, which overlap."""
    items = [
        ShareStatement(context(seat), seats.keys[seat].y, part, prove(seats, seat, part))
        for seat, part in enumerate((cards[:3], cards[2:5], cards[1:], cards[:1]))
    ]
    verify_many_shares(items, rng_of("verify"))
    verify_many_shares([], rng_of("verify"))


@pytest.mark.parametrize("m", [1, 3])
def test_altered_shares_are_refused(seats: Seats, cards: Cards, m: int) -> None:
    items = statements(seats, cards[:m])
    good = items[1]
    for name, altered in alterations(good.shares.encode(), "p" * (m + 2) + "s"):
        with pytest.raises(BadMessage) as caught:
            verify_shares(good.ctx, good.y, good.cards, ProvenShares.decode(altered, m))
        if type(caught.value) is BadProof:  # well formed: the batch must name it too
            batch = [items[0], replace(good, shares=ProvenShares.decode(altered, m)), *items[2:]]
            with pytest.raises(BadShares) as named:
                verify_many_shares(batch, rng_of(name))
            assert named.value.index == 1


def test_shares_count_in_their_place_only(seats: Seats, cards: Cards) -> None:
    items = statements(seats, cards[:2])
    good = items[2]
    wrong = [replace(good, ctx=ctx) for ctx in elsewhere(good.ctx)]
    wrong += [replace(good, y=seats.keys[1].y), replace(good, cards=cards[1:3]), replace(good, cards=cards[1::-1])]
    for item in wrong:
        with pytest.raises(BadProof):
            verify_shares(item.ctx, item.y, item.cards, item.shares)
        with pytest.raises(BadShares) as caught:
            verify_many_shares([*items[:2], item], rng_of("verify"))
        assert caught.value.index == 2


def test_the_number_of_shares_is_the_number_of_cards(seats: Seats, cards: Cards) -> None:
    items = statements(seats, cards[:3])
    good = items[1]
    for part in (cards[:2], cards[:4], ()):
        with pytest.raises(BadProof, match="one share for each"):
            verify_shares(good.ctx, good.y, part, good.shares)
        with pytest.raises(BadShares, match="one share for each") as caught:
            verify_many_shares([items[0], replace(good, cards=part)], rng_of("verify"))
        assert caught.value.index == 1
    none = ProvenShares((), good.shares.proof)
    with pytest.raises(BadProof):
        verify_shares(good.ctx, good.y, (), none)
    with pytest.raises(ValueError):
        prove(seats, 0, ())
    # An earlier one that is wrong comes first.
    spoiled = replace(items[0], shares=items[1].shares)
    with pytest.raises(BadShares) as caught:
        verify_many_shares([spoiled, replace(good, cards=())], rng_of("verify"))
    assert caught.value.index == 0


def cheat(seats: Seats, cards: Cards, points: Sequence[Point], x: Scalar | None = None) -> ShareStatement:
    """Seat 0 proves wrong shares as best it can: honestly, with its own key or another."""
    y, ctx, rng = seats.keys[0].y, context(0), rng_of("cheat")
    x = seats.secrets[0].x if x is None else x
    t, weights = module._begin(ctx, y, cards, points)
    r = Scalar.random(rng)
    a = sum((w * card.a for w, card in zip(weights, cards, strict=True)), G - G)
    u, v = r * G, r * a
    return ShareStatement(
        ctx, y, cards, ProvenShares(tuple(points), ShareProof(u, v, r - module._challenge(t, u, v) * x))
    )


def test_wrong_shares_cannot_be_proved(seats: Seats, cards: Cards) -> None:
    honest = prove(seats, 0, cards).points
    good = cheat(seats, cards, honest)
    verify_shares(good.ctx, good.y, good.cards, good.shares)  # so what follows fails by its shares
    other = prove(seats, 1, cards).points
    shifted = (honest[0] + G, honest[1] - G, *honest[2:])
    for points in (
        other,
        (other[0], *honest[1:]),
        (*honest[:-1], other[-1]),
        (honest[1], honest[0], *honest[2:]),
        honest[::-1],
        shifted,
        tuple(Scalar(2) * point for point in honest),
    ):
        item = cheat(seats, cards, points)
        with pytest.raises(BadProof):
            verify_shares(item.ctx, item.y, item.cards, item.shares)
        with pytest.raises(BadShares):
            verify_many_shares([item], rng_of("verify"))


def test_shares_of_another_key_are_refused(seats: Seats, cards: Cards) -> None:
    """All of the proof holds among itself, but for a key that is not the seat's."""
    for x in (seats.secrets[1].x, seats.secrets[0].x + ONE, ONE):
        item = cheat(seats, cards, [x * card.a for card in cards], x)
        with pytest.raises(BadProof, match="does not match the seat's round key"):
            verify_shares(item.ctx, item.y, item.cards, item.shares)
        with pytest.raises(BadShares):
            verify_many_shares([item], rng_of("verify"))


def test_two_wrong_shares_that_make_up_for_each_other(
    seats: Seats, cards: Cards, monkeypatch: pytest.MonkeyPatch
) -> None:
    """D_1 + Δ and D_2 - Δ: the sums agree where the weights of a batch are all 1. Weights are hashed from the batch."""
    honest = prove(seats, 0, cards).points
    points = (honest[0] + G, honest[1] - G, *honest[2:])
    begin = module._begin

    def unweighted(ctx: ProofContext, y: Point, cards: Cards, points: Sequence[Point]) -> tuple[object, list[Scalar]]:
        return begin(ctx, y, cards, points)[0], [ONE] * len(cards)

    with monkeypatch.context() as weak:
        weak.setattr(module, "_begin", unweighted)
        item = cheat(seats, cards, points)
        verify_shares(item.ctx, item.y, item.cards, item.shares)  # the attack works there
    item = cheat(seats, cards, points)
    with pytest.raises(BadProof):
        verify_shares(item.ctx, item.y, item.cards, item.shares)


def test_two_seats_whose_errors_cancel(seats: Seats, cards: Cards, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seat 0 shifts its V by Δ, seat 1 by -Δ, before the challenge: each proof is wrong by Δ, and the sum of both is right.
    The verifier's weights are its own."""
    items = []
    for seat, shift in ((0, G), (1, Scalar(-1) * G)):
        x, y, ctx = seats.secrets[seat].x, seats.keys[seat].y, context(seat)
        points = prove(seats, seat, cards).points
        t, weights = module._begin(ctx, y, cards, points)
        r = Scalar.random(rng_of(f"cancel {seat}"))
        u = r * G
        v = sum((r * w * card.a for w, card in zip(weights, cards, strict=True)), shift)
        proof = ShareProof(u, v, r - module._challenge(t, u, v) * x)
        items.append(ShareStatement(ctx, y, cards, ProvenShares(points, proof)))

    def equal(rng: Rng) -> Callable[[], Scalar]:
        return lambda: ONE

    with monkeypatch.context() as weak:
        weak.setattr(module, "_weights", equal)
        verify_many_shares(items, rng_of("verify"))  # the attack works there
    with pytest.raises(BadShares) as caught:
        verify_many_shares(items, rng_of("verify"))
    assert caught.value.index == 0


def test_a_share_for_one_card_opens_no_other(seats: Seats, cards: Cards) -> None:
    points = [item.shares.points[0] for item in statements(seats, cards[:1])]
    with pytest.raises(BadProof):
        open_card(cards[1], points)
    assert face_of(cards[0].b) is None


def test_proofs_of_one_statement_do_not_repeat_their_nonce(seats: Seats, cards: Cards) -> None:
    rng = rng_of("twice")
    one, two = (prove_shares(context(0), seats.secrets[0].x, seats.keys[0].y, cards, rng) for _ in range(2))
    assert one.points == two.points
    assert one.proof.u != two.proof.u
