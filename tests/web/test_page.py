"""The page in a real browser: whole rounds by taps, by keys, loaded anew, and in every window that people have."""

from __future__ import annotations

import socket
import time
from base64 import b64encode
from functools import partial
from pathlib import Path

import pytest

from cli.bench.chrome import Chrome, Tab, browser_path
from cli.phones import assets
from tests.e2e.clients import HASTY, free_port
from tests.web import thumbs
from tests.web.codes import code_of
from tests.web.overlaps import overlaps
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
STILL = "--no-motion"
"""Where taps matter, and not how cards move."""


def fits(tab: Tab) -> None:
    """Nothing sticks out of the window, and what can be pressed is large enough."""
    page = "document.documentElement"
    assert tab.js(f"[{page}.scrollWidth - innerWidth, {page}.scrollHeight - innerHeight]") == [0, 0]
    small = tab.js(
        "[...document.querySelectorAll('.actions button, .answers button')].map((e) => [e.innerText, e.getBoundingClientRect()])"
        ".filter(([, b]) => b.height < 44 || b.width < 44 || b.right > innerWidth + 1 || b.bottom > innerHeight + 1)"
        ".map(([t, b]) => `${t} ${b.left} ${b.top} ${b.width}x${b.height}`)"
    )
    assert small == []


def listens(port: int) -> None:
    """Returns when somebody does."""
    until = time.monotonic() + 240
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert time.monotonic() < until
            time.sleep(0.05)


def test_a_round_by_taps_in_every_window(browser: Chrome, tmp_path: Path) -> None:
    words = ("play", "crazy-eights", "--seats", "2", "--rounds", "1", "--option", "hand=3", "--browser")
    with thumbs.program(tmp_path / "home", *words) as begun:
        tab, address = browser.tab(), address_of(begun)
        tab.open(address)
        tab.wait(
            "document.querySelectorAll('.slot').length >= 3 && document.querySelector('.prompt').dataset.mood === 'turn'"
        )
        assert "#" not in str(tab.js("location.href")), "the token does not stay in the address"
        for width, height in ((320, 568), (844, 390), (1280, 800), (390, 844)):
            tab.size(width, height)
            tab.wait(f"innerWidth === {width}")
            fits(tab)
        held = "[...document.querySelectorAll('.slot')].map((each) => each.id)"
        before = tab.js(held)
        (x, y), (last, _y) = tab.middle_of(f"#{before[0]}"), tab.middle_of(f"#{before[-1]}")
        tab.drag((x - 20, y), (last + 10, y))
        assert tab.js(held) == [*before[1:], before[0]], "a card that is dragged sideways stays where it is let go"
        tab.call("Page.reload")
        tab.wait("document.querySelectorAll('.slot').length >= 3")
        thumb = Thumb(tab, drags=True)
        thumb.play_round(ROUND_S)
        assert "drag" in thumb.done
        tab.wait("document.querySelectorAll('.scores tbody tr').length === 2")
        tab.wait("[...document.querySelectorAll('.actions .primary')].some((each) => each.innerText.includes('Again'))")
        assert tab.told == []
        stranger = browser.tab()
        stranger.open(address)
        stranger.wait(
            "document.querySelector('.lost.shown') && document.querySelector('.lost').innerText.includes('used already')"
        )


def test_a_round_of_tichu_by_taps(browser: Chrome, tmp_path: Path) -> None:
    """At a table without other people nobody waits for anybody to follow. A long name takes no room from others."""
    port = free_port()
    where = ("--grace", "0", "--port", str(port), "--name", "W" * 24)
    with program(
        tmp_path / "host", "host", "tichu", "--autoplay", "--bots", "2", "--seats", "4", "--rounds", "1", *where
    ):
        listens(port)
        with program(tmp_path / "mia", "join", f"127.0.0.1:{port}", STILL, "--browser") as begun:
            tab = browser.tab()
            tab.open(address_of(begun))
            tab.wait("document.querySelectorAll('.member').length === 4")
            for width, height in ((320, 568), (844, 390), (390, 844)):
                tab.size(width, height)
                tab.wait(f"innerWidth === {width}")
                assert overlaps(tab) == []
            tab.tap('[data-key="ready"]')
            thumb, until = Thumb(tab), time.monotonic() + ROUND_S
            while not thumb.state()["places"]:
                thumb.play_on()
                assert time.monotonic() < until, tab.text()
            spots = "[...document.querySelectorAll('.spot')].map((each) => each.getBoundingClientRect())"
            for width, height in ((320, 568), (844, 390), (390, 844)):
                tab.size(width, height)
                tab.wait(f"innerWidth === {width}")
                assert overlaps(tab) == []
                assert tab.js(f"{spots}.every(({{ left, right }}) => left >= 0 && right <= innerWidth)")
            thumb.play_round(ROUND_S)
            assert {"answer", "gift", "give", "play"} <= thumb.done
            assert tab.told == []


