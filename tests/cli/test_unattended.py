"""Who plays without a person gives up on others that are gone, not on somebody who thinks."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from cli.client.session import Session
from cli.client.waits import tell_waits
from cli.faults import NobodyThere
from cli.news import Away, Back, News, Paused, Player

LENA = 1
STUCK = Paused((LENA,), needed=(0,))
LIMIT_S = 0.05


async def heard(*told: News) -> bool:
    """Whether a client gave up after this news, and nothing more for much longer than it waits for others."""
    news: asyncio.Queue[News | None] = asyncio.Queue()
    players = [Player("Mia"), Player("Lena", through="Mia")]

    class Seat:
        seat = 0

        def __init__(self) -> None:
            self.news, self.players = news, players

        def name(self, seat: int) -> str:
            return players[seat].name

    request = SimpleNamespace(wait_or_default_s=LIMIT_S)
    session = SimpleNamespace(seat=Seat(), request=request, notify=lambda _piece: None)
    waiting = asyncio.create_task(tell_waits(cast(Session, cast(Any, session))))
    for piece in told:
        if isinstance(piece, Away | Back):
            players[piece.seat] = Player("Lena", through="Mia", away=isinstance(piece, Away))
        news.put_nowait(piece)
        while not news.empty():
            await asyncio.sleep(0)
    await asyncio.wait((waiting,), timeout=10 * LIMIT_S)
    news.put_nowait(None)
    try:
        await waiting
    except NobodyThere:
        return True
    return False


@pytest.mark.parametrize(
    ("told", "gives_up"),
    [
        ((STUCK,), False),
        ((Away(LENA), STUCK), True),
        ((STUCK, Away(LENA)), True),
        ((Away(LENA), STUCK, Back(LENA)), False),
        ((Away(LENA), STUCK, Paused(())), False),
    ],
    ids=["thinks", "is gone", "thinks and goes", "is back", "has moved"],
)
def test_only_who_is_gone_is_given_up(told: tuple[News, ...], gives_up: bool) -> None:
    assert asyncio.run(heard(*told)) is gives_up
