"""The seeds of matches that an earlier version kept as files still make the same bytes. What verifiers find in them is in
`tests/independent`."""

from __future__ import annotations

import pytest

from tests.table.kept.make import MATCHES, path, transcript

LONG = ("tichu-broken-off", "crazy-eights-split-votes", "crazy-eights-recycled", "mau-mau", "voted-out")
"""Others of their kind are played for the vectors, or stand here shorter."""


@pytest.fixture
def hasty() -> None:
    """Not here: it would be another match."""


@pytest.mark.slow
@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.soak if n in LONG else ()) for n in MATCHES])
def test_the_same_seeds_make_the_same_bytes(name: str) -> None:
    assert transcript(name) == path(name).read_bytes()
