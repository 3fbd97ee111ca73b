"""Two windows of one computer rejoin the same match at once: the first has it, and the second is told where it is."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client import room
from cli.client.room import Door
from cli.faults import NobodyThere
from cli.requests import TableRequest


@pytest.mark.parametrize(
    ("guest", "told"),
    [(0, "there is no unfinished match on this computer"), (1, "that match is open in another window")],
)
def test_whoever_comes_second_is_told_where_the_match_is(
    guest: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(room, "aside_here", lambda node: [])
    session = cast(Any, SimpleNamespace(node=None, home=SimpleNamespace(guest=guest)))
    with pytest.raises(NobodyThere, match=told):
        asyncio.run(Door(TableRequest("join"), is_return=True).enter(session))
