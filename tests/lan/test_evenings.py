"""A few matches with trouble between real processes; `python -m tests.lan.evenings` plays as many as wanted."""

from __future__ import annotations

import pytest

from tests.lan.evenings import play
from tests.lan.lab import reason_not

pytestmark = [pytest.mark.netns, pytest.mark.soak, pytest.mark.timeout(900)]


@pytest.mark.skipif(reason_not() is not None, reason=reason_not() or "")
@pytest.mark.parametrize("seed", range(1, 7))
def test_a_match_with_trouble_comes_to_its_end(seed: int) -> None:
    found = play(seed)
    assert "wrong" not in found, repr(found)
