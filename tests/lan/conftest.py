"""For tests that need several hosts: skipped where they cannot be made, with the reason named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.lan.lab import Lab, hosts_on_a_lan, reason_not


@pytest.fixture
def lan() -> Iterator[Callable[[int], Lab]]:
    """Makes a network of so many hosts, and removes it after the test."""
    missing = reason_not()
    if missing is not None:
        pytest.skip(missing)
    with ExitStack() as stack:
        yield lambda count: stack.enter_context(hosts_on_a_lan(count))