def test_a_game_that_the_page_has_never_heard_of(browser: Chrome, tmp_path: Path, outside_folder: Path) -> None:
    words = ("play", "whisk", "--rounds", "1", STILL, "--browser")
    with program(tmp_path / "home", *words, path=outside_folder) as begun:
        tab = browser.tab()
        tab.open(address_of(begun))
        tab.wait("document.querySelector('.as-list .answers button')")
        tab.wait("document.querySelector('.sign').innerText.includes('trump')")
        tab.size(320, 568)
        fits(tab)
        assert overlaps(tab) == []
        assert not tab.js(
            "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('.parts'))"
        )
        thumb, until = Thumb(tab), time.monotonic() + ROUND_S
        while not thumb.play_on():
            assert overlaps(tab) == []
            assert time.monotonic() < until, tab.text()
        tab.tap("[data-key=replay]")
        tab.wait("document.querySelector('.open')")
        for _ in range(4):
            tab.tap("[data-key=step-on]")
            assert overlaps(tab) == []
        assert tab.told == []


def test_keys_alone_and_dialogs(browser: Chrome, tmp_path: Path) -> None:
    with program(tmp_path / "home", "play", "crazy-eights", "--seats", "2", "--browser") as begun:
        tab = browser.tab(1000, 700, touch=False)
        tab.open(address_of(begun))
        tab.wait(
            "document.querySelectorAll('.slot').length >= 5 && document.querySelector('.prompt').dataset.mood === 'turn'"
        )
        tab.js("document.querySelector('.hand').focus()")
        tab.key("ArrowRight")
        tab.wait("document.querySelector('.hand').getAttribute('aria-activedescendant')")
        tab.key(" ")
        tab.wait("document.querySelectorAll('.slot[aria-selected=true]').length === 1")
        tab.js("document.querySelector('[data-key=report]').click()")
        tab.wait("document.querySelector('[role=dialog]') && document.activeElement.getAttribute('role') === 'dialog'")
        assert tab.js("document.querySelector('.table').inert")
        tab.key("Escape")
        tab.wait("!document.querySelector('[role=dialog]')")
        assert not tab.js("document.querySelector('.table').inert")
        tab.js("document.querySelector('[data-key=menu]').click()")
        focused, first = "document.activeElement.dataset.key", tab.js("document.activeElement.dataset.key")
        assert tab.js("document.querySelector('.table').inert")
        tab.key("ArrowUp")
        assert tab.js(focused) == "menu-leave"
        tab.key("ArrowDown")
        assert tab.js(focused) == first
        tab.js("document.querySelector('[data-key=menu-settings]').click()")
        tab.tap('[data-key="more-lang"]')
        tab.wait("document.documentElement.lang === 'de' && document.body.innerText.includes('Einstellungen')")
        tab.key("Escape")
        tab.wait("document.querySelector('.table:not([inert])')?.innerText.includes('Ziehen')")
        tab.js("document.querySelector('[data-key=chat]').click()")
        tab.wait("document.activeElement.tagName === 'INPUT'")
        tab.call("Input.insertText", text="<b>hallo</b>")
        tab.key("Enter")
        tab.wait("!document.querySelector('.ask') && document.querySelector('.log').innerText.includes('<b>hallo</b>')")
        assert tab.told == []


