"""A seat that calls for one epoch after another that leaves nobody out does not stop the match."""

from __future__ import annotations

import pytest

from protocol.messages import Without
from tests.independent.verifier import verify as independent
from tests.table.matches import file_of
from tests.table.parting import OVERDUE_S, Parting
from tests.table.waiting import LONG

CALLER = 1


class Calling(Parting):
    """One signs for another epoch with everybody as soon as the last one has begun."""

    calls = 0

    def call(self) -> None:
        client = self.clients[CALLER]
        record = client.table.record
        if client.is_down or record.ledger.departures.promised > record.epoch or not client.table.is_present:
            return
        number, height, everybody = record.epoch + 1, record.certified_height, record.present
        promise = Without(number, everybody, everybody, height, record.previous, None, (), (), ())
        self.calls += 1
        assert self.calls < 50, "the others answer every call"
        client.table.signer.say(promise)
        self.take(CALLER, client.table.wake(self.now))

    def turn(self) -> bool:
        if self.clients[CALLER].table.record.height > 2:
            self.call()
        return super().turn()


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
@pytest.mark.parametrize("recovery", ["off", "on"])
def test_the_others_answer_no_more_calls_than_some_and_vote(recovery: str) -> None:
    table = Calling(seats=4, recovery=recovery)
    table.start()
    table.spend(OVERDUE_S)
    assert 3 < table.clients[0].table.record.epoch < 8
    table.spend(LONG)
    assert table.clients[0].table.record.epoch < 8
    assert CALLER in [table.clients[0].table.record.seating[seat] for seat in table.told(0).awaited]
    for index in (0, 2, 3):
        table.wish(index)
    table.vanish(CALLER)
    table.spend(2)
    assert [list(event.without) for event in table.began(0) if event.without] == [[table.seat_of(CALLER)]]
    table.play()
    table.assert_played_on(table.seat_of(CALLER))


@pytest.mark.usefixtures("toy_for_both")
def test_a_promise_that_leaves_nobody_out_does_not_make_the_round_void() -> None:
    """Else a player who is about to lose could have it dealt again, by one message that accuses nobody."""
    table = Parting(seats=4, seed=5, recovery="auto", rounds=1)
    table.until_playing(5)
    client = table.clients[1]
    record = client.table.record
    client.table.signer.say(Without(1, record.present, record.present, 4, record.previous, None, ()))
    table.take(1, client.table.wake(table.now))
    table.play(40_000)
    table.assert_played_on()
    for index in range(4):
        (began,) = table.began(index)
        assert began.void is None and not began.without
    assert independent(file_of(table, 0)).ok
