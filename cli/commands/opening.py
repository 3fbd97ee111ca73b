"""Whether a command that opens or joins a table takes the screen."""

from __future__ import annotations

from cli.context import Context
from cli.requests import TableRequest


def on_screen(request: TableRequest, context: Context) -> bool:
    """Whether a person sits before a terminal that can be drawn on, and has not asked for lines."""
    return not (context.terminal.plain or request.autoplay or request.json)
