"""Which tests are slow, and the order in which they run beside each other: those that wait for clocks first, in some of the
processes.

pytest-xdist's `worksteal` gives each process an equal part of the list; whoever is done takes from the ends of the others'
parts. Some processes therefore begin with what waits for clocks and other programs, while the others compute.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

WAITING = (
    "tests/e2e/",
    "tests/lan/",
    "tests/web/",
    "tests/phones/",
    "tests/adversaries/strangers/",
    "tests/p2p/test_seats",
)
"""Where tests wait more than they compute."""


def waits(item: pytest.Item) -> bool:
    return item.nodeid.startswith(WAITING)


def spread(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """The same tests in an order in which all but two of the processes (at least one) begin with those that wait."""
    waiting = [item for item in items if waits(item)]
    rest = iter([item for item in items if not waits(item)])
    waiters = max(processes - 2, 1)
    ends = [len(items) * (index + 1) // processes for index in range(processes)]
    found: list[pytest.Item] = []
    for index, end in enumerate(ends):
        if index < waiters:
            found += waiting[index::waiters]
        while len(found) < end and (item := next(rest, None)) is not None:
            found.append(item)
    return [*found, *rest]


def slow_but_for_samples(items: list[pytest.Item]) -> None:
    """Of a test that is marked `sample`, all cases but the first are slow."""
    seen: set[str] = set()
    for item in items:
        if item.get_closest_marker("sample"):
            name = item.nodeid.partition("[")[0]
            if name in seen:
                item.add_marker(pytest.mark.slow)
            seen.add(name)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """In each process of pytest-xdist. All of them come to the same order, after tests were deselected."""
    slow_but_for_samples(items)
    yield
    processes = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    if processes > 1:
        items[:] = spread(items, processes)
