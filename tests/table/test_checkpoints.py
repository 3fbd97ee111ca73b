"""The moments of the last certificates are kept: an epoch begins at one of them."""

from __future__ import annotations

from protocol.signed import decode_signed
from protocol.table import course
from protocol.table.record import Record
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


def test_the_last_certificates_are_kept() -> None:
    record, messages = read("crazy-eights-short")
    play(record, messages)
    assert len(record.certificates) == course.KEPT_CERTIFICATES
    assert list(record.certificates)[-1] == record.previous
