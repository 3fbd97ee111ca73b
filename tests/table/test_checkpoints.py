"""A match is taken up again at a certificate, as an epoch will do that leaves a seat out, and comes to the same end."""

from __future__ import annotations

import pytest

from protocol.signed import decode_signed
from protocol.table import record as records
from protocol.table.record import Phase, Record
from protocol.table.roster import decode_roster, game_of
from protocol.wire import frames, unpack
from tests.table.kept.make import path
from tests.table.tables import stream


def read(name: str) -> tuple[Record, list[bytes]]:
    """A record that has heard nothing, and the messages of a kept match."""
    first, *rest = [each for _, each in frames(path(name).read_bytes())]
    roster = decode_roster(unpack(first)[1])
    return Record(roster, game_of(roster), stream(1)), rest


def play(record: Record, messages: list[bytes]) -> None:
    for data in messages:
        record.receive(decode_signed(data))
        while record.advance() or record.run_jobs():
            pass


NAMES = ["crazy-eights-by-lot", "crazy-eights-recycled", "macau-wars", "two-four-jack-breaches"]
SLOW = ["tichu", "crazy-eights-split-votes", "tichu-broken-off"]


@pytest.mark.parametrize("name", [*NAMES, *(pytest.param(each, marks=pytest.mark.slow) for each in SLOW)])
def test_a_match_goes_on_from_each_certificate_to_the_same_bytes(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(records, "KEPT_CERTIFICATES", 1 << 20)
    record, messages = read(name)
    play(record, messages)
    assert record.phase is Phase.OVER
    whole, end = list(record.transcript), record.now.match
    moments = list(record.certificates.values())[1:]
    assert len(moments) == len({moment.now.match.previous for moment in moments}) >= 5
    assert moments[-1].now is record.now
    for moment in reversed(moments[:: max(1, len(moments) // 12)]):
        record.return_to(moment)
        assert record.now == moment.now and record.transcript == whole[: moment.written]
        play(record, messages[moment.written - 1 :])
        assert record.transcript == whole
        assert (record.previous, record.scores, record.state_hash) == (end.previous, end.scores, end.state_hash)


def test_the_last_certificates_are_kept() -> None:
    record, messages = read("crazy-eights-short")
    play(record, messages)
    assert len(record.certificates) == records.KEPT_CERTIFICATES
    assert list(record.certificates)[-1] == record.previous


def test_a_return_forgets_what_came_after() -> None:
    """Another branch may follow: certificates of the first one do not belong to it, and memory stays bounded."""
    record, messages = read("crazy-eights-short")
    moments: list[records.Checkpoint] = []
    for data in messages:
        play(record, [data])
        last = list(record.certificates.values())[-1]
        if not moments or moments[-1] is not last:
            moments.append(last)
    record.return_to(moments[-2])
    assert list(record.certificates)[-1] == record.previous == moments[-2].now.match.previous
    assert len(record.certificates) == records.KEPT_CERTIFICATES - 1
    record.return_to(moments[2])
    assert list(record.certificates) == [record.previous]
    play(record, messages[moments[2].written - 1 :])
    assert len(record.certificates) == records.KEPT_CERTIFICATES
    assert record.phase is Phase.OVER
