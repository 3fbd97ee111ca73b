"""A screen that shows the table to the room, over the network: no seat, no hand, and the code to join by."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.bench.chrome import browser_path, chrome
from cli.phones.invitation import read, written
from protocol.identity import KEY_BYTES
from tests.e2e.clients import free_port
from tests.phones.test_whole_match import pytestmark as where_phones_run
from tests.web.codes import code_of
from tests.web.thumbs import address_of, program

pytestmark = [*where_phones_run, pytest.mark.soak]
FOUND = browser_path()
START_S = 240.0


def test_the_room_sees_a_match_from_before_its_beginning_to_its_scores(tmp_path: Path) -> None:
    assert FOUND is not None
    port = free_port()
    words = (
        "mau-mau",
        "--autoplay",
        "--json",
        "--seats",
        "2",
        "--rounds",
        "8",
        "--port",
        str(port),
        "--table",
        "Kitchen",
    )
    with program(tmp_path / "host", "host", *words, "--phones") as host, chrome(FOUND) as browser:
        assert host.stdout is not None
        address = json.loads(host.stdout.readline())["phones"]
        tab = browser.tab(1920, 1080, touch=False)
        tab.open(f"{address}&watch")
        tab.wait("document.querySelector('.start [role=status], .start[role=status]')")
        assert "phone" not in tab.text() and "Your cards" not in tab.text(), "a TV is no phone, and has no cards"
        waits = "document.querySelector('.join svg.code') && document.body?.innerText.includes('Nobody is playing yet')"
        tab.wait(waits, START_S)
        assert "#" not in tab.js("location.href"), "the invitation does not stay in the address"
        assert code_of(tab) == address
        tab.call("Page.reload")
        tab.wait("!document.querySelector('.join')")
        tab.wait(waits, START_S)
        with program(tmp_path / "guest", "join", f"127.0.0.1:{port}", "--autoplay", "--json", "--matches", "1"):
            tab.wait("document.querySelector('.table.watching, .scores')", START_S)
            assert tab.js("document.querySelectorAll('.slot').length") == 0
            assert "Kitchen" in tab.text()
            tab.wait("document.querySelectorAll('.scores tbody tr').length === 2", START_S)
            assert tab.js("document.documentElement.scrollHeight <= innerHeight")
            tab.wait("document.body.innerText.includes('nobody cheated')", START_S)
    assert all("ERR_CONNECTION_REFUSED" in each for each in tab.told)


def test_a_screen_comes_back_when_the_program_is_started_anew(tmp_path: Path) -> None:
    """Also when its page is loaded anew meanwhile."""
    assert FOUND is not None
    words = ("mau-mau", "--autoplay", "--json", "--seats", "2", "--rounds", "8", "--port", str(free_port()), "--phones")
    with chrome(FOUND) as browser:
        stays, reloaded = (browser.tab(1920, 1080, touch=False) for _ in range(2))
        with program(tmp_path / "host", "host", *words) as host:
            assert host.stdout is not None
            address = json.loads(host.stdout.readline())["phones"]
            for tab in (stays, reloaded):
                tab.open(f"{address}&watch")
                tab.wait("document.body?.innerText.includes('Nobody is playing yet')", START_S)
                tab.wait("sessionStorage.getItem('watch')?.includes('\"voucher\":[\"')", START_S)
        with program(tmp_path / "host", "host", *words, "--bots", "1") as host:
            assert host.stdout is not None
            assert json.loads(host.stdout.readline())["phones"] != address
            reloaded.call("Page.reload")
            for tab in (stays, reloaded):
                tab.wait("document.querySelector('.table.watching, .scores')", START_S)
            assert not stays.js("document.querySelector('.join')"), "nobody joins with that code any more"


def test_a_tv_on_a_computer_shows_one_match_after_another_and_the_code_to_join_by(tmp_path: Path) -> None:
    assert FOUND is not None
    port = free_port()
    words = ("mau-mau", "--autoplay", "--json", "--seats", "2", "--rounds", "4", "--matches", "2", "--port", str(port))
    with program(tmp_path / "host", "host", *words, "--phones") as host, chrome(FOUND) as browser:
        assert host.stdout is not None
        address = json.loads(host.stdout.readline())["phones"]
        with program(tmp_path / "tv", "watch", f"127.0.0.1:{port}", "--tv") as tv:
            tab = browser.tab(1920, 1080, touch=False)
            tab.open(address_of(tv))
            tab.wait("document.querySelector('.join svg.code')", START_S)
            assert code_of(tab) == address
            tab.wait("document.body.innerText.includes('Nobody is playing yet')", START_S)
            tab.js(SEES_SCORES)
            with program(tmp_path / "guest", "join", f"127.0.0.1:{port}", "--autoplay", "--json", "--matches", "2"):
                tab.wait("sheets === 2", START_S)


SEES_SCORES = """(() => {
  globalThis.sheets = 0;
  let was = false;
  new MutationObserver(() => {
    const is = Boolean(document.querySelector('main.scores'));
    if (is && !was) sheets += 1;
    was = is;
  }).observe(document.body, { childList: true, subtree: true });
})()"""


def test_an_invitation_that_is_not_ours_shows_nothing(tmp_path: Path) -> None:
    assert FOUND is not None
    words = ("mau-mau", "--autoplay", "--json", "--seats", "2", "--port", "0", "--phones")
    with program(tmp_path / "host", "host", *words) as host, chrome(FOUND) as browser:
        assert host.stdout is not None
        place, _, invitation = json.loads(host.stdout.readline())["phones"].partition("#")
        secret, server = read(invitation)
        for forged, told in (
            (written(secret, bytes(KEY_BYTES)), "Another computer has this address now"),
            (written(bytes(len(secret)), server), "This invitation is no longer valid"),
        ):
            tab = browser.tab()
            tab.open(f"{place}#{forged}&watch")
            tab.wait(f"document.body?.innerText.includes({told!r})", START_S)
