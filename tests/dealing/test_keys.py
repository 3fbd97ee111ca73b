"""Round keys, and those who would cheat with them."""

from __future__ import annotations

import pytest

from protocol.dealing.group import G, Scalar
from protocol.dealing.keys import (
    ROUND_KEY_BYTES,
    KeyProof,
    RoundKey,
    RoundSecret,
    check_reveal,
    joint_key,
    make_round_key,
    verify_round_key,
)
from protocol.errors import BadMessage, BadProof
from protocol.values import replace
from tests.dealing.altered import alterations
from tests.dealing.conftest import IDENTITIES, Seats, elsewhere, key_context, rng_of


def test_a_round_key_proves_itself(seats: Seats) -> None:
    for seat, (secret, key) in enumerate(zip(seats.secrets, seats.keys, strict=True)):
        verify_round_key(key_context(seat), IDENTITIES[seat], key)
        check_reveal(key_context(seat), key, secret)
        assert len(key.encode()) == ROUND_KEY_BYTES
        assert RoundKey.decode(key.encode()) == key
        assert RoundSecret.decode(secret.encode()) == secret
    assert seats.joint == seats.x_sum * G


def test_fresh_keys_have_nothing_in_common() -> None:
    rng = rng_of("fresh")
    (one, first), (two, second) = (make_round_key(key_context(0), IDENTITIES[0], rng) for _ in range(2))
    assert one.x != two.x
    assert one.seed != two.seed
    assert first.commitment != second.commitment
    assert first.proof.u != second.proof.u


def test_the_secret_does_not_show_itself(seats: Seats) -> None:
    secret = seats.secrets[0]
    shown = repr(secret) + str([secret])
    assert secret.seed.hex() not in shown
    assert repr(secret.seed) not in shown
    assert str(int(secret.x)) not in shown


X = Scalar(3).encode()


@pytest.mark.parametrize("data", [b"", X, X + bytes(31), X + bytes(33), bytes(64), b"\xff" * 64])
def test_secrets_have_one_form(data: bytes) -> None:
    with pytest.raises(BadMessage):
        RoundSecret.decode(data)


def test_an_altered_key_is_refused(seats: Seats) -> None:
    data = seats.keys[0].encode()
    for name, altered in alterations(data[:96], "pps"):
        with pytest.raises(BadMessage):  # at decoding, or by its proof
            verify_round_key(key_context(0), IDENTITIES[0], RoundKey.decode(altered + data[96:]))
        assert name
    for at in (96, 159):
        spoiled = bytearray(data)
        spoiled[at] ^= 1
        with pytest.raises(BadProof):
            verify_round_key(key_context(0), IDENTITIES[0], RoundKey.decode(bytes(spoiled)))
    for length in (data + b"\0", data[:-1], b""):
        with pytest.raises(BadMessage):
            RoundKey.decode(length)


def test_a_key_proves_itself_in_its_place_only(seats: Seats) -> None:
    for ctx in elsewhere(key_context(0)):
        with pytest.raises(BadProof):
            verify_round_key(ctx, IDENTITIES[0], seats.keys[0])
    with pytest.raises(BadProof):
        verify_round_key(key_context(0), IDENTITIES[1], seats.keys[0])


def test_a_rogue_key_has_no_proof(seats: Seats) -> None:
    """Seat 3 wants the joint key to be one whose secret it knows: Y_3 = x G - Y_0 - Y_1 - Y_2."""
    x = Scalar(12345)
    rogue = x * G - seats.keys[0].y - seats.keys[1].y - seats.keys[2].y
    key = replace(seats.keys[3], y=rogue)
    assert joint_key([*seats.keys[:3], key]) == x * G  # so the attack would work
    ctx = key_context(3)
    with pytest.raises(BadProof):
        verify_round_key(ctx, IDENTITIES[3], key)
    # Nor does the proof of a key that it knows help, made for the rogue key's statement or not.
    secret, honest = make_round_key(ctx, IDENTITIES[3], rng_of("rogue"))
    assert secret.x
    with pytest.raises(BadProof):
        verify_round_key(ctx, IDENTITIES[3], replace(honest, y=rogue))
    # Nor one with s chosen first, for whatever challenge: U = s G + c Y needs c before U.
    guess = KeyProof(Scalar(7) * G + Scalar(8) * rogue, Scalar(7))
    with pytest.raises(BadProof):
        verify_round_key(ctx, IDENTITIES[3], replace(key, proof=guess))


def test_the_identity_is_no_key(seats: Seats) -> None:
    """It would pass with any U = s G."""
    s = Scalar(5)
    nobody = RoundKey(G - G, KeyProof(s * G, s), bytes(64))
    with pytest.raises(BadMessage):
        RoundKey.decode(nobody.encode())
    with pytest.raises(BadProof, match="identity"):
        verify_round_key(key_context(0), IDENTITIES[0], nobody)


def test_equal_and_cancelling_keys_are_refused(seats: Seats) -> None:
    with pytest.raises(BadProof, match="same"):
        joint_key([seats.keys[0], seats.keys[1], seats.keys[0]])
    opposite = replace(seats.keys[0], y=Scalar(-1) * seats.keys[0].y)
    with pytest.raises(BadProof, match="cancel"):
        joint_key([seats.keys[0], opposite])
    with pytest.raises(ValueError):
        joint_key([])


def test_a_reveal_must_fit_what_was_published(seats: Seats) -> None:
    ctx, key, secret = key_context(0), seats.keys[0], seats.secrets[0]
    with pytest.raises(BadProof, match="secret"):
        check_reveal(ctx, key, replace(secret, x=secret.x + Scalar(1)))
    with pytest.raises(BadProof, match="seed"):
        check_reveal(ctx, key, replace(secret, seed=seats.secrets[1].seed))
    for other in elsewhere(ctx):
        with pytest.raises(BadProof, match="seed"):
            check_reveal(other, key, secret)


def test_a_weak_generator_does_not_give_the_secret_away() -> None:
    """With one nonce for two statements, x would be (s - s') / (c' - c). The nonce depends on the statement."""
    weak = lambda count: b"\7" * count  # noqa: E731
    _, one = make_round_key(key_context(0), IDENTITIES[0], weak)
    _, two = make_round_key(key_context(1), IDENTITIES[0], weak)
    assert one.y == two.y
    assert one.proof.u != two.proof.u
