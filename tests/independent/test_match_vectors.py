"""The matches among the vectors: both verifiers find in each file what its row says, and the same seeds make the same files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from protocol.identity import Identity
from protocol.messages import Echo, Message, Nonce, Reveal, ShuffleProof, Vote, Without
from protocol.signed import decode_signed, sign
from protocol.table.verify import verify
from protocol.values import replace
from protocol.wire import frame
from tests.independent import dealing, several
from tests.independent.dealing import check_shuffle
from tests.independent.encoding import frames
from tests.independent.held import shuffles_held
from tests.independent.test_matches import altered, assert_same, both, file
from tests.table.parting import Parting
from tests.table.tables import Tables, stream
from tests.vectors import make_games, make_matches, make_matches_altered, make_matches_several
from tests.vectors.crafted_matches import Changing

pytestmark = pytest.mark.usefixtures("with_compiled_sums", "held")

FOLDER = make_matches.FOLDER
ROWS: dict[str, dict[str, Any]] = {
    row["file"].removesuffix(".match"): row
    for row in json.loads((FOLDER / "matches.json").read_text(encoding="utf-8"))["matches"]
}
CHANGED = json.loads((FOLDER / "altered.json").read_text(encoding="utf-8"))["files"]
PROVEN = (
    *("breaches", "cards-covered", "laid-out", "recycled", "recovered-and-recycled", "false-shuffle"),
    *("left-by-one-of-two", "voted-out", "went-back"),
)
"""Here the second verifier checks each shuffle by itself in `make test`, too: decks of all games, recycled ones, hands that are
re-masked, a new epoch, a false proof."""
GAMES = ("cards-covered", "convicted-and-void")
"""Long ones that show more of what a game and a table do than the others."""


def data_of(name: str) -> bytes:
    return (FOLDER / f"{name}.match").read_bytes()


ALIKE = (
    "recycled-twice",
    "two-rounds-by-lot",
    "void",
    "convicted-and-recovered",
    "laid-out",
)
"""Long ones of which each part is found in another row, too: one recycling, lots, a void round, a conviction, laid-out cards."""


def named(names: list[str]) -> list[Any]:
    return [pytest.param(name, marks=pytest.mark.soak if name in ALIKE else ()) for name in names]


@pytest.fixture(scope="module")
def held() -> Iterator[None]:
    with shuffles_held():
        yield


def test_each_file_has_a_row() -> None:
    assert set(ROWS) == {path.stem for path in FOLDER.glob("*.match")} == set(make_matches.MATCHES)


@pytest.mark.slow
@pytest.mark.parametrize("name", named(list(ROWS)))
def test_both_verifiers_find_what_the_rows_say(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the file, and of what somebody has changed in it: what its beginning proves is computed once for all of them."""
    if name in PROVEN:
        monkeypatch.setattr(dealing, "check_shuffle", check_shuffle)
    row, found = ROWS[name], assert_same(data_of(name))
    assert found.ok, found.fault
    assert row["verdict"] == ("complete" if found.over else "broken off" if found.complete else "unfinished")
    assert (row["match"], row["rounds"]) == (found.match.hex(), found.rounds)
    assert row["scores"] == list(found.scores)
    assert row["convicted"] == [[seat, what] for what, seat in found.evidence if what != "goodbye"]
    assert row["goodbyes"] == [seat for what, seat in found.evidence if what == "goodbye"]
    assert row["breaches"] == [list(each) for each in found.breaches]
    assert row["places"] == [list(each) for each in found.places]
    assert row["steps"] == found.steps, "the second verifier comes by other states"
    if name in make_matches_altered.NAMES:
        assert_changes(name)


@pytest.mark.soak
@pytest.mark.parametrize("name", [name for name in ROWS if name not in PROVEN])
def test_the_second_verifier_finds_by_itself_that_all_shuffles_hold(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "check_shuffle", check_shuffle)
    assert assert_same(data_of(name)).ok


def assert_changes(name: str) -> None:
    """Changed files have the verdict of the vectors. Of the random changes each kind is looked at once; `make soak` does the
    others."""
    kept, whole = [row for row in CHANGED if row["file"] == f"{name}.match"], list(frames(data_of(name)))
    changes = make_matches_altered.changes_of(name, whole)
    assert [row["change"] for row in kept] == json.loads(json.dumps(changes))
    again = AGAIN if name in make_matches_altered.FILES else slice(0)
    del kept[again]
    assert_verdicts(kept, whole)


AGAIN = slice(make_matches_altered.KINDS, make_matches_altered.EACH)
"""Random changes of a kind that was made before, at another place."""


@pytest.mark.soak
@pytest.mark.parametrize("name", make_matches_altered.FILES)
def test_changes_of_the_same_kinds_at_other_places(name: str) -> None:
    kept = [row for row in CHANGED if row["file"] == f"{name}.match"]
    assert_verdicts(kept[AGAIN], list(frames(data_of(name))))


