"""`fairdeal` alone: the lobby, full screen; without a screen the tables in lines, and what can be done about them."""

from __future__ import annotations

from cli.context import Context
from cli.requests import Common, TablesRequest

NEXT = ("join", "host", "play", "rules")
"""The commands that whoever sees no lobby goes on with."""


def run(request: Common, context: Context) -> int:
    if context.terminal.plain:
        from cli.commands import tables
        from cli.commands.registry import BY_NAME

        status = tables.run(TablesRequest("tables", json=request.json), context)
        if not request.json:
            for facts in (BY_NAME[name] for name in NEXT):
                context.tell(f"{facts.example}: {context.words(facts.help)}")
        return status
    from cli.terminal.screens import run_lobby

    return run_lobby(context)
