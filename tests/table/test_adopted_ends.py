"""What ends a round or a match early is adopted as moves are: a break-off, or the end of a match that lacks a player."""

from __future__ import annotations

import pytest

from protocol.table.comparing import contradictory
from protocol.table.events import MatchShort, RoundVoid
from protocol.table.record import Phase
from protocol.table.table import Table
from protocol.table.verify import verify
from tests.table.matches import file_of
from tests.table.tables import stream
from tests.table.test_abandoned_epochs import Cut
from tests.table.test_adopted import Keeping, all_of, go_on, record_of
from tests.table.test_break_off import Reluctant, until_stuck

pytestmark = pytest.mark.usefixtures("toy")


class Stuck(Reluctant, Keeping):
    """Nobody begins the round, and one vote to break it off reaches only one of the others."""

    def __init__(self, recovery: str) -> None:
        super().__init__(game="tichu", seats=4, options={"target": 0}, recovery=recovery)


@pytest.mark.parametrize("recovery", ["on", "off"])
def test_a_break_off_stands(recovery: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "_forced_at", None)
    table = Stuck(recovery)
    until_stuck(table)
    height, holder = record_of(table, 0).height, 1
    table.kept = holder, height, holder
    table.run(lambda: record_of(table, holder).certified_height == height)
    table.vanish(holder)
    table.run(table.is_quiet)
    alone = record_of(table, holder)
    assert alone.round is not None and alone.round.is_void
    assert {record_of(table, index).certified_height for index in all_of(table)} == {height - 1}
    assert set(go_on(table).values()) == {(height, alone.previous)}
    table.play()
    table.assert_played_on(holder)
    told = [[event.round for event in client.events if isinstance(event, RoundVoid)] for client in table.up()]
    assert told == [[1] * (recovery == "on")] * 3, "where its key is lost, nobody's hand is opened"
    assert record_of(table, 0).match.departed == {}, "it need not have known that its keys were due"
    said = [each for each in record_of(table, 0).transcript if b"break-off" in each[:60]]
    assert len(said) == 1, "the proposal is in the file, and the votes are not"


def test_the_end_stands() -> None:
    """A Tichu table has lost a player, and all who are left have voted to end the match. Who alone knows vanishes."""
    table = Keeping(game="tichu", seats=4, options={"target": 0})
    table.until_playing(4)
    table.leave(1)
    table.run(lambda: all(record_of(table, index).is_waiting_for_players for index in all_of(table)))
    height, holder = record_of(table, 0).height, 2
    table.kept = holder, height, holder
    table.run(lambda: record_of(table, holder).phase is Phase.OVER)
    table.vanish(holder)
    table.run(table.is_quiet)
    assert not any(record_of(table, index).is_over for index in all_of(table))
    table.kept = None
    while not all(record_of(table, index).epoch == 2 for index in all_of(table)):
        table.run(lambda: all(table.clients[index].table.waits.late for index in all_of(table)))
        table.spend(45)
        for index in all_of(table):
            table.wish(index)
        table.spend(1)
    assert all(record_of(table, index).ended_short for index in all_of(table))
    reports = [verify(file_of(table, index), stream(1)) for index in (0, holder, 3)]
    assert [report.ok and report.over for report in reports] == [True] * 3
    assert contradictory(reports) == [] and len({report.places for report in reports}) == 1
    for index in (0, holder, 3):
        assert len([event for event in table.clients[index].events if isinstance(event, MatchShort)]) == 1


def ended_alone(recovery: str) -> Cut:
    """All but seat 3 have voted for the last closing, and go on without it. Only seat 0 has all their promises."""
    table = Cut(seats=4, recovery=recovery, rounds=1, options={"hand": 2, "target": 500})
    table.start()
    whole = table.tamper
    table.tamper = lambda sender, to, data: None if to == 3 and b"reveal" in data[:60] else whole(sender, to, data)
    while {table.clients[index].table.record.phase for index in (0, 1, 2)} != {Phase.CLOSING}:
        table.move_someone()
        table.turn()
    table.run(table.is_quiet)
    table.cut([(0, 3), (1, 3), (2, 3)])
    assert table.clients[3].table.record.phase is not Phase.CLOSING
    table.tamper = lambda sender, to, data: None if to in (1, 2) and b"without" in data else whole(sender, to, data)
    table.wish_all(0, 1, 2)
    table.spend(1)
    assert [client.table.is_over for client in table.clients] == [True, False, False, False]
    table.tamper = whole
    return table


@pytest.mark.xfail(strict=True, reason="nothing shows the others that one of them may have ended the match")
@pytest.mark.parametrize("recovery", ["off", "on"])
def test_whoever_alone_saw_the_last_closing_adopted_has_the_same_end(recovery: str) -> None:
    """It vanishes, and the others go on from the epoch before with the one that had not voted."""
    table = ended_alone(recovery)
    table.vanish(0)
    table.join([(1, 3), (2, 3)])
    table.spend(5)
    table.wish_all(1, 2, 3)
    table.spend(5)
    table.play()
    reports = [verify(file_of(table, index), stream(1)) for index in range(4)]
    assert [report.ok and report.over for report in reports] == [True] * 4
    assert contradictory(reports) == []
