"""The compiled sums give what libsodium gives, and nobody is accused on their word."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.dealing import group, library, sums
from protocol.dealing.giving_way import give_way_by
from protocol.dealing.group import IDENTITY, Combination, G, Point, Scalar, q, weighted_sum
from protocol.dealing.shuffle import BadShuffle, ShuffleStatement, verify_shuffles
from protocol.errors import BadMessage
from tests.compiled import COMPILER, SOURCE, compile_to, compiled_sums
from tests.dealing.conftest import Shuffled, rng_of

pytestmark = [pytest.mark.slow, pytest.mark.skipif(COMPILER is None, reason="there is no C compiler (cc)")]
LARGEST = [0, 1, 2, 8, q - 1, q - 2, 2**252, 2**252 - 1, 2**128, 8 * pow(8, -1, q) % q]
TORSION = [bytes(32), b"\1" + bytes(31), (2**255 - 20).to_bytes(32, "little")]
"""Encodings on the curve of points of small order: only the first is an element of ristretto255, the identity."""


@pytest.fixture(scope="module")
def module(pytestconfig: pytest.Config) -> sums.Sums:
    found = compiled_sums(pytestconfig.rootpath / ".pytest_cache")
    assert found is not None
    return found


def points_of(random: Random, count: int) -> list[Point]:
    return [group.point_from_hash(random.randbytes(64)) for _ in range(count)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 40, 149, 150, 299, 300, 899, 900])
def test_it_sums_as_libsodium_does(module: sums.Sums, count: int) -> None:
    """Each method, and each width of its digits, at both ends of where it is used."""
    random = Random(count)
    few = points_of(random, 20)
    points = [random.choice(few) for _ in range(count)]
    scalars = [random.randrange(q) for _ in range(count)]
    factors = {point: Scalar(0) for point in few}
    for scalar, point in zip(scalars, points, strict=True):
        factors[point] = factors[point] + Scalar(scalar)
    expected = weighted_sum(factors.values(), factors)
    assert module.sum(scalars, [point.encode() for point in points]) == expected.encode()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_edge_cases(module: sums.Sums, data: st.DataObject) -> None:
    """The identity, the largest scalars, points that are equal, opposite or add up to nothing."""
    base = points_of(Random(1), 3)
    known = [IDENTITY, G, *base, IDENTITY - base[0], base[0] + base[1], IDENTITY - G, Scalar(2) * base[0]]
    terms = data.draw(
        st.lists(st.tuples(st.sampled_from(LARGEST) | st.integers(0, q - 1), st.sampled_from(known)), max_size=12)
    )
    times = data.draw(st.sampled_from([1, 150]))  # as few and as many
    expected = weighted_sum([Scalar(k * times) for k, _ in terms], [point for _, point in terms])
    assert (
        module.sum([k for k, _ in terms] * times, [point.encode() for _, point in terms] * times) == expected.encode()
    )


@settings(max_examples=300, deadline=None)
@given(
    st.binary(min_size=32, max_size=32)
    | st.sampled_from(TORSION)
    | st.integers(0, 40).map(lambda k: (2**255 - k).to_bytes(32, "little"))
)
def test_it_knows_the_same_points(module: sums.Sums, data: bytes) -> None:
    """Not canonical, negative, not on the curve, of small order."""
    is_point = data == bytes(32) or (not data[31] & 0x80 and library.load().is_point(data))
    if is_point:
        assert module.sum([1], [data]) == data
    else:
        with pytest.raises(ValueError, match="not a point"):
            module.sum([1], [data])


def verdict(data: bytes) -> object:
    """The points that are read from a message, or why it is refused."""
    try:
        return group.decode_points(data)
    except BadMessage as fault:
        return str(fault)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_messages_are_read_as_by_libsodium(module: sums.Sums, data: st.DataObject) -> None:
    """The module says which rows have points only, few or eight at a time; what is wrong with others, libsodium says."""
    row = [point.encode() for point in points_of(Random(3), data.draw(st.integers(0, 12)))]
    if data.draw(st.booleans()):
        wrong = st.sampled_from([*TORSION, library.NO_POINT]) | st.binary(min_size=32, max_size=32)
        row.insert(data.draw(st.integers(0, len(row))), data.draw(wrong))
    expected = verdict(b"".join(row))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "compiled", lambda: module)
        assert verdict(b"".join(row)) == expected


def test_points_are_decoded_once(module: sums.Sums, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read from a message goes into sums as it is; what is not kept any more is decoded again."""
    assert isinstance(module, sums.CompiledSums)
    random = Random(4)
    rows, scalars = [points_of(random, 5) for _ in range(4)], [random.randrange(q) for _ in range(5)]
    monkeypatch.setattr(sums, "compiled", lambda: module)
    monkeypatch.setattr(sums, "MOST_KEPT", len(module._kept) + 10)  # the third row is one too many
    real, decoded = module._decode, list[int]()

    def decode(out: object, encoded: bytes, count: int) -> int:
        decoded.append(count)
        return int(real(out, encoded, count))

    monkeypatch.setattr(module, "_decode", decode)
    for row in rows:
        group.decode_points(group.encode_points(row))
    for row, expected in zip((*rows[2:], *rows[:2]), ([0], [0], [5], [5]), strict=True):
        decoded.clear()
        total = module.sum(scalars, [point.encode() for point in row])
        assert (total, decoded) == (weighted_sum(map(Scalar, scalars), row).encode(), expected)
    for _ in range(20):
        module.sum(scalars, [point.encode() for point in points_of(random, 5)])
    assert len(module._kept) <= sums.MOST_KEPT, "sums keep points without end"


