"""A tap counts, whatever comes while the finger is down; and the page has the colours of its device."""

from __future__ import annotations

import asyncio

import pytest

from cli.bench.chrome import Chrome, Tab, browser_path
from cli.news import Do
from cli.terminal.settings import TerminalSettings
from cli.view.choosing import Alternative
from cli.view.effects import Play, SettingsChanged
from tests.cli.screen.screens import SCREENS, crazy
from tests.cli.screen.stage import Stage
from tests.cli.tables import scripted
from tests.web.axe import findings
from tests.web.served import Served, served

FOUND = browser_path()
pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(FOUND is None, reason="no Chromium here (CHROME names one)"),
]
COUNT = """
globalThis.heard = 0;
WebSocket = class extends WebSocket {
  constructor(...given) { super(...given); this.addEventListener("message", () => { globalThis.heard += 1; }); }
};
"""
QUESTION = "document.querySelector('.question').textContent"


async def ask(there: Served, tab: Tab, question: str) -> None:
    """Ask something else, and wait until the page has heard of it."""
    before = await asyncio.to_thread(tab.js, "heard")
    there.model.question = question
    there.app.redraw()
    await asyncio.to_thread(tab.wait, f"heard > {before}")


@pytest.mark.parametrize("ends_as", ["touchEnd", "touchCancel"])
def test_what_a_finger_lies_on_is_not_drawn_anew(browser: Chrome, ends_as: str) -> None:
    asyncio.run(tapped(browser, ends_as))


async def tapped(browser: Chrome, ends_as: str) -> None:
    async with served() as there:
        tab = browser.tab()
        await asyncio.to_thread(tab.call, "Page.addScriptToEvaluateOnNewDocument", source=COUNT)
        await asyncio.to_thread(tab.open, there.server.address())
        x, y = await asyncio.to_thread(tab.middle_of, "[data-key=row-one]")
        await asyncio.to_thread(tab.js, "document.querySelector('[data-key=row-one]').isMarked = true")
        at = [{"x": x, "y": y}]
        await asyncio.to_thread(tab.call, "Input.dispatchTouchEvent", type="touchStart", touchPoints=at)
        await ask(there, tab, "And now?")
        assert await asyncio.to_thread(tab.js, "document.querySelector('[data-key=row-one]').isMarked")
        await asyncio.to_thread(tab.call, "Input.dispatchTouchEvent", type=ends_as, touchPoints=[])
        await asyncio.to_thread(tab.wait, f"{QUESTION} === 'And now?'")
    assert there.done == ([Do("chosen", "one")] if ends_as == "touchEnd" else [])


def test_a_double_tap_does_not_answer_what_its_first_tap_has_asked(browser: Chrome) -> None:
    asyncio.run(tapped_twice(browser))


AT_ONCE = "Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 1 })"  # however long this computer takes


async def tapped_twice(browser: Chrome) -> None:
    async with served() as there:
        tab = browser.tab()
        await asyncio.to_thread(tab.call, "Page.addScriptToEvaluateOnNewDocument", source=AT_ONCE)
        await asyncio.to_thread(tab.open, there.server.address())
        place = await asyncio.to_thread(tab.middle_of, "[data-key=row-one]")
        await asyncio.to_thread(tab.tap_at, *place)
        async with asyncio.timeout(60):
            while not there.done:
                await asyncio.sleep(0.02)
        there.model.answers = (Alternative("three", "Third"), Alternative("four", "Fourth"))
        there.app.redraw()
        await asyncio.to_thread(tab.wait, "document.querySelector('[data-key=row-three]')")
        await asyncio.to_thread(tab.tap_at, *place)
        await asyncio.to_thread(tab.js, "history.back()")  # whatever was tapped is heard before that
        async with asyncio.timeout(60):
            while len(there.done) < 2:
                await asyncio.sleep(0.02)
    assert there.done == [Do("chosen", "one"), Do("chosen", "four")]


def test_a_card_is_picked_that_a_finger_was_put_on_wherever_it_lies_by_then(browser: Chrome) -> None:
    asyncio.run(picked(browser))


PICKED = "document.querySelector('.slot.picked')?.id"


