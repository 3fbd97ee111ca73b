"""Recovery: all others together open a key, none of them less; and those who would cheat with it."""

from __future__ import annotations

import pytest

from protocol.dealing import recovery as module
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import MaskedCard
from protocol.dealing.group import G, Point, Scalar
from protocol.dealing.recovery import (
    BadRecovery,
    SealedShare,
    SplitStatement,
    complain,
    decode_split,
    encode_split,
    open_share,
    recover,
    split,
    uphold,
    verify_split,
    verify_splits,
)
from protocol.dealing.shares import ProvenShares, prove_shares, verify_shares
from protocol.errors import BadMessage, BadProof
from protocol.values import replace
from tests.dealing.altered import alterations
from tests.dealing.conftest import SHUFFLE, Libsodium, Seats, elsewhere, rng_of

SENDER = replace(SHUFFLE, seat=0, purpose="recovery")
COMPLAINT = replace(SHUFFLE, seat=2, purpose="recovery-complaint", receiver=0)


@pytest.fixture
def receivers(seats: Seats) -> dict[int, Point]:
    return {seat: seats.keys[seat].y for seat in (1, 2, 3)}


@pytest.fixture
def sealed(seats: Seats, receivers: dict[int, Point]) -> dict[int, SealedShare]:
    return split(SENDER, seats.secrets[0].x, receivers, rng_of("split"))


def opened(seats: Seats, sealed: dict[int, SealedShare]) -> dict[int, Scalar]:
    return {seat: open_share(SENDER, seat, seats.secrets[seat].x, share) for seat, share in sealed.items()}


def test_all_others_recover_a_key(seats: Seats, receivers: dict[int, Point], sealed: dict[int, SealedShare]) -> None:
    verify_split(SENDER, seats.keys[0].y, receivers, sealed)
    data = encode_split(sealed)
    assert len(data) == 3 * 160
    assert decode_split(data, [3, 1, 2]) == sealed
    assert recover(seats.keys[0].y, sealed, opened(seats, sealed)) == seats.secrets[0].x


def test_one_receiver_is_enough_to_share_with(seats: Seats) -> None:
    alone = split(SENDER, seats.secrets[0].x, {1: seats.keys[1].y}, rng_of("alone"))
    verify_split(SENDER, seats.keys[0].y, {1: seats.keys[1].y}, alone)
    assert recover(seats.keys[0].y, alone, opened(seats, alone)) == seats.secrets[0].x
    with pytest.raises(ValueError, match="one seat at least"):
        split(SENDER, seats.secrets[0].x, {}, rng_of("nobody"))


def test_less_than_all_recover_nothing(seats: Seats, sealed: dict[int, SealedShare]) -> None:
    for absent in sealed:
        shares = opened(seats, sealed)
        del shares[absent]
        with pytest.raises(BadRecovery) as caught:
            recover(seats.keys[0].y, sealed, shares)
        assert caught.value.seat == absent


def test_a_share_opens_for_its_receiver_only(seats: Seats, sealed: dict[int, SealedShare]) -> None:
    for seat in (0, 1, 3):
        with pytest.raises(BadProof):
            open_share(SENDER, 2, seats.secrets[seat].x, sealed[2])
    with pytest.raises(BadProof):
        open_share(SENDER, 1, seats.secrets[2].x, sealed[2])
    for ctx in elsewhere(SENDER):
        if replace(ctx, receiver=2) != replace(SENDER, receiver=2):
            with pytest.raises(BadProof):
                open_share(ctx, 2, seats.secrets[2].x, sealed[2])


def test_a_wrong_published_share_names_its_seat(seats: Seats, sealed: dict[int, SealedShare]) -> None:
    shares = opened(seats, sealed)
    shares[3] = shares[3] + Scalar(1)
    with pytest.raises(BadRecovery) as caught:
        recover(seats.keys[0].y, sealed, shares)
    assert caught.value.seat == 3
    with pytest.raises(BadProof, match="add up"):
        recover(seats.keys[1].y, sealed, opened(seats, sealed))


