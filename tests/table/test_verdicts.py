"""What a verifier says of files that somebody has worked on with a seat's own key, and of several files together."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cli.main import main
from protocol.messages import Closed, Message, ShuffleProof, Vote
from protocol.signed import decode_signed, sign
from protocol.table import comparing
from protocol.table.comparing import TWO_SIGNATURES, TWO_VERSIONS, compare, contradictory
from protocol.table.verify import Report, verify
from protocol.values import replace
from protocol.wire import frame
from tests.adversaries.declared import By, attack
from tests.adversaries.signing import resigner
from tests.independent import verifier
from tests.independent.games import match, short
from tests.table.adversaries.forger import CHEATER, Forger
from tests.table.tables import Tables, stream

Out = pytest.CaptureFixture[str]


@pytest.fixture
def hasty() -> None:
    """Not here: matches are shared with other modules, and no two of one seed may differ."""


def file(frames: list[bytes]) -> bytes:
    return b"".join(map(frame, frames))


def frames_of(tables: Tables) -> list[bytes]:
    return list(tables.clients[0].transcript)


def report(frames: list[bytes]) -> Report:
    return verify(file(frames), stream(1))


def signed_anew(tables: Tables, at: int, **changed: Any) -> bytes:
    """The message at this place of the file with other fields, under its seat's own signature."""
    old = decode_signed(tables.clients[0].transcript[at])
    record = tables.clients[0].table.record
    place = old.seat if old.message.kind in ("seal", "nonce") else record.seating[old.seat]
    message: Message = replace(old.message, **changed)
    return sign(tables.clients[place].identity, old.table, old.epoch, old.epoch_hash, old.seat, message).data


def places(tables: Tables, kind: str) -> list[int]:
    return [at for at, data in enumerate(frames_of(tables)) if at and decode_signed(data).message.kind == kind]


def flipped(data: bytes, at: int = -5) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


# --- one verdict ---


def test_a_false_proof_convicts_though_the_shuffle_was_true() -> None:
    """The whole match is there, with all seeds: the false proof was signed, so its seat is convicted as it would have been."""
    tables = short()
    frames = frames_of(tables)
    for at in places(tables, "shuffle-proof"):
        old = decode_signed(frames[at])
        assert isinstance(old.message, ShuffleProof)
        for proof in (flipped(old.message.proof), old.message.proof[:-1], b""):
            new = [*frames[:at], signed_anew(tables, at, proof=proof), *frames[at + 1 :]]
            found = report(new)
            assert found.convicted == (old.seat,)
            assert found.complete and not found.over
            assert verifier.verify(file(new)).evidence == [("shuffle", old.seat)]


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Two players cheat together in one shuffle.",
    "Before a card is dealt.",
    "both, each by their own signed deck and false proof",
)
def test_both_of_two_colluders_are_named() -> None:
    tables = match("mau-mau")
    frames = frames_of(tables)
    at = places(tables, "shuffle-proof")[:4]
    for wrong in ((0, 2), (0, 1, 2, 3)):
        new = list(frames)
        for each in wrong:
            old = decode_signed(frames[at[each]]).message
            assert isinstance(old, ShuffleProof)
            proof = old.proof[:-1] if each == 3 else flipped(old.proof)
            new[at[each]] = signed_anew(tables, at[each], proof=proof)
        assert report(new).convicted == wrong
        assert verifier.verify(file(new)).evidence == [("shuffle", seat) for seat in wrong]


@pytest.mark.usefixtures("toy")
def test_colluders_are_named_at_the_table_too() -> None:
    """Two seats send false proofs for one chain: the honest ones accuse both, and their files show it."""
    forger = Forger(seats=4)
    other = 3
    tables = forger.tables

    def tamper(sender: int, to: int, data: bytes) -> bytes | None:
        if sender not in (CHEATER, other):
            return data
        try:
            signed = decode_signed(data)
        except Exception:  # a page: nothing of it is needed here
            return None
        if signed.seat not in (CHEATER, other) or not isinstance(signed.message, ShuffleProof):
            return data if signed.message.kind != "evidence" else None
        message = replace(signed.message, proof=flipped(signed.message.proof))
        identity = tables.clients[signed.seat].identity
        return sign(identity, signed.table, signed.epoch, signed.epoch_hash, signed.seat, message).data

    tables.tamper = tamper
    forger.start()
    forger.until(lambda: all(tables.clients[seat].table.is_over for seat in (0, 2)))
    for seat in (0, 2):
        assert report(list(tables.clients[seat].transcript)).convicted == (CHEATER, other)


def test_what_does_not_belong_into_a_file_is_refused() -> None:
    tables = short()
    frames = frames_of(tables)
    record = tables.clients[0].table.record
    closed = sign(tables.clients[0].identity, record.table, 0, record.epoch_hash, 0, Closed(record.previous)).data
    for at in (10, 20, len(frames) - 1):
        assert not report([*frames[:at], closed]).ok
        assert not report([*frames[:at], frames[at - 1]]).ok
        assert not verifier.verify(file([*frames[:at], closed])).ok


# --- several files ---


@pytest.mark.slow
def test_files_of_all_seats_agree() -> None:
    tables = match("crazy-eights, two rounds, seats by lot")
    reports = [report(list(client.transcript)) for client in tables.clients]
    assert not compare(reports) and not contradictory(reports)
    assert not compare([*reports, report(frames_of(short()))]), "files of other matches are not compared"


