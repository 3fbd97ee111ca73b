"""Rows that go one path are checked by one test: thousands of tests that take a thousandth of a second each cost more than that
to be collected by every process and reported one by one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def row(name: object) -> Iterator[None]:
    """Names the row that fails, below what is wrong with it."""
    try:
        yield
    except BaseException as error:  # pytest.fail raises no Exception
        error.add_note(f"row: {name}")
        raise
