"""Computers of a table, closed after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.adversaries.seats.linked import Linked

Link = Callable[..., Linked]


@pytest.fixture
def linked(tmp_path: Path) -> Iterator[Link]:
    """Makes a cheat over real links; it takes what a `Forger` takes."""
    made: list[Linked] = []
    numbers = count()

    def make(*given: Any, **settings: Any) -> Linked:
        made.append(Linked(tmp_path / str(next(numbers)), *given, **settings))
        return made[-1]

    yield make
    for each in made:
        each.close()
