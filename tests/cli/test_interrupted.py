"""Ctrl-C in plain mode, which cancels the task: who leaves a match like that is told that the seat is kept."""

from __future__ import annotations

import asyncio
import io
import os
from pathlib import Path

import pytest

from cli.client.session import Session
from cli.commands.in_lines import play_in_lines
from cli.console import Terminal
from cli.context import Context
from cli.requests import TableRequest
from cli.text import Translator

pytestmark = [pytest.mark.sockets, pytest.mark.usefixtures("toy_programs")]
WAIT_S = 60


def test_whoever_stops_the_program_in_a_match_is_told_that_the_seat_is_kept(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    out, notes = io.StringIO(), io.StringIO()
    request = TableRequest("play", game="mau-mau", seats=2, bots=1, home=tmp_path)

    async def begin(session: Session) -> None:
        await session.host(1)

    async def run(context: Context) -> None:
        playing = asyncio.create_task(play_in_lines(request, context, begin))
        async with asyncio.timeout(WAIT_S):
            while "Round 1." not in out.getvalue():
                assert not playing.done(), notes.getvalue()
                await asyncio.sleep(0.02)
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing

    with os.fdopen(reader) as stdin, os.fdopen(writer, "w"):
        terminal = Terminal(is_screen=False, plain=True, ascii_only=False, colours=0, columns=80)
        asyncio.run(run(Context(Translator(), os.environ, stdin, out, notes, terminal, tmp_path)))
    assert notes.getvalue().endswith("\nYou stepped away. Your seat is kept.\n")
