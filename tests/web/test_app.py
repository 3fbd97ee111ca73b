"""The face for pages: taps that were meant for what was there before are passed over, and a fault ends the program."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cli.news import RoundEnded
from cli.terminal.settings import TerminalSettings
from cli.view.choosing import Alternative, ChoiceModel
from cli.view.effects import Effect
from cli.view.inputs import Act, Choose
from cli.view.settings import Settings
from cli.web.app import DRAW_EVERY_S, WebApp
from cli.web.incoming import Tapped
from cli.web.showing import PageShowing
from tests.cli.screen.screens import crazy


def fails(*_: Any) -> None:
    raise ZeroDivisionError


async def cannot(_effect: Effect) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("where", ["tapped", "view", "tick", "effect"])
def test_a_fault_ends_the_program(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings()
    app = WebApp(settings)
    if where == "effect":
        app.carry_out = cannot
    else:
        monkeypatch.setattr(PageShowing, where, fails)

    async def session() -> None:
        showing = app.screen_of(
            ChoiceModel(settings, "Which?", (Alternative("one", "First"), Alternative("two", "Second")))
        )
        app.show(showing)
        app.said(Tapped(showing.number, Choose("two")))
        await asyncio.Event().wait()

    async def run() -> None:
        async with asyncio.timeout(60):
            await app.run(session)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())


class Pages:
    """A link that remembers what the pages were told."""

    def __init__(self) -> None:
        self.told: list[dict[str, Any]] = []

    def tell(self, message: dict[str, Any]) -> None:
        self.told.append(message)


def test_a_second_tap_on_scores_does_not_leave_the_sheet_that_the_first_has_opened() -> None:
    """Event loops that deal are slow now and then, and people tap again."""
    settings, pages = TerminalSettings(), Pages()
    stage, app = crazy(settings), WebApp(settings)
    stage.send(Act("draw"))  # the play that the sheet does not cover at once

    async def run() -> None:
        app.opened(pages)
        app.show(showing := PageShowing(stage.model, settings, stage.clock))
        showing.hear(RoundEnded(stage.playing.view(), (), 15.0))
        await asyncio.sleep(0)
        assert pages.told[-1]["view"]["kind"] == "table"
        for _twice in range(2):
            app.said(Tapped(pages.told[-1]["screen"], Act("play")))
        await asyncio.sleep(0)
        assert pages.told[-1]["view"]["kind"] == "scores"
        assert not stage.parts.rounds.is_ready
        app.said(Tapped(pages.told[-1]["screen"], Act("play")))
        assert stage.parts.rounds.is_ready

    asyncio.run(run())


def test_who_catches_up_with_a_match_does_not_draw_each_move_of_it() -> None:
    settings, pages, drawn = TerminalSettings(), Pages(), 30
    stage, app = crazy(settings), WebApp(settings)

    async def run() -> None:
        app.opened(pages)
        app.show(PageShowing(stage.model, settings, stage.clock))
        await asyncio.sleep(0)
        for number in range(drawn):
            stage.parts.notice.note(f"move {number}")
            app.redraw()
            await asyncio.sleep(0)
        while pages.told[-1]["view"]["frame"]["prompt"] != f"move {drawn - 1}":  # what is last is seen
            await asyncio.sleep(DRAW_EVERY_S / 10)
        assert sum(each["type"] == "view" for each in pages.told) < drawn / 2

    asyncio.run(run())