class Claiming:
    """A module that always gives the same sum, or fails."""

    def __init__(self, answer: bytes | None) -> None:
        self.answer, self.asked = answer, 0

    def sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
        self.asked += 1
        if self.answer is None:
            raise ValueError("not a point of the group")
        return self.answer


@pytest.mark.parametrize("answer", [G.encode(), None])
def test_nobody_is_accused_on_its_word(
    answer: bytes | None, shuffled: Callable[[int], Shuffled], monkeypatch: pytest.MonkeyPatch
) -> None:
    made, module = shuffled(7), Claiming(answer)
    monkeypatch.setattr(sums, "compiled", lambda: module)
    verify_shuffles(made.joint, [statement(made, made.proof)], rng_of("verify"))
    assert module.asked == 1


def test_it_checks_proofs_and_names_the_same_cheater(
    module: sums.Sums, shuffled: Callable[[int], Shuffled], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Honest proofs are checked without a multiplication by libsodium, false ones with both."""
    made = shuffled(7)
    false = made.proof[:-32] + made.proof[-64:-32]
    monkeypatch.setattr(sums, "compiled", lambda: module)
    real, counted = library.load(), 0

    class Counting(library.Library):
        def mul(self, k: bytes, p: bytes) -> bytes:
            nonlocal counted
            counted += 1
            return real.mul(k, p)

    assert isinstance(real, library.Library)
    library.replace(Counting(real.sodium, real.source))
    try:
        verify_shuffles(made.joint, [statement(made, made.proof)] * 2, rng_of("verify"))
        assert counted == 0
        with pytest.raises(BadShuffle) as caught:
            verify_shuffles(made.joint, [statement(made, made.proof), statement(made, false)], rng_of("verify"))
        assert counted > 0
    finally:
        library.replace(real)
    assert (caught.value.index, caught.value.others) == (1, ())


def test_a_combination_that_does_not_vanish(module: sums.Sums, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "compiled", lambda: module)
    combination = Combination()
    for number, point in enumerate(points_of(Random(2), sums.LEAST_TERMS), start=1):
        combination.add(Scalar(number), point)
    assert not combination.vanishes()
    combination.add(Scalar(-1), combination.total())
    assert combination.vanishes()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("digit - (carry << w)", "0"),
        ("digits[k] = 1", "digits[k] = 0"),
        *(pytest.param(*each, marks=pytest.mark.soak) for each in (("121665", "121664"), ("a4 * c1", "0"))),
    ],
)
def test_a_wrong_module_is_not_used(right: str, wrong: str, tmp_path: Path) -> None:
    """A wrong constant, product or digit fails the self-test."""
    path, source = tmp_path / ("libsums" + sums.SUFFIX), SOURCE.read_text(encoding="utf-8")
    assert right in source
    (tmp_path / "sums.c").write_text(source.replace(right, wrong), encoding="utf-8")
    compile_to(path, tmp_path / "sums.c", "-O0")
    assert sums.found(path) is None


def test_what_is_no_module_is_not_used(tmp_path: Path) -> None:
    path = tmp_path / ("libsums" + sums.SUFFIX)
    assert sums.found(path) is None
    path.write_bytes(b"no module")
    assert sums.found(path) is None


def statement(made: Shuffled, proof: bytes) -> ShuffleStatement:
    return ShuffleStatement(made.ctx, made.before, made.after, proof)


@pytest.mark.parametrize("vanishes", [True, False])
def test_whoever_gives_way_adds_up_a_few_at_a_time(
    module: sums.Sums, monkeypatch: pytest.MonkeyPatch, vanishes: bool
) -> None:
    sizes: list[int] = []
    waits: list[int] = []

    class Noting:
        def sum(self, scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
            sizes.append(len(scalars))
            return module.sum(scalars, points)

    combination, random = Combination(), Random(5)
    for point in points_of(random, 25):
        combination.add(Scalar(random.randrange(q)), point)
    combination.add(Scalar(-1 if vanishes else 1), combination.total())
    monkeypatch.setattr(sums, "compiled", lambda: Noting())
    monkeypatch.setattr(group, "SLICE", 10)

    def check() -> bool:
        give_way_by(lambda: waits.append(len(sizes)))
        return combination.vanishes()

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(check).result() is vanishes
    assert sizes == [10, 10, 6]
    assert waits[:3] == [0, 1, 2]
    sizes.clear()
    assert combination.vanishes() is vanishes, "in a thread that does not give way"
    assert sizes == [26]
