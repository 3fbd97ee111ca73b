"""One browser for the tests of a module."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from cli.bench.chrome import Chrome, Tab, browser_path, chrome


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chrome]:
    path = browser_path()
    assert path is not None
    with chrome(path) as begun:
        yield begun


@pytest.fixture
def browser(chromium: Chrome, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chrome]:
    """Its tabs are closed after the test: a page whose program has ended would look for it all the time."""
    tab, opened = chromium.tab, list[Tab]()

    def noted(*given: Any, **more: Any) -> Tab:
        opened.append(tab(*given, **more))
        return opened[-1]

    monkeypatch.setattr(chromium, "tab", noted)
    yield chromium
    for each in opened:
        each.call("Page.close")
