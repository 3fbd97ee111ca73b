"""Seats and verifiers in one process verify the same proofs: each is computed once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.remembering import verified_once
from tests.simulator.toy import toy_group


@pytest.fixture(autouse=True, scope="package")
def remembering() -> Iterator[None]:
    with verified_once():
        yield


@pytest.fixture
def toy() -> Iterator[None]:
    """Arithmetic that costs nothing, where a test is about what a table does and not about what its proofs prove."""
    with toy_group():
        yield
