"""Which tests are slow, and the order in which they run beside each other: those that wait for clocks first, in some of the
processes.

pytest-xdist's `worksteal` gives each process an equal part of the list; whoever is done takes from the ends of the others'
parts. Some processes therefore begin with what waits for clocks and other programs, while the others compute. What waits longest
comes first: at the end nobody may be left alone with it.
"""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

WAITING = (
    "tests/web/test_page",
    "tests/e2e/test_screen",
    "tests/e2e/test_rooms",
    "tests/e2e/test_seats",
    "tests/e2e/test_departures",
    "tests/adversaries/seats/test_times",
    "tests/lan/test_match",
    "tests/e2e/test_coming_back",
    "tests/lan/test_doctor",
    "tests/web/test_accessibility",
    "tests/e2e/test_waiting",
    "tests/adversaries/seats/test_late",
    "tests/e2e/",
    "tests/adversaries/strangers/",
    "tests/lan/",
    "tests/phones/",
    "tests/web/",
    "tests/p2p/test_seats",
)
"""Where tests wait more than they compute: what takes longest first."""
WAITERS = 3
"""So many processes begin with them: together they keep less than two cores busy."""


def place(item: pytest.Item) -> int:
    """Where a test stands among those that wait; behind all of them if it does not."""
    return next((at for at, part in enumerate(WAITING) if item.nodeid.startswith(part)), len(WAITING))


def spread(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """The same tests in an order in which some of the processes, not all, begin with those that wait. Tests of one file stay
    together: they share a browser."""
    files: dict[str, list[pytest.Item]] = {}
    for each in sorted(items, key=place):
        if place(each) < len(WAITING):
            files.setdefault(each.nodeid.partition("::")[0], []).append(each)
    waiting = list(files.values())
    rest = iter([item for item in items if place(item) == len(WAITING)])
    waiters = min(WAITERS, max(processes - 1, 1))
    ends = [len(items) * (index + 1) // processes for index in range(processes)]
    found: list[pytest.Item] = []
    for index, end in enumerate(ends):
        if index < waiters:
            found += [each for file in waiting[index::waiters] for each in file]
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