async def picked(browser: Chrome) -> None:
    async with served() as there:
        shown = crazy(TerminalSettings())
        there.app.show(there.app.screen_of(shown.screen.model))
        tab = browser.tab()
        await asyncio.to_thread(tab.open, there.server.address())
        second = "document.querySelector('.slot:nth-child(2)')?.id"
        card = await asyncio.to_thread(tab.wait, second)
        x, y = await asyncio.to_thread(tab.middle_of, ".slot:nth-child(2)")
        at = [{"x": x - 10, "y": y}]
        await asyncio.to_thread(tab.call, "Input.dispatchTouchEvent", type="touchStart", touchPoints=at)
        shown.press("s")  # sorts the hand
        there.app.redraw()
        await asyncio.to_thread(tab.wait, f"{second} !== '{card}'")
        await asyncio.to_thread(tab.call, "Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        assert await asyncio.to_thread(tab.wait, PICKED) == card


FIELD = "document.querySelector('.ask input')?.value"


def test_who_writes_sees_that_it_is_their_turn_and_loses_no_word(browser: Chrome) -> None:
    asyncio.run(written(browser))


async def written(browser: Chrome) -> None:
    stage = Stage(scripted("crazy-eights", ["9c 2d", "6d 3d"], up="9d", stock="2c 3c"), seat=1)
    async with served() as there:
        tab = browser.tab()
        there.app.show(there.app.screen_of(stage.model))
        await asyncio.to_thread(tab.open, there.server.address())
        await asyncio.to_thread(tab.tap, "[data-key=chat]")
        await asyncio.to_thread(tab.wait, "document.activeElement.tagName === 'INPUT'")
        await asyncio.to_thread(tab.call, "Input.insertText", text="well pl")
        assert not await asyncio.to_thread(tab.js, "Boolean(document.querySelector('.to-table'))")
        stage.moves(0, {"do": "play", "cards": ["9c"]})
        there.app.redraw()
        await asyncio.to_thread(tab.wait, "document.querySelector('.to-table')?.innerText.includes('YOUR TURN')")
        assert await asyncio.to_thread(tab.js, f"{FIELD} === 'well pl' && document.activeElement.tagName === 'INPUT'")
        await asyncio.to_thread(tab.tap, ".to-table")
        await asyncio.to_thread(tab.wait, "!document.querySelector('.ask')")
        await asyncio.to_thread(tab.tap, "[data-key=chat]")
        await asyncio.to_thread(tab.wait, f"{FIELD} === 'well pl'")
        await asyncio.to_thread(tab.tap, ".ask [data-key=cancel]")
        await asyncio.to_thread(tab.wait, "!document.querySelector('.ask')")
        await asyncio.to_thread(tab.tap, "[data-key=chat]")
        await asyncio.to_thread(tab.wait, f"{FIELD} === ''")


def test_a_card_is_looked_at_closer_and_put_away_by_a_tap_on_it(browser: Chrome) -> None:
    asyncio.run(looked_at_closer(browser))


async def looked_at_closer(browser: Chrome) -> None:
    async with served() as there:
        there.app.show(there.app.screen_of(crazy(TerminalSettings()).screen.model))
        tab = browser.tab()
        await asyncio.to_thread(tab.open, there.server.address())
        x, y = await asyncio.to_thread(tab.middle_of, ".slot")
        at = [{"x": x - 10, "y": y}]
        await asyncio.to_thread(tab.call, "Input.dispatchTouchEvent", type="touchStart", touchPoints=at)
        await asyncio.to_thread(tab.wait, "document.activeElement.matches('.zoom')")
        await asyncio.to_thread(tab.call, "Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        assert await asyncio.to_thread(findings, tab) == []
        assert await asyncio.to_thread(tab.js, "Boolean(document.querySelector('.zoom'))"), "as long as one likes"
        await asyncio.to_thread(tab.tap, ".zoom .card")
        await asyncio.to_thread(tab.wait, "!document.querySelector('.zoom')")
        assert not await asyncio.to_thread(tab.js, PICKED)


def test_whoever_has_pressed_a_button_that_goes_away_is_at_the_cards(browser: Chrome) -> None:
    asyncio.run(pressed(browser))


async def pressed(browser: Chrome) -> None:
    async with served() as there:
        shown = crazy(TerminalSettings())
        there.app.show(there.app.screen_of(shown.screen.model))
        tab = browser.tab()
        await asyncio.to_thread(tab.open, there.server.address())
        await asyncio.to_thread(tab.wait, "document.querySelector('[data-key=draw]')")
        await asyncio.to_thread(tab.js, "document.querySelector('[data-key=draw]').focus()")
        shown.press("3", "enter")
        there.app.redraw()
        await asyncio.to_thread(tab.wait, "!document.querySelector('[data-key=draw]')")
        assert await asyncio.to_thread(tab.js, "document.activeElement.matches('.hand')")


def test_a_card_is_played_that_is_dragged_to_the_table_from_far_beside_it(browser: Chrome) -> None:
    asyncio.run(dragged(browser))


async def dragged(browser: Chrome) -> None:
    async with served() as there:
        there.app.show(there.app.screen_of(crazy(TerminalSettings()).screen.model))
        tab = browser.tab(844, 390)
        await asyncio.to_thread(tab.open, there.server.address())
        x, y = await asyncio.to_thread(tab.middle_of, "[aria-label^='three of hearts']")
        to = await asyncio.to_thread(tab.middle_of, ".prompt")
        await asyncio.to_thread(tab.drag, (x - 10, y), (x + 250, to[1] - 60))
        async with asyncio.timeout(60):
            while not there.done:
                await asyncio.sleep(0.02)
    assert [each.move.cards for each in there.done if isinstance(each, Play)] == [("3h",)]


def test_the_browser_s_way_back_goes_back_within_the_page(browser: Chrome) -> None:
    asyncio.run(gone_back(browser))


async def gone_back(browser: Chrome) -> None:
    async with served() as there:
        tab = browser.tab()
        await asyncio.to_thread(tab.open, there.server.address())
        await asyncio.to_thread(tab.wait, "document.querySelector('.question')")
        for times in (1, 2):
            await asyncio.to_thread(tab.js, "history.back()")
            async with asyncio.timeout(60):
                while len(there.done) < times:
                    await asyncio.sleep(0.02)
            assert there.done == [Do("chosen", "two")] * times
        assert await asyncio.to_thread(tab.js, f"Boolean({QUESTION})")


def test_the_way_back_leaves_a_replay(browser: Chrome) -> None:
    asyncio.run(left_replay(browser))


async def left_replay(browser: Chrome) -> None:
    async with served() as there:
        there.app.show(there.app.screen_of(SCREENS["replay"](TerminalSettings()).model))
        tab = browser.tab()
        await asyncio.to_thread(tab.open, there.server.address())
        await asyncio.to_thread(tab.wait, "document.querySelector('.table [data-key=back]')")
        await asyncio.to_thread(tab.js, "history.back()")
        async with asyncio.timeout(60):
            while not there.done:
                await asyncio.sleep(0.02)
    assert there.done == [Do("back")]


def test_the_page_follows_the_colours_of_the_device_until_others_are_chosen(browser: Chrome) -> None:
    asyncio.run(coloured(browser))


async def coloured(browser: Chrome) -> None:
    async with served() as there:
        there.app.settings.theme = "system"
        tab = browser.tab()

        async def has(theme: str) -> None:
            await asyncio.to_thread(tab.wait, f"document.documentElement?.dataset.theme === '{theme}'")

        async def device(name: str, value: str) -> None:
            await asyncio.to_thread(tab.call, "Emulation.setEmulatedMedia", features=[{"name": name, "value": value}])

        await device("prefers-color-scheme", "light")
        await asyncio.to_thread(tab.open, there.server.address())
        await has("light")
        await device("prefers-color-scheme", "dark")
        await has("felt")
        await device("prefers-contrast", "more")
        await has("contrast")
        there.app.settings.theme = "mono"
        there.app.does(SettingsChanged())
        await has("mono")


def test_a_table_can_be_reached_again_whose_sheet_lay_over_it_when_it_went(browser: Chrome) -> None:
    asyncio.run(covered(browser))


async def covered(browser: Chrome) -> None:
    async with served() as there:
        settings = TerminalSettings()
        table, rules = there.app.screen_of(crazy(settings).screen.model), there.app.screen_of(there.model)
        tab = browser.tab()
        there.app.show(table)
        await asyncio.to_thread(tab.open, there.server.address())
        await asyncio.to_thread(tab.wait, "document.querySelector('.table:not([inert])')")
        table.overlay = rules
        there.app.redraw()
        await asyncio.to_thread(
            tab.wait, "document.querySelector('.table[inert]') && document.querySelector('.dialog')"
        )
        there.app.show(there.app.screen_of(there.model))
        await asyncio.to_thread(tab.wait, "!document.querySelector('.table') && document.querySelector('.question')")
        there.app.show(there.app.screen_of(crazy(settings).screen.model))
        await asyncio.to_thread(tab.wait, "document.querySelector('.table')")
        assert not await asyncio.to_thread(tab.js, "document.querySelector('.table').inert")


def test_a_sentence_that_begins_with_a_hebrew_name_runs_from_the_left(browser: Chrome) -> None:
    asyncio.run(read(browser))


async def read(browser: Chrome) -> None:
    async with served() as there:
        there.model.question = "לאה went out with 5♠."
        there.app.redraw()
        tab = browser.tab()
        await asyncio.to_thread(tab.open, there.server.address())
        await asyncio.to_thread(tab.wait, "document.querySelector('.question .chip')")
        side = "(which) => which.getBoundingClientRect().left + which.getBoundingClientRect().right"
        assert await asyncio.to_thread(
            tab.js, f"[...document.querySelectorAll('.question .chip, .question')].map({side}).reduce((a, b) => b > a)"
        )
