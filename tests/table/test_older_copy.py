"""A home that was restored from an older copy: its own messages come back from the others, its round secret does not."""

from __future__ import annotations

import pytest

from protocol.errors import SecretLost
from protocol.table.step import Entry
from tests.table.matches import assert_all_agree
from tests.table.tables import Tables
from tests.table.waiting import Waiting

BACK = 2


def older(journal: list[Entry], own: int) -> list[Entry]:
    """What the journal held when this many messages of ours were in it."""
    ours = [index for index, entry in enumerate(journal) if entry.kind == "out"]
    return journal[: ours[own - 1] + 1]


def playing_again(own: int) -> Tables:
    """A match whose third client has lost everything behind so many of its own messages, secrets too."""
    tables = Waiting(seats=3, seed=5)
    tables.until_playing(height=5)
    tables.lose(BACK)
    journal = older(tables.clients[BACK].journal, own)
    assert len(journal) < len(tables.clients[BACK].journal)
    tables.clients[BACK].journal = journal
    tables.restart(BACK)
    return tables


def test_the_missing_key_is_found_and_named() -> None:
    tables = playing_again(own=2)
    with pytest.raises(SecretLost) as found:
        tables.play()
    assert found.value.round == 1
    said = {kind for _seat, _epoch, (kind, *_) in tables.clients[BACK].table.record.ledger.store.said}
    assert "prepare" in said


def test_where_the_key_is_in_the_copy_the_match_goes_on() -> None:
    tables = playing_again(own=5)
    tables.play()
    assert_all_agree(tables)
