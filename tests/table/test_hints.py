"""How much help each player takes is seen by all, also after a return, and never more than the table allows."""

from __future__ import annotations

import pytest

from protocol.errors import BadMessage
from protocol.messages import Hints
from protocol.signed import Signed, sign
from protocol.table.events import HintsChanged
from protocol.table.hints import TOLD_EVERY_S
from tests.table.matches import assert_all_agree
from tests.table.waiting import GONE, Waiting

pytestmark = pytest.mark.usefixtures("toy")

OFF, LEGAL, SUGGEST = range(3)
SECOND = TOLD_EVERY_S + 0.5


def take(tables: Waiting, index: int, level: int) -> None:
    tables.take(index, tables.clients[index].table.take_help(level, tables.now))


def told(tables: Waiting, index: int) -> dict[int, int]:
    """What a client was told last."""
    found = [event for event in tables.clients[index].events if isinstance(event, HintsChanged)]
    return dict(found[-1].levels) if found else {}


def signed(tables: Waiting, index: int, message: Hints) -> Signed:
    record = tables.clients[index].table.record
    return sign(tables.clients[index].identity, record.table, record.epoch, record.epoch_hash, index, message)


@pytest.fixture
def tables() -> Waiting:
    """Four people at their first round."""
    found = Waiting()
    found.until_thinking()
    return found


def test_what_is_wanted_before_the_first_deal_is_seen_after_it() -> None:
    tables = Waiting()
    for index, level in enumerate((LEGAL, SUGGEST, OFF, LEGAL)):
        take(tables, index, level)
    tables.until_thinking()
    tables.spend(SECOND)
    for index in range(4):
        assert told(tables, index) == {0: LEGAL, 1: SUGGEST, 2: OFF, 3: LEGAL}
    assert not tables.refused
    tables.think = False
    tables.play()
    assert_all_agree(tables)


def test_a_change_is_seen_and_the_match_is_as_it_was(tables: Waiting) -> None:
    before, lines = tables.marks(), [len(client.journal) for client in tables.clients]
    for level in (SUGGEST, OFF):
        take(tables, 1, level)
        tables.spend(SECOND)
        assert [told(tables, index) for index in range(4)] == [{1: level}] * 4
    assert tables.marks() == before
    assert [len(client.journal) for client in tables.clients] == lines, "hints are in no journal"


@pytest.mark.slow
def test_who_comes_back_is_shown_all_and_says_anew_what_it_wants_now(tables: Waiting) -> None:
    take(tables, GONE, SUGGEST)
    take(tables, 0, OFF)
    tables.spend(SECOND)
    tables.lose()
    take(tables, 1, LEGAL)
    tables.spend(SECOND)
    tables.restart(GONE)
    take(tables, GONE, LEGAL)  # the new run's counter begins low: what it says would be older than what others hold
    tables.spend(SECOND)
    tables.spend(SECOND)
    for index in range(4):
        assert told(tables, index) == {0: OFF, 1: LEGAL, GONE: LEGAL}


def test_a_table_may_forbid_suggestions() -> None:
    tables = Waiting(suggest=False)
    take(tables, 1, SUGGEST)
    tables.until_thinking()
    tables.spend(SECOND)
    assert told(tables, 0) == {1: LEGAL}


def test_an_older_word_is_dropped(tables: Waiting) -> None:
    take(tables, 1, SUGGEST)
    tables.spend(SECOND)
    old = next(iter(tables.clients[0].table.record.hints.values())).data
    take(tables, 1, OFF)
    tables.spend(SECOND)
    tables.take(0, tables.clients[0].table.receive(1, old, tables.now))
    tables.spend(SECOND)
    assert told(tables, 0) == {1: OFF}


def test_nobody_speaks_for_another(tables: Waiting) -> None:
    forged = signed(tables, 3, Hints(1, SUGGEST))
    record = tables.clients[0].table.record
    other = sign(tables.clients[3].identity, record.table, record.epoch, record.epoch_hash, 1, Hints(1, SUGGEST))
    tables.clients[0].table.receive(3, forged.data, tables.now)
    with pytest.raises(BadMessage):
        tables.clients[0].table.receive(3, other.data, tables.now)
    assert tables.clients[0].table.help.levels == {3: SUGGEST}


def test_a_level_that_does_not_exist_is_refused(tables: Waiting) -> None:
    data = signed(tables, 3, Hints(1, 3)).data
    with pytest.raises(BadMessage):
        tables.clients[0].table.receive(3, data, tables.now)


def test_who_changes_a_thousand_times_is_told_of_once_a_second(tables: Waiting) -> None:
    heard = len([event for event in tables.clients[0].events if isinstance(event, HintsChanged)])
    for counter in range(1, 1002):
        data = signed(tables, 1, Hints(counter, counter % 3)).data
        tables.take(0, tables.clients[0].table.receive(1, data, tables.now))
    tables.spend(SECOND)
    now = len([event for event in tables.clients[0].events if isinstance(event, HintsChanged)])
    assert now - heard == 2
    assert told(tables, 0) == {1: 1001 % 3}
    assert len(tables.clients[0].table.record.hints) == 1
