"""What a page rehearses is what a deal needs, and each step is short."""

from __future__ import annotations

from cli.phones import warming


def test_the_rehearsal_proves_and_verifies() -> None:
    for step in warming.steps():
        step()
    assert len(warming.steps()) == 2 * warming.TIMES
