"""Seats and verifiers in one process verify the same proofs: each is computed once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.remembering import verified_once
from tests.table.tables import Tables


@pytest.fixture(autouse=True, scope="package")
def remembering() -> Iterator[None]:
    with verified_once():
        yield


@pytest.fixture(autouse=True)
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots make for the end of their rounds: any match will do, but where its bytes are kept."""
    monkeypatch.setattr(Tables, "is_hasty", True)
