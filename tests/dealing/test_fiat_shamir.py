"""The transcript: everything in it changes every challenge after it."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import pytest

from protocol.dealing import labels
from protocol.dealing.context import ProofContext
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import G, Scalar, q
from protocol.dealing.hashing import Stream, frame
from tests.dealing.conftest import SHUFFLE, elsewhere


def test_frames_do_not_run_into_each_other() -> None:
    frames = [
        frame("a"),
        frame("a", b""),
        frame("a", b"", b""),
        frame("a", b"bc"),
        frame("a", b"b", b"c"),
        frame("ab", b"c"),
        frame("a", 1),
        frame("a", 256),
        frame("a", "1"),
        frame("a", b"b") + frame("a", b"c"),
        frame("a", frame("a", b"b")),
    ]
    assert len(set(frames)) == len(frames)


def test_every_field_of_the_context_counts() -> None:
    contexts = [SHUFFLE, *elsewhere(SHUFFLE)]
    assert len({ctx.encode() for ctx in contexts}) == len(contexts)
    changed = {
        field.name for field in dataclasses.fields(ProofContext) for ctx in contexts
        if getattr(ctx, field.name) != getattr(SHUFFLE, field.name)
    }  # fmt: skip
    assert changed == {field.name for field in dataclasses.fields(ProofContext)}
    assert len({Transcript("x", ctx).challenge("y") for ctx in contexts}) == len(contexts)


@pytest.mark.parametrize(
    "change", [{"table": bytes(31)}, {"table": b""}, {"seat": -1}, {"epoch": 2**63}, {"receiver": -1}]
)
def test_a_context_out_of_range_is_refused(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        dataclasses.replace(SHUFFLE, **change)  # type: ignore[arg-type]


def test_challenges_follow_from_all_that_was_absorbed_before_them() -> None:
    def run(label: str = "p", first: bytes = b"1", second: bytes = b"2", c: str = "c") -> list[Scalar]:
        t = Transcript(label, SHUFFLE)
        t.absorb("a", first)
        before = t.challenge(c)
        t.absorb("b", second)
        return [before, t.challenge("d"), *t.challenges("e", 3)]

    same = run()
    assert run() == same
    assert len(set(same)) == len(same)
    for other in (run(label="q"), run(first=b"x"), run(c="x")):
        assert not set(other) & set(same)
    assert run(second=b"x")[0] == same[0]
    assert not set(run(second=b"x")[1:]) & set(same[1:])


def test_a_challenge_is_fed_back() -> None:
    once, twice = Transcript("p", SHUFFLE), Transcript("p", SHUFFLE)
    assert once.challenge("c") == twice.challenge("c")
    assert once.challenge("c") != Transcript("p", SHUFFLE).challenge("c")
    twice.challenge("c")
    once.absorb("a")
    twice.absorb("a")
    assert once.challenge("c") == twice.challenge("c")


def test_challenges_are_full_size() -> None:
    t = Transcript("p", SHUFFLE)
    sizes = [int(value).bit_length() for value in t.challenges("c", 200)]
    assert max(sizes) == 252
    assert sorted(sizes)[100] >= 250
    assert len({t.challenge("d") for _ in range(200)}) == 200


def test_zero_is_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = iter([bytes(64), q.to_bytes(64, "little"), (7).to_bytes(64, "little")])
    monkeypatch.setattr(Transcript, "_draw", lambda self, label: next(draws))
    assert Transcript("p", SHUFFLE).challenge("c") == Scalar(7)


def test_nonces_are_hedged() -> None:
    """They change with the statement, the secret and the fresh bytes, so none of the three alone has to be right."""

    def draw(absorbed: bytes = b"s", secret: bytes = b"x", fresh: bytes = bytes(32)) -> set[Scalar]:
        t = Transcript("p", SHUFFLE)
        t.absorb("a", absorbed)
        return set(t.nonces(secret, lambda count: fresh, 4))

    same = draw()
    assert len(same) == 4
    assert draw() == same
    for other in (draw(absorbed=b"t"), draw(secret=b"y"), draw(fresh=b"\1" * 32)):
        assert not other & same


def test_nonces_leave_the_transcript_as_it_is() -> None:
    one, other = Transcript("p", SHUFFLE), Transcript("p", SHUFFLE)
    one.nonces(b"x", lambda count: bytes(count), 3)
    assert one.challenge("c") == other.challenge("c")


def test_a_stream_is_the_same_however_it_is_read() -> None:
    whole = Stream("s", G, 7).read(1000)
    for expected in (0, 10, 2000):
        stream = Stream("s", G, 7, expected=expected)
        assert b"".join(stream.read(count) for count in (1, 0, 63, 500, 436)) == whole
    assert Stream("s", G, 8).read(32) != whole[:32]


def test_labels_are_used_for_one_thing() -> None:
    """Each begins alike, no two are equal, and each constant is named once outside the labels and their imports."""
    texts = {name: value for name, value in vars(labels).items() if name.isupper()}
    assert all(value.startswith("fairdeal/v1/") for value in texts.values())
    assert len(set(texts.values())) == len(texts)
    source = "".join(
        re.sub(r"^from [\w.]+ import (\([^)]*\)|.*)$", "", path.read_text(), flags=re.MULTILINE)
        for path in Path(labels.__file__).parent.glob("*.py")
        if path.name != "labels.py"
    )
    uses: dict[str, int] = {name: len(re.findall(rf"\b{name}\b", source)) for name in texts}
    assert {name: count for name, count in uses.items() if count != 1} == {}


def test_no_label_is_written_outside_its_place() -> None:
    for path in Path(labels.__file__).parent.glob("*.py"):
        if path.name != "labels.py":
            assert "fairdeal/" not in path.read_text(), path
