"""The commands that take the screen: each runs until the person gives it back, and returns the exit status."""

from __future__ import annotations

from cli.context import Context, config_of
from cli.flow.session import Flow
from cli.terminal.app import TerminalApp
from cli.terminal.probe import is_wide
from cli.terminal.settings import TerminalSettings


def full_screen(context: Context) -> Flow:
    """A flow on this terminal."""
    settings = TerminalSettings.read(
        config_of(context.home),
        context.words.lang,
        context.terminal.ascii_only or is_wide(context.stdin, context.stdout),
        bool(context.terminal.colours),
        context.home / "config.toml",
    )
    app = TerminalApp(settings, context.terminal.colours)
    app.is_still |= not context.terminal.motion
    return Flow(context, app)
