"""Computers of a table, closed after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.adversaries.seats.linked import Linked
from tests.remembering import verified_once

Link = Callable[..., Linked]


@pytest.fixture(autouse=True, scope="package")
def remembering() -> Iterator[None]:
    """All computers of a table are in this process: each proof is verified once."""
    with verified_once():
        yield


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
