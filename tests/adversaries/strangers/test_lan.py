"""A match of four hosts while a fifth floods one of them: it goes on, at no great cost, and a friend gets in.

The pace itself is measured by `python -m tests.lan.hostile`, and by `fairdeal bench --only hostile` on one computer: on a
machine that runs other tests beside this one it would say little.
"""

from __future__ import annotations

import pytest

from cli.bench.floods import FLOODS
from tests.lan import hostile
from tests.lan.lab import reason_not
from tests.lan.trouble import long_match

pytestmark = [
    pytest.mark.netns,
    pytest.mark.slow,
    pytest.mark.timeout(300),
    pytest.mark.skipif(reason_not() is not None, reason=str(reason_not())),
]


@pytest.mark.soak
@pytest.mark.parametrize("flood", FLOODS)
def test_a_match_goes_on_under_a_flood(flood: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without budgets one link stopped it (0.02 of its pace), and calls took 886 MB. Attack and control take turns, so that what
    else this computer does slows down both; of five turns the median counts."""
    monkeypatch.setattr(hostile, "TURNS", 5)
    with long_match(hosts=6) as match:
        match.open_room(match.lab.hosts[5])
        figures = hostile.under(flood, match)
    assert figures.ratio >= 0.8
    assert figures.memory_mib < 60
    assert figures.files < 120
    assert figures.join_s < 10
