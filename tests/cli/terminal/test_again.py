"""The end of a match: what the lobby offers next, and that nobody is offered another match without a room."""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.room import Door
from cli.client.session import Session
from cli.flow import sitting
from cli.flow.session import Flow
from cli.news import Do
from cli.requests import TableRequest
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


def test_whoever_was_the_last_to_be_ready_again_waits_in_the_room_for_the_seals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The others were ready, so there is a table at once; but it may never be sealed, and then there is nothing to show of it."""
    seat = SimpleNamespace(driver=None, room=object(), seated=asyncio.Event())
    node = SimpleNamespace(waiting_room=SimpleNamespace(room=object()))
    session = SimpleNamespace(seat=seat, node=node, unfinished=None)
    shown: list[str] = []
    outcomes = iter(("again", "cancelled"))

    async def opened(_stack: AsyncExitStack, *_: Any, **__: Any) -> Session:
        return cast(Session, session)

    async def waited(_flow: Flow, _session: Session, enter: Callable[[], Awaitable[None]] | None, *_: Any) -> Any:
        shown.append("room" if enter is None else "door")
        if len(shown) > 1:
            return None
        seat.driver = SimpleNamespace(table=SimpleNamespace(is_over=False))
        seat.seated.set()
        return SimpleNamespace(chat=(), standing=None)

    async def played(*_: Any) -> str:
        shown.append("table")
        seat.seated.clear()
        return next(outcomes)

    async def acted(_session: Session, _chosen: Do) -> None:
        seat.driver = SimpleNamespace(table=SimpleNamespace(is_over=False))

    monkeypatch.setattr("cli.client.opening.open_session", opened)
    monkeypatch.setattr("cli.client.room.act", acted)
    monkeypatch.setattr(sitting, "wait_in_room", waited)
    monkeypatch.setattr(sitting, "play", played)
    flow = SimpleNamespace(
        app=SimpleNamespace(presenter=object()),
        context=SimpleNamespace(home=None),
        notify=lambda _news: None,
        serves_phones=False,
        system=None,
        _=lambda text: text,
    )
    door = Door(TableRequest("join"))
    assert asyncio.run(sitting.sit(cast(Flow, flow), door)) == "lobby"
    assert shown == ["door", "table", "room"]
