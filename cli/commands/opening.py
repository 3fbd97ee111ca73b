"""Decide whether a command that opens or joins a table uses the full screen."""

from __future__ import annotations

from cli.context import Context
from cli.requests import TableRequest


def on_screen(request: TableRequest, context: Context) -> bool:
    """Return whether a person sits at a terminal that can be drawn on, and has not asked for plain mode."""
    return not (context.terminal.plain or request.autoplay or request.json)
