"""A person is their key: a name that does not belong to it as before is noticed, once."""

from __future__ import annotations

from pathlib import Path

from cli.client.names import MAX_SEEN, KnownNames
from cli.news import NameNoticed
from p2p.budgets import TALK
from p2p.journal import Journal
from tests.adversaries.declared import By, attack

MIA, OTHER, NEW = b"m" * 32, b"o" * 32, b"n" * 32


@attack(
    By.ROOM,
    "Somebody takes the name of a person whom you know.",
    "On entering the room: a known name with a new key, and a known key with a new name, are pointed out.",
)
def test_odd_names_are_noticed_once(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    journal.remember_peer(MIA, "Mia", at=1.0)
    names = KnownNames(journal)
    assert names.notice(MIA, "Mia") is None
    assert names.notice(NEW, "Jonas") is None
    assert names.notice(OTHER, "Mia") == NameNoticed(OTHER, "Mia")
    assert names.notice(MIA, "Maria") == NameNoticed(MIA, "Maria", "Mia")
    assert names.notice(MIA, "Maria") is None
    journal.close()


def test_ever_new_names_are_neither_remembered_nor_all_told(tmp_path: Path) -> None:
    """A host can show any number of them."""
    journal = Journal.open(tmp_path / "journal.sqlite")
    journal.remember_peer(MIA, "Mia", at=1.0)
    names = KnownNames(journal)
    told = [names.notice(number.to_bytes(32, "big"), "Mia", number / 100) for number in range(2 * MAX_SEEN)]
    assert sum(each is not None for each in told) <= TALK.burst + 2 * MAX_SEEN / 100 + 1
    assert len(names._seen) <= MAX_SEEN
    journal.close()
