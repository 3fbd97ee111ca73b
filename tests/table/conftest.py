"""Seats and verifiers in one process verify the same proofs: each is computed once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.remembering import verified_once


@pytest.fixture(autouse=True, scope="package")
def remembering() -> Iterator[None]:
    with verified_once():
        yield


@pytest.fixture(autouse=True)
def hasty(hasty_bots: None) -> None:
    """Any match will do, but where its bytes are kept."""
