"""A fault in what the event loop calls ends the program: the loop would pass over it, and leave a dead page."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cli.view.choosing import Answer, ChoiceModel
from cli.view.effects import Effect
from cli.view.inputs import Choose
from cli.view.settings import Settings
from cli.web.app import App
from cli.web.incoming import Tapped
from cli.web.showing import PageShowing


def fails(*_: Any) -> None:
    raise ZeroDivisionError


async def cannot(_effect: Effect) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize("where", ["tapped", "view", "tick", "effect"])
def test_a_fault_ends_the_program(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = Settings()
    app = App(settings)
    if where == "effect":
        app.carry_out = cannot
    else:
        monkeypatch.setattr(PageShowing, where, fails)

    async def session() -> None:
        showing = app.screen_of(ChoiceModel(settings, "Which?", (Answer("one", "First"), Answer("two", "Second"))))
        app.show(showing)
        app.said(Tapped(showing.number, Choose("two")))
        await asyncio.Event().wait()

    async def run() -> None:
        async with asyncio.timeout(5):
            await app.run(session)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(run())
