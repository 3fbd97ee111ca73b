"""The group: canonical forms only, and libsodium's quirks kept inside."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from protocol.cards import ALL_FACES, Card
from protocol.dealing.faces import card_point, face_of
from protocol.dealing.giving_way import give_way_by
from protocol.dealing.group import (
    IDENTITY,
    ONE,
    Combination,
    G,
    Point,
    Scalar,
    commitment_keys,
    decode_point,
    decode_points,
    decode_scalar,
    decode_scalars,
    expand_message_xmd,
    point_from_hash,
    q,
    sum_points,
    weighted_sum,
)
from protocol.dealing.library import load
from protocol.errors import BadMessage
from tests.dealing.conftest import rng_of

P = 2**255 - 19


def test_scalars_are_numbers_modulo_q() -> None:
    a, b = Scalar(q - 1), Scalar(5)
    assert a + b == Scalar(4)
    assert b - a == Scalar(6)
    assert a == -ONE
    assert a * b == Scalar(-5)
    assert b.inverse() * b == ONE
    assert not Scalar(q)
    assert Scalar.reduce(b"\xff" * 64) == Scalar(2**512 - 1)
    with pytest.raises(ZeroDivisionError):
        Scalar(0).inverse()


def test_secrets_do_not_show_themselves() -> None:
    assert "1234567" not in repr(Scalar(1234567))
    assert "1234567" not in str([Scalar(1234567)])


def test_a_random_scalar_is_not_zero() -> None:
    blocks = iter([bytes(64), q.to_bytes(64, "little"), (q + 3).to_bytes(64, "little")])
    assert Scalar.random(lambda count: next(blocks)) == Scalar(3)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        bytes(31),
        bytes(33),
        bytes(32),
        q.to_bytes(32, "little"),
        (q + 1).to_bytes(32, "little"),
        b"\xff" * 32,
        (1).to_bytes(32, "little")[:-1] + b"\x80",
    ],
)
def test_scalars_have_one_form(data: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_scalar(data)


def test_scalars_come_back_as_they_went() -> None:
    for value in (1, 2, q - 1):
        assert decode_scalar(Scalar(value).encode()) == Scalar(value)


def test_rows_are_decoded_as_one_by_one() -> None:
    points, scalars = commitment_keys(3), [Scalar(value) for value in (1, 2, q - 1)]
    assert decode_points(b"".join(point.encode() for point in points)) == points
    assert decode_scalars(b"".join(scalar.encode() for scalar in scalars)) == tuple(scalars)
    assert decode_points(b"") == [] and decode_scalars(b"") == ()
    good = G.encode(), ONE.encode()
    for bad in (bytes(32), b"\1" + bytes(31), G.encode()[:-1] + bytes([G.encode()[-1] | 0x80])):
        with pytest.raises(BadMessage):
            decode_points(good[0] + bad + good[0])
    for bad in (bytes(32), q.to_bytes(32, "little")):
        with pytest.raises(BadMessage):
            decode_scalars(good[1] + bad + good[1])
    for decode, row in ((decode_points, good[0]), (decode_scalars, good[1])):
        with pytest.raises(ValueError):
            decode(row + row[:-1])


@pytest.mark.parametrize("data", [b"", bytes(31), bytes(33), G.encode() + b"\0", G.encode()[:-1]])
def test_points_have_one_length(data: bytes) -> None:
    with pytest.raises(BadMessage):
        decode_point(data)


def test_the_identity_is_refused_unless_it_has_a_place() -> None:
    with pytest.raises(BadMessage):
        decode_point(bytes(32))
    assert decode_point(bytes(32), identity_ok=True) == IDENTITY


def test_other_forms_of_a_point_are_refused() -> None:
    s = int.from_bytes(G.encode(), "little")
    for other in (P - s, s | 1 << 255, P - s | 1 << 255):
        with pytest.raises(BadMessage):
            decode_point(other.to_bytes(32, "little"))
    for form in (P, P + 2, 2**255 - 1, 2**256 - 1):
        with pytest.raises(BadMessage):
            decode_point(form.to_bytes(32, "little"), identity_ok=True)


def test_multiplication_knows_the_identity_and_zero() -> None:
    """libsodium reports these as errors."""
    h = card_point(next(iter(ALL_FACES)))
    for point in (G, h, IDENTITY):
        assert Scalar(0) * point == IDENTITY
        assert Scalar(q) * point == IDENTITY
        assert Scalar(1) * point == point
        assert Scalar(2) * point == point + point
        assert Scalar(-1) * point + point == IDENTITY
        assert point - point == IDENTITY
        assert point + IDENTITY == IDENTITY + point == point - IDENTITY == point
        assert IDENTITY - point == Scalar(-1) * point
        assert Scalar(5) * IDENTITY == IDENTITY


def test_what_was_never_a_point_does_not_pass_silently() -> None:
    wrong = Point(b"\xff" * 32)
    with pytest.raises(ValueError):
        Scalar(2) * wrong
    with pytest.raises(ValueError):
        wrong + G
    with pytest.raises(ValueError):
        G - wrong
    with pytest.raises(ValueError):
        load().mul_base(bytes(32))


def test_all_ways_to_sum_agree() -> None:
    rng = rng_of("sums")
    points = [*commitment_keys(5), G, IDENTITY]
    scalars = [Scalar.random(rng) for _ in points]
    expected = IDENTITY
    for k, p in zip(scalars, points, strict=True):
        expected = expected + k * p
    combination = Combination()
    combination.add_all(Scalar(7), scalars, points)
    assert weighted_sum(scalars, points) == expected and combination.total() == Scalar(7) * expected
    for k, p in zip(scalars, points, strict=True):
        combination.add(-(Scalar(7) * k), p)
    assert combination.total() == IDENTITY
    assert sum_points(points) == weighted_sum([ONE] * len(points), points)
    assert sum_points([]) == Combination().total() == IDENTITY
    with pytest.raises(ValueError):
        weighted_sum(scalars[1:], points)


def test_a_combination_gathers_equal_points() -> None:
    combination = Combination()
    combination.add(Scalar(3), G)
    combination.add(ONE, IDENTITY)
    combination.add(Scalar(q - 4), Point(bytes(G.encode())))
    assert combination.total() == Scalar(-1) * G
    combination.add(Scalar(2), G)
    assert combination.total() == G


def test_cards_have_points_of_their_own() -> None:
    points = {card_point(face): face for face in ALL_FACES}
    assert len(points) == len(ALL_FACES) > 90
    assert all(face_of(point) == face for point, face in points.items())
    assert face_of(G) is None
    assert face_of(IDENTITY) is None
    assert not points.keys() & {G, *commitment_keys(120)}
    with pytest.raises(ValueError):
        card_point(Card("1h"))


def test_hashing_to_the_group_has_its_limits() -> None:
    with pytest.raises(ValueError):
        expand_message_xmd(b"", b"", 64)
    with pytest.raises(ValueError):
        expand_message_xmd(b"", b"x" * 256, 64)
    with pytest.raises(ValueError):
        expand_message_xmd(b"", b"x", 64 * 256)
    with pytest.raises(ValueError):
        point_from_hash(bytes(63))


def test_threads_do_not_disturb_each_other() -> None:
    points = commitment_keys(64)
    scalars = [Scalar(i + 2) for i in range(64)]
    expected = weighted_sum(scalars, points)
    with ThreadPoolExecutor(4) as pool:
        sums = list(pool.map(lambda _: weighted_sum(scalars, points), range(16)))
    assert sums == [expected] * 16


def test_whoever_gives_way_looks_before_each_product_and_each_row_of_an_equation() -> None:
    looks: list[int] = []

    def compute() -> list[int]:
        give_way_by(lambda: looks.append(1))
        found = []
        Scalar(5) * G
        found.append(len(looks))
        weighted_sum([Scalar(2), Scalar(3)], [G, Scalar(7) * G])
        found.append(len(looks))
        Combination().add_all(Scalar(2), [Scalar(3)] * 9, [G] * 9)
        return [*found, len(looks)]

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(compute).result() == [1, 4, 5]
    Scalar(5) * G
    assert len(looks) == 5, "this thread does not"
