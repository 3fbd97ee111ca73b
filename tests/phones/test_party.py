"""An evening on a network of its own: a laptop serves two phones, a terminal finds the table by itself, all by taps."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.bench.chrome import Chrome, Tab, browser_path, chrome
from protocol.table.verify import verify
from tests.e2e.clients import party, wait_for
from tests.lan.conftest import lan as lan
from tests.lan.lab import Host, Lab
from tests.phones.test_browser import press, reason
from tests.web.thumbs import Thumb, play_round

pytestmark = [
    pytest.mark.netns,
    pytest.mark.slow,
    pytest.mark.timeout(420),
    pytest.mark.skipif(bool(reason()), reason=reason() or "-"),
]
START_S = 90.0
ROUND_S = 240.0


@contextmanager
def phone(host: Host, profile: Path) -> Iterator[Chrome]:
    """A browser on this host, with what it kept in this folder."""
    path = browser_path()
    assert path is not None
    profile.mkdir(exist_ok=True)
    with chrome(path, profile, ("ip", "netns", "exec", host.namespace), host.inside) as browser:
        yield browser


def saved_file(tab: Tab, folder: Path) -> bytes:
    """Save the match from its score sheet; return the file."""
    folder.mkdir()
    tab.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
    tab.wait("document.querySelector('main.scores')")
    export = "document.querySelector('[data-key=export]')"
    tab.wait(export, START_S)
    tab.js(f"{export}.click()")
    found: list[Path] = []

    def is_there() -> bool:
        found[:] = folder.glob("*.fairdeal")
        return bool(found)

    wait_for(is_there, "no file was saved")
    return found[0].read_bytes()


def test_tichu_with_two_phones_a_laptop_and_a_terminal(lan: Callable[[int], Lab], tmp_path: Path) -> None:
    """One phone's battery is empty in the exchange; it comes back, and all four files are the same."""
    laptop, phones, elsewhere = lan(3).hosts
    words = ("host", "tichu", "--phones", "--autoplay", "--json", "--seats", "4", "--rounds", "1", "--name", "Mia")
    with party(tmp_path) as friends:
        host = friends.start("mia", *words, prefix=("ip", "netns", "exec", laptop.namespace))
        assert host.process.stdout is not None
        address = json.loads(host.process.stdout.readline())["phones"]
        assert address.startswith(f"http://{laptop.v4}:")
        join = ("join", "--autoplay", "--json", "--matches", "1", "--name", "Jonas")
        other = friends.start("jonas", *join, prefix=("ip", "netns", "exec", elsewhere.namespace))
        with phone(phones, tmp_path / "paul") as second:
            paul = second.tab()
            paul.open(f"{address}&name=Paul")
            press(paul, "Ready")
            with phone(phones, tmp_path / "lena") as first:
                lena = first.tab()
                lena.open(f"{address}&name=Lena")
                press(lena, "Ready")
                thumb = Thumb(lena)
                while not thumb.state()["places"]:
                    thumb.play_on()
                    Thumb(paul).play_on()
                first.kill()
            with phone(phones, tmp_path / "lena") as again:
                lena = again.tab()
                lena.open(address.partition("#")[0])
                lena.wait("document.querySelector('.places')", START_S)
                play_round((Thumb(lena), Thumb(paul)), ROUND_S)
                files = [saved_file(lena, tmp_path / "of-lena"), saved_file(paul, tmp_path / "of-paul")]
        ended = [each.end() for each in (host, other)]
    assert [each.status for each in ended] == [0, 0], [each.err for each in ended]
    files += [Path(each.report["transcript"]).read_bytes() for each in ended]
    assert len(set(files)) == 1
    found = verify(files[0], os.urandom)
    assert found.ok and found.complete and {"Lena", "Paul", "Mia", "Jonas"} == {name for name, _ in found.players}
