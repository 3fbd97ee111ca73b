"""Files and pages of a stranger's game that raises what it should not: a sentence names the game, a file has the details."""

from __future__ import annotations

import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from cli.client.game_failures import FailureNoted
from cli.console import Terminal
from cli.context import Context
from cli.faults import FAILED
from cli.flow.entry import run_replay
from cli.flow.face import ClientFace
from cli.flow.session import Flow
from cli.games.face import Face as GameFace
from cli.games.rules_page import rules_lines, rules_parts
from cli.main import main
from cli.text import Translator
from cli.view.page import rules_of
from protocol.games import load
from protocol.wire import frame
from tests.outside.installed import HERE, visible
from tests.table.tables import Tables

Out = pytest.CaptureFixture[str]
FAILED_GAME = re.compile(r"[Tt]he game brittle failed: KeyError: 'no such suit' \(details: (.*?)\)")


@pytest.fixture(scope="module")
def match_file(outside_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The beginning of a match: the bids, and the first trick."""
    with visible(outside_folder):
        tables = Tables("brittle", 3)
        tables.start()
        for _move in range(6):
            tables.run(lambda: any(client.moves[0] for client in tables.clients))
            tables.move_someone()
            tables.run(tables.is_quiet)
        path = tmp_path_factory.mktemp("brittle") / "brittle.match"
        path.write_bytes(b"".join(map(frame, tables.clients[0].transcript)))
    return path


@pytest.fixture
def brittle(whisk: str, match_file: Path) -> str:
    return str(match_file)


def told(capsys: Out, *words: str) -> tuple[int, str, str]:
    """The exit status, and what went to both outputs."""
    status = main(list(words))
    found = capsys.readouterr()
    assert "Traceback" not in found.out + found.err and "crashed" not in found.err
    return status, found.out, found.err


def details(text: str) -> str:
    """What is in the file that a sentence about the game names."""
    found = FAILED_GAME.search(text)
    assert found is not None, text
    return Path(found[1]).read_text(encoding="utf-8")


@pytest.mark.slow
def test_such_a_file_is_whole_while_its_game_works(brittle: str, capsys: Out) -> None:
    assert told(capsys, "verify", brittle)[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("method", ["__init__", "apply"])
def test_verify_names_the_game(
    method: str, brittle: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRITTLE", method)
    status, out, err = told(capsys, "--home", str(tmp_path), "verify", brittle, brittle)
    assert (status, out, len(err.splitlines())) == (FAILED, "", 2)
    assert err.startswith(f"{brittle}: The game brittle failed")
    assert 'raise KeyError("no such suit")' in details(err)


def test_verify_says_so_for_scripts_and_goes_on_with_other_files(
    brittle: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRITTLE", "apply")
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Mia", encoding="utf-8")
    status, out, _err = told(capsys, "--home", str(tmp_path), "verify", "--json", brittle, str(letter))
    failed, unreadable = map(json.loads, out.splitlines())
    assert (status, failed["ok"], unreadable["ok"]) == (2, False, False)
    assert failed["failed"]["step"] == "reading" and details(failed["failed"]["what"])


@pytest.mark.parametrize("method", ["__init__", "apply", "public_view"])
def test_replay_names_the_game(
    method: str, brittle: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRITTLE", method)
    status, _out, err = told(capsys, "--home", str(tmp_path), "replay", brittle, "--plain")
    assert (status, len(err.splitlines())) == (FAILED, 1)
    assert 'raise KeyError("no such suit")' in details(err)


def broken(*_given: Any) -> Any:
    raise KeyError("no such suit")


def test_replay_names_a_game_whose_face_fails(
    brittle: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.plain.replay.Narrator.round_began", broken)
    status, _out, err = told(capsys, "--home", str(tmp_path), "replay", brittle, "--plain")
    assert status == FAILED and details(err)


@pytest.mark.parametrize("face", ["screen", "browser"], indirect=True)
def test_a_drawn_replay_whose_face_fails_is_left(
    face: ClientFace, brittle: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cli.view.replay.ReplayModel.view", broken)
    out = io.StringIO()
    context = Context(Translator(), os.environ, io.StringIO(), out, out, Terminal(False, True, False, 0, 80), tmp_path)
    flow = Flow(context, face)
    with pytest.raises(FailureNoted) as told:
        run_replay(Path(brittle), flow)
    assert details(str(told.value))
    assert face.takes_fault is None


def test_a_playthrough_names_the_game(whisk: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch) -> None:
    path, home = tmp_path / "brittle.jsonl", str(tmp_path)
    text = (HERE / "whisk" / "playthroughs" / "follow-suit.jsonl").read_text(encoding="utf-8")
    path.write_text(text.replace("whisk", "brittle"), encoding="utf-8")
    assert told(capsys, "--home", home, "playthrough", str(path))[0] == 0
    monkeypatch.setenv("BRITTLE", "apply")
    status, _out, err = told(capsys, "--home", home, "playthrough", str(path))
    assert status == FAILED and details(err)


@pytest.mark.parametrize("words", [("rules", "brittle"), ("play", "brittle", "--plain", "--rounds", "1")])
def test_a_game_that_cannot_be_set_up_is_named(
    words: tuple[str, ...], whisk: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BRITTLE", "__init__")
    status, _out, err = told(capsys, "--home", str(tmp_path), *words)
    assert status == FAILED and details(err)


# --- rules pages ---

PAGE = "# Aim\n\nWin tricks.\n\n# Length\n\n{cards} cards each."


def test_a_rules_page_with_a_mistake_names_the_game(
    whisk: str, tmp_path: Path, capsys: Out, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows an option that does not exist."""
    monkeypatch.setattr(GameFace, "rules_text", lambda _self, _lang: PAGE)
    status, out, err = told(capsys, "--home", str(tmp_path), "rules", "whisk")
    assert status == FAILED
    assert re.fullmatch(r"The game whisk failed: KeyError: 'cards' \(details: .*\)\.\n", err)
    assert "The rules page of Whisk has a mistake" in out and "--option target=50" in out


@pytest.mark.parametrize("page", [PAGE, "[if cards=5]\n\nFive cards.", "{", "{0}", "[if long]", 7])
def test_at_a_table_the_page_says_so_and_shows_the_options(
    page: object, whisk: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GameFace, "rules_text", lambda _self, _lang: page)
    game, words = load(whisk, 3), Translator()
    for lines in (
        rules_lines(words, game, 3, 80),
        [line for _heading, part in rules_parts(words, game, 80) for line in part],
    ):
        assert "rules page of Whisk" in lines[0] or "rules page of Whisk" in " ".join(lines)
        assert "- Play to: 50 points" in lines
    assert rules_of(words, game)
