"""Two verifiers, one written from PROTOCOL.md alone: on every file they say the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import fields
from random import Random
from typing import Any

import pytest

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck
from protocol.dealing.group import Point
from protocol.dealing.shuffle import ShuffleWitness, shuffle
from protocol.messages import Evidence, Goodbye, Message
from protocol.signed import Signed, decode_signed, sign
from protocol.table import preparation
from protocol.table.verify import Report, Unreadable, verify
from protocol.values import replace
from protocol.wire import frame
from tests.independent import verifier
from tests.independent.games import MATCHES, match, played, short
from tests.table.kept import make as kept
from tests.table.tables import Tables, stream


def assert_same(data: bytes) -> verifier.Verdict:
    """Both verifiers find the same in a file."""
    return both(data)[0]


def both(data: bytes) -> tuple[verifier.Verdict, Report]:
    """What both verifiers find in a file, which is the same."""
    try:
        ours = verify(data, stream(1))
    except Unreadable:
        ours = Report()
    theirs = verifier.verify(data)
    assert theirs.ok == ours.ok, (ours.failed, theirs.fault)
    assert theirs.place == (ours.failed and ours.failed.frame)
    assert theirs.complete == ours.complete
    assert theirs.match == ours.match
    assert theirs.scores == ours.scores
    assert theirs.rounds == ours.rounds
    assert theirs.evidence == [(each["what"], each["seat"]) for each in ours.evidence if each["what"] != "breach"]
    assert theirs.over == ours.over
    assert theirs.places == [(each.place, each.reason.value if each.reason else None) for each in ours.places]
    assert theirs.breaches == [(each["step"], each["seat"]) for each in ours.evidence if each["what"] == "breach"]
    return theirs, ours


def file(frames: list[bytes]) -> bytes:
    return b"".join(frame(data) for data in frames)


LONG = ("tichu-broken-off", "crazy-eights-split-votes", "crazy-eights-recycled")
"""The vectors hold others of their kind."""
VERDICTS = json.loads((kept.HERE / "verdicts.json").read_text())


@pytest.mark.sample
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.soak if n in LONG else ()) for n in kept.MATCHES])
def test_both_find_in_a_kept_match_what_was_found_when_it_was_written(name: str) -> None:
    _, ours = both(kept.path(name).read_bytes())
    assert json.loads(json.dumps(kept.verdict(ours))) == VERDICTS[name]


@pytest.mark.slow
def test_a_file_may_end_at_any_message() -> None:
    frames = short().clients[0].transcript
    for end in range(1, len(frames)):
        assert not assert_same(file(frames[:end])).complete


# --- what anybody can do to a file ---


def altered(frames: list[bytes], rng: Random) -> list[bytes]:
    """A file with one thing done to it."""
    at, new = rng.randrange(1, len(frames)), list(frames)
    match rng.randrange(5):
        case 0:
            byte = rng.randrange(len(new[at]))
            new[at] = new[at][:byte] + bytes([new[at][byte] ^ 1 << rng.randrange(8)]) + new[at][byte + 1 :]
        case 1:
            del new[at]
        case 2:
            new.insert(at, new[rng.randrange(1, len(new))])
        case 3:
            new[at - 1 : at + 1] = new[at], new[at - 1]
        case _:
            new[at] = new[at][: rng.randrange(len(new[at]))]
    return new


@pytest.mark.parametrize("seed", [pytest.param(s, marks=pytest.mark.soak if s > 15 else ()) for s in range(40)])
def test_both_refuse_altered_files(seed: int) -> None:
    frames = short().clients[0].transcript
    found = assert_same(file(altered(frames, Random(seed))))
    assert not found.complete


def test_both_refuse_what_stands_behind_the_end() -> None:
    frames = short().clients[0].transcript
    for more in (frames[-1], frames[1], b""):
        assert not assert_same(file([*frames, more])).ok
    assert not assert_same(file(frames) + b"\0\0").ok


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(n, marks=() if n == "two-four-jack, breaches" else pytest.mark.soak) for n in MATCHES],
)
def test_both_refuse_altered_files_of_all_matches(name: str) -> None:
    """Files with all kinds of messages, beside those of the vectors."""
    frames = match(name).clients[0].transcript
    for seed in range(12):
        assert_same(file(altered(frames, Random(seed))))


# --- what a seat can do, with its key ---


def signed_anew(tables: Tables, old: Signed, **changed: Any) -> bytes:
    """A seat's message with other fields, under its own signature."""
    record = tables.clients[0].table.record
    place = old.seat if old.message.kind in ("seal", "nonce") else record.seating[old.seat]
    identity = tables.clients[place].identity
    return sign(identity, old.table, old.epoch, old.epoch_hash, old.seat, replace(old.message, **changed)).data