@pytest.mark.parametrize("seat", [1, 3])
def test_an_altered_split_is_refused(
    seats: Seats, receivers: dict[int, Point], sealed: dict[int, SealedShare], seat: int
) -> None:
    for name, altered in alterations(sealed[seat].encode(), "pppss"):
        with pytest.raises(BadMessage):
            verify_split(SENDER, seats.keys[0].y, receivers, {**sealed, seat: SealedShare.decode(altered)})
        assert name
    for ctx in elsewhere(SENDER):
        if replace(ctx, receiver=None) != SENDER:
            with pytest.raises(BadProof):
                verify_split(ctx, seats.keys[0].y, receivers, sealed)


def test_a_split_is_for_all_others_and_adds_up(
    seats: Seats, receivers: dict[int, Point], sealed: dict[int, SealedShare]
) -> None:
    y = seats.keys[0].y
    with pytest.raises(BadProof, match="other seats"):
        verify_split(SENDER, y, receivers, {seat: sealed[seat] for seat in (1, 2)})
    with pytest.raises(BadProof, match="other seats"):
        verify_split(SENDER, y, {1: receivers[1], 2: receivers[2]}, sealed)
    with pytest.raises(BadProof, match="add up"):
        verify_split(SENDER, seats.keys[1].y, receivers, sealed)
    with pytest.raises(BadProof, match="sealed"):
        verify_split(SENDER, y, receivers, {1: sealed[2], 2: sealed[1], 3: sealed[3]})
    with pytest.raises(BadProof, match="sealed"):
        verify_split(SENDER, y, {**receivers, 2: seats.keys[0].y}, sealed)
    data = encode_split(sealed)
    for wrong in (data[:-1], data + b"\0", b"", data[:320]):
        with pytest.raises(BadMessage):
            decode_split(wrong, [1, 2, 3])
        with pytest.raises(BadMessage, match=r"a sealed share must be"):
            SealedShare.decode(wrong)