def test_the_code_for_phones_is_drawn_so_that_it_is_read(browser: Chrome, tmp_path: Path) -> None:
    package = tmp_path / "installed" / assets.PACKAGE
    package.mkdir(parents=True)
    for name in ("__init__.py", *assets.NAMES):
        (package / name).touch()
    words = ("host", "mau-mau", "--name", "Mia", "--port", "0", "--phones", "--browser")
    with program(tmp_path / "home", *words, path=package.parent) as begun:
        tab = browser.tab()
        tab.open(address_of(begun))
        tab.wait("document.querySelector('svg.code path') && !document.getAnimations().length")
        fits(tab)
        tab.size(1280, 640, touch=False)
        tab.wait("innerHeight === 640 && !document.getAnimations().length")
        scrolls = "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.text'))"
        assert tab.js(scrolls) <= 0, "on a laptop all is seen that is said beside the code"
        tab.size(390, 844)
        path = tab.js("document.querySelector('svg.code path').getAttribute('d')")
        address = code_of(tab)
        told = tab.js("document.querySelector('[role=dialog]').innerText").replace("\n", "")
        assert address.startswith("http://") and address in told
        assert "as long as Mia’s computer runs the real Fairdeal" in told
        tab.tap('[data-key="phones-next"]')
        tab.wait(f"document.querySelector('svg.code path').getAttribute('d') !== {path!r}")
        tab.tap('[data-key="hotspot"]')
        tab.wait("!document.querySelector('svg.code') && document.body.innerText.includes('Android')")
        fits(tab)
        tab.tap('[data-key="hotspot"]')
        tab.tap('[data-key="phones-stop"]')
        tab.wait("document.querySelector('[data-key=phones]') && !document.querySelector('svg.code')")
        assert tab.told == []


def test_a_card_that_a_fast_mouse_throws_leaves_the_hand(browser: Chrome, tmp_path: Path) -> None:
    """Between two moves that the browser tells of, it is out of the hand; a second finger does not disturb the first."""
    with program(tmp_path / "home", "play", "crazy-eights", "--seats", "2", STILL, "--browser") as begun:
        tab = browser.tab(1000, 700, touch=False)
        tab.open(address_of(begun))
        tab.wait("document.querySelector('.prompt')?.dataset.mood === 'turn' && document.querySelector('.slot')")
        said, (x, y) = tab.js("document.querySelector('.prompt').innerText"), tab.middle_of(".slot")
        for kind, at in (("mousePressed", (x, y)), ("mouseMoved", (x + 40, 200)), ("mouseReleased", (x + 40, 200))):
            tab.call("Input.dispatchMouseEvent", type=kind, x=at[0], y=at[1], button="left", buttons=1, clickCount=1)
        tab.wait(f"document.querySelector('.prompt').innerText !== {said!r}")
        assert not tab.js("document.querySelector('.slot.lifted')")
        assert tab.told == []


DROPS = """(() => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob("%s"), (each) => each.charCodeAt(0))], "old.match"));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
})()"""


def test_a_file_is_checked_by_the_program(browser: Chrome, tmp_path: Path) -> None:
    file = Path(__file__).parents[1] / "vectors/matches/complaint.match"
    with thumbs.program(tmp_path / "home", "--browser") as begun:
        tab = browser.tab()
        tab.open(address_of(begun))
        tab.wait("document.querySelector('[data-key=check]')")
        tab.js(DROPS % b64encode(file.read_bytes()).decode())
        tab.wait("document.querySelector('.told')?.innerText.includes('P1 cheated, and this file proves it.')")
        tab.tap("[data-key=close]")
        tab.js(DROPS % b64encode(b"no match").decode())
        tab.wait("document.querySelector('.told')?.innerText.includes('This is not a Fairdeal transcript')")
        assert tab.told == []


def test_the_end_of_the_program_is_told(browser: Chrome, tmp_path: Path) -> None:
    with program(tmp_path / "home", "--browser") as begun:
        tab = browser.tab()
        tab.open(address_of(begun))
        tab.wait("document.querySelector('[data-key=practise]')")
        fits(tab)
        begun.terminate()
        tab.wait("document.querySelector('.lost.shown')")
