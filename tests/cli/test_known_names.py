"""A person is their key: a name that does not belong to it as before is noticed, once."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.clean import clean_name
from cli.client.names import MAX_SEEN, KnownNames
from cli.news import NameNoticed
from p2p.budgets import TALK
from p2p.journal import Journal
from tests.adversaries.declared import By, attack

MIA, OTHER, NEW = b"m" * 32, b"o" * 32, b"n" * 32


@attack(
    By.ROOM,
    "Somebody uses the name of a person you know.",
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


ALIKE = [
    "Mia ",
    "Mia\u200b",
    "M\u00adia",
    "Mi\u034fa",
    "Mia\ufe0f",
    "Mia\u3164",
    "\u202eMia",
    "MIA",
    "\uff2d\uff49\uff41",
    "M\u0456\u0430",
    "\u039cia",
    "M1a",
    "Mia\u180b",
    "Mia\U00016fe4",
    "M\u0131a",
    "M\u04c0a",
    "\ua4df\ua4f2\ua4ee",
    "\u13b7\u13a5\u13aa",
]


@attack(
    By.ROOM,
    "Somebody uses a name that looks like that of a person you know, with invisible or similar letters.",
    "On entering the room: names are compared by how they look.",
)
@pytest.mark.parametrize("name", ALIKE, ids=ascii)
def test_a_name_that_looks_like_a_known_one_is_noticed(name: str, tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    journal.remember_peer(MIA, "Mia", at=1.0)
    assert KnownNames(journal).notice(OTHER, name) == NameNoticed(OTHER, clean_name(name))
    assert KnownNames(journal).notice(MIA, name) is None, "it is the same name to whoever reads it"
    journal.close()


@pytest.mark.parametrize("name", ["Maria", "Mi", "Mía", "Lena", "ミア", "Миа и Лена", "Mia 2"])
def test_other_names_are_other_names(name: str, tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal.sqlite")
    journal.remember_peer(MIA, "Mia", at=1.0)
    assert KnownNames(journal).notice(OTHER, name) is None
    assert KnownNames(journal).notice(MIA, name) == NameNoticed(MIA, clean_name(name), "Mia")
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
