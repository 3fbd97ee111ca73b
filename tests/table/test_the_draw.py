"""Until the seats are drawn everybody has a place in the roster: who was away there is away in the seat that it got."""

from __future__ import annotations

import pytest

from protocol.errors import IllegalMove
from protocol.table.early import EARLY_S
from protocol.table.roster import TableOptions
from protocol.table.waits import ASK_AFTER_S
from tests.table.parting import Parting
from tests.table.tables import Client, Link, Tables

pytestmark = pytest.mark.usefixtures("toy")
LOTS = TableOptions(lots=True, pause=0, grace=0)


@pytest.mark.parametrize("seed", range(5))
def test_who_was_lost_before_the_draw_is_missed_in_its_seat(seed: int) -> None:
    tables = Tables("crazy-eights", 5, {"target": 0}, seed=seed, link=Link(delay=0.1), table=LOTS)
    tables.start()
    place = 4
    for index in range(4):
        tables.take(index, tables.clients[index].table.lost(place, tables.now))
        assert tables.clients[index].table.record.seed is None
    tables.run(lambda: all(client.table.record.seed is not None for client in tables.clients), 20_000)
    seat = tables.clients[place].table.seat
    for index in range(4):
        table = tables.clients[index].table
        assert table.waits.away == {seat}
        tables.take(index, table.connected(seat, tables.now))
        assert not table.waits.away


def test_nobody_votes_to_go_on_without_itself_when_the_seats_are_drawn() -> None:
    """The vote was about a place in the roster, and another seat has its number now (simulator, seed 50832)."""
    tables = Tables("crazy-eights", 5, {"target": 0}, seed=1, link=Link(delay=0.1), table=LOTS)
    tables.tamper = lambda sender, to, data: None if sender == 4 and tables.now < 1040 else data
    tables.start()
    tables.run(lambda: tables.now >= 1039, 20_000)
    waiting = tables.clients[0].table
    assert waiting.waits.awaiting == {4} and waiting.record.seed is None
    tables.run(lambda: all(client.table.record.seed is not None for client in tables.clients), 20_000)
    assert tables.clients[4].table.seat != 4
    for index, client in enumerate(tables.clients):
        assert not client.table.waits.awaiting
        with pytest.raises(IllegalMove, match="nobody is missing"):
            tables.take(index, client.table.wish_on(True, tables.now))


def test_who_reads_of_the_draw_after_a_restart_never_waits_for_itself() -> None:
    """All of it comes in one page, and meanwhile nothing is to be signed (simulator, seed 311221)."""
    tables = Tables("crazy-eights", 5, {"target": 0}, seed=1, link=Link(delay=0.1), table=LOTS)
    is_cut = False
    others = tables.clients[1:]

    def has_drawn(client: Client) -> bool:
        return client.table.record.seed is not None

    tables.tamper = lambda sender, to, data: None if is_cut and (to == 0 or all(map(has_drawn, others))) else data
    tables.start()
    tables.run(lambda: tables.clients[0].table.record.ledger.store.get(0, 0, "nonce") is not None, 20_000)
    is_cut = True
    tables.run(lambda: all(map(has_drawn, others)), 20_000)
    tables.start_again(0)
    back = tables.clients[0]
    tables.run(lambda: len(back.table.waits.awaiting) == 4, 20_000)
    assert back.table.record.seed is None
    is_cut = False
    tables.reconnect(0)
    tables.run(lambda: back.table.record.seed is not None, 20_000)
    assert back.table.seat != 0
    assert back.table.seat not in back.table.waits.awaiting | back.table.waits.late.keys()
    with pytest.raises(IllegalMove):
        tables.take(0, back.table.wish_on(True, tables.now))


@pytest.mark.parametrize("whose", [0, 1])
def test_a_goodbye_after_the_draw_does_not_end_the_match_for_whoever_lacks_a_nonce(whose: int) -> None:
    """All others have drawn the seats and play on without seat 1; at the last one a nonce, the other's or its own, is missing."""
    tables, late = Parting(seed=5, seats=4), 3
    tables.tamper = lambda sender, to, data: None if to == late and b"nonce" in data and sender == whose else data
    tables.clients[late].table._showing.ask = lambda seat, own: None  # type: ignore[method-assign]
    tables.start()
    tables.run(tables.is_quiet)
    assert [client.table.record.seed is None for client in tables.clients] == [False, False, False, True]
    tables.tamper = lambda sender, to, data: None if to == late else data
    tables.leave(1)
    goodbye = tables.clients[0].table.record.ledger.departures.goodbyes[1]
    del tables.clients[late].table._showing.ask
    tables.tamper = lambda sender, to, data: data
    tables.take(late, tables.clients[late].table.receive(1, goodbye.data, tables.now))
    tables.spend(EARLY_S)
    tables.play()
    tables.assert_played_on(1)


@pytest.mark.parametrize("seed", range(3))
def test_the_keys_of_those_who_drew_before_us_are_not_asked_for(seed: int) -> None:
    """They have the last number before us, and say their keys at once: no time passes until we hold all keys."""
    tables = Tables("crazy-eights", 4, {"target": 0}, seed=seed, table=LOTS)
    held: list[tuple[int, bytes]] = []

    def later(sender: int, to: int, data: bytes) -> bytes | None:
        if to == 0 and b"nonce" in data:  # by itself, or in a page
            held.extend([(sender, data)] if b"nonce" in data[:60] else [])
            return None
        return data

    tables.tamper = later
    tables.start()
    tables.run(tables.is_quiet)
    late, others = tables.clients[0].table, tables.clients[1:]
    assert late.record.seed is None
    assert all(len(each.table.record.ledger.store.silent(range(4), 0, "prepare", 1)) == 1 for each in others)
    began = tables.now
    tables.tamper = lambda sender, to, data: data
    for sender, data in held:
        tables.post(sender, 0, data)
    tables.run(tables.is_quiet)
    assert late.record.seed is not None and tables.now == began
    assert late.record.preparing is not None and len(late.record.preparing.keys) == 4


def test_a_key_that_somebody_else_has_put_forward_before_our_draw_is_asked_for_soon() -> None:
    """Who passes messages on may put another's name to one: the key's real sender is asked all the same."""
    tables = Tables("crazy-eights", 3, {"target": 0}, table=LOTS)
    nonces: list[tuple[int, bytes]] = []

    def swapped(sender: int, to: int, data: bytes) -> bytes | None:
        if to == 0 and b"nonce" in data:
            nonces.extend([(sender, data)] if b"nonce" in data[:60] else [])
            return None
        is_key = to == 0 and sender == 1 and b"prepare" in data[:60]
        return data[:-1] + bytes([data[-1] ^ 1]) if is_key else data

    tables.tamper = swapped
    tables.start()
    tables.run(tables.is_quiet)
    table = tables.clients[0].table
    assert table.record.seed is None
    tables.tamper = lambda sender, to, data: data
    began = tables.now
    for sender, data in nonces:
        tables.post(sender, 0, data)
    tables.run(lambda: table.record.preparing is not None and len(table.record.preparing.keys) == 3)
    assert began < tables.now < began + ASK_AFTER_S / 2