def of_kind(tables: Tables, kind: str, has: Callable[[Message], bool] = lambda _: True) -> tuple[int, Signed]:
    """The first message of this kind, and where it stands."""
    for index, data in enumerate(tables.clients[0].transcript[1:], start=1):
        signed = decode_signed(data)
        if signed.message.kind == kind and has(signed.message):
            return index, signed
    raise AssertionError(f"no {kind}")


def flipped(data: bytes) -> Iterator[bytes]:
    """A byte string with a bit changed near its front, its middle and its end, one byte short, and with its first two masked
    cards exchanged (which still decodes)."""
    for at in (3, len(data) // 2, len(data) - 5):
        yield data[:at] + bytes([data[at] ^ 4]) + data[at + 1 :]
    yield data[:-1]
    if len(data) >= 128:
        yield data[64:128] + data[:64] + data[128:]


CHEATS = [
    ("crazy-eights, short", "nonce", "nonce", "nonce"),
    ("crazy-eights, short", "prepare", "key", "round-key"),
    ("crazy-eights, short", "shuffled", "cards", "shuffle"),
    ("crazy-eights, short", "shuffle-proof", "proof", "shuffle"),
    ("crazy-eights, short", "shares", "shares", "share"),
    ("crazy-eights, short", "move", "opening", "false-card"),
    ("crazy-eights, short", "move", "remask", "remask"),
    ("crazy-eights, short", "move", "remask_proof", "remask"),
    ("crazy-eights, short", "reveal", "secret", "reveal"),
    ("crazy-eights, recycled", "remask", "cards", "remask"),
    ("crazy-eights, recycled", "remask", "proof", "remask"),
]


@pytest.mark.sample
@pytest.mark.parametrize(("name", "kind", "field", "what"), CHEATS, ids=[f"{each[1]} {each[2]}" for each in CHEATS])
def test_both_convict_the_same_seat(name: str, kind: str, field: str, what: str) -> None:
    """One field of a message is not what it should be, and its seat has signed it: the match ends there."""
    tables = match(name)
    frames = tables.clients[0].transcript
    at, old = of_kind(tables, kind, lambda message: bool(getattr(message, field)))
    seen = set()
    for value in flipped(getattr(old.message, field)):
        if kind == "nonce" and len(value) != 32:
            continue
        new = signed_anew(tables, old, **{field: value})
        found = assert_same(file([*frames[:at], new, *frames[at + 1 :]]))
        seen.update(found.evidence)
    assert (what, old.seat) in seen
    assert {seat for _, seat in seen} == {old.seat}
    assert {each for each, _ in seen} <= {what, "bad-move"}


def test_both_convict_an_illegal_move_and_a_malformed_one() -> None:
    tables = short()
    frames = tables.clients[0].transcript
    at, old = of_kind(tables, "move", lambda message: message.move["do"] == "play")  # type: ignore[attr-defined]
    cards = {"do": "play", "cards": ["2c"], "suit": None, "call": False}
    for changed, what in (
        ({"move": {"do": "pass"}}, "illegal-move"),
        ({"move": cards | {"call": True}}, "illegal-move"),
        ({"move": {"do": "play", "cards": ["2c"]}}, "bad-move"),
        ({"places": ()}, "bad-move"),
        ({"places": (200,)}, "bad-move"),
    ):
        found = assert_same(file([*frames[:at], signed_anew(tables, old, **changed)]))
        assert found.evidence == [(what, old.seat)]


def test_both_convict_who_claims_another_face() -> None:
    """The share and its proof are true; only the card that they open is not the one that is named."""
    tables = short()
    frames = tables.clients[0].transcript
    at, old = of_kind(tables, "move", lambda message: message.move.get("cards", ["8"])[0][0] != "8")  # type: ignore[attr-defined]
    move = old.message.move  # type: ignore[attr-defined]
    (card,) = move["cards"]
    seen = set()
    for face in (*(rank + card[1] for rank in "2345679TJQKA"), *(card[0] + suit for suit in "cdhs")):
        if face != card:
            new = signed_anew(tables, old, move=move | {"cards": [face]})
            seen |= set(assert_same(file([*frames[:at], new])).evidence)
    assert ("false-card", old.seat) in seen


def test_both_convict_a_shuffle_that_was_not_made_from_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its proof holds, as it is a shuffle; that it is another than was committed to shows when the seeds are revealed."""

    def chosen(ctx: ProofContext, joint: Point, seed: bytes, deck: Deck) -> tuple[Deck, ShuffleWitness]:
        return shuffle(ctx, joint, bytes(32) if ctx.seat == 1 else seed, deck)

    monkeypatch.setattr(preparation, "shuffle", chosen)
    tables = played("crazy-eights", 2, {"hand": 2, "target": 0}, 5)
    found = assert_same(file(tables.clients[0].transcript))
    assert found.complete
    assert found.evidence == [("reveal", 1)]


def test_both_convict_who_says_two_things() -> None:
    tables = short()
    frames = tables.clients[0].transcript
    for kind, field in (("vote", "choice"), ("shares", "shares"), ("nonce", "nonce")):
        at, old = of_kind(tables, kind)
        other = signed_anew(tables, old, **{field: next(flipped(getattr(old.message, field)))})
        for new in (
            [*frames[: at + 1], other],
            [*frames[: at + 1], other, *frames[at + 1 :]],
            [*frames[:-1], other],  # long past
        ):
            found = assert_same(file(new))
            assert found.evidence == [("two-versions", old.seat)]
            assert found.complete


@pytest.mark.slow
def test_both_hear_who_leaves_before_the_seats_are_drawn() -> None:
    tables = match("crazy-eights, two rounds, seats by lot")
    record, frames = tables.clients[0].table.record, tables.clients[0].transcript
    assert record.seating != (0, 1, 2)
    place = next(place for place in range(3) if record.seating[place] != place)
    goodbye = sign(tables.clients[place].identity, record.table, 0, record.epoch_hash, place, Goodbye()).data
    assert assert_same(file([*frames[:3], goodbye])).evidence == [("goodbye", place)]


def test_both_hear_evidence() -> None:
    """Somebody shows two votes of a height that is long past."""
    tables = short()
    frames = tables.clients[0].transcript
    at, old = of_kind(tables, "vote")
    other = signed_anew(tables, old, choice=bytes(32))
    record = tables.clients[0].table.record
    shown = Evidence(old.seat, "two-versions", (old.data, other))
    evidence = sign(tables.clients[1].identity, record.table, 0, record.epoch_hash, 1, shown).data
    found = assert_same(file([*frames[:-1], evidence]))
    assert found.evidence == [("two-versions", old.seat)]
    nothing = Evidence(old.seat, "two-versions", (old.data,))
    worthless = sign(tables.clients[1].identity, record.table, 0, record.epoch_hash, 1, nothing).data
    assert not assert_same(file([*frames[: at + 1], worthless, *frames[at + 1 :]])).ok


def test_both_leave_what_nobody_is_blamed_for() -> None:
    """Votes on another state, shares and steps that name other cards: nobody is convicted, and the match goes no further."""
    tables = short()
    frames = tables.clients[0].transcript
    for kind, field in (("vote", "state"), ("vote", "choice"), ("shuffled", "before"), ("shares", "cards")):
        at, old = of_kind(tables, kind)
        new = signed_anew(tables, old, **{field: bytes(32)})
        found = assert_same(file([*frames[:at], new, *frames[at + 1 :]]))
        assert not found.complete
        assert not found.evidence


def test_every_number_counts() -> None:
    """No number in a message can be another in a file that still shows this match."""
    tables = short()
    frames = tables.clients[0].transcript
    match = tables.clients[0].table.record.previous
    for kind in ("prepare", "shuffled", "shuffle-proof", "move", "vote", "shares", "reveal"):
        at, old = of_kind(tables, kind)
        for each in fields(old.message):
            value = getattr(old.message, each.name)
            if type(value) is int:
                new = signed_anew(tables, old, **{each.name: value + 1})
                assert assert_same(file([*frames[:at], new, *frames[at + 1 :]])).match != match
