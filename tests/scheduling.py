"""Which tests are slow, and which ones wait for clocks and other programs more than they compute."""

from __future__ import annotations

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


def place(item: pytest.Item) -> int:
    """Where a test stands among those that wait; behind all of them if it does not."""
    return next((at for at, part in enumerate(WAITING) if item.nodeid.startswith(part)), len(WAITING))


def is_waiting(item: pytest.Item) -> bool:
    return place(item) < len(WAITING)


def slow_but_for_samples(items: list[pytest.Item]) -> None:
    """Of a test that is marked `sample`, all cases but the first are slow."""
    seen: set[str] = set()
    for item in items:
        if item.get_closest_marker("sample"):
            name = item.nodeid.partition("[")[0]
            if name in seen:
                item.add_marker(pytest.mark.slow)
            seen.add(name)
