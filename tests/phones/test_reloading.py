"""A page that is loaded anew in every phase of a match is back there, with the same hand, and all files agree."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from cli.bench.chrome import Tab
from tests.phones.test_browser import WAIT_S, evening, near, press, reason
from tests.web.thumbs import Thumb

pytestmark = [
    pytest.mark.soak,
    pytest.mark.sockets,
    pytest.mark.timeout(500),
    pytest.mark.skipif(bool(reason()), reason=reason() or "-"),
]
MATCH_S = 400.0
SHOWN = (
    "document.querySelector('.prompt') && (document.querySelector('.slot') || document.querySelector('main.scores'))"
)
HAND = (
    "[...document.querySelectorAll('.slot')].map((each) => each.getAttribute('aria-label').split(',')[0]).sort().join()"
)


def phase_of(thumb: Thumb) -> str:
    """What is asked of us now."""
    now = thumb.state()
    if now["scores"]:
        return "sheet"
    if not now["cards"]:
        return "before"
    return "question" if now["answers"] else str(now["mood"])


def loaded_anew(tab: Tab) -> None:
    """Only a phase in which nobody else does anything leaves the hand as it is."""
    tab.call("Page.reload")
    tab.wait("!document.querySelector('.prompt')", WAIT_S)
    tab.wait(SHOWN, WAIT_S)


@pytest.mark.parametrize("game", ["crazy-eights", "mau-mau", "macau-wars"])
def test_a_page_that_is_loaded_anew_in_every_phase_is_back_there(tmp_path: Path, game: str) -> None:
    with evening(tmp_path) as at:
        # There is another match after this one: who hosts is still there while the last sheet is loaded anew.
        words = ("--seats", "2", "--rounds", "2", "--matches", "2", "--option", "hand=3")
        host = at.start("Mia", "host", game, "--phones", *words)
        tab = at.browser().tab()
        tab.open(f"{near(host.said('phones'))}&name=Lena")
        press(tab, "Ready")
        tab.wait(SHOWN, WAIT_S)
        thumb, seen, until = Thumb(tab), set[str](), time.monotonic() + MATCH_S
        while not (host.lines and "match" in host.lines[-1]):
            assert time.monotonic() < until, (seen, thumb.state(), tab.text())
            phase = phase_of(thumb)
            if phase not in seen:
                seen.add(phase)
                hand = tab.js(HAND)
                loaded_anew(tab)
                assert tab.js(HAND) == hand or phase in ("wait", "before", "sheet")
            if phase_of(thumb) == "sheet":
                tab.js("document.querySelector('.actions [data-key=play]')?.click()")
                thumb = Thumb(tab)
            else:
                thumb.play_on()
        assert "turn" in seen
        at.assert_equal_files()