def assert_verdicts(rows: list[dict[str, Any]], whole: list[bytes]) -> None:
    for row in rows:
        _, ours = both(make_matches_altered.changed(whole, row["change"]))
        found = {"file": row["file"], "change": row["change"]} | make_matches_altered.verdict(ours)
        assert row == json.loads(json.dumps(found))


@pytest.mark.parametrize("name", ["left-by-one-of-two", "too-few"])
@pytest.mark.parametrize("of", [Reveal(900, b"\1" * 64), Nonce(b"\1" * 32)])
def test_nobody_adds_a_message_behind_a_match_that_was_broken_off(name: str, of: Message) -> None:
    """Its order is free there, but what others have not signed does not stand in their file."""
    last = decode_signed(list(frames(data_of(name)))[-1])
    forged = sign(Identity(b"x" * 32), last.table, last.epoch, last.epoch_hash, 0, of)
    found = assert_same(data_of(name) + frame(forged.data))
    assert not found.ok and not found.complete


def test_both_convict_who_shows_an_earlier_recycling_again() -> None:
    """A seat signs the proof of its step of one recycled deck again, as that of the next one."""
    whole = list(frames(data_of("recycled")))
    of = Changing(whole)
    proofs = {
        each.message.deck: (at, each, each.message)
        for at, each in of.of(ShuffleProof)
        if isinstance(each.message, ShuffleProof) and each.seat == 0
    }
    (_, _, earlier), (at, later, message) = proofs[1], proofs[2]
    new = of.anew(later, (later.epoch, later.epoch_hash), replace(earlier, round=message.round, deck=2))
    found = assert_same(file([*whole[:at], bytes.fromhex(new), *whole[at + 1 :]]))
    assert found.evidence == [("shuffle", 0)]


@pytest.mark.sample
@pytest.mark.parametrize("name", ["left-by-one-of-two", "broken-off", "recycled"])
def test_nobody_adds_a_message_with_a_damaged_signature_at_the_end(name: str) -> None:
    """Also where its order is free, and its content is what its seat has really said."""
    last = list(frames(data_of(name)))[-1]
    found = assert_same(data_of(name) + frame(last[:-1] + bytes([last[-1] ^ 1])))
    assert not found.ok and not found.complete


@pytest.fixture(scope="module")
def broken_later() -> Tables:
    """Of three one leaves, and then another one, which ends the match in epoch 1."""
    tables = Parting(seats=3, options={"hand": 2, "target": 500})
    tables.until_playing(4)
    tables.leave(1)
    tables.run(lambda: all(client.table.record.epoch == 1 for client in tables.up()))
    tables.until_height(tables.clients[0].table.record.height + 3)
    tables.leave(2)
    return tables


@pytest.mark.slow
@pytest.mark.parametrize(
    ("left", "ok"), [(0, True), (1, False), (2, False), (5, False), (9, False)], ids=lambda each: str(each)
)
def test_the_first_of_two_versions_needs_its_second(broken_later: Tables, left: int, ok: bool) -> None:
    """An echo of epoch 0 stands among the messages of epoch 1, so many before the end, where the file then stops; its seat has
    signed it. Only behind the end of a match that was broken off it does not matter. It convicts nobody."""
    whole = broken_later.clients[0].transcript
    old = next(each for each in map(decode_signed, whole[1:]) if each.message.kind == "vote" and each.seat == 0)
    message: Any = old.message
    signer = broken_later.clients[broken_later.clients[0].table.record.seating[0]].identity
    other = sign(signer, old.table, 0, old.epoch_hash, 0, Echo(message.height + 40, bytes(32))).data
    found = assert_same(file([*whole[: len(whole) - left], other]))
    assert found.ok == ok, found.fault
    assert {what for what, _ in found.evidence} <= {"goodbye"}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in (*GAMES, "left-by-one-of-two") else pytest.mark.soak) for name in ROWS],
)
def test_the_same_seeds_make_the_same_file(name: str) -> None:
    assert list(frames(data_of(name))) == make_matches.frames_of(name)


def test_a_row_says_what_is_found_in_its_file() -> None:
    name = "left-by-one-of-two"
    assert json.loads(json.dumps(make_matches.found(name, list(frames(data_of(name)))))) == ROWS[name]


