"""`fairdeal watch`: needs the network, which is connected here."""

from __future__ import annotations

from cli.context import Context
from cli.faults import CommandFault
from cli.requests import WatchRequest


def run(request: WatchRequest, context: Context) -> int:
    raise CommandFault("{command} is not connected to the network yet", command=request.command)
