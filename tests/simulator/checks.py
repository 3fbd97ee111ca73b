"""What must hold at the end of a run."""

from __future__ import annotations

from protocol.table.verify import verify
from protocol.wire import frame
from tests.table.tables import stream

from .world import Client, World


def faults(world: World) -> list[str]:
    """What is wrong with a run that has come to rest; what was seen on the way comes first."""
    if world.wrong:
        return world.wrong
    if not world.is_done:
        return [f"stuck: {_where(world)}"] if world.can_go_on else []
    return _files(world.players)


def _where(world: World) -> str:
    return "; ".join(
        f"client {client.index}: {client.table.record.phase.value} epoch {client.table.record.epoch} "
        f"height {client.table.record.height} awaits {client.table.awaited if client.is_up else 'down'}"
        for client in world.clients
    )


def _files(here: list[Client]) -> list[str]:
    """All files verify, and tell one match; none ends before its match is over."""
    if not here:
        return []
    first = max(here, key=lambda client: len(client.transcript))
    found = []
    for client in here:
        is_alike = client.transcript == first.transcript[: len(client.transcript)]
        if not is_alike or (client.table.is_over and client.transcript != first.transcript):
            found.append(f"client {client.index} has another file than client {first.index}")
    report = verify(b"".join(frame(data) for data in first.transcript), stream(1))
    if report.failed is not None or not report.ok or report.complete != first.table.is_over:
        found.append(f"the file does not verify: {report.failed}, complete: {report.complete}")
    if first.table.is_over and report.match != first.table.record.previous:
        found.append("the file is of another match")
    return found
