"""Tables at the last closing, for which all but one have voted: the others go on without that one."""

from __future__ import annotations

from protocol.messages import Closed
from protocol.signed import Page, Signed, decode
from protocol.table.record import Phase
from tests.table.returning import Returning
from tests.table.test_abandoned_epochs import Cut


class Severed(Cut, Returning):  # type: ignore[misc]  # of those who join, nobody takes a seat here
    """Links can be cut and joined, and people come back."""

    def come_back(self, index: int) -> None:
        everybody = range(len(self.clients))
        self.joined |= {pair for other in everybody for pair in ((index, other), (other, index))}
        super().come_back(index)


def kind_of(data: bytes) -> type | None:
    found = decode(data)
    return None if isinstance(found, Page) else type(found.message)


def closing_without(recovery: str = "off", kind: type[Severed] = Severed) -> Severed:
    """All but seat 3 have voted for the last closing, and it is cut off."""
    table = kind(seats=4, recovery=recovery, rounds=1, options={"hand": 2, "target": 500})
    table.start()
    whole = table.tamper
    table.tamper = lambda sender, to, data: None if to == 3 and b"reveal" in data[:60] else whole(sender, to, data)
    while {table.clients[index].table.record.phase for index in (0, 1, 2)} != {Phase.CLOSING}:
        table.move_someone()
        table.turn()
    table.run(table.is_quiet)
    table.cut([(0, 3), (1, 3), (2, 3)])
    assert table.clients[3].table.record.phase is not Phase.CLOSING
    table.tamper = whole
    return table


def begun_alone(recovery: str = "off") -> Severed:
    """They go on without seat 3, and only seat 0 has all promises."""
    table = closing_without(recovery)
    whole = table.tamper
    table.tamper = lambda sender, to, data: None if to in (1, 2) and b"without" in data else whole(sender, to, data)
    table.wish_all(0, 1, 2)
    table.spend(1)
    phases = [client.table.record.phase for client in table.clients]
    assert phases[:3] == [Phase.CONFIRMING, Phase.CLOSING, Phase.CLOSING]
    table.tamper = whole
    return table


def confirmed_by_one() -> Severed:
    """They go on without seat 3, and the confirmation of seat 2 reaches neither of the others, for whom the match is not over."""
    table = closing_without()
    whole = table.tamper

    def keeps(sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        inner = map(decode, found.messages) if isinstance(found, Page) else [found]
        said = [each for each in inner if isinstance(each, Signed) and isinstance(each.message, Closed)]
        return None if any(each.seat == 2 for each in said) and sender == 2 else whole(sender, to, data)

    table.tamper = keeps
    table.wish_all(0, 1, 2)
    table.spend(1)
    return table
