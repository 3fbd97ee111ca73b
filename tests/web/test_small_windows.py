"""A phone's table in small windows, in long and in wide languages: nothing is cut off, covered, or too small for a thumb."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from cli import news
from cli.bench.chrome import Chrome, Tab, browser_path
from cli.terminal.settings import TerminalSettings
from cli.view.settings import Settings
from cli.web.app import WebApp
from cli.web.server import Server
from tests.cli.practice import PracticeSeat
from tests.cli.screen import screens
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted
from tests.web.overlaps import overlaps

pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(browser_path() is None, reason="no Chromium here (CHROME names one)"),
]
WINDOWS = ((320, 568), (360, 640), (667, 375), (568, 320), (800, 480), (844, 390))
LONG = "I only have to look after the pizza in the oven: please wait until I have seen what lies there!"
BAD = """(() => {
  const bad = [];
  for (const each of document.querySelectorAll("#app button")) {
    const box = each.getBoundingClientRect();
    const reach = each.matches(".badge") ? 44 : box.height; // it takes taps above and below, too
    const isBeside = box.left < -1 || box.right > innerWidth + 1;
    const isOut = isBeside || box.top < -1 || box.bottom > innerHeight + 1;
    const isSmall = box.width < 40 || reach < 40;
    if (each.checkVisibility() && (each.closest(".choices") ? isBeside : isOut || isSmall)) {
      bad.push([each.dataset.key, isOut, box.width, box.height].join());
    }
  }
  const top = document.querySelector(".prompt").getBoundingClientRect().top;
  for (const each of document.querySelectorAll(".seat:not(.giving *) .name")) {
    if (!each.clientWidth) bad.push(`${each.innerText} is not to be seen`);
    if (each.getBoundingClientRect().bottom > top + 1) bad.push(`${each.innerText} lies below the prompt`);
  }
  for (const each of document.querySelectorAll(".places .note")) {
    const { bottom } = each.getBoundingClientRect();
    if (each.checkVisibility() && bottom > top + 1) bad.push(`${each.innerText} lies below the prompt`);
  }
  const title = document.querySelector("h1");
  if (title.scrollWidth > title.clientWidth && title.clientWidth < 60) bad.push(`of ${title.innerText} only a letter is left`);
  return bad;
})()"""


def with_chat(settings: TerminalSettings, others: int = 3) -> Stage:
    """Whoever is next has one card left, and all have something to say."""
    hands = ["Jc 8s 9d", "7c", "2c 3c", "5c"][: others + 1]
    shown = screens.stage(scripted("macau-wars", hands, up="5c", stock="5s " * 20, dealer=1), settings)
    for seat in range(1, others + 1):
        shown.hear(news.Said(seat, LONG))
    return shown


def with_a_wide_name(settings: TerminalSettings) -> Stage:
    """One of those who may be chosen to play next."""
    hands = ["Qc 8s 9d", "2c 3c", "5c 6c", "7c"]
    table = scripted("macau-wars", hands, up="5c", stock="5s " * 20, dealer=1)
    shown = Stage(table, names=("Mia", "W" * 20, "Jonas", "Ada"), settings=settings)
    shown.press("q", "enter")
    return shown


def with_a_long_name_to_pass_to(settings: TerminalSettings) -> Stage:
    shown = Stage(screens.table("tichu", 4, 5), names=("Mia", "Wolfgang Amadeus", "Jonas", "Ada"), settings=settings)
    for seat in range(4):
        shown.moves(seat, {"do": "grand", "call": False})
    return shown


STAGES: dict[str, Callable[[TerminalSettings], Stage]] = {
    "chat": with_chat,
    "wide-name": with_a_wide_name,
    "passing": with_a_long_name_to_pass_to,
}
LARGE: dict[str, Callable[[TerminalSettings], Stage]] = {
    "chat": with_chat,
    "chat-of-two": lambda settings: with_chat(settings, others=2),
}
SHOWN = (
    "crazy-eights",
    "ten-players",
    "next-player",
    "tichu-lead",
    "tichu-picked",
    "tichu-call",
    "grand",
    "exchange",
    "dragon",
    "accused",
)


@pytest.mark.parametrize("name", [*STAGES, *SHOWN])
def test_nothing_is_covered_or_cut_off(browser: Chrome, name: str) -> None:
    asyncio.run(looked_at(browser, name))


TOLD = "(() => { const said = document.querySelector('.event .said'); return said.scrollWidth <= said.clientWidth + 1; })()"


def test_what_happened_is_told_in_full_where_there_is_room(browser: Chrome) -> None:
    asyncio.run(told(browser))


async def told(browser: Chrome) -> None:
    tab: Tab = await asyncio.to_thread(browser.tab)
    for name in ("penalty", "war"):
        settings = TerminalSettings(lang="en")
        app = WebApp(settings)
        app.show(app.screen_of(screens.SCREENS[name](settings).model))
        server = Server(app)
        async with server.running():
            await asyncio.to_thread(tab.open, server.address())
            await asyncio.to_thread(tab.wait, "document.querySelector('.event .said')")
            assert await asyncio.to_thread(tab.js, TOLD), name
            assert await asyncio.to_thread(overlaps, tab) == [], name


def test_the_box_of_a_pause_is_seen_whole(browser: Chrome, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(TerminalSettings, "action_names", Settings.action_names)  # sentences as on a page
    asyncio.run(paused(browser))


async def paused(browser: Chrome) -> None:
    tab: Tab = await asyncio.to_thread(browser.tab)
    for lang in ("de", "ja"):
        settings = TerminalSettings(lang=lang)
        app = WebApp(settings)
        app.show(app.screen_of(screens.SCREENS["paused"](settings).model))
        server = Server(app)
        async with server.running():
            await asyncio.to_thread(tab.open, server.address())
            for width, height in ((320, 568), (360, 640)):
                await asyncio.to_thread(tab.size, width, height)
                await asyncio.to_thread(tab.wait, f"innerWidth === {width} && document.querySelector('.box')")
                await asyncio.to_thread(overlaps, tab)  # once all lies still
                size = (
                    "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.box'))"
                )
                assert await asyncio.to_thread(tab.js, size) <= 1, (lang, width)


COVERED = """[...document.querySelectorAll(".seat .portrait, .seat .name")].filter((each) => {
  const box = each.getBoundingClientRect();
  const told = document.querySelector(".event > p")?.getBoundingClientRect(); // takes no taps
  const isUnder = told && box.top < told.bottom && told.top < box.bottom && box.left < told.right && told.left < box.right;
  return isUnder || !each.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
}).map((each) => each.innerText)"""


def test_nothing_lies_over_the_others_in_large_windows(browser: Chrome) -> None:
    asyncio.run(reached(browser))


async def reached(browser: Chrome) -> None:
    tab: Tab = await asyncio.to_thread(browser.tab, 1280, 800, touch=False)
    found = []
    for name in ("ten-players", "war", "replay", "chat", "chat-of-two"):
        settings = TerminalSettings()
        app = WebApp(settings)
        screen = LARGE[name](settings).screen if name in LARGE else screens.SCREENS[name](settings)
        app.show(app.screen_of(screen.model))
        server = Server(app)
        async with server.running():
            await asyncio.to_thread(tab.open, server.address())
            for width, height in ((1280, 800), (1024, 768)):
                await asyncio.to_thread(tab.size, width, height, touch=False)
                await asyncio.to_thread(tab.wait, f"innerWidth === {width} && document.querySelector('.seat')")
                bad = await asyncio.to_thread(overlaps, tab)  # once all lies still
                bad += await asyncio.to_thread(tab.js, COVERED)
                bad += await asyncio.to_thread(tab.js, BAD)
                found += [(name, width, *bad)] if bad else []
    assert found == []


async def looked_at(browser: Chrome, name: str) -> None:
    tab: Tab = await asyncio.to_thread(browser.tab)
    found = []
    for lang in ("de", "ja"):
        settings = TerminalSettings(lang=lang)
        screen = STAGES[name](settings).screen if name in STAGES else screens.SCREENS[name](settings)
        app = WebApp(settings)
        app.show(app.screen_of(screen.model))
        server = Server(app)
        async with server.running():
            await asyncio.to_thread(tab.open, server.address())
            for width, height in WINDOWS:
                await asyncio.to_thread(tab.size, width, height)
                await asyncio.to_thread(tab.wait, f"innerWidth === {width} && document.querySelector('.seat')")
                covered = await asyncio.to_thread(overlaps, tab)  # once all lies still
                bad = await asyncio.to_thread(tab.js, BAD)
                found += [(lang, width, *each) for each in (covered, bad) if each]
    assert found == []


CUT = """[...document.querySelectorAll(".parts > bdi:not(:first-child)")].filter((each) => {
  const [box, room] = [each, each.parentElement].map((one) => one.getBoundingClientRect());
  const isSeen = each.checkVisibility() && box.top < room.bottom - 2;
  return isSeen && (box.right > room.right + 1 || box.bottom > room.bottom + 2 || each.scrollWidth > each.clientWidth + 1);
}).map((each) => each.innerText)"""


def test_what_the_header_has_no_room_for_is_left_out_and_not_cut(
    browser: Chrome, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PracticeSeat, "onlookers", 2)
    asyncio.run(headed(browser))


async def headed(browser: Chrome) -> None:
    tab: Tab = await asyncio.to_thread(browser.tab)
    for lang in ("en", "de", "ja"):
        app = WebApp(settings := TerminalSettings(lang=lang))
        app.show(app.screen_of(screens.SCREENS["crazy-eights"](settings).model))
        async with (server := Server(app)).running():
            await asyncio.to_thread(tab.open, server.address())
            for width, height in ((390, 844), *WINDOWS, (1280, 800)):
                await asyncio.to_thread(tab.size, width, height)
                await asyncio.to_thread(tab.wait, f"innerWidth === {width} && document.querySelector('.parts bdi')")
                await asyncio.to_thread(overlaps, tab)  # once all lies still
                assert await asyncio.to_thread(tab.js, CUT) == [], (lang, width)
        seen = await asyncio.to_thread(tab.text)
        assert {"en": "2 watching", "de": "2 sehen zu", "ja": "観戦2人"}[lang] in seen, (
            "where there is room, all is told"
        )
