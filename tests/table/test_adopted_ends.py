"""What ends a round or a match is adopted as moves are. A match is over with that only when all who go on have said that they
have its end: whoever begins that epoch alone, and vanishes, has ended nothing."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from protocol.messages import Closed, Goodbye
from protocol.signed import decode, sign
from protocol.table.comparing import contradictory
from protocol.table.events import MatchOver, MatchShort, RoundClosed, RoundVoid
from protocol.table.record import Phase
from protocol.table.turn import Turn
from protocol.table.verify import Report, verify
from protocol.wire import frame
from tests.table.endings import Severed, begun_alone, closing_without, confirmed_by_one, kind_of
from tests.table.matches import file_of
from tests.table.tables import stream
from tests.table.test_adopted import Keeping, all_of, go_on, record_of
from tests.table.test_break_off import Reluctant, until_stuck

pytestmark = pytest.mark.usefixtures("toy")


class Stuck(Reluctant, Keeping):
    """Nobody begins the round, and one vote to break it off reaches only one of the others."""

    def __init__(self, recovery: str) -> None:
        super().__init__(game="tichu", seats=4, options={"target": 0}, recovery=recovery)


@pytest.mark.parametrize("recovery", ["on", "off"])
def test_a_break_off_stands(recovery: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Turn, "forced_at", None)
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


def reports_of(table: Severed, indexes: Iterable[int]) -> list[Report]:
    return [verify(file_of(table, index), stream(1)) for index in indexes]


def ends_of(table: Severed, index: int) -> list[type]:
    """What a player was told of the end."""
    kinds = RoundClosed, MatchOver, MatchShort
    return [type(event) for event in table.clients[index].events if isinstance(event, kinds)]


@pytest.mark.slow
@pytest.mark.parametrize("recovery", ["off", pytest.param("on", marks=pytest.mark.soak)])
def test_whoever_alone_saw_the_last_closing_adopted_has_not_ended_the_match(recovery: str) -> None:
    """It vanishes, and the others go on from the epoch before with the one that had not voted."""
    table = begun_alone(recovery)
    assert ends_of(table, 0) == [] and table.clients[0].table.awaited == (1, 2)
    table.vanish(0)
    table.join([(1, 3), (2, 3)])
    table.spend(5)
    table.wish_all(1, 2, 3)
    table.spend(5)
    table.play()
    reports = reports_of(table, range(4))
    assert [report.ok for report in reports] == [True] * 4
    assert [report.complete for report in reports] == [False, True, True, True]
    assert contradictory(reports) == []
    table.come_back(0)
    table.spend(15)
    table.assert_played_on(0)
    assert ends_of(table, 0) == ends_of(table, 1) == [RoundClosed, MatchOver]


@pytest.mark.parametrize("is_back", [True, False])
def test_whoever_alone_saw_the_end_of_a_match_that_lacks_a_player_has_not_ended_it(is_back: bool) -> None:
    """Two of three have voted to end it, and only one of them sees the epoch begin that leaves the third out."""
    table = Severed(game="tichu", seats=4, options={"target": 0})
    table.until_playing(4)
    table.leave(1)
    table.run(lambda: all(record_of(table, index).is_waiting_for_players for index in (0, 2, 3)))
    table.vanish(3)
    table.spend(62)
    assert {record_of(table, index).phase for index in (0, 2)} == {Phase.BETWEEN}
    table.tamper = lambda sender, to, data: None if to == 2 and b"without" in data else data
    table.wish_all(0, 2)
    table.spend(1)
    assert [record_of(table, index).phase for index in (0, 2)] == [Phase.CONFIRMING, Phase.BETWEEN]
    table.vanish(0)
    table.tamper = lambda sender, to, data: data
    table.come_back(3)
    table.spend(5)
    if is_back:
        table.come_back(0)
        table.spend(60)
    for _ in range(4):
        table.wish_all(*all_of(table))
        table.spend(5)
    table.spend(62)
    reports = reports_of(table, (0, 2, 3))
    assert [report.ok for report in reports] == [True] * 3
    assert [report.complete for report in reports] == [is_back, True, True]
    assert contradictory(reports) == []
    assert [ends_of(table, index) for index in (2, 3)] == [[MatchShort]] * 2
    assert len({record_of(table, index).previous for index in all_of(table)}) == 1


@pytest.mark.slow
def test_whoever_has_all_confirmations_ends_as_those_do_who_go_on_without_one() -> None:
    """One of three has them and vanishes before its own reaches the others."""
    table = confirmed_by_one()
    assert [record_of(table, index).phase for index in range(3)] == [Phase.CONFIRMING, Phase.CONFIRMING, Phase.OVER]
    assert ends_of(table, 0) == [] and table.clients[0].table.awaited == (2,)
    table.vanish(2)
    table.wish_all(0, 1)
    table.spend(5)
    assert [record_of(table, index).epoch for index in range(3)] == [2, 2, 1]
    assert [record_of(table, index).phase for index in range(3)] == [Phase.OVER] * 3
    assert [ends_of(table, index) for index in range(3)] == [[RoundClosed, MatchOver]] * 3
    reports = reports_of(table, range(3))
    assert [report.ok and report.over for report in reports] == [True] * 3
    assert contradictory(reports) == [] and len({report.places for report in reports}) == 1


@pytest.mark.slow
def test_whoever_has_all_confirmations_comes_back() -> None:
    table = confirmed_by_one()
    table.vanish(2)
    table.tamper = lambda sender, to, data: data
    table.come_back(2)
    table.spend(5)
    table.assert_played_on(3)
    assert record_of(table, 0).epoch == 1


@pytest.mark.slow
def test_the_tombstone_of_whoever_has_all_confirmations_ends_the_match() -> None:
    table = confirmed_by_one()
    tombstone = table.clients[2].table.tombstone()
    table.vanish(2)
    for index in (0, 1):
        table.take(index, table.clients[index].table.receive(2, tombstone, table.now))
    table.spend(1)
    assert [record_of(table, index).phase for index in (0, 1)] == [Phase.OVER] * 2
    assert table.clients[0].transcript == table.clients[1].transcript == table.clients[2].transcript


@pytest.mark.slow
def test_confirmations_count_for_whoever_has_begun_a_later_epoch() -> None:
    """Seat 0 has promised that epoch when it gets the last confirmation of the one before: it is needed no more."""
    table = confirmed_by_one()
    whole = table.tamper
    table.cut([(0, 2), (1, 2)])
    table.tamper = lambda sender, to, data: None if to == 0 and b"without" in data else whole(sender, to, data)
    table.wish_all(0, 1)
    table.spend(1)
    assert [record_of(table, index).epoch for index in range(3)] == [1, 2, 1]
    table.tamper = lambda sender, to, data: data if {sender, to} == {0, 2} else None
    table.join([(0, 2)])
    table.spend(4)
    assert [record_of(table, index).phase for index in range(3)] == [Phase.OVER, Phase.CONFIRMING, Phase.OVER]
    table.tamper = lambda sender, to, data: data if {sender, to} == {0, 1} else None
    table.spend(15)
    assert record_of(table, 1).epoch == 1
    table.gone.add(3)
    table.assert_played_on(3)


@pytest.mark.slow
def test_confirmations_in_a_later_epoch_are_kept_in_the_journal() -> None:
    table = confirmed_by_one()
    held = [
        signed.data for (_, _, slot), signed in record_of(table, 2).ledger.store.said.items() if slot == ("closed",)
    ]
    table.cut([(0, 2), (1, 2)])
    whole = table.tamper
    table.tamper = lambda sender, to, data: None if to == 0 and b"without" in data else whole(sender, to, data)
    table.wish_all(0, 1)
    table.spend(1)
    assert record_of(table, 1).epoch == 2
    for data in held:
        if decode(data).seat != 0:  # type: ignore[union-attr]
            table.take(1, table.clients[1].table.receive(2, data, table.now))
    table.vanish(1)
    table.come_back(1)
    for data in held:
        table.take(1, table.clients[1].table.receive(2, data, table.now))
    assert (record_of(table, 1).epoch, record_of(table, 1).phase) == (1, Phase.OVER)


def test_nobody_waits_where_somebody_leaves_for_good_before_the_last_vote() -> None:
    table = closing_without()
    leaver, before = table.clients[3], table.now
    table.join([(0, 3), (1, 3), (2, 3)])
    table.tamper = lambda sender, to, data: None if to == 3 else data
    table.take(3, leaver.table.leave(table.now))
    table.run(lambda: all(client.table.is_over for client in table.clients))
    assert table.now - before < 1, "one message of each more than the goodbye and the promises"
    assert {record_of(table, index).epoch for index in range(3)} == {1}
    table.run(table.is_quiet)
    table.gone.add(3)
    table.assert_played_on(3)


def test_no_goodbye_is_said_while_the_end_is_confirmed() -> None:
    table = confirmed_by_one()
    table.take(0, table.clients[0].table.leave(table.now))
    table.spend(1)
    table.tamper = lambda sender, to, data: data
    table.spend(15)
    table.assert_played_on(3)
    said = [kind_of(entry.data) for entry in table.clients[0].journal if entry.kind == "out"]
    assert Goodbye not in said and Closed in said


@pytest.mark.slow
def test_a_confirmation_of_another_end_counts_for_nothing() -> None:
    table = confirmed_by_one()
    record, identity = record_of(table, 0), table.clients[2].identity
    false = sign(identity, record.table, 1, record.epoch_hash, 2, Closed(bytes(32)))
    table.take(0, table.clients[0].table.receive(2, false.data, table.now))
    assert record.phase is Phase.CONFIRMING and table.clients[0].table.awaited == (2,)


@pytest.mark.slow
def test_a_file_holds_the_confirmations() -> None:
    table = closing_without()
    table.wish_all(0, 1, 2)
    table.spend(1)
    frames = table.clients[0].transcript
    assert [kind_of(each) for each in frames[-3:]] == [Closed] * 3

    def report(*chosen: bytes) -> Report:
        return verify(b"".join(map(frame, chosen)), stream(1))

    assert report(*frames).over
    for count in (1, 2, 3):
        found = report(*frames[:-count])
        assert found.ok and not found.complete, "the match is not over"
        assert (found.match, found.scores) == (record_of(table, 0).previous, record_of(table, 0).scores)
    assert report(*frames[:-3], *frames[:-4:-1]).failed is not None, "in another order"
    assert report(*frames, frames[-1]).failed is not None
