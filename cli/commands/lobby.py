"""`fairdeal` without a command: the lobby, full screen; in plain mode a list of the tables and the next commands."""

from __future__ import annotations

from cli.commands.opening import flow_for
from cli.context import Context
from cli.requests import LobbyRequest, TablesRequest

NEXT = ("join", "host", "play", "rules")
"""The commands suggested in plain mode."""


def run(request: LobbyRequest, context: Context) -> int:
    flow = flow_for(request, context)
    if flow is None:
        from cli.command_facts import BY_NAME
        from cli.commands import tables

        status = tables.run(TablesRequest("tables", json=request.json), context)
        if not request.json:
            for facts in (BY_NAME[name] for name in NEXT):
                context.tell(f"{facts.example}: {context.words(facts.help)}")
        return status
    from cli.flow.entry import run_lobby

    flow.serves_phones = request.phones
    return run_lobby(flow)
