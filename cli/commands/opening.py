"""Decide which face a command gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.context import Context
from cli.requests import Common

if TYPE_CHECKING:
    from cli.flow.session import Flow


def flow_for(request: Common, context: Context) -> Flow | None:
    """Return a flow on the full screen; None where lines of text are wanted, or nothing else can be shown."""
    if context.terminal.plain or request.json:
        return None
    from cli.terminal.screens import full_screen

    return full_screen(context)
