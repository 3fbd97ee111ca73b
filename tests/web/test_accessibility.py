"""No screen of the page keeps anybody out, as far as axe-core can tell: names, roles, focus, contrast."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from cli.bench.chrome import Chrome, Tab, browser_path, chrome
from tests.e2e.clients import HASTY
from tests.web import thumbs
from tests.web.axe import findings
from tests.web.thumbs import Thumb, address_of

FOUND = browser_path()
pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(FOUND is None, reason="no Chromium here (CHROME names one)"),
]
ROUND_S = 240.0
program = partial(thumbs.program, module=HASTY)
"""What is dealt matters to a page, and not what its proofs prove."""
MY_TURN = "document.querySelectorAll('.slot').length >= 3 && document.querySelector('.prompt').dataset.mood === 'turn'"


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    assert FOUND is not None
    with chrome(FOUND) as begun:
        yield begun


def clear(tab: Tab, what: str) -> None:
    assert findings(tab) == [], what


@pytest.mark.parametrize("theme", [0, pytest.param(1, marks=pytest.mark.soak)])
def test_a_table_and_what_lies_over_it(browser: Chrome, tmp_path: Path, theme: int) -> None:
    """`theme`: how often the next one is chosen in the settings."""
    words = ("play", "crazy-eights", "--seats", "3", "--rounds", "1", "--option", "hand=3", "--no-motion", "--browser")
    with program(tmp_path / "home", *words) as begun:
        tab = browser.tab()
        tab.open(address_of(begun))
        tab.wait(MY_TURN)
        tab.js("document.querySelector('[data-key=menu]').click()")
        clear(tab, "menu")
        tab.js("document.querySelector('[data-key=menu-settings]').click()")
        for _time in range(theme):
            tab.tap('[data-key="more-theme"]')
        clear(tab, "settings")
        tab.key("Escape")
        tab.wait("!document.querySelector('[role=dialog]')")
        clear(tab, "table")
        for key in ("report", "chat"):
            tab.js(f"document.querySelector('[data-key={key}]').click()")
            tab.wait("document.querySelector('[role=dialog]')")
            clear(tab, key)
            tab.key("Escape")
            tab.wait("!document.querySelector('[role=dialog]')")
        for key in ("log", "help"):
            tab.js("document.querySelector('[data-key=menu]').click()")
            tab.js(f"document.querySelector('[data-key=menu-{key}]').click()")
            tab.wait("document.querySelector('.veil [role=dialog], .veil > [role=dialog]')")
            clear(tab, key)
            tab.key("Escape")
            tab.wait("!document.querySelector('[role=dialog]')")
        tab.size(1280, 800)
        clear(tab, "table on a desktop")
        tab.size(390, 844)
        Thumb(tab).play_round(ROUND_S)
        tab.wait("document.querySelectorAll('.scores tbody tr').length === 3")
        clear(tab, "scores")


def test_tichu_s_questions(browser: Chrome, tmp_path: Path) -> None:
    with program(tmp_path / "home", "play", "tichu", "--rounds", "1", "--no-motion", "--browser") as begun:
        tab = browser.tab(320, 568)
        tab.open(address_of(begun))
        tab.wait("document.querySelector('.answers')")
        clear(tab, "question")
        tab.tap(".answers .primary")
        tab.wait("document.querySelector('.places')")
        clear(tab, "exchange")


def test_the_lobby_and_its_forms(browser: Chrome, tmp_path: Path) -> None:
    with program(tmp_path / "home", "--browser") as begun:
        tab = browser.tab()
        tab.open(address_of(begun))
        tab.wait("document.querySelector('[data-key=practise]')")
        clear(tab, "lobby")
        tab.tap('[data-key="practise"]')
        tab.wait("!document.querySelector('[data-key=practise]')")
        clear(tab, "games")
