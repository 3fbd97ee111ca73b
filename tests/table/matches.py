"""What holds of every match that was played to its end."""

from __future__ import annotations

from protocol.table.events import Accused, Differs, MatchOver
from protocol.table.record import Phase
from protocol.table.verify import verify
from protocol.wire import frame
from tests.table.tables import Tables, stream


def assert_all_agree(tables: Tables) -> None:
    """The same end at every seat, byte for byte, nobody accused, and a file that proves it."""
    assert_nobody_accused(tables)
    first = tables.clients[0]
    for client in tables.clients:
        record = client.table.record
        assert record.phase is Phase.OVER, tables.where()
        assert record.previous == first.table.record.previous
        assert record.scores == first.table.record.scores
        assert record.breaches == (), "the audit asks the same question as the table before each move"
        assert client.transcript == first.transcript
        assert [event.match for event in client.events if isinstance(event, MatchOver)][-1:] in (
            [record.previous],
            [],  # it was away at the very end, and has it from its journal
        )
    report = verify(file_of(tables, 0), stream(1))
    assert report.ok, report.failed
    assert report.complete
    assert report.match == first.table.record.previous
    assert report.scores == first.table.record.scores


def assert_nobody_accused(tables: Tables) -> None:
    """No event says that anyone cheated or is in another state, at any seat."""
    for index, client in enumerate(tables.clients):
        found = [event for event in client.events if isinstance(event, Accused | Differs)]
        assert not found, f"seed {tables.seed}: client {index}: {found}"
        assert client.table.record.broken is None


def file_of(tables: Tables, index: int) -> bytes:
    """A client's transcript as it stands in its file."""
    return b"".join(frame(data) for data in tables.clients[index].transcript)
