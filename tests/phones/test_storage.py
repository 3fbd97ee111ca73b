"""A browser that keeps nothing, forgets what it was given, or has no room for it: the page says so, and nothing is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bench.chrome import Tab
from tests.phones.test_browser import evening, near, press, reason, says
from tests.phones.test_reloading import HAND

pytestmark = [
    pytest.mark.soak,
    pytest.mark.sockets,
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(reason()), reason=reason() or "-"),
]
WAIT_S = 60.0
WORDS = ("host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
OTHER_STORE = """
import functools
import cli.page.files as files
real = files.found_files()
kind, data = real["/store.js"]
for old, new in %r:
    assert old in data
    data = data.replace(old, new)
other = {**real, "/store.js": (kind, data)}
files.found_files = functools.cache(lambda: other)"""


def with_store(**changed: str) -> str:
    """A version of the program whose page has another store: what stands there now, and what shall stand there."""
    return OTHER_STORE % [(OLD[name].encode(), new.encode()) for name, new in changed.items()]


OLD = {
    "opens": "indexedDB.open(NAME, 1)",
    "waits": "ANSWER_MS = 10000",
    "hears": "tabs.onmessage = ({ data }) =>",
}
OBEYS = f"""{OLD["hears"]} data === "cut" ? this.base.close() : data === "full" ? (this.tried = async () => {{
  throw new DOMException("", "QuotaExceededError");
}}) :"""
"""It loses its connection when it is told to, as on a phone that has slept, or has no room any more. (A quota that is set while a
page is open is looked at half a minute later.)"""
TOLD = "new BroadcastChannel('fairdeal').postMessage('%s')"


def draws(tab: Tab) -> str:
    """Take a card; return the hand with it."""
    before = tab.js(HAND)
    press(tab, "Draw")
    tab.wait(f"{HAND} !== {json.dumps(before)}", WAIT_S)
    return str(tab.js(HAND))


def shows_again(tab: Tab, hand: str) -> None:
    tab.wait(f"{HAND} === {json.dumps(hand)}", WAIT_S)
    says(tab, "YOUR TURN", WAIT_S)


def test_what_a_browser_forgets_or_cannot_keep_in_the_middle_of_a_match(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", *WORDS, version=with_store(hears=OBEYS))
        address = near(host.said("phones"))
        tab = at.browser().tab()
        tab.open(f"{address}&name=Lena")
        press(tab, "Ready")
        says(tab, "YOUR TURN")
        tab.js(TOLD % "cut")
        draws(tab)
        tab.call("Storage.clearDataForOrigin", origin=address.partition("/#")[0], storageTypes="indexeddb")
        hand = draws(tab)
        assert tab.told == []
        tab.call("Page.reload")
        shows_again(tab, hand)
        tab.js(TOLD % "full")
        press(tab, "Draw")
        says(tab, "This phone’s storage is full, so nothing can be saved.", WAIT_S)
        press(tab, "Try again")
        shows_again(tab, hand)
        draws(tab)


@pytest.mark.parametrize("answer", ["(() => { throw new DOMException('no', 'SecurityError'); })()", "({})"])
def test_a_browser_that_keeps_nothing(tmp_path: Path, answer: str) -> None:
    """It refuses at once, or never answers."""
    with evening(tmp_path) as at:
        host = at.start("Mia", *WORDS, version=with_store(opens=answer, waits="ANSWER_MS = 500"))
        tab = at.browser().tab()
        tab.open(f"{near(host.said('phones'))}&name=Lena")
        says(tab, "This browser saves nothing, so your seat would be lost when the page closes.", WAIT_S)
