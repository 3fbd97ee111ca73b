"""A Tichu round in which nobody shows the Mah Jong: after ten seconds it is broken off, void, and the holder is named."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import BreakOff
from protocol.table.events import Accused, RoundClosed, RoundVoid
from protocol.table.record import Phase
from protocol.table.turn import Turn
from protocol.table.verify import verify
from tests.table.parting import Parting
from tests.table.tables import Link, Tables, stream

pytestmark = pytest.mark.usefixtures("toy")


@pytest.fixture
def unforced(monkeypatch: pytest.MonkeyPatch) -> None:
    """A modified client does not show the Mah Jong by itself."""
    monkeypatch.setattr(Turn, "forced_at", None)


class Reluctant(Tables):
    """Whoever holds the Mah Jong does not show it in the first round."""

    def move_someone(self) -> None:
        for index, client in enumerate(self.clients):
            table = client.table
            if client.is_down or not table.can_move or table.seat not in table.game.awaited(table.record.state):
                continue
            moves = [move for move in table.legal() if self.is_wanted(table, move)]
            if moves:
                self.take(index, table.act(moves[self.random.randrange(len(moves))], self.now))

    def is_wanted(self, table: Any, move: Any) -> bool:
        do = table.game.encode(move)["do"]
        return bool(do != "tichu" and (do != "show" or table.record.rounds_closed > 0))


def until_stuck(tables: Tables) -> int:
    """Play to the phase `show`; the seat that holds the Mah Jong."""
    tables.start()
    while not (tables.is_quiet() and all(in_show(client.table) for client in tables.clients)):
        tables.move_someone()
        if not tables.turn():
            continue
    return next(client.table.seat for client in tables.clients if "Mah" in client.table.cards)


def in_show(table: Any) -> bool:
    return table.record.phase is Phase.PLAYING and table.game.view(table.record.state)["phase"] == "show"


@pytest.mark.slow
def test_what_only_the_holder_can_do_is_done_for_it_in_time() -> None:
    """Somebody who types has to find out that the Mah Jong is to be shown."""
    tables = Reluctant("tichu", 4, {"target": 0}, seed=3, link=Link(delay=0.01))
    until_stuck(tables)
    stuck_at = tables.now
    tables.run(lambda: not any(in_show(client.table) for client in tables.clients))
    assert 4 < tables.now - stuck_at < 9
    assert {client.table.record.rounds_closed for client in tables.clients} == {0}


@pytest.mark.slow
@pytest.mark.usefixtures("unforced")
def test_a_round_that_nobody_begins_is_void_and_its_holder_named() -> None:
    tables = Reluctant("tichu", 4, {"target": 0}, seed=3, link=Link(delay=0.01))
    holder = until_stuck(tables)
    stuck_at = tables.now
    dealer = tables.clients[0].table.record.dealer
    tables.run(lambda: all(client.table.record.rounds_closed == 1 for client in tables.clients))
    assert 9 < tables.now - stuck_at < 20
    for client in tables.clients:
        void = next(event for event in client.events if isinstance(event, RoundVoid))
        assert [breach.seat for breach in void.breaches] == [holder]
        assert "Mah" in void.hands[holder]
        assert client.table.record.dealer == dealer
        assert client.table.record.scores == (0, 0)
    tables.play()
    for client in tables.clients:
        assert [event.round for event in client.events if isinstance(event, RoundClosed)] == [2]
        assert not [event for event in client.events if isinstance(event, Accused)]
    data = b"".join(len(each).to_bytes(4, "big") + each for each in tables.clients[2].transcript)
    report = verify(data, stream(1))
    assert report.ok and report.complete, report.failed
    assert [each["seat"] for each in report.evidence] == [holder]


@pytest.mark.slow
@pytest.mark.usefixtures("unforced")
def test_to_break_off_early_is_no_offence_and_waits_for_the_others_patience() -> None:
    tables = Reluctant("tichu", 4, {"target": 0}, seed=4)
    until_stuck(tables)
    started = tables.now
    eager = tables.clients[1].table
    record = eager.record
    eager.signer.say(BreakOff(record.height, record.previous, record.state_hash))
    tables.take(1, eager.wake(tables.now))
    tables.run(lambda: all(client.table.record.rounds_closed == 1 for client in tables.clients))
    assert tables.now - started > 9
    assert not [event for client in tables.clients for event in client.events if isinstance(event, Accused)]


@pytest.mark.slow
@pytest.mark.usefixtures("unforced")
@pytest.mark.parametrize("after_s", [9.0, 9.3, 9.6, 9.9])
def test_a_mah_jong_that_is_shown_at_the_last_moment_is_played_and_nobody_accused(after_s: float) -> None:
    """The move counts for a seat just as it would break the round off (simulator, seed 50028)."""
    tables = Reluctant("tichu", 4, {"target": 0}, seed=3, link=Link(delay=0.5))
    holder = until_stuck(tables)
    shown_at = tables.now + after_s
    index = next(index for index, client in enumerate(tables.clients) if client.table.seat == holder)
    tables.run(lambda: tables.now >= shown_at, 20_000)
    table = tables.clients[index].table
    show = next(move for move in table.legal() if table.game.encode(move)["do"] == "show")
    tables.take(index, table.act(show, tables.now))
    tables.run(lambda: not any(in_show(client.table) for client in tables.clients), 20_000)
    assert not [event for client in tables.clients for event in client.events if isinstance(event, Accused)]


@pytest.mark.usefixtures("unforced")
def test_nobody_breaks_off_while_somebody_is_away() -> None:
    tables = Reluctant("tichu", 4, {"target": 0}, seed=5)
    until_stuck(tables)
    for index, client in enumerate(tables.clients):
        if index != 2:
            tables.take(index, client.table.lost(tables.clients[2].table.seat, tables.now))
    tables.clients[2].is_down = True
    end = tables.now + 60
    while tables.now < end and tables.turn():
        pass
    assert all(client.table.record.rounds_closed == 0 for client in tables.up())


def test_a_round_that_is_not_stuck_cannot_be_broken_off() -> None:
    tables = Tables("crazy-eights", 3, {"target": 0}, seed=6)
    tables.start()
    tables.run(lambda: tables.is_quiet() and all(c.table.record.phase is Phase.PLAYING for c in tables.clients))
    liar = tables.clients[1].table
    record = liar.record
    data = liar.signer.sign(BreakOff(record.height, record.previous, record.state_hash)).data
    for index in (0, 2):
        tables.take(index, tables.clients[index].table.receive(liar.seat, data, tables.now))
        convicted = tables.clients[index].table.record.ledger.departures.convicted
        assert [(seat, accused.what) for seat, accused in convicted.items()] == [(liar.seat, "illegal-move")]


def test_a_round_that_goes_in_circles_is_broken_off_though_moves_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the games call stuck is for their tests; here every state of the first round is."""
    tables = Tables("crazy-eights", 3, {"target": 0, "hand": 15, "decks": 2}, seed=7, link=Link(delay=0.3))
    monkeypatch.setattr(
        type(tables.game), "is_stalled", lambda game, state: tables.clients[0].table.record.rounds_closed == 0
    )
    tables.start()
    while not all(client.table.record.rounds_closed for client in tables.clients):
        tables.move_someone()
        tables.turn()
    for client in tables.clients:
        void = [event for event in client.events if isinstance(event, RoundVoid)]
        assert [event.breaches for event in void] == [()], "nobody is to blame for a circle"
        assert client.table.record.height > 5, "moves were made meanwhile"


@pytest.mark.slow
@pytest.mark.usefixtures("unforced")
def test_a_stuck_round_does_not_wait_for_a_seat_that_was_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Parting(seats=4, rounds=2)
    table.until_height(5)
    table.vote_out(1)
    monkeypatch.setattr(
        type(table.game), "is_stalled", lambda game, state: table.clients[0].table.record.rounds_closed < 2
    )
    table.until_height(9)
    table.think = True
    table.spend(20)
    assert [event.round for event in table.clients[0].events if isinstance(event, RoundVoid)] == [2]
