"""Sits a person down at a table in lines of text: session, typed lines and terminal put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from cli.context import Context
from cli.games.base.narrator import Narrator
from cli.news import Playing
from cli.plain.drawing import Drawing
from cli.plain.lines_in import LineQueue
from cli.plain.session import Ended, LineSession
from cli.plain.voice import Voice


async def sit(
    playing: Playing,
    context: Context,
    rules: Callable[[str], Sequence[str]] | None = None,
    typed: LineQueue | None = None,
    voice: Voice | None = None,
    fill: Callable[[], bool] | None = None,
) -> Ended:
    """Until the match ends, breaks, or the player leaves. `typed`, `voice`: those of the waiting room, where there was one.
    `fill`: see `Commands`."""
    voice = voice or Voice(context)

    def drawing(narrator: Narrator) -> Drawing:
        return Drawing(context.terminal, narrator.cards)

    session = LineSession(
        playing,
        context.words,
        voice.tell,
        prompt=voice.prompt,
        drawing=None if context.terminal.plain else drawing,
        rules=rules,
        fill=fill,
        patient=not context.terminal.is_screen,
    )
    typed = typed or LineQueue(context.stdin)
    try:
        return await session.run(_noticed(typed, voice))
    finally:
        typed.give_back(session.unread)


async def _noticed(typed: LineQueue, voice: Voice) -> AsyncIterator[str]:
    async for line in typed:
        voice.entered()
        yield line
