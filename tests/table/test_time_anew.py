"""The table's time of a seat that comes back begins anew, and nobody can stretch it for ever, nor for another."""

from __future__ import annotations

import pytest

from protocol.messages import Ask
from protocol.signed import sign
from protocol.table.events import CameBack
from protocol.table.waits import MOST_RETURNS, OVERDUE_S
from tests.table.waiting import Waiting

pytestmark = pytest.mark.usefixtures("toy")

TIME_S = 20.0


def ask(tables: Waiting, index: int, height: int, counter: int = 1) -> bytes:
    """What a client signs that was started again at this height."""
    record = tables.clients[index].table.record
    message = Ask(counter, height, True, bytes(32))
    return sign(tables.clients[index].identity, record.table, record.epoch, record.epoch_hash, index, message).data


def hear(tables: Waiting, index: int, sender: int, data: bytes) -> bool:
    """Whether a client takes this for a return."""
    step = tables.clients[index].table.receive(sender, data, tables.now)
    tables.take(index, step)
    return any(isinstance(event, CameBack) for event in step.events)


@pytest.fixture
def tables() -> Waiting:
    """Four people, and the one in turn thinks."""
    found = Waiting(time=int(TIME_S * 1000))
    found.until_thinking()
    return found


def test_who_holds_the_table_up_by_coming_back_has_its_time_a_few_times_more(tables: Waiting) -> None:
    record = tables.clients[0].table.record
    turn = record.game.awaited(record.state)[0]
    other = (turn + 1) % 4
    tables.clients[turn].is_down = True  # its own program makes no move for it
    since, height = tables.now, record.height
    while tables.told(other).awaited != (turn,) or tables.now < since + 3 * TIME_S:
        hear(tables, other, turn, ask(tables, turn, height, int(tables.now)))
        tables.spend(1)
        assert tables.now < since + TIME_S + MOST_RETURNS * (TIME_S + OVERDUE_S) + OVERDUE_S + 5
    assert tables.clients[other].table.record.height == height


def test_an_old_question_that_a_third_passes_on_is_no_return(tables: Waiting) -> None:
    height = tables.clients[0].table.record.height
    old, last, now = (ask(tables, 2, each) for each in (height - 2, height - 1, height))
    assert not hear(tables, 0, 2, old), "all have voted since: whoever asks that has been there after it"
    assert hear(tables, 0, 2, last), "it had not heard yet that its vote was the last"
    tables.spend(OVERDUE_S + 1)
    assert hear(tables, 0, 2, now)
    assert not hear(tables, 0, 2, now), "it says the same again"
