"""Random evenings of the model: no fork, nothing lost, nobody honest convicted, and no quorum stuck."""

from __future__ import annotations

import pytest

from .search import hunt

PART = 2500


def check(seeds: range) -> None:
    found = hunt(seeds)
    assert not found.faults, f"`python -m tests.model SEED` shows these evenings: {found.faults}"
    assert found.counts["epochs"] > len(seeds) / 2, "hardly an epoch began: the search looks at nothing"


@pytest.mark.slow
def test_no_evening_breaks_the_rules() -> None:
    check(range(100))


@pytest.mark.soak
@pytest.mark.parametrize("part", range(16), ids=lambda part: f"part{part}")
def test_many_evenings(part: int) -> None:
    check(range(1000 + part * PART, 1000 + (part + 1) * PART))
