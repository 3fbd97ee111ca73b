"""mDNS on this machine, over the loopback interface, with the real library.

Other tests and clients may announce here at the same time: each test looks for its own names.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from p2p import discovery
from p2p.announcements import SERVICE, Sighting
from p2p.discovery import Announcer, Browser
from p2p.interfaces import Interface
from p2p.mdns import POLL_S, SLEEP_THRESHOLD_S, NetworkMonitor
from tests.p2p.aio import run, until

LO = ("127.0.0.1",)


@asynccontextmanager
async def announcing(port: int, **properties: str) -> AsyncIterator[Announcer]:
    announcer = Announcer(only=LO)
    try:
        await announcer.start(port, properties)
        yield announcer
    finally:
        await announcer.close()


def mute(browser: Browser) -> None:
    """It can ask nobody any more: what it learns is announced."""
    assert browser._mdns.stack is not None
    browser._mdns.stack.zeroconf.async_send = lambda *_, **__: None  # type: ignore[method-assign]


@asynccontextmanager
async def browsing() -> AsyncIterator[Browser]:
    browser = Browser(only=LO)
    try:
        await browser.start()
        yield browser
    finally:
        await browser.close()
        await browser.close()


def names(sightings: tuple[Sighting, ...]) -> set[str]:
    return {one.name for one in sightings}


async def seen(browser: Browser, condition: Callable[[tuple[Sighting, ...]], object]) -> None:
    """Until the browser's sightings are as wanted. Any packet may get lost, and come again only after a while."""
    async with asyncio.timeout(60):
        changes = browser.changes()
        async for sightings in changes:
            if condition(sightings):
                break
        await changes.aclose()


