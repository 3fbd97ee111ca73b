"""Decide which face a command gets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.context import Context
from cli.requests import Common, WatchRequest

if TYPE_CHECKING:
    from cli.flow.session import Flow


def flow_for(request: Common, context: Context) -> Flow | None:
    """Return a flow in the browser or on the full screen; None where lines of text are wanted, or nothing else can be shown."""
    is_tv = isinstance(request, WatchRequest) and request.tv
    if (request.browser or is_tv) and not request.json:
        from cli.web.entry import in_browser

        return in_browser(context, is_tv)
    if context.terminal.plain or request.json:
        return None
    from cli.terminal.screens import full_screen

    return full_screen(context)
