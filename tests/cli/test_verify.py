"""`fairdeal verify` with inputs that nobody means to give it: one line each that says what is wrong, and the status for it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from cli.main import main
from protocol.table import verify
from protocol.wire import frame, frames, pack, unpack
from tests.adversaries.declared import By, attack
from tests.vectors.make_matches import FOLDER

Out = pytest.CaptureFixture[str]
WHOLE = (FOLDER / "left-by-one-of-two.match").read_bytes()
OTHER = (FOLDER / "closed-by-promises.match").read_bytes()
MESSAGES = [data for _, data in frames(WHOLE)]


def with_roster(**changed: Any) -> bytes:
    roster = unpack(unpack(MESSAGES[0])[1]) | changed
    return b"".join(map(frame, [pack(["r", pack(roster)]), *MESSAGES[1:]]))


FILES: dict[str, tuple[bytes, int]] = {
    "whole": (WHOLE, 0),
    "of another match": (OTHER, 0),
    "only the roster": (frame(MESSAGES[0]), 0),
    "cut at a message": (b"".join(map(frame, MESSAGES[:5])), 0),
    "cut within a message": (WHOLE[: len(WHOLE) // 2], 1),
    "with bytes behind": (WHOLE + b"xx", 1),
    "empty": (b"", 2),
    "one byte": (b"\0", 2),
    "a frame that is too long": (b"\xff" * 100, 2),
    "of another version": (with_roster(protocol=3), 2),
    "of another game": (with_roster(game="bridge"), 2),
    "of other rules": (with_roster(rules=999), 2),
    "text": (b"Dear Mia", 2),
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, (data, _) in FILES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def run(capsys: Out, *names: str) -> tuple[int, list[dict[str, Any]], str]:
    """The status, what `--json` prints, and what is said of what cannot be read."""
    status = main(["verify", "--json", *names])
    found = capsys.readouterr()
    assert "Traceback" not in found.err
    return status, [json.loads(line) for line in found.out.splitlines()], found.err


@pytest.mark.sample
@pytest.mark.parametrize("name", FILES)
def test_each_has_its_status_and_a_line(name: str, folder: Path, capsys: Out) -> None:
    status, (line,), said = run(capsys, str(folder / name))
    assert status == FILES[name][1]
    assert (line["ok"], line["failed"] is None) == (status == 0, status == 0)
    assert line["complete"] == (name in ("whole", "of another match"))
    assert len(said.splitlines()) == (status == 2)
    assert main(["verify", "--all", str(folder / name)]) == status
    capsys.readouterr()


@pytest.mark.slow
def test_of_several_the_highest_status_counts(folder: Path, capsys: Out) -> None:
    paths = [str(folder / name) for name in FILES]
    status, lines, _ = run(capsys, *paths)
    assert status == 2 and [line["file"] for line in lines] == paths
    status, lines, _ = run(capsys, *(str(folder / name) for name in ("whole", "of another match", "cut at a message")))
    assert status == 0 and not any(each["what"] != "goodbye" for line in lines for each in line["evidence"])
    assert run(capsys, str(folder / "whole"), str(folder / "with bytes behind"))[0] == 1
    assert run(capsys, *[str(folder / "whole")] * 3)[0] == 0


def test_copies_are_verified_once_and_judged_each(folder: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    """Friends' files of one match are the same to the byte."""
    verified: list[bytes] = []

    def counted(data: bytes, *more: Any) -> verify.Report:
        verified.append(data)
        return really(data, *more)

    really = verify.verify
    monkeypatch.setattr(verify, "verify", counted)
    copies = [str(folder / name) for name in ("whole", "of another match", "with bytes behind", "copy")]
    (folder / "copy").write_bytes(WHOLE)
    status, lines, _ = run(capsys, *copies)
    assert (status, [line["ok"] for line in lines]) == (1, [True, True, False, True])
    assert lines[3] == {**lines[0], "file": copies[3]}
    assert verified == [(folder / name).read_bytes() for name in ("whole", "of another match", "with bytes behind")]


CONTROLS = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e"


def first_called(name: str) -> bytes:
    first, *others = unpack(unpack(MESSAGES[0])[1])["members"]
    return with_roster(members=[{**first, "name": name}, *others])


@attack(
    By.OUTSIDE,
    "A file contains terminal control codes in the names of its game, options or players.",
    "It does not work: what a file says is cleaned before it is shown.",
)
@pytest.mark.parametrize(
    "data",
    [
        first_called(f"Mia{CONTROLS}"),
        with_roster(game=f"bridge{CONTROLS}"),
        with_roster(options={CONTROLS: 1}),
        with_roster(options={**unpack(unpack(MESSAGES[0])[1])["options"], "target": CONTROLS}),
    ],
    ids=["person", "game", "option", "value"],
)
@pytest.mark.parametrize("more", [[], ["--json"], ["--lang", "de"], ["--lang", "ja"]], ids=" ".join)
def test_what_a_file_says_commands_no_terminal(data: bytes, more: list[str], tmp_path: Path, capsys: Out) -> None:
    (tmp_path / "file").write_bytes(data)
    for command in ("verify", "replay"):
        main([command, str(tmp_path / "file"), *(more if command == "verify" or "--json" not in more else ["--plain"])])
        found = capsys.readouterr()
        assert all(line.isprintable() for line in (found.out + found.err).split("\n"))


def test_what_is_no_file(folder: Path, capsys: Out) -> None:
    for name in (str(folder), str(folder / "nobody"), os.devnull, ""):
        status, (line,), said = run(capsys, name)
        assert (status, line["failed"]["step"], len(said.splitlines())) == (2, "reading", 1)
    assert main(["verify"]) == 2 and main(["verify", "--all", "--json"]) == 2
    assert "FILE" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no such file here")
def test_a_file_without_end_is_not_read(capsys: Out) -> None:
    assert run(capsys, "/dev/zero")[0] == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
def test_a_pipe_is_read(tmp_path: Path, capsys: Out) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=(WHOLE,))
    writer.start()
    assert run(capsys, str(path))[0] == 0
    writer.join()
