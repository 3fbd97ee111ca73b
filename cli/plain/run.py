"""Sits a person down at a table in lines of text: session, typed lines and terminal put together."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence

from cli.clean import wrap
from cli.context import Context
from cli.games.narrator import Narrator
from cli.news import Playing
from cli.plain.drawing import Drawing
from cli.plain.lines_in import Typed
from cli.plain.session import Ended, Session


class Voice:
    """Prints lines so that news and the prompt do not run into each other."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._is_open = False
        """Whether a prompt stands on the last line."""

    def tell(self, line: str) -> None:
        if self._is_open:
            self._context.tell()
            self._is_open = False
        terminal = self._context.terminal
        # What is drawn has its own width; sentences are broken where the terminal ends.
        fits = not terminal.is_screen or "\x1b" in line or line.startswith("  ")
        for each in [line] if fits else wrap(line, terminal.columns - 1):
            self._context.tell(each)

    def entered(self) -> None:
        """A line was typed, so the prompt's line has ended."""
        self._is_open = False

    def prompt(self) -> None:
        """An arrow for a person at a terminal; a script needs none."""
        if self._context.terminal.is_screen and not self._is_open:
            print("> ", end="", file=self._context.stdout, flush=True)
            self._is_open = True


async def sit(
    playing: Playing,
    context: Context,
    rules: Callable[[str], Sequence[str]] | None = None,
    typed: Typed | None = None,
    voice: Voice | None = None,
) -> Ended:
    """Until the match ends, breaks, or the player leaves. `typed`, `voice`: those of the waiting room, where there was one."""
    voice = voice or Voice(context)

    def drawing(narrator: Narrator) -> Drawing:
        return Drawing(context.terminal, narrator.cards)

    session = Session(
        playing,
        context.words,
        voice.tell,
        prompt=voice.prompt,
        drawing=None if context.terminal.plain else drawing,
        rules=rules,
        patient=not context.terminal.is_screen,
    )
    return await session.run(_noticed(typed or Typed(context.stdin), voice))


async def _noticed(typed: Typed, voice: Voice) -> AsyncIterator[str]:
    async for line in typed:
        voice.entered()
        yield line
