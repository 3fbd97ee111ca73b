"""The end of a match: what the lobby offers next, and that nobody is offered a rematch without a room."""

from __future__ import annotations

import tomllib
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from cli.news import Do
from cli.requests import TableRequest
from cli.terminal.screens import sitting
from cli.terminal.screens.session import Flow
from cli.terminal.settings import TerminalSettings
from p2p.interfaces import Address
from p2p.journal import Match
from protocol.games import load
from protocol.table.roster import Member, Roster, TableOptions, decode_roster
from tests.cli.screen.screens import finished

ME, FRIEND, HOST = b"m" * 32, b"f" * 32, b"h" * 32
BASE = TableRequest("join", name="Hanako")


def person(key: bytes, name: str) -> Member:
    return Member(key, name, key, False, b"n" * 32)


def bot(number: int, keeper: bytes) -> Member:
    return Member(bytes([number]) * 32, f"Bot {number}", keeper, True, b"n" * 32)


def match_of(members: tuple[Member, ...], role: str, table: TableOptions | None = None, **meta: Any) -> Match:
    options = {"target": 0, "bomb_on_bomb": "any"}
    game = load("tichu", 4, options)
    roster = Roster("tichu", 1, dict(game.options), table or TableOptions(), b"i" * 16, members)
    seats: dict[bytes, tuple[Address, ...]] = {HOST: (("192.168.1.7", 50123),)}
    return Match(roster.table_id, roster.encode(), "open", role, 1.0, seats, {"title": "Kitchen", **meta})


def practice() -> Match:
    table = TableOptions(time=20_000, pause=5_000, rounds=2, suggest=False, remind=False)
    return match_of((person(ME, "Hanako"), bot(1, ME), bot(2, ME), bot(3, ME)), "host", table)


def test_a_table_that_a_command_opened_is_what_the_lobby_offers_next(tmp_path: Path) -> None:
    settings = TerminalSettings(path=tmp_path / "config.toml")
    sitting._note_table(cast(Flow, SimpleNamespace(settings=settings)), decode_roster(practice().roster))
    kept = TerminalSettings.read(tomllib.loads((tmp_path / "config.toml").read_text()), "en", False, True, None)
    assert kept.last_table == "tichu 4 bomb_on_bomb=any target=0"


def test_without_a_next_table_no_rematch_is_offered() -> None:
    stage = finished(TerminalSettings(), True)
    assert "rematch" in stage.text()
    stage.parts.rounds.may_rematch = False
    assert "rematch" not in stage.text()
    stage.tick(1)
    stage.press("enter")
    assert Do("rematch") not in stage.effects
    assert Do("lobby") in stage.effects
