"""Which tests are slow, which ones wait more than they compute, and the order in which they run beside each other.

What waits for clocks and other programs runs in processes of its own, beside those that compute (`--part waiting` and
`--part computing`): each of them need not find what the others run, and nobody is left alone with what waits.

Where one pytest runs all of them, some of its processes begin with what waits. pytest-xdist's `worksteal` gives each process an
equal part of the list; whoever is done takes from the ends of the others' parts. What waits longest comes first: at the end
nobody may be left alone with it.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

LONG = (
    "tests/phones/test_party",
    "tests/phones/test_pyodide",
    "tests/phones/test_whole_match",
    "tests/adversaries/strangers/test_announcements",
    "tests/adversaries/seats/test_times",
    "tests/cli/test_room_evening",
    "tests/web/test_page",
    "tests/e2e/test_waiting",
    "tests/e2e/test_rooms",
    "tests/e2e/test_screen",
    "tests/e2e/test_seats",
    "tests/lan/test_doctor",
    "tests/e2e/test_bots_seats",
    "tests/cli/test_bench",
    "tests/adversaries/seats/test_floods",
    "tests/adversaries/strangers/test_links",
    "tests/cli/test_keeping",
    "tests/e2e/test_departures",
    "tests/cli/test_tabling",
    "tests/lan/test_match",
    "tests/adversaries/seats/test_late",
    "tests/phones/test_strangers",
    "tests/outside/test_plain",
    "tests/e2e/test_coming_back",
    "tests/cli/test_pipes",
    "tests/web/test_accessibility",
)
WAITING = (*LONG, "tests/e2e/", "tests/adversaries/", "tests/lan/", "tests/phones/", "tests/web/", "tests/p2p/")
"""Where tests wait more than they compute: what takes longest first, and the others by their folders."""
WAITERS = 3
"""Where all tests run together, so many processes begin with them: together they keep less than two cores busy."""


def pytest_addoption(parser: pytest.Parser) -> None:
    about = "only tests that wait for clocks and other programs, or only the others"
    parser.addoption("--part", choices=("waiting", "computing"), help=about)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Looks at nothing that belongs to the other part."""
    part: str | None = config.getoption("part")
    if part is None:
        return None
    name = collection_path.relative_to(config.rootpath).as_posix()
    folder = f"{name}/" if collection_path.is_dir() else ""
    if (folder or name).startswith(WAITING):
        return None if part == "waiting" else True
    if folder and any(each.startswith(folder) for each in WAITING):
        return None
    return True if part == "waiting" else None


def place(item: pytest.Item) -> int:
    """Where a test stands among those that wait; behind all of them if it does not."""
    return next((at for at, part in enumerate(WAITING) if item.nodeid.startswith(part)), len(WAITING))


def spread(items: list[pytest.Item], processes: int) -> list[pytest.Item]:
    """The same tests in an order in which some of the processes, not all, begin with those that wait: all of them where all
    tests do. Tests of one file stay together: they share a browser."""
    found = sorted(items, key=place)
    apart = place(found[-1]) < len(WAITING) if found else False
    first, waiters = (len(LONG), processes) if apart else (len(WAITING), min(WAITERS, max(processes - 1, 1)))
    files: dict[str, list[pytest.Item]] = {}
    for each in found:
        if place(each) < first:
            files.setdefault(each.nodeid.partition("::")[0], []).append(each)
    waiting = list(files.values())
    rest = iter([item for item in found if place(item) >= first])
    ends = [len(items) * (index + 1) // processes for index in range(processes)]
    found = []
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
