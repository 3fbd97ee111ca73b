"""A phone that plays by itself, from the printed address to the end of the match, beside two computers."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from cli.bench.chrome import browser_path, chrome
from cli.phones import assets
from protocol.table.verify import verify
from tests.e2e.clients import free_port
from tests.web.thumbs import program

FOUND = browser_path()
MATCH_S = 200.0


def is_installed() -> bool:
    try:
        return bool(assets.folder())
    except assets.NoAssets:
        return False


pytestmark = [
    pytest.mark.sockets,
    pytest.mark.slow,
    pytest.mark.skipif(FOUND is None, reason="no Chromium here (CHROME names one)"),
    pytest.mark.skipif(not is_installed(), reason="what phones need is not installed (make phones)"),
]


def test_a_browser_plays_a_match_with_two_computers(tmp_path: Path) -> None:
    assert FOUND is not None
    port = free_port()
    words = ("mau-mau", "--autoplay", "--json", "--seats", "3", "--rounds", "1", "--port", str(port))
    with program(tmp_path / "host", "host", *words, "--phones") as host:
        assert host.stdout is not None
        address = json.loads(host.stdout.readline())["phones"]
        joins = ("join", f"127.0.0.1:{port}", "--autoplay", "--json", "--matches", "1")
        with program(tmp_path / "guest", *joins) as guest, chrome(FOUND) as browser:
            tab = browser.tab()
            tab.open(f"{address}&autoplay=1&name=Lena")
            out, _err = host.communicate(timeout=MATCH_S)
            other, _err = guest.communicate(timeout=MATCH_S)
            assert (host.returncode, guest.returncode) == (0, 0)
            tab.wait("document.querySelectorAll('.scores tbody tr').length === 3")
            assert "Lena" in tab.js("document.querySelector('.scores').innerText")
            assert "#" not in tab.js("location.href"), "the invitation does not stay in the address"
            assert all("ERR_CONNECTION_REFUSED" in each for each in tab.told), (
                "the host is gone by now, nothing else is wrong"
            )
    results = [json.loads(each.splitlines()[-1]) for each in (out, other)]
    assert results[0]["match"] == results[1]["match"]
    assert all(each["verified"] for each in results)
    for each in results:
        found = verify(Path(each["transcript"]).read_bytes(), os.urandom)
        assert found.ok and found.complete and "Lena" in [name for name, _fingerprint in found.players]
