"""What we have asked for while we catch up is read, though much of it is known by then; a flood is dropped and held back."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest

from p2p import driver as driver_module
from p2p.charges import Charges
from p2p.driver import Driver
from protocol.signed import Page
from protocol.table.answers import ANSWER_BYTES, Answers

RELAY, AUTHOR = b"relay", b"author"
SECONDS = 0.5
PAGE = Page(1, True, (b"known",) * 3).encode()


class Reading(Driver):
    """A driver of a table that knows all that it is told; each part costs half a second."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, is_behind: bool) -> None:
        self.read: list[bytes] = []
        self.barred: list[bytes] = []
        clock = iter(range(10**6))
        monkeypatch.setattr(driver_module, "processor_time", lambda: next(clock) * SECONDS)
        self._mesh = cast(Any, SimpleNamespace(charges=Charges(self.barred.append)))
        self._loop = asyncio.get_running_loop()
        self._is_closed, self._at_work = False, 0
        self._worked = asyncio.Event()
        table = SimpleNamespace(is_behind=is_behind, useful=0, answers=Answers())
        table.receive = lambda _seat, data, _now, _key: self.read.append(data)
        self.table = cast(Any, table)

    def feed(self, call: Any) -> None:
        call(0.0)

    def seat_of(self, key: bytes) -> int:
        return 1

    async def hear(self, via: bytes | None) -> None:
        if (pending := self.receive(AUTHOR, PAGE, via)) is not None:
            await pending


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long links were held back."""
    holds: list[float] = []

    async def sleep(seconds: float) -> None:
        holds.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return holds


@pytest.mark.parametrize("via", [None, RELAY])
@pytest.mark.parametrize(("is_behind", "is_asked"), [(True, True), (True, False), (False, True)])
def test_only_who_catches_up_and_has_asked_reads_it_all_at_once(
    monkeypatch: pytest.MonkeyPatch, held: list[float], via: bytes | None, is_behind: bool, is_asked: bool
) -> None:
    async def run() -> Reading:
        driver = Reading(monkeypatch, is_behind)
        driver._mesh.charges.relayed.spend(
            RELAY, AUTHOR, 60.0, driver._loop.time()
        )  # by live messages, which come too early
        if is_asked:
            driver.table.answers.ask(1)
        for _page in range(20):
            await driver.hear(via)
        return driver

    driver = asyncio.run(run())
    if is_behind and is_asked:
        assert len(driver.read) == 20 * 3 and not any(held)
    else:
        assert any(held) or driver.barred or len(driver.read) < 20


def test_who_answers_in_vain_gets_no_further_credit() -> None:
    answers = Answers()
    answers.ask(1)
    assert answers.take(1, ANSWER_BYTES, is_useful=False)
    assert not answers.take(1, 1, is_useful=False)
    answers.ask(1)
    assert not answers.awaits(1)
    assert answers.take(1, 1, is_useful=True)
    answers.ask(1)
    assert answers.awaits(1) and answers.take(1, 1, is_useful=False)
    assert not answers.awaits(2)
