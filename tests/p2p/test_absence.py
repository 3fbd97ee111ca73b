"""Who keeps a table waiting, as it is told to those who watch."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2p.absence import MAX_BYTES, NOBODY, PREFIX, Absence, decode_absence
from p2p.watcher import Watcher
from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.schema import MAX_SEATS
from protocol.table.roster import TableOptions
from protocol.wire import pack
from tests.p2p.aio import run, until
from tests.p2p.test_node import party

SEATS = st.sets(st.integers(0, MAX_SEATS - 1)).map(lambda seats: tuple(sorted(seats)))
ALL = tuple(range(MAX_SEATS))


@given(SEATS, SEATS, SEATS)
def test_it_is_read_as_it_was_written(awaited: tuple[int, ...], away: tuple[int, ...], asleep: tuple[int, ...]) -> None:
    told = Absence(awaited, away, asleep)
    assert decode_absence(told.encode()) == told


def test_the_longest_has_the_most_bytes_that_are_read() -> None:
    assert len(Absence(ALL, ALL, ALL).encode()) == MAX_BYTES


@pytest.mark.parametrize(
    "value",
    [
        [[0], [1]],
        [[], [], [], []],
        [0, [], []],
        [[1, 0], [], []],
        [[], [2, 2], []],
        [[], [], [MAX_SEATS]],
        [[-1], [], []],
        [[True], [], []],
        [["0"], [], []],
        [[[0]], [], []],
        {"a": []},
    ],
)
def test_anything_else_is_refused(value: object) -> None:
    with pytest.raises(BadMessage):
        decode_absence(pack(value))


@given(st.binary(max_size=2 * MAX_BYTES))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        told = decode_absence(data)
    except BadMessage:
        return
    assert told.encode() == data


def test_a_watcher_passes_over_what_it_cannot_read_and_what_it_does_not_know() -> None:
    """So did watchers before there was any of this: they knew of no kind but the transcript."""

    async def scene() -> None:
        watcher = Watcher(Identity(b"w" * 32))
        heard = list[Absence | None]()
        watcher.on_absence = lambda: heard.append(watcher.absence)
        reading = asyncio.create_task(watcher._read())
        for data in (b"", b"x", PREFIX, PREFIX + b"\xc1", b"w" + Absence((1,)).encode(), PREFIX + NOBODY.encode()):
            assert watcher._on_message(b"", data) is None
        await until(lambda: len(heard) == 2)
        assert heard == [Absence((1,)), NOBODY]
        assert not reading.done() and watcher.scenes.empty()
        await watcher.close()

    run(scene())


@pytest.mark.sockets
@pytest.mark.usefixtures("toy_programs")
def test_who_watches_hears_who_sleeps_is_away_and_keeps_the_table_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("p2p.streaming.LOOK_S", 0.05)
    monkeypatch.setattr("protocol.table.waits.OVERDUE_S", 0.1)

    async def scene() -> None:
        async with party(tmp_path) as friends:
            await friends.deal(TableOptions(pause=0, grace=0))
            one, other = friends.nodes
            seat = friends.driver(1).table.seat
            watcher = Watcher(Identity(b"w" * 32))
            await watcher.watch([("127.0.0.1", one.mesh.port)])
            await until(lambda: watcher.absence == NOBODY)
            other.mesh.sleep(True)
            await until(lambda: watcher.absence == Absence(asleep=(seat,)))
            other.mesh.sleep(False)
            await until(lambda: watcher.absence == NOBODY)
            await friends.nodes.pop().close()
            await until(lambda: watcher.absence == Absence((seat,), (seat,)))
            # Nothing of it is written down, or sent to anybody who comes for the transcript alone.
            assert all(not each.startswith(PREFIX) for each in friends.driver(0).table.record.transcript)
            await watcher.close()

    run(scene())
