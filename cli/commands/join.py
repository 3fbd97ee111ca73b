"""`fairdeal join`: needs the network, which is connected here."""

from __future__ import annotations

from cli.context import Context
from cli.faults import CommandFault
from cli.requests import TableRequest


def run(request: TableRequest, context: Context) -> int:
    raise CommandFault("{command} is not connected to the network yet", command=request.command)