def test_splits_are_checked_together_and_the_wrong_ones_seat_is_named(
    seats: Seats, module: Libsodium | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each public field of each share counts, and so do the round key and the place; with the compiled module all are one sum."""
    keys = {seat: key.y for seat, key in enumerate(seats.keys)}
    right = {}
    for seat in (0, 2, 3):
        ctx, others = replace(SENDER, seat=seat), {other: y for other, y in keys.items() if other != seat}
        sealed = split(ctx, seats.secrets[seat].x, others, rng_of(f"split {seat}"))
        right[seat] = SplitStatement(ctx, keys[seat], others, sealed)
    with monkeypatch.context() as patch:
        if module is not None:
            patch.setattr("protocol.dealing.recovery.verify_split", None)  # none is looked at by itself
        verify_splits(right, rng_of("weights"))
    assert module is None or module.count == 1
    of_one = right[2]
    wrong = [replace(of_one, y=keys[0]), replace(of_one, ctx=replace(of_one.ctx, step=9))]
    wrong.append(replace(of_one, sealed={seat: of_one.sealed[seat] for seat in (0, 1)}))
    for receiver, share in of_one.sealed.items():
        other, z, c = share.S + G, share.z + Scalar(1), share.c + Scalar(1)
        altered = [replace(share, S=other), replace(share, E=other), replace(share, u=other)]
        altered += [replace(share, z=z), replace(share, c=c)]
        wrong += [replace(of_one, sealed={**of_one.sealed, receiver: each}) for each in altered]
    for each in wrong:
        with pytest.raises(BadRecovery) as caught:
            verify_splits({**right, 2: each}, rng_of("weights"))
        assert caught.value.seat == 2
    with pytest.raises(BadRecovery) as caught:
        verify_splits({**right, 3: replace(right[3], y=keys[0]), 2: wrong[0]}, rng_of("weights"))
    assert caught.value.seat == 2, "the first one"


def spoil(seats: Seats, sealed: dict[int, SealedShare], rng_name: str = "spoil") -> SealedShare:
    """What a cheating sender sends seat 2: all right to see, but c does not hold the share."""
    ctx, y, rng = replace(SENDER, receiver=2), seats.keys[2].y, rng_of(rng_name)
    e, r, c = Scalar.random(rng), Scalar.random(rng), Scalar.random(rng)
    E, u = e * G, r * G
    t = module._begin(ctx, y, sealed[2].S, E, c)
    return SealedShare(sealed[2].S, E, u, r - module._challenge(t, u) * e, c)


def test_a_complaint_convicts_a_sender_who_cheats(
    seats: Seats, receivers: dict[int, Point], sealed: dict[int, SealedShare]
) -> None:
    bad = spoil(seats, sealed)
    verify_split(SENDER, seats.keys[0].y, receivers, {**sealed, 2: bad})  # nobody but seat 2 can see it
    with pytest.raises(BadProof, match="cannot be opened"):
        open_share(SENDER, 2, seats.secrets[2].x, bad)
    complaint = complain(COMPLAINT, seats.secrets[2].x, seats.keys[2].y, bad, rng_of("complaint"))
    uphold(COMPLAINT, seats.keys[2].y, complaint, SENDER, 2, bad)


def test_a_false_complaint_convicts_who_complains(seats: Seats, sealed: dict[int, SealedShare]) -> None:
    y = seats.keys[2].y
    complaint = complain(COMPLAINT, seats.secrets[2].x, y, sealed[2], rng_of("complaint"))
    with pytest.raises(BadProof, match="a share that can be opened"):
        uphold(COMPLAINT, y, complaint, SENDER, 2, sealed[2])
    bad = spoil(seats, sealed)
    true = complain(COMPLAINT, seats.secrets[2].x, y, bad, rng_of("complaint"))
    for name, altered in alterations(true.encode(), "ppps"):
        with pytest.raises(BadMessage):
            uphold(COMPLAINT, y, ProvenShares.decode(altered, 1), SENDER, 2, bad)
        assert name
    for ctx in elsewhere(COMPLAINT):
        with pytest.raises(BadProof):
            uphold(ctx, y, true, SENDER, 2, bad)
    with pytest.raises(BadProof):
        uphold(COMPLAINT, y, true, SENDER, 2, sealed[2])


def test_a_complaint_does_not_decrypt_a_card(seats: Seats, receivers: dict[int, Point]) -> None:
    """The attack: seal a share with E = A of seat 2's card, and let seat 2's complaint publish x_2 A. It needs a proof of
    knowledge of A's logarithm, which nobody has; and x_2 A proved for a complaint is no share of that card."""
    card = MaskedCard(Scalar(424242) * G, G)  # in truth nobody knows this logarithm
    rng = rng_of("oracle")
    S = Scalar.random(rng) * G
    for guess in range(3):
        z, challenge = Scalar.random(rng), Scalar.random(rng)
        forged = SealedShare(S, card.a, z * G + challenge * card.a, z, Scalar(guess + 1))
        others = {1: seats.keys[0].y - S, 2: S}
        with pytest.raises(BadProof, match="no valid proof from its sender"):
            verify_split(
                SENDER,
                others[1] + S,
                {2: receivers[2], 1: receivers[1]},
                {2: forged, 1: replace(forged, S=others[1])},
            )
    x, y = seats.secrets[2].x, seats.keys[2].y
    answer = prove_shares(COMPLAINT, x, y, (MaskedCard(card.a, S),), rng)
    share: ProofContext = replace(SHUFFLE, seat=2, purpose="share")
    with pytest.raises(BadProof):
        verify_shares(share, y, (card,), answer)


def test_those_who_leave_later_are_recovered_too(seats: Seats) -> None:
    """Seat 0 leaves, its key is opened; then seat 1 leaves: what was sealed to seat 0 opens with seat 0's key."""
    ctx = replace(SENDER, seat=1)
    receivers = {seat: seats.keys[seat].y for seat in (0, 2, 3)}
    sealed = split(ctx, seats.secrets[1].x, receivers, rng_of("later"))
    verify_split(ctx, seats.keys[1].y, receivers, sealed)
    known = {seat: open_share(ctx, seat, seats.secrets[seat].x, sealed[seat]) for seat in (0, 2, 3)}
    assert recover(seats.keys[1].y, sealed, known) == seats.secrets[1].x
