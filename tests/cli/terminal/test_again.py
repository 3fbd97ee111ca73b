"""The rematch of a match whose seat was taken again: the table is opened once more as it was, or the host is looked for."""

from __future__ import annotations

import asyncio
import tomllib
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.room import REJOIN_S, Door, door_after
from cli.client.tables import game_of
from cli.news import Do
from cli.requests import TableRequest
from cli.terminal.screens import sitting
from cli.terminal.screens.session import Flow
from cli.terminal.settings import TerminalSettings
from p2p.interfaces import Address
from p2p.journal import Match
from p2p.node import DEFAULT_PORT
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


def test_a_practice_table_is_opened_as_it_was() -> None:
    found = door_after(BASE, practice(), ME)
    assert found is not None
    assert found.host is None
    request = found.request
    assert (request.command, request.name, request.table) == ("play", "Hanako", "Kitchen")
    assert (request.seats, request.bots, request.rounds) == (4, 3, 2)
    assert (request.time_s, request.pause_s, request.suggest, request.remind) == (20, 5, False, False)
    game = game_of(request)
    assert (game.name, game.options["target"], game.options["bomb_on_bomb"]) == ("tichu", 0, "any")


def test_a_table_for_friends_is_opened_for_friends_also_where_only_bots_came() -> None:
    mixed = match_of((person(ME, "Hanako"), person(FRIEND, "Mia"), bot(1, ME), bot(2, FRIEND)), "host")
    found = door_after(BASE, mixed, ME)
    assert found is not None
    assert (found.request.command, found.request.bots) == ("host", 1)
    alone = practice()
    found = door_after(BASE, replace(alone, meta={**alone.meta, "command": "host"}), ME)
    assert found is not None
    assert found.request.command == "host"


@pytest.mark.parametrize("meta", [{"host_key": HOST.hex(), "host": "?"}, {"host": "Priya"}])
def test_a_guest_looks_for_the_host_where_they_were_and_at_the_usual_port(meta: dict[str, Any]) -> None:
    found = door_after(BASE, match_of((person(ME, "Hanako"), person(HOST, "Priya"), bot(1, HOST)), "guest", **meta), ME)
    assert found is not None
    assert found.host == HOST
    assert found.addresses == (("192.168.1.7", 50123), ("192.168.1.7", DEFAULT_PORT))
    assert (found.request.command, found.request.bots) == ("join", None)


def test_the_name_and_the_port_are_those_of_the_match() -> None:
    found = door_after(TableRequest("join"), replace(practice(), meta={"name": "Hana", "port": 4801}), ME)
    assert found is not None
    assert (found.request.name, found.request.port) == ("Hana", 4801)
    found = door_after(BASE, replace(practice(), meta={"name": "Hana"}), ME)
    assert found is not None
    assert (found.request.name, found.request.port) == ("Hanako", None)


def test_whose_table_it_was_is_not_guessed() -> None:
    members = (person(ME, "Hanako"), person(FRIEND, "Priya"), person(HOST, "Priya"))
    assert door_after(BASE, match_of(members, "guest", host="Priya"), ME) is None
    assert door_after(BASE, match_of(members, "guest"), ME) is None


def test_a_table_that_a_command_opened_is_what_the_lobby_offers_next(tmp_path: Path) -> None:
    settings = TerminalSettings(path=tmp_path / "config.toml")
    sitting._note_table(cast(Flow, SimpleNamespace(settings=settings)), decode_roster(practice().roster))
    kept = TerminalSettings.read(tomllib.loads((tmp_path / "config.toml").read_text()), "en", False, True, None)
    assert kept.last_table == "tichu 4 bomb_on_bomb=any target=0"


class Tables:
    """Stands for tables that are over: how each of them ends."""

    def __init__(self, *ends: tuple[str, Door | None]) -> None:
        self.ends = list(ends)
        self.doors: list[Door] = []

    async def at_table(self, _flow: Flow, door: Door) -> tuple[str, Door | None]:
        self.doors.append(door)
        return self.ends.pop(0)


def sat(monkeypatch: pytest.MonkeyPatch, tables: Tables, door: Door) -> str:
    monkeypatch.setattr(sitting, "_at_table", tables.at_table)
    return asyncio.run(sitting.sit(cast(Flow, SimpleNamespace()), door))


def test_a_return_leads_on_to_the_rematch_and_that_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    found = door_after(BASE, practice(), ME)
    assert found is not None
    tables = Tables(("rematch", found), ("rematch", found.next()), ("lobby", found.next()))
    assert sat(monkeypatch, tables, Door(BASE, is_return=True)) == "lobby"
    assert [each.request.command for each in tables.doors] == ["join", "play", "play"]
    assert [each.is_return for each in tables.doors] == [True, False, False]


def test_who_wanted_another_table_and_went_back_to_the_old_one_has_its_rematch(monkeypatch: pytest.MonkeyPatch) -> None:
    other = TableRequest("play", game="mau-mau", bots=2)
    tables = Tables(("rematch", door_after(other, practice(), ME)), ("left", None))
    assert sat(monkeypatch, tables, Door(other)) == "left"
    assert [each.request.game for each in tables.doors] == ["mau-mau", "tichu"]


def test_a_rematch_that_nobody_knows_the_way_to_is_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables(("rematch", None))
    assert sat(monkeypatch, tables, Door(BASE)) == "rematch"
    assert len(tables.doors) == 1


def test_a_guest_waits_for_the_hosts_next_table_and_a_host_opens_it_at_once() -> None:
    guest = Door(BASE, (("192.168.1.7", 1),), HOST)
    assert guest.next() == replace(guest, patience_s=REJOIN_S)
    own = Door(TableRequest("host"))
    assert own.next() == own


def test_without_a_next_table_no_rematch_is_offered() -> None:
    stage = finished(TerminalSettings(), True)
    assert "rematch" in stage.text()
    stage.parts.rounds.may_rematch = False
    assert "rematch" not in stage.text()
    stage.tick(1)
    stage.press("enter")
    assert Do("rematch") not in stage.effects
    assert Do("lobby") in stage.effects
