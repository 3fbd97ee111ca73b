"""Let our bots go whose seats others took, also those that only came to fill one: each leaves the match and the room.

That the seat is given away is decided at the table, by our own client (`protocol.table.takers`). The bot is let go once all have
voted in the epoch in which somebody else sits there: until then its promise may be needed to go back.
"""

from __future__ import annotations

from collections.abc import Mapping

from cli.client.session import Session
from protocol.cards import Seat
from protocol.table.record import Record


async def let_bots_go(session: Session) -> None:
    """While the match runs."""
    driver = session.driver
    while not driver.finished.is_set():
        driver.changed.clear()
        record = driver.table.record
        for name in (*given_away(record, session.node.identity.public), *came_too_late(record, session.bots.filling)):
            session.bots.filling.pop(name, None)
            if name in session.bots.names:
                await session.dismiss_bot(name)
        await driver.changed.wait()


def given_away(record: Record, keeper: bytes) -> list[str]:
    """Return the names of this keeper's bots that have no seat any more, for good."""
    if record.before:
        return []
    sitting = {record.key(seat) for seat in record.present}
    members = [each.member for each in record.replaced]
    return [each.name for each in members if each.bot and each.keeper == keeper and each.key not in sitting]


def came_too_late(record: Record, filling: Mapping[str, tuple[Seat, bytes]]) -> list[str]:
    """Return the names of the bots in whose seats somebody else sits, for good. `filling`: the seat that each came for, and its
    key."""
    if record.before:
        return []
    return [name for name, (seat, key) in filling.items() if seat in record.present and record.key(seat) != key]
