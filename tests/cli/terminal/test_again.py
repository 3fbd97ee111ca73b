"""The end of a match: what the lobby offers next, and that nobody is offered another match without a room."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from cli.flow import sitting
from cli.flow.session import Flow
from cli.news import Do
from cli.terminal.settings import TerminalSettings
from protocol.games import load
from protocol.identity import Identity
from protocol.table.roster import Member, Roster, TableOptions
from tests.cli.screen.screens import finished

ME, *BOTS = (Identity(bytes([number]) * 32).public for number in range(1, 5))


def practice() -> Roster:
    """A person and three bots of theirs at a table of Tichu."""
    game = load("tichu", 4, {"target": 0, "bomb_on_bomb": "any"})
    members = [Member(ME, "Hanako", ME, False, b"n" * 32)]
    members += [Member(key, f"Bot {number}", ME, True, b"n" * 32) for number, key in enumerate(BOTS)]
    return Roster("tichu", game.version, dict(game.options), TableOptions(rounds=2), b"i" * 16, tuple(members))


def test_a_table_that_a_command_opened_is_what_the_lobby_offers_next(tmp_path: Path) -> None:
    settings = TerminalSettings(path=tmp_path / "config.toml")
    sitting._note_table(cast(Flow, SimpleNamespace(settings=settings)), practice())
    kept = TerminalSettings.read(tomllib.loads((tmp_path / "config.toml").read_text()), "en", False, True, None)
    assert kept.last_table == "tichu 4 target=0 bomb_on_bomb=any"


def test_without_a_next_table_no_other_match_is_offered() -> None:
    stage = finished(TerminalSettings(), True)
    assert "Enter: again" in stage.text()
    stage.parts.rounds.may_go_again = False
    assert "Enter: again" not in stage.text()
    stage.tick(1)
    stage.press("enter")
    assert Do("again") not in stage.effects
    assert Do("lobby") in stage.effects