@pytest.mark.slow
def test_the_rules_are_those_of_the_vectors() -> None:
    kept = json.loads((make_games.HERE / "games.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(make_games.vectors())) == kept


def test_the_changed_files_are_those_of_the_vectors() -> None:
    assert {row["file"] for row in CHANGED} == {f"{name}.match" for name in make_matches_altered.NAMES}


# --- what anybody can do to a file with two epochs ---

SHORT = ("closed-by-promises", "voted-out", "too-few", "complaint", "convicted-and-void", "recovered-twice")
"""The vectors (`altered.json`) hold more files that were changed in these ways."""
ALTERED = [(name, seed) for name in SHORT for seed in range(12)]


@pytest.mark.sample
@pytest.mark.parametrize(
    ("name", "seed"),
    [pytest.param(n, s, marks=pytest.mark.soak if s > 3 else ()) for n, s in ALTERED],
)
def test_both_say_the_same_of_altered_files(name: str, seed: int) -> None:
    assert_same(file(altered(list(frames(data_of(name))), Random(seed))))


SEVERAL = json.loads((FOLDER / "several.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def read_once() -> Iterator[None]:
    """The file that was not changed stands in most rows: each verifier reads it once."""
    verified = lru_cache(4)(lambda data: verify(data, stream(1)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(several, "_read", lru_cache(4)(several._read))
        patch.setattr(make_matches_several, "verify", lambda data, _: verified(data))
        yield


@pytest.mark.slow
@pytest.mark.usefixtures("read_once")
@pytest.mark.parametrize("row", SEVERAL["rows"], ids=lambda row: row["about"])
def test_both_find_the_same_in_several_files(row: dict[str, Any]) -> None:
    whole = list(frames(data_of(SEVERAL["file"].removesuffix(".match"))))
    files = [make_matches_altered.changed(whole, change) for change in row["changes"]]
    assert several.compare(files) == row["found"] == make_matches_several.found(files)


@pytest.mark.soak
def test_the_vectors_of_several_files_are_made_the_same_way_again() -> None:
    assert json.loads(json.dumps(make_matches_several.vectors())) == SEVERAL


@pytest.mark.parametrize("kind", ["vote", "without"])
def test_a_second_version_that_its_seat_did_not_sign_convicts_nobody(kind: str) -> None:
    """Whoever holds a file could otherwise name anybody as a cheat."""
    found = list(frames(data_of("closed-by-promises")))
    signed = next(each for each in map(decode_signed, found[1:]) if each.message.kind == kind)
    message: Any = signed.message
    name = "choice" if kind == "vote" else "certificate"
    stranger = Identity(bytes(range(32)))
    other = replace(message, **{name: bytes(32)})
    forged = sign(stranger, signed.table, signed.epoch, signed.epoch_hash, signed.seat, other).data
    for at in (len(found) - 4, len(found) - 1):
        verdict = assert_same(file([*found[:at], forged, *found[at:]]))
        assert not verdict.ok
        assert not [what for what, _ in verdict.evidence if what == "two-versions"]


def test_what_stands_behind_the_place_where_a_file_is_refused_does_not_count_in_a_comparison() -> None:
    """Two votes have changed places, so the file is refused there; a second version of a later vote is behind that. Of a message
    behind the end, at which a file is refused too, counts what it says."""
    whole = list(frames(data_of("voted-out")))
    of = Changing(whole)
    votes = [(at, each) for at, each in of.of(Vote) if isinstance(each.message, Vote)]
    swapped = next(at for (at, one), (after, other) in pairwise(votes) if after == at + 1 and one.epoch == other.epoch)
    first = decode_signed(whole[swapped])
    at, old = next((at, each) for at, each in votes if each.message.slot > first.message.slot)  # type: ignore[operator]
    other = bytes.fromhex(of.signed(old, choice=bytes(32)))
    behind = [*whole[:swapped], whole[swapped + 1], whole[swapped], *whole[swapped + 2 : at], other]
    ended = [*whole, other]
    files = [file(each) for each in (whole, behind, ended)]
    assert several.compare(files) == make_matches_several.found(files) == [[0, 2, old.seat, "two-versions"]]


@pytest.mark.slow
def test_a_file_that_is_refused_where_an_epoch_begins_shows_that_epoch() -> None:
    """The first of two versions has no second one; the epoch makes the round void, and it is among those that are used up."""
    tables = Parting(seats=4, options={"hand": 2, "target": 500}, recovery="off")
    tables.until_playing(4)
    tables.leave(1)
    tables.run(lambda: all(client.table.record.epoch == 1 for client in tables.up()))
    tables.until_height(tables.clients[0].table.record.height + 2)
    tables.leave(3)
    tables.run(lambda: all(client.table.record.epoch == 2 for client in tables.up()))
    whole = tables.clients[0].transcript
    of = Changing(whole)
    old = next(each for _, each in of.of(Vote) if each.epoch == 0)
    assert isinstance(old.message, Vote)
    at = next(at for at, each in of.of(Without) if each.epoch == 1)
    one = bytes.fromhex(of.anew(old, (old.epoch, old.epoch_hash), Echo(old.message.height + 40, bytes(32))))
    found = assert_same(file([*whole[:at], one, *whole[at:]]))
    assert (found.ok, found.rounds) == (False, 2)
