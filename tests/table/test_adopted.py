"""The entry above the start of an epoch counts if all who stay have voted alike for it: whoever alone holds its certificate, and
vanishes, takes nothing with them. And whoever comes back with that certificate finds the others where they are."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import Ask, Vote
from protocol.signed import Signed, decode, sign
from protocol.table.comparing import contradictory
from protocol.table.events import Accused, EpochBegan, Moved, MoveLost, RoundClosed
from protocol.table.record import Phase, Record
from protocol.table.verify import verify
from protocol.values import replace
from tests.table.matches import file_of
from tests.table.returning import Returning
from tests.table.tables import stream

pytestmark = pytest.mark.usefixtures("toy")


class Keeping(Returning):
    """A table in which one vote reaches only one of the others, however often it is shown."""

    kept: tuple[int, int, int] | None = None
    """Whose vote, at which height, and who alone is told."""

    def __init__(self, **other: Any) -> None:
        super().__init__(**other)
        self._held: bytes | None = None

    def post(self, sender: int, to: int, data: bytes) -> None:
        if self.kept is not None:
            by, height, alone = self.kept
            found = decode(data)
            if isinstance(found, Signed) and (found.seat, found.message.slot) == (by, ("vote", height)):
                self._held = data
            if to not in (by, alone) and self._held is not None and self._held in data:
                return
        super().post(sender, to, data)


def record_of(table: Returning, index: int) -> Record:
    return table.clients[index].table.record


def all_of(table: Returning) -> list[int]:
    return [index for index in range(table.game.seats) if index not in table.gone]


def voted(recovery: str = "on", author_leaves: bool = False, at: int = 4, **other: Any) -> tuple[Keeping, int]:
    """All have voted for a move, but only one who vanishes holds all votes: the one after the mover or, with that one, the
    mover. Return the table, and who holds all."""
    table = Keeping(**{"seats": 4 + author_leaves, "recovery": recovery, "options": {"hand": 5, "target": 500}} | other)
    table.until_playing(at)
    table.think = True
    table.run(table.is_quiet)
    mover, height = table.game.awaited(record_of(table, 0).state)[0], record_of(table, 0).height
    after = (mover + 1) % table.game.seats
    holder = mover if author_leaves else after
    table.kept = after, height, holder
    table.take(mover, table.clients[mover].table.act(table.clients[mover].moves[0][0], table.now))
    table.run(lambda: record_of(table, holder).certified_height == height)
    for gone in {after, holder}:
        table.vanish(gone)
    table.run(table.is_quiet)
    assert {record_of(table, index).certified_height for index in all_of(table)} == {height - 1}
    return table, holder


def go_on(table: Keeping) -> dict[int, tuple[int, bytes]]:
    """Those who are left vote to go on, without one after the other. Return at which certificate the epoch began for each."""
    table.kept = None
    found: dict[int, tuple[int, bytes]] = {}

    def all_began() -> bool:
        for index in all_of(table):
            record = record_of(table, index)
            if record.epoch:
                found.setdefault(index, (record.certified_height, record.previous))
        return len(found) == len(all_of(table))

    while not all_began():
        table.run(lambda: all(table.clients[index].table.waits.late for index in all_of(table)))
        table.spend(45)
        for index in all_of(table):
            table.wish(index)
        table.run(lambda: all_began() or table.is_quiet())
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("recovery", "author_leaves"), [("on", False), ("off", True), pytest.param("off", False, marks=pytest.mark.soak)]
)
def test_a_move_stands(recovery: str, author_leaves: bool) -> None:
    table, holder = voted(recovery, author_leaves)
    alone = record_of(table, holder)
    assert alone.round is not None
    history = alone.round.history
    for began in go_on(table).values():
        assert began == (alone.certified_height, alone.previous), "the same certificate, though they lack a vote of it"
    for index in all_of(table):
        record = record_of(table, index)
        assert not [event for event in table.clients[index].events if isinstance(event, MoveLost)]
        assert len([event for event in table.clients[index].events if isinstance(event, Moved)]) == len(history)
        if recovery == "on":
            assert record.round is not None and record.round.history[: len(history)] == history
        else:
            assert record.phase is Phase.BETWEEN and record.match.departed == {}
    table.think = False
    table.play()
    table.assert_played_on(*table.gone)


def test_who_moved_and_voted_is_not_told_of_the_move_twice() -> None:
    table, holder = voted()
    go_on(table)
    table.come_back(holder)
    table.run(lambda: record_of(table, holder).epoch == 1)
    before = [event for event in table.clients[holder].events if isinstance(event, Moved)]
    began = [event for event in table.clients[holder].events if isinstance(event, EpochBegan)]
    assert len(before) == len(record_of(table, 0).round.history), "the move that it has counted is not told again"  # type: ignore[union-attr]
    assert not began[-1].is_dropped


def first_vote(phase: Phase, **options: Any) -> int:
    """The height of the first closing, or of the opening after it."""
    table = Returning(**options)
    table.start()
    while (record := record_of(table, 0)).phase is not phase or record.height < 2:
        table.move_someone()
        table.turn()
    return record.height


def holding(phase: Phase, rounds: int = 1) -> tuple[Keeping, int]:
    """All have voted alike in this phase, but only one of them holds all votes, and vanishes."""
    options: dict[str, Any] = {"seats": 3, "options": {"hand": 2, "target": 500}, "rounds": rounds}
    height, holder = first_vote(phase, **options), 1
    table = Keeping(**options)
    table.kept = holder, height, holder
    table.start()
    while record_of(table, holder).certified_height < height:
        table.move_someone()
        table.turn()
    table.vanish(holder)
    table.run(table.is_quiet)
    assert {record_of(table, index).certified_height for index in all_of(table)} == {height - 1}
    return table, holder


@pytest.mark.slow
@pytest.mark.parametrize("phase", [Phase.CLOSING, Phase.BETWEEN, Phase.PLAYING])
def test_whoever_holds_the_certificate_comes_back(phase: Phase) -> None:
    """Its file is that of the others, from where they have gone on without it."""
    rounds = 2 if phase is Phase.PLAYING else 3
    table, holder = voted(rounds=rounds) if phase is Phase.PLAYING else holding(phase, rounds=rounds)
    height = record_of(table, holder).certified_height
    began = go_on(table)
    is_opening = phase is Phase.BETWEEN
    assert {at for at, _ in began.values()} == {height - is_opening}, (
        "an opening is not adopted, as its round would be void"
    )
    table.think = False
    table.come_back(holder)
    table.until_seated(holder)
    table.play()
    table.assert_played_on()
    assert record_of(table, 0).rounds_closed == rounds
    told = [
        {event.round: event.scores for event in client.events if isinstance(event, RoundClosed)}
        for client in table.clients
    ]
    assert told[holder] == told[0] and len(told[0]) == rounds


@pytest.mark.slow
def test_the_last_closing_is_the_same_for_whoever_holds_all_votes() -> None:
    table, _ = holding(Phase.CLOSING)
    go_on(table)
    table.spend(1)
    assert [client.table.is_over for client in table.clients] == [True] * 3
    assert len({record_of(table, index).previous for index in range(3)}) == 1
    reports = [verify(file_of(table, index), stream(1)) for index in range(3)]
    assert [report.ok and report.over for report in reports] == [True] * 3
    assert contradictory(reports) == [] and len({report.places for report in reports}) == 1


@pytest.mark.slow
@pytest.mark.parametrize("recovery", ["on", pytest.param("off", marks=pytest.mark.soak)])
def test_whoever_need_not_have_known_of_the_last_move_has_withheld_nothing(recovery: str) -> None:
    """The last move of the round is adopted: whoever is left out may not have known that its keys were due."""
    options: dict[str, Any] = {"seats": 4, "options": {"hand": 2, "target": 500}, "recovery": recovery, "rounds": 1}
    whole = Returning(**options)
    whole.start()
    whole.run(whole.is_quiet)
    while (round := record_of(whole, 0).round) is None or record_of(whole, 0).phase is not Phase.CLOSING:
        whole.move_someone()
        whole.turn()
    last = round.history[-1]
    table, holder = Keeping(**options), (last.seat + 1) % 4
    table.kept = holder, last.height, holder
    table.start()
    while record_of(table, holder).certified_height < last.height:
        table.move_someone()
        table.turn()
    table.vanish(holder)
    table.run(table.is_quiet)
    assert {at for at, _ in go_on(table).values()} == {last.height}
    table.play()
    table.assert_played_on(holder)
    assert all(record_of(table, index).match.departed == {} for index in all_of(table))
    assert (record_of(table, 0 if holder else 1).rounds_closed == 1) == (recovery == "on")


@pytest.mark.slow
def test_the_default_move_of_a_seat_that_left_stands() -> None:
    table = Keeping(seats=5, recovery="on", options={"hand": 5, "target": 500})
    table.until_playing(4)
    table.leave(1)
    table.run(lambda: all(record_of(table, index).epoch == 1 for index in all_of(table)))
    holder = 3
    while table.kept is None:
        table.move_someone()
        table.turn()
        record = record_of(table, holder)
        if record.phase is Phase.PLAYING and table.game.awaited(record.state) == (1,) and record.height > 5:
            table.kept = holder, record.height, holder
    assert table.kept is not None
    _, height, _ = table.kept
    table.run(lambda: record_of(table, holder).certified_height == height)
    table.vanish(holder)
    table.run(table.is_quiet)
    for index in all_of(table):
        due = table.clients[index].due
        assert due is not None and due > table.now + 0.5, "who has voted for it need not look again and again"
    alone = record_of(table, holder)
    assert alone.round is not None and alone.round.history[-1].seat == 1
    began: dict[int, tuple[int, bytes]] = {}

    def all_began() -> bool:
        for index in all_of(table):
            record = record_of(table, index)
            if record.epoch == 2:
                began.setdefault(index, (record.certified_height, record.previous))
        return len(began) == len(all_of(table))

    table.kept = None
    table.until_awaited(holder)
    table.spend(45)
    for index in all_of(table):
        table.wish(index)
    table.run(all_began)
    assert {*began.values()} == {(height, alone.previous)}
    table.play()
    table.assert_played_on(1, holder)


def test_of_two_proposals_the_one_that_was_voted_for_counts() -> None:
    """The mover has told somebody, who was left out then, that it voted for something else. Whoever follows the others has heard
    that first, and still finds them."""
    table = Keeping(seats=4, recovery="on", options={"hand": 5, "target": 500})
    mover = table.until_thinking()
    left, height = (mover + 1) % 4, record_of(table, 0).height
    record = record_of(table, left)
    vote = Vote(height, record.previous, record.state_hash, bytes(32))
    table_id, epoch = table.roster.table_id, record.match.epoch
    false = sign(table.clients[mover].identity, table_id, 0, epoch.hash, mover, vote)
    table.tamper = lambda sender, to, data: None if left in (sender, to) else data
    table.take(left, table.clients[left].table.receive(mover, false.data, table.now))
    table.take(mover, table.clients[mover].table.act(table.clients[mover].moves[0][0], table.now))
    table.run(table.is_quiet)
    table.lose(left)
    table.gone.add(left)
    began = go_on(table)
    table.tamper = lambda sender, to, data: None if sender == left and not is_ask(data) else data
    table.clients[left].is_down = False
    table.gone.discard(left)
    for index in all_of(table):
        if index != left:
            table.take(index, table.clients[index].table.connected(left, table.now))
            table.take(left, table.clients[left].table.connected(index, table.now))
    table.run(lambda: bool(record_of(table, left).epoch))
    assert [event.seat for event in table.clients[left].events if isinstance(event, Accused)] == [mover]
    assert {at for at, _ in began.values()} == {height}
    round = record.round
    assert round is not None and (height, mover) in {(each.height, each.seat) for each in round.history}


@pytest.mark.slow
def test_another_vote_told_to_whoever_is_left_out_convicts() -> None:
    """A cheat votes as all who stay, but tells the one that vanishes of another vote. The promise denies that, which shows when
    that one is back: they go on without the cheat."""
    table = Keeping(seats=4, recovery="on", options={"hand": 5, "target": 500})
    mover = table.until_thinking()
    liar, left, height = (mover + 1) % 4, (mover + 2) % 4, record_of(table, 0).height

    def told(sender: int, to: int, data: bytes) -> bytes:
        found = decode(data)
        if (sender, to) != (liar, left) or not isinstance(found, Signed) or not isinstance(found.message, Vote):
            return data
        vote = replace(found.message, choice=bytes(32))
        return sign(table.clients[liar].identity, found.table, found.epoch, found.epoch_hash, liar, vote).data

    table.tamper, table.kept = told, (left, height, left)
    table.take(mover, table.clients[mover].table.act(table.clients[mover].moves[0][0], table.now))
    table.run(table.is_quiet)
    table.vanish(left)
    assert {at for at, _ in go_on(table).values()} == {height}
    table.tamper = lambda sender, to, data: data
    table.come_back(left)
    table.think = False
    table.play()
    table.gone = {liar}
    table.assert_played_on(liar)
    for client in table.clients:
        accused = [(each.seat, each.what) for each in client.events if isinstance(each, Accused)]
        assert client is table.clients[liar] or (
            {*accused} <= {(liar, "concealed"), (liar, "two-versions")} and accused
        )
        assert not [event for event in client.events if isinstance(event, MoveLost)]


def is_ask(data: bytes) -> bool:
    found = decode(data)
    return isinstance(found, Signed) and isinstance(found.message, Ask)
