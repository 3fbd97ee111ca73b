"""A seat whose promise denies its own vote, both of which stand in the file, stays convicted when an epoch begins with it."""

from __future__ import annotations

import pytest

from protocol.signed import Signed
from protocol.table.epochs import Epoch, next_epoch
from protocol.table.verify import verify
from tests.table.matches import file_of
from tests.table.parting import Parting
from tests.table.promises import Promises
from tests.table.tables import stream

pytestmark = pytest.mark.usefixtures("toy")


def test_an_epoch_that_begins_with_a_liars_promise_does_not_clear_the_liar() -> None:
    table = Parting(seats=4, rounds=1, options={"hand": 3})
    table.until_height(4)
    table.run(table.is_quiet)
    promises, everybody = Promises(table), (0, 1, 2, 3)
    truth = {seat: promises.sign(1, seat, everybody) for seat in everybody[:3]}
    promises.height, promises.certificate = 0, table.roster.table_id
    lie = promises.sign(1, 3, everybody)
    promises.epochs[1] = next_epoch_of(promises, [*truth.values(), lie])
    assert promises.give([*truth.values(), lie]) == 1
    record = table.clients[0].table.record
    assert record.ledger.departures.convicted.keys() == {3}
    promises.height, promises.certificate = record.certified_height, record.previous
    numbered = record.ledger.departures.promised
    out = ((3, None),)
    rest = [promises.sign(numbered, seat, (0, 1, 2), 1, out=out) for seat in (1, 2)]
    assert promises.give(rest) == numbered
    report = verify(file_of(table, 0), stream(1))
    assert report.ok, report.failed
    assert [(each["seat"], each["what"]) for each in report.evidence] == [(3, "concealed")]


def next_epoch_of(promises: Promises, signed: list[Signed]) -> Epoch:
    return next_epoch(promises.table.roster.table_id, signed, promises.epochs[0])
