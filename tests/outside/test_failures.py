"""A stranger's game that raises what it should not: one sentence names it and the file with the details, and our seat is kept."""

from __future__ import annotations

import asyncio
import io
import os
import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from cli.client.bot_supervisor import report
from cli.client.remembered import remembered
from cli.client.room import opening
from cli.client.session import Session
from cli.console import Terminal
from cli.context import Context
from cli.faults import FAILED
from cli.flow.face import ClientFace
from cli.flow.session import Flow
from cli.flow.sitting import sit
from cli.games import registry
from cli.news import BotsStopped, BotStuck
from cli.requests import TableRequest
from cli.text import Translator
from cli.view.bot_news import bots_told
from cli.view.table.model import TableModel
from protocol.errors import FairdealError
from protocol.games import load
from tests.outside.installed import visible, write_metadata

RUN = "import sys; from tests.toy_program import main; sys.exit(main())"
FAILED_GAME = re.compile(r"The game brittle failed: KeyError: 'no such suit' \(details: (.*?)\)\. Your seat is kept\.")


def details(told: str) -> str:
    """Read the file that a sentence about the game names."""
    found = FAILED_GAME.search(told)
    assert found is not None, told
    return Path(found[1]).read_text(encoding="utf-8")


def played(env: dict[str, str], home: Path, method: str, *words: str) -> subprocess.CompletedProcess[str]:
    """A match against bots in plain mode, by a script that bids and plays."""
    command = ("--home", str(home), "play", "brittle", "--bots", "2", "--rounds", "1", *words)
    return subprocess.run(
        [sys.executable, "-c", RUN, *command],
        input="bid 1\n" + "1\n" * 6,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=240,
        env={**os.environ, **env, "PYTHONIOENCODING": "utf-8", "LANG": "C", "BRITTLE": method},
        check=False,
    )


@pytest.mark.sockets
@pytest.mark.slow
def test_plain_mode_tells_it_in_one_sentence(whisk_env: dict[str, str], tmp_path: Path) -> None:
    done = played(whisk_env, tmp_path, "public_view")
    assert done.returncode == FAILED
    assert "Traceback" not in done.stdout + done.stderr
    assert 'raise KeyError("no such suit")' in details(done.stderr)
    assert remembered(tmp_path).unfinished is not None


@pytest.mark.sockets
@pytest.mark.slow
@pytest.mark.usefixtures("toy_programs")
@pytest.mark.parametrize(("face", "what"), [("screen", "the game"), ("browser", "a view")], indirect=["face"])
def test_a_drawn_face_leaves_the_table_and_tells_it_in_the_lobby(
    whisk: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    face: ClientFace,
    what: str,
) -> None:
    def broken(*_: object) -> None:
        raise KeyError("no such suit")

    if what == "the game":
        monkeypatch.setenv("BRITTLE", "public_view")
    else:
        monkeypatch.setattr(TableModel, "view", broken)
    out, err = io.StringIO(), io.StringIO()
    context = Context(Translator(), os.environ, io.StringIO(), out, err, Terminal(False, True, False, 0, 80), tmp_path)
    flow = Flow(context, face)
    request = TableRequest("play", game="brittle", bots=2)

    async def session() -> None:
        assert await sit(flow, opening(request)) == "lobby"

    assert flow.run(session) == FAILED
    assert 'raise KeyError("no such suit")' in details(flow.lobby_words)
    assert err.getvalue() == flow.lobby_words + "\n"
    assert remembered(tmp_path).unfinished is not None


def test_a_command_ends_with_the_game_that_made_its_bots_stop() -> None:
    async def deed() -> FairdealError:
        failure = asyncio.get_running_loop().create_future()
        table = SimpleNamespace(seated=asyncio.Event())
        session = SimpleNamespace(
            seat=table,
            request=TableRequest("play"),
            bot_failure=failure,
            bots=SimpleNamespace(names=["Bot Ada"]),
            notify=lambda _news: None,
        )
        reason = FairdealError("the game {game} failed: {error}", game="brittle", error="E")
        report(cast(Session, session), BotsStopped(("Bot Ada",), True, "/f.log", reason))
        found: FairdealError = failure.result()
        return found

    assert str(asyncio.run(deed())) == "the game brittle failed: E (details: /f.log)"


def test_a_bot_that_would_fail_again_is_not_to_be_brought_back() -> None:
    fault = FairdealError("the game {game} failed: {error} (details: {path})", game="brittle", error="E", path="/f.log")
    told = partial(bots_told, Translator())
    assert told(BotStuck("Bot Ada", fault, is_bug=True)) == (
        "Bot Ada can’t continue. The game brittle failed: E (details: /f.log)."
    )
    reason = FairdealError("the game {game} failed: {error}", game="brittle", error="E")
    assert told(BotsStopped(("Bot Ada",), True, "/f.log", reason)) == (
        "The game brittle failed: E. The bots on this computer keep stopping: leave, then rejoin. Details: /f.log"
    )


def test_a_face_that_does_not_load_is_told_once(whisk: str, tmp_path: Path) -> None:
    write_metadata(tmp_path, "poor-face", "1.0", {})
    for entry_points in tmp_path.glob("*.dist-info/entry_points.txt"):
        entry_points.write_text("[fairdeal.faces]\nwhisk = nowhere:Face\n", encoding="utf-8")
    registry.face_type.cache_clear()
    try:
        with visible(tmp_path):
            game = load(whisk, 3)
            fault = registry.take_fault(game)
        assert str(fault) == (
            "the display of whisk failed to load: ModuleNotFoundError: No module named 'nowhere'. "
            "The standard one is used instead"
        )
        assert registry.take_fault(game) is None
    finally:
        registry.face_type.cache_clear()