@pytest.mark.sample
@attack(
    By.PLAYER,
    "Two players are told different things, and both files look valid.",
    "When the files are verified together.",
    "the cheater, by the two signed messages",
)
@pytest.mark.parametrize("kind", ["seal", "nonce", "prepare", "vote", "shares", "shuffle-proof", "reveal"])
def test_two_versions_in_two_files_convict(kind: str) -> None:
    """Each file ends with its version, so that neither shows anything wrong by itself."""
    tables = match("crazy-eights, two rounds, seats by lot")
    frames, record = frames_of(tables), tables.clients[0].table.record
    at = places(tables, kind)[0]
    old = decode_signed(frames[at])
    field, value = {
        "seal": (None, None),
        "nonce": ("nonce", bytes(32)),
        "prepare": ("key", bytes(160)),
        "vote": ("choice", bytes(32)),
        "shares": ("shares", b""),
        "shuffle-proof": ("proof", b""),
        "reveal": ("secret", bytes(64)),
    }[kind]
    if field is None:  # there is nothing in a seal that could differ
        return
    other = signed_anew(tables, at, **{field: value})
    reports = [report(frames), report([*frames[:at], other])]
    seat = record.seating.index(old.seat) if kind == "nonce" else old.seat
    found = compare(reports)
    assert [(each.seat, each.what, each.files) for each in found] == [(seat, TWO_VERSIONS, (0, 1))]
    assert {each.message.slot for each in map(decode_signed, found[0].messages)} == {old.message.slot}


def test_a_second_signature_is_reported_and_convicts_nobody() -> None:
    tables = short()
    frames = frames_of(tables)
    at = places(tables, "vote")[0]
    old = decode_signed(frames[at])
    identity = tables.clients[tables.clients[0].table.record.seating[old.seat]].identity
    second = resigner(identity)(old)
    decode_signed(second).verify(identity.public)
    reports = [report(frames), report([*frames[:at], second, *frames[at + 1 :]])]
    assert all(each.ok and each.complete for each in reports)
    assert [(each.seat, each.what) for each in compare(reports)] == [(old.seat, TWO_SIGNATURES)]


def test_what_is_not_signed_by_the_seat_convicts_nobody() -> None:
    """Whoever holds a file can write anything into it."""
    tables = short()
    frames = frames_of(tables)
    at = places(tables, "vote")[0]
    old = decode_signed(frames[at])
    assert isinstance(old.message, Vote)
    stranger = tables.clients[1 - tables.clients[0].table.record.seating[old.seat]].identity
    forged = sign(stranger, old.table, 0, old.epoch_hash, old.seat, Vote(1, bytes(32), bytes(32), bytes(32))).data
    assert not compare([report(frames), report([*frames[:at], forged])])
    assert not compare([report(frames), report([*frames[:at], flipped(frames[at])])])


def test_what_is_listed_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparing, "MOST_DIFFERENCES", 5)
    tables = match("crazy-eights, two rounds, seats by lot")
    frames = frames_of(tables)
    votes = [at for at in places(tables, "vote") if decode_signed(frames[at]).seat == 1]
    reports = [report(frames), report(frames)]
    for at in votes:
        reports[1].frames[at] = signed_anew(tables, at, choice=bytes(32))
    assert len(votes) > 5
    assert len(compare(reports)) == 5


# --- the command ---


@pytest.mark.slow
def test_statuses_and_lines(tmp_path: Path, capsys: Out) -> None:
    tables = short()
    frames = frames_of(tables)
    at = places(tables, "vote")[0]
    seat = decode_signed(frames[at]).seat
    contents = {
        "whole": file(frames),
        "cut": file(frames[:-1]),
        "torn": file(frames) + b"\0",
        "changed": flipped(file(frames), len(file(frames)) // 2),
        "other": file([*frames[:at], signed_anew(tables, at, choice=bytes(32))]),
        "both": file([*frames[: at + 1], signed_anew(tables, at, choice=bytes(32))]),
        "letter": b"Dear Mia",
        "empty": b"",
    }
    for name, data in contents.items():
        (tmp_path / name).write_bytes(data)

    def run(*names: str) -> tuple[int, list[dict[str, Any]], str]:
        paths = [str(tmp_path / name) for name in names]
        status = main(["verify", *paths, "--json"])
        found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert main(["verify", "--all", *paths]) == status, "--all changes nothing"
        return status, found, capsys.readouterr().out

    for name, status, ok, complete in (
        ("whole", 0, True, True),
        ("cut", 0, True, False),
        ("torn", 1, False, False),
        ("changed", 1, False, False),
        ("other", 0, True, False),
        ("both", 1, True, True),
        ("letter", 2, False, False),
        ("empty", 2, False, False),
    ):
        got, (line,), text = run(name)
        assert (got, line["ok"], line["complete"]) == (status, ok, complete), name
        assert (line["failed"] is None) == ok
        assert text.startswith(f"{tmp_path / name}: valid.") == (status == 0), text
        assert ("ends before" in text) == (status == 0 and not complete)
        assert bool(line["evidence"]) == (name == "both")
    assert run("both")[2].startswith(f"{tmp_path / 'both'}: P{seat} cheated")
    status, lines, text = run("whole", "other")
    assert status == 1
    assert [each["what"] for line in lines for each in line["evidence"]] == ["two-versions"] * 2
    assert {each["seat"] for line in lines for each in line["evidence"]} == {seat}
    assert text.count("sent different messages to different players") == 2
    assert not text.startswith(f"{tmp_path / 'whole'}: valid.")
    status, lines, _ = run("whole", "letter", "changed")
    assert (status, len(lines)) == (2, 3)
    assert run("whole", "cut")[0] == 0
