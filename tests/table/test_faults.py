"""Faults of our own: whatever our library, our code or a game raises, no peer is accused of it and no input is to blame."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.dealing.library import LibraryUnusable
from protocol.errors import BadMessage, BadOption, BadProof, FairdealError, GameFailed, IllegalMove
from protocol.table.events import Accused, Moved
from protocol.table.record import Phase
from protocol.table.roster import TableOptions
from protocol.table.work import Desk, Job, Result
from tests.table.tables import Tables

pytestmark = pytest.mark.usefixtures("toy")

ONE_ROUND = TableOptions(pause=0, grace=0, rounds=1)
SHORT: dict[str, Any] = {"hand": 2, "draw": "one", "target": 500}


def playing(seed: int = 1) -> Tables:
    """Two seats in the middle of a round, with nothing under way."""
    tables = Tables("crazy-eights", 2, SHORT, seed, table=ONE_ROUND)
    tables.start()
    tables.run(lambda: all(each.table.record.phase is Phase.PLAYING for each in tables.clients) and tables.is_quiet())
    return tables


def raising(error: Exception) -> Callable[..., Any]:
    def broken(*_: object, **__: object) -> Any:
        raise error

    return broken


# --- jobs ---


@pytest.mark.parametrize("fault", [BadMessage("x"), BadProof("x")])
def test_a_job_finds_a_peers_fault(fault: BadMessage) -> None:
    assert Job(("any",), raising(fault)).run() == Result(None, fault)


@pytest.mark.parametrize(
    "error", [LibraryUnusable("x"), IllegalMove("x"), BadOption("x"), GameFailed("g", KeyError()), KeyError("x")]
)
def test_anything_else_that_a_job_raises_is_our_own(error: Exception) -> None:
    assert Job(("any",), raising(error)).run() == Result(None, crash=error)


@pytest.mark.parametrize("error", [LibraryUnusable("no libsodium"), IllegalMove("no"), KeyError("no")])
@pytest.mark.parametrize("kind", ["chain", "shares", "proposal", "audit", "own"])
def test_a_failed_job_accuses_nobody(kind: str, error: Exception) -> None:
    """The library goes away, or a game fails, in the middle of any check."""
    tables = Tables("crazy-eights", 2, SHORT, 3, table=ONE_ROUND)
    tables.start()
    while not any(job.name[0] == kind for _, job in tables.jobs):
        tables.move_someone()
        assert tables.turn(), f"there was no {kind} job"
    index, job = next((index, job) for index, job in tables.jobs if job.name[0] == kind)
    table = tables.clients[index].table
    with pytest.raises(LibraryUnusable if isinstance(error, LibraryUnusable) else GameFailed):
        table.done(job, Job(job.name, raising(error)).run(), tables.now)
    assert table.record.broken is None
    assert not any(isinstance(event, Accused) for event in table.record.events)


def test_a_fault_in_our_own_work_accuses_nobody() -> None:
    tables = Tables("crazy-eights", 2, SHORT, 3, table=ONE_ROUND)
    tables.start()
    while not any(job.name[0] == "own" for _, job in tables.jobs):
        tables.turn()
    index, job = next((index, job) for index, job in tables.jobs if job.name[0] == "own")
    with pytest.raises(GameFailed):
        tables.clients[index].table.done(job, Result(None, BadProof("our own")), tables.now)


def test_a_result_that_nobody_waits_for_changes_nothing() -> None:
    """Work of a phase that has passed, or that was dropped and asked for again, comes back late."""
    desk = Desk()
    desk.ask(("proposal", 3, 1), lambda: "old", 99)
    (old,) = desk.take_jobs()
    desk.drop(lambda _name: True)
    assert not desk.done(old, Result("old"))
    desk.ask(("proposal", 3, 1), lambda: "new", 99)
    (new,) = desk.take_jobs()
    assert not desk.done(old, Result("old"))
    assert desk.result(new.name) is None
    assert desk.done(new, Result("new"))
    assert not desk.done(new, Result("again"))
    assert desk.result(new.name) == Result("new")


def test_work_that_was_dropped_before_anyone_took_it_is_not_done() -> None:
    desk = Desk()
    desk.ask(("remask", 3, 0, 1), lambda: None, 99)
    desk.drop(lambda _name: True)
    assert desk.take_jobs() == ()


def test_a_late_result_of_a_past_height_changes_nothing() -> None:
    tables = playing()
    kept: list[tuple[int, Job]] = []
    heights: dict[int, int] = {}
    while not kept:
        tables.move_someone()
        kept += [(index, job) for index, job in tables.jobs if job.name[0] == "proposal"]
        heights |= {index: tables.clients[index].table.record.height for index, _ in kept}
        tables.turn()
    index, job = kept[0]
    table = tables.clients[index].table
    for _ in range(10_000):
        if table.record.height > heights[index] + 1 or table.is_over:
            break
        tables.move_someone()
        tables.turn()
    before = table.record.now
    step = table.done(job, Result(None, BadProof("too late")), tables.now)
    assert table.record.now is before and step.events == ()
    step = table.done(job, Result(None, crash=KeyError("too late")), tables.now)
    assert table.record.now is before and step.events == ()


# --- games ---


@pytest.mark.parametrize("error", [BadMessage("no"), BadProof("no"), IllegalMove("no"), KeyError("no")])
def test_a_view_that_raises_is_not_the_fault_of_the_message_that_came(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move is committed and shown: the message that completed the votes was fine."""
    tables = playing()
    tables.move_someone()
    monkeypatch.setattr(type(tables.game), "public_view", raising(error))
    expected: type[Exception] = GameFailed if isinstance(error, FairdealError) else type(error)
    with pytest.raises(expected):
        tables.run(lambda: any(isinstance(event, Moved) for each in tables.clients for event in each.events))
    assert tables.refused == []
    assert all(each.table.record.broken is None for each in tables.clients)


def test_a_card_turned_up_that_the_rules_cannot_take_is_a_failure_of_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables("crazy-eights", 2, SHORT, 1, table=ONE_ROUND)
    monkeypatch.setattr(type(tables.game), "opened", raising(IllegalMove("no")))
    tables.start()
    with pytest.raises(GameFailed):
        tables.run(lambda: False)


# --- messages ---


def test_messages_of_the_next_height_and_repetitions_change_nothing() -> None:
    """Each letter comes twice, and in any order: votes of the next height before those of this one."""
    tables = playing()
    from_before: list[tuple[int, int, bytes]] = []

    def hold(sender: int, to: int, data: bytes) -> bytes:
        from_before.append((sender, to, data))
        return data

    tables.tamper = hold
    height = tables.clients[0].table.record.height
    tables.clients[0].is_down = True  # hears nothing for a while
    tables.run(lambda: tables.is_quiet())
    tables.clients[0].is_down = False
    tables.play()
    assert height < tables.clients[0].table.record.height
    for client in tables.clients:
        record = client.table.record
        said = dict(record.ledger.store.said)
        for sender, to, data in from_before:
            if tables.clients[to] is client:
                client.table.receive(record.seating.index(sender), data, tables.now)
        assert {key: signed for key, signed in record.ledger.store.said.items() if key in said} == said
        assert record.phase is Phase.OVER and record.broken is None
