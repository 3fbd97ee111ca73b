"""`fairdeal join [TABLE or HOST[:PORT]]`: sit down at a table by name or address."""

from __future__ import annotations

from dataclasses import fields

from cli.commands.opening import flow_for
from cli.context import Context
from cli.requests import TableRequest

OF_THE_HOST = {
    "table": "--table",
    "seats": "--seats",
    "bots": "--bots",
    "options": "--option",
    "rounds": "--rounds",
    "recovery": "--recovery",
    "lots": "--lots",
    "suggest": "--suggest",
    "remind": "--remind",
    "time_s": "--time",
    "grace_s": "--grace",
    "pause_s": "--pause",
    "leave_after_s": "--leave-after",
}
"""What only the host decides."""


def run(request: TableRequest, context: Context) -> int:
    if ignored := ignored_flags(request):
        context.note(context.words("The host decides this, so join ignores it: {flags}", flags=" ".join(ignored)))
    if not request.autoplay and (flow := flow_for(request, context)) is not None:
        from cli.flow.entry import run_join

        return run_join(request, flow)
    from cli.client.joining import join
    from cli.commands.table import run_table

    return run_table(request, context, join)


def ignored_flags(request: TableRequest) -> list[str]:
    """Return the flags that were given another value than the usual one, and mean nothing here."""
    usual = {each.name: each.default for each in fields(TableRequest)}
    return [flag for name, flag in OF_THE_HOST.items() if getattr(request, name) != usual[name]]
