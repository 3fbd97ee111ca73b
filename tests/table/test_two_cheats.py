"""Two cheats who are caught in different order by the others are out together, without a vote."""

from __future__ import annotations

import pytest

from protocol.messages import Evidence, Message, Prepare, Shares, Without
from protocol.signed import Page, decode, sign
from protocol.table.record import Phase
from protocol.table.result import places_of_match
from protocol.values import replace
from tests.table.parting import OVERDUE_S, Parting

pytestmark = pytest.mark.usefixtures("toy")

KEY_CHEAT, SHARE_CHEAT = 0, 1
FIRST, SECOND = 2, 3


class Cheated(Parting):
    """One makes a false key for the next round, one false shares in this one. Each of two others catches one of them."""

    def __init__(self) -> None:
        super().__init__(seats=5, rounds=2)
        self.is_hidden = True
        self.held: dict[int, tuple[int, bytes]] = {}
        """By cheat: the letter that convicts it, and who will get it first."""
        self.tamper = self.forge

    def forge(self, sender: int, to: int, data: bytes) -> bytes | None:
        found = decode(data)
        is_cheat = sender in (KEY_CHEAT, SHARE_CHEAT)
        if isinstance(found, Page):
            return None if is_cheat or self.is_hidden else data  # what a cheat holds shows what it should have said
        message = found.message
        if isinstance(message, Evidence | Without) and (is_cheat or self.is_hidden):
            return None  # a cheat that promised to go on without the other would help the others
        if sender == KEY_CHEAT and isinstance(message, Prepare) and message.round == 2:
            other: Message = replace(message, key=message.key[:-1] + bytes([message.key[-1] ^ 1]))
            catches = FIRST
        elif sender == SHARE_CHEAT and isinstance(message, Shares) and message.height > 1:
            other = replace(message, shares=message.shares[:-1] + bytes([message.shares[-1] ^ 1]))
            catches = SECOND
        else:
            return data
        identity = self.clients[sender].identity
        forged = sign(identity, found.table, found.epoch, found.epoch_hash, found.seat, other).data
        if self.is_hidden and to == catches:
            self.held[sender] = to, forged
        return None if self.is_hidden else forged

    def catch(self, cheat: int) -> None:
        """Somebody gets what convicts a cheat."""
        to, data = self.held[cheat]
        self.take(to, self.clients[to].table.receive(self.seat_of(cheat), data, self.now))
        self.run(self.is_quiet)

    def convicted(self, index: int) -> set[int]:
        record = self.clients[index].table.record
        return {record.seating[seat] for seat in record.ledger.departures.convicted}


@pytest.mark.slow
def test_two_cheats_who_are_caught_in_different_order_are_out_together() -> None:
    table = Cheated()
    table.start()
    while len(table.held) < 2:
        table.move_someone()
        table.turn()
    table.run(table.is_quiet)
    table.catch(KEY_CHEAT)
    table.catch(SHARE_CHEAT)
    assert [table.convicted(index) for index in (FIRST, SECOND)] == [{KEY_CHEAT}, {SHARE_CHEAT}]
    table.is_hidden = False
    table.spend(OVERDUE_S - 1)
    left = {table.seat_of(KEY_CHEAT), table.seat_of(SHARE_CHEAT)}
    assert all(left.isdisjoint(client.table.record.present) for client in table.clients[FIRST:]), (
        "before anybody is missed"
    )
    for index in (KEY_CHEAT, SHARE_CHEAT):
        table.vanish(index)
    table.play()
    first, *others = table.up()
    for client in others:
        assert client.table.record.phase is Phase.OVER
        assert client.table.record.previous == first.table.record.previous
        assert places_of_match(client.table.record) == places_of_match(first.table.record)
