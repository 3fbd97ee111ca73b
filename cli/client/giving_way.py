"""Let our bots go whose seats people took: each leaves the match and the room, where whoever took its seat has its place.

That the seat is given away is decided at the table, by our own client (`protocol.table.takers`). The bot is let go once all have
voted in the epoch in which somebody else sits there: until then its promise may be needed to go back.
"""

from __future__ import annotations

from cli.client.session import Session
from protocol.table.record import Record


async def let_bots_go(session: Session) -> None:
    """While the match runs."""
    driver = session.driver
    while not driver.finished.is_set():
        driver.changed.clear()
        for name in given_away(driver.table.record, session.node.identity.public):
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
