"""A screen for the whole room between two matches, and when the one that it showed ends out of its sight."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.faults import NobodyThere
from cli.flow import watching
from cli.flow.session import Flow
from cli.text import Translator
from p2p.errors import LinkLost, LinkRefused
from protocol.identity import Identity

CLOSED = LinkRefused("refused", reason="closed")
UNREACHABLE = LinkLost("nobody there", reason="unreachable")


class Table:
    """A match that ends, or of which the link is lost."""

    match = b"first"

    def __init__(self, is_over: bool) -> None:
        self.is_over = is_over

    async def run(self) -> None:
        await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("is_over", "then", "shown"),
    [
        (False, CLOSED, ["waits", "table", "waits"]),
        (False, UNREACHABLE, ["waits", "table"]),  # it may come back
        (True, CLOSED, ["waits", "table"]),  # its score sheet stays
    ],
)
def test_what_is_shown_after_a_match(
    monkeypatch: pytest.MonkeyPatch, is_over: bool, then: LinkLost, shown: list[str]
) -> None:
    seen: list[str] = []
    tries = iter([Table(is_over), then, then, None])

    async def watched(*_: Any, **__: Any) -> Any:
        match next(tries):
            case Table() as table:
                return table
            case LinkLost() as lost:
                raise NobodyThere(lost.template) from lost
        raise asyncio.CancelledError

    def session_at(*_: Any) -> Any:
        seen.append("table")
        return SimpleNamespace(run=asyncio.Event().wait)

    async def find() -> list[Any]:
        return []

    monkeypatch.setattr(watching, "watched", watched)
    monkeypatch.setattr(watching, "session_at", session_at)
    monkeypatch.setattr(watching, "RETRY_S", 0.0)
    flow = SimpleNamespace(
        _=Translator(), wait_screen=lambda _told: seen.append("waits"), context=SimpleNamespace(home=None)
    )
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watching.watch_all(cast(Flow, flow), find, Identity(bytes(32)), None))
    assert seen == shown


def test_the_code_to_join_by_is_that_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []
    codes = iter(["http://192.0.2.7:4712/#one", "", "http://192.0.2.7:4712/#two"])

    async def address() -> str:
        try:
            return next(codes)
        except StopIteration as end:
            raise asyncio.CancelledError from end

    monkeypatch.setattr(watching, "CODE_S", 0.0)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(watching.keep_code(cast(Flow, SimpleNamespace(show_code=shown.append)), address))
    assert shown == ["http://192.0.2.7:4712/#one", "", "http://192.0.2.7:4712/#two"]
