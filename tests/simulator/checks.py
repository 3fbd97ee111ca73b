"""What must hold at the end of a run."""

from __future__ import annotations

from protocol.table.events import MatchOver, MatchShort
from protocol.table.phases.values import Phase
from protocol.table.result import places_of_match
from protocol.table.verify import verify
from protocol.wire import frame
from tests.table.tables import stream

from .world import Client, World


def faults(world: World) -> list[str]:
    """What is wrong with a run that has come to rest; what was seen on the way comes first."""
    is_caught = world.setting.liar is not None and world.setting.liar in world.accused
    if world.wrong or (world.forks and not is_caught):
        return world.wrong + world.forks
    if not world.is_done:
        is_left_behind = world.outsiders and all(client.table.is_over for client in world.players)
        what = "a seat that was left out does not learn the end" if is_left_behind else "stuck"
        return [f"{what}: {_where(world)}"] if world.can_go_on else []
    return _files(world)


def _where(world: World) -> str:
    return "; ".join(
        f"client {client.index}: {client.table.record.phase.value} epoch {client.table.record.epoch} "
        f"height {client.table.record.height} awaits {client.table.awaited if client.is_up else 'down'}"
        for client in world.clients
    )


def _result(client: Client) -> tuple[object, ...]:
    """Return how a match ended, and what was told of that."""
    record = client.table.record
    told = [event.places for event in client.events if isinstance(event, MatchOver | MatchShort)][-1:]
    hash = b"" if record.phase is Phase.BROKEN else record.previous  # one who left ends it wherever each is
    return record.phase, hash, record.scores, places_of_match(record), *told


def _has_left_without_a_result(client: Client) -> bool:
    """Whether it said goodbye to others who could have played on, as far as it knew, and heard no more."""
    record = client.table.record
    return record.broken is not None and record.broken.seat == client.table.seat and not places_of_match(record)


def _is_of_a_convict(world: World, client: Client) -> bool:
    """Whether it runs on the computer of a liar who was convicted: who sits there is out with him, and what he showed to
    them alone is no result for the others."""
    liar, keepers = world.setting.liar, world.keepers
    return liar is not None and liar in world.accused and keepers[client.index] == keepers[liar]


def _files(world: World) -> list[str]:
    """All files verify, and tell one match; none ends before its match is over.

    Of a liar, each may hold another version of what was prepared and thrown away; where a goodbye ends the match, each has
    heard more or less of the entry that was under way.
    """
    here = [client for client in world.players if not _is_of_a_convict(world, client)]
    if not here:
        return []
    first = max(here, key=lambda client: len(client.transcript))
    ended = next((client for client in here if client.table.record.phase is Phase.OVER), None)
    found: list[str] = []
    results = {
        client.index: _result(client)
        for client in (*here, *world.outsiders)
        if client.table.is_over and not _has_left_without_a_result(client)
    }
    if len({*results.values()}) > 1:
        found.append(f"there are several results: {results}")
    for client in world.clients:
        record = client.table.record
        is_whole = client.is_gone and record.phase is Phase.OVER and world.setting.liar is None
        if is_whole and ended is not None and record.previous != ended.table.record.previous:
            found.append(f"client {client.index} is gone, and has ended another match than client {ended.index}")
    for client in here:
        is_alike = client.transcript == first.transcript[: len(client.transcript)]
        is_short = client.table.is_over and len(client.transcript) < len(first.transcript)
        if client is not first and is_alike and not is_short:
            continue
        must_be_alike = world.setting.liar is None and client.table.record.phase is not Phase.BROKEN
        if client is not first and must_be_alike:
            found.append(f"client {client.index} has another file than client {first.index}")
        report = verify(b"".join(frame(data) for data in client.transcript), stream(1))
        if report.failed is not None or not report.ok:
            found.append(f"the file of client {client.index} does not verify: {report.failed}")
        is_over = client.table.record.phase is Phase.OVER
        if is_over and report.places != places_of_match(client.table.record):
            found.append(f"the file of client {client.index} gives other places: {report.places}")
        if ended is not None and is_over and report.match != ended.table.record.previous:
            found.append(f"the file of client {client.index} is of another match")
    return found