@pytest.mark.sockets
def test_an_announcement_is_seen_at_once_and_goes_when_it_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before the browser asks; and it would come too late if the announcer asked first whether its name is free."""
    monkeypatch.setattr("zeroconf._core._CHECK_TIME", 600_000)

    async def scene() -> None:
        async with browsing() as browser:
            mute(browser)
            async with announcing(7001, table="Ann's", game="tichu") as announcer:
                await seen(browser, lambda s: announcer.name in names(s))
                sighting = next(one for one in browser.sightings if one.name == announcer.name)
                assert sighting.addresses == (("127.0.0.1", 7001),)
                assert sighting.properties == {"table": "Ann's", "game": "tichu"}
                await announcer.update({"table": "Ann's", "game": "tichu", "taken": "2"})
                taken = (announcer.name, "2")
                await seen(browser, lambda s: taken in [(o.name, o.properties.get("taken")) for o in s])
            await seen(browser, lambda s: announcer.name not in names(s))

    run(scene())


@pytest.mark.sockets
def test_a_browser_that_comes_later_finds_what_is_there() -> None:
    async def scene() -> None:
        async with announcing(7001) as ann, announcing(7002) as ben, browsing() as browser:
            await seen(browser, lambda s: {ann.name, ben.name} <= names(s))

    run(scene())


@pytest.mark.sockets
def test_a_new_browser_begins_now_and_then_and_when_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    real = AsyncServiceBrowser

    def make(*given: Any, **more: Any) -> object:
        made.append(asyncio.get_running_loop().time())
        return real(*given, **more)

    monkeypatch.setattr(discovery, "AsyncServiceBrowser", make)
    monkeypatch.setattr(discovery, "RENEW_S", (0.3, 0.4))
    monkeypatch.setattr(discovery, "POLL_S", 0.05)

    async def scene() -> None:
        async with browsing() as browser:
            await until(lambda: len(made) >= 3)
            assert made[2] - made[1] > 0.25
            monkeypatch.setattr(discovery, "RENEW_S", (600, 600))
            count = len(made)
            await until(lambda: len(made) == count + 1)
            browser.refresh()
            await until(lambda: len(made) == count + 2)

    run(scene())


@pytest.mark.sockets
def test_what_others_announce_is_read_with_distrust() -> None:
    own = secrets.token_hex(8)

    async def scene() -> None:
        async with browsing() as browser:
            stack = AsyncZeroconf(interfaces=list(LO), ip_version=IPVersion.V4Only)
            for name, port, text in [
                (f"spaced {own}", 7007, {"table": b"x"}),
                (f"portless-{own}", 0, {"table": b"x"}),
                (f"evil-{own}", 7007, {"table": b"\x1b[2J\xe2\x80\xaegood"}),
            ]:
                info = AsyncServiceInfo(
                    SERVICE,
                    f"{name}.{SERVICE}",
                    port=port,
                    properties=text,
                    server="x.local.",
                    parsed_addresses=["127.0.0.1"],
                )
                await (await stack.async_register_service(info, cooperating_responders=True))
            await seen(browser, lambda s: f"evil-{own}" in names(s))
            mine = [(one.name, one.properties) for one in browser.sightings if one.name.endswith(own)]
            assert mine == [(f"evil-{own}", {"table": "[2Jgood"})]
            await stack.async_close()

    run(scene())


@pytest.mark.sockets
def test_no_flood_of_names_grows_without_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "MAX_SIGHTINGS", 3)

    async def scene() -> None:
        async with browsing() as browser:
            stack = AsyncZeroconf(interfaces=list(LO), ip_version=IPVersion.V4Only)
            own = secrets.token_hex(8)
            for n in range(8):
                info = AsyncServiceInfo(
                    SERVICE,
                    f"n{n}-{own}.{SERVICE}",
                    port=7007,
                    server=f"n{n}-{own}.local.",
                    parsed_addresses=["127.0.0.1"],
                )
                await stack.async_register_service(info, cooperating_responders=True)
            await seen(
                browser, lambda s: any(each.name == f"n7-{own}" for each in s)
            )  # the last one: it took the place of another
            kept = len(browser._seen)
            await stack.async_close()
            assert kept == 3  # some may not have been looked up yet

    run(scene())


def test_without_a_network_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2p.mdns.interfaces", lambda: ())

    async def scene() -> None:
        browser, announcer = Browser(), Announcer()
        await browser.start()
        await announcer.start(7, {"table": "x"})
        await announcer.update({"table": "y"})
        browser.refresh()
        await asyncio.sleep(0.05)
        assert browser.sightings == ()
        await announcer.close()
        await browser.close()

    run(scene())


def test_closing_what_never_started() -> None:
    async def scene() -> None:
        await Browser().close()
        await Announcer().close()

    run(scene())


def test_the_librarys_troubles_are_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    try:
        raise OSError(101, "Network is unreachable")
    except OSError:
        logging.getLogger("zeroconf").warning("Error with socket %d", 7, exc_info=True)
    assert caplog.messages == ["Error with socket 7: [Errno 101] Network is unreachable"]
    assert "Traceback" not in caplog.text
    assert "WARNING" not in caplog.text


ETH = (Interface("eth0", 2, "192.0.2.2", 24),)


def test_a_watch_sees_new_cards_and_sleep_and_nothing_else() -> None:
    watch = NetworkMonitor(ETH, wall=1000, monotonic=50)
    assert not watch.has_changed(ETH, 1000 + POLL_S, 50 + POLL_S)
    assert watch.has_changed((), 1004, 54)
    assert not watch.has_changed((), 1006, 56)
    assert watch.has_changed((), 5000, 58), "the wall clock ran on alone: the machine slept"
    assert not watch.has_changed((), 5002, 60)
    assert watch.has_changed((), 9000, 4060), "both clocks ran on: it slept, or the process stood still"
    assert not watch.has_changed((), 8000, 4062), "somebody set the clock back"
    assert not watch.has_changed((), 8000 + POLL_S + SLEEP_THRESHOLD_S - 1, 4062 + POLL_S)
