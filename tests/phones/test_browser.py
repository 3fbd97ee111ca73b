"""Phones as they are used: a real browser sits at the table of real processes, is closed, comes back, and all files agree."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from cli.bench.chrome import Chrome, Tab, browser_path, chrome
from cli.phones import assets
from protocol.games.catalogue import BUILT_IN, game_class
from protocol.table.verify import verify
from tests.e2e.clients import free_port
from tests.web.axe import findings
from tests.web.thumbs import Thumb

ROOT = Path(__file__).parent.parent.parent
WAIT_S = 240.0


def reason() -> str:
    """Why this cannot be run here; empty if it can."""
    try:
        assets.folder()
    except assets.NoAssets:
        return "the files for phones are not installed (make phones)"
    return "" if browser_path() else "needs Chromium (CHROME names another)"


pytestmark = [
    pytest.mark.soak,
    pytest.mark.sockets,
    pytest.mark.timeout(900),
    pytest.mark.skipif(bool(reason()), reason=reason() or "-"),
]


@dataclass
class Client:
    """One process of the program. `lines` are those of its standard output."""

    process: subprocess.Popen[str]
    home: Path
    out: Path

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.out.read_text().splitlines() if line.endswith("}")]

    def said(self, name: str, wait_s: float = WAIT_S) -> Any:
        """Wait for a line with this field; return the field."""
        until = time.monotonic() + wait_s
        while True:
            found = [line[name] for line in self.lines if name in line]
            if found:
                return found[0]
            assert time.monotonic() < until, (name, self.out.with_suffix(".err").read_text()[-2000:])
            assert self.process.poll() in (None, 0), self.out.with_suffix(".err").read_text()[-2000:]
            time.sleep(0.05)


class Evening:
    """A host's process, others, and a browser."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.clients: list[Client] = []

    def start(self, name: str, *args: str, version: str = "") -> Client:
        """`version`: what makes the program another version of itself, in Python."""
        home, out = self._folder / name, self._folder / f"{name}{len(self.clients)}.out"
        # A port of its own: with that of all programs, another test's could take it between two starts.
        if not home.exists():
            home.mkdir(mode=0o700)
            (home / "phones-port").write_text(str(free_port()))
        environ = {**os.environ, "FAIRDEAL_HOME": str(home), "PYTHONPATH": str(ROOT)}
        program = ["-c", f"{version}; import sys; from cli.main import main; sys.exit(main())"]
        words = [*args, "--name", name, "--autoplay", "--json"]
        command = [sys.executable, *(program if version else ["-m", "cli.main"]), *words]
        with out.open("w") as told, out.with_suffix(".err").open("w") as noted:
            process = subprocess.Popen(command, env=environ, stdout=told, stderr=noted, text=True, cwd=self._folder)
        self._stack.callback(_end, process)
        self.clients.append(found := Client(process, home, out))
        return found

    def browser(self) -> Chrome:
        path = browser_path()
        assert path is not None
        return self._stack.enter_context(chrome(path))

    def assert_equal_files(self) -> None:
        """All files of the match that was played are the same, and verify."""
        results = [client.said("match") for client in self.clients]
        assert len(set(results)) == 1
        files = {Path(client.said("transcript")).read_bytes() for client in self.clients}
        assert len(files) == 1
        assert verify(files.pop(), os.urandom).ok


def _end(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.kill()
    process.wait()


@contextmanager
def evening(folder: Path) -> Iterator[Evening]:
    with ExitStack() as stack:
        yield Evening(folder, stack)


def near(address: str) -> str:
    """The page by the loopback address, which every machine has."""
    port = address.partition("//")[2].partition("/")[0].rpartition(":")[2]
    return f"http://127.0.0.1:{port}/{address.partition('/#')[2] and '#' + address.partition('/#')[2]}"


def join_port(host: Client) -> str:
    """Where others join the host's room: the port in its notes."""
    until = time.monotonic() + WAIT_S
    while True:
        for line in host.out.with_suffix(".err").read_text().splitlines():
            if "fairdeal join" in line and "[" not in line:
                return f"127.0.0.1:{line.rpartition(':')[2].strip()}"
        assert time.monotonic() < until
        time.sleep(0.05)


def says(tab: Tab, text: str, wait_s: float = WAIT_S) -> None:
    tab.wait(f"(document.body?.innerText ?? '').includes({json.dumps(text)})", wait_s)


def press(tab: Tab, label: str) -> None:
    found = f"[...document.querySelectorAll('button')].find((each) => each.textContent === {json.dumps(label)})"
    tab.wait(found, WAIT_S)
    tab.js(f"{found}.click()")


HAND = "document.querySelector('.hand').innerText"
ASKS_BEFORE_IT_GOES = "!dispatchEvent(new Event('beforeunload', { cancelable: true }))"


def sits_down(at: Evening, tab: Tab) -> str:
    """A host and this phone begin a round of Crazy Eights, and it is the phone's turn; return its hand."""
    host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
    tab.open(f"{near(host.said('phones'))}&name=Lena")
    press(tab, "Ready")
    says(tab, "YOUR TURN")
    return str(tab.js(HAND))


def test_a_page_that_is_closed_in_every_phase_of_tichu_comes_back(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "tichu", "--phones", "--rounds", "1")
        address = near(host.said("phones"))
        at.start("Jonas", "join", join_port(host), "--matches", "1")
        browser = at.browser()
        lena, other = browser.tab(), at.browser().tab()
        lena.open(f"{address}&autoplay=1&name=Lena")
        other.open(f"{address}&autoplay=1&name=Paul")
        says(other, "Tichu")
        for _ in range(3):
            says(other, "round 1")
            other.open("about:blank")
            other.wait("location.href === 'about:blank'")
            other.open(f"{address.partition('#')[0]}#&autoplay=1")
        says(lena, "1 round · all proven fair")
        says(other, "1 round · all proven fair")
        at.assert_equal_files()


def test_the_serving_machine_is_killed_and_the_page_goes_on(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
        address = near(host.said("phones"))
        browser = at.browser()
        tab = browser.tab()
        tab.open(f"{address}&name=Lena")
        press(tab, "Ready")
        says(tab, "YOUR TURN")
        hand = tab.js("document.querySelector('.hand').innerText")
        host.process.send_signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)
        says(tab, "Is this phone still on the same Wi-Fi as Mia’s computer")
        assert "this computer" not in tab.text() and "your computer" not in tab.text()
        assert tab.js(ASKS_BEFORE_IT_GOES)
        press(tab, "See my cards")
        assert tab.js(ASKS_BEFORE_IT_GOES)
        assert tab.js("document.querySelector('.hand').innerText") == hand
        at.start("Mia", "host", "crazy-eights", "--seats", "2", "--rounds", "1")
        says(tab, "Mia is back")
        assert tab.js("document.querySelector('.hand').innerText") == hand
        assert not tab.js("document.querySelector('.lost-sheet')") and not tab.js(ASKS_BEFORE_IT_GOES)
        second = browser.tab()
        second.open(address.partition("#")[0])
        says(second, "YOUR TURN")
        says(tab, "Fairdeal is open in another tab now")
        press(second, "Draw")
        second.wait(f"{HAND} !== {json.dumps(hand)}", WAIT_S)
        cards = "document.querySelectorAll('.slot').length"
        held = second.js(cards)
        assert "Try again" not in tab.text(), "nothing has failed"
        press(tab, "Play here")
        says(second, "Fairdeal is open in another tab now")
        tab.wait(f"{cards} === {held}", WAIT_S)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no processes")
def test_a_phone_in_the_room_says_that_its_computer_does_not_answer(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
        tab = at.browser().tab()
        tab.open(f"{near(host.said('phones'))}&name=Lena")
        says(tab, "not ready")
        host.process.send_signal(signal.SIGSTOP)
        says(tab, "Is this phone still on the same Wi-Fi as Mia’s computer")
        host.process.send_signal(signal.SIGCONT)
        tab.wait("!document.body.innerText.includes('Is this phone still')", WAIT_S)
        press(tab, "Ready")
        says(tab, "YOUR TURN")


def test_the_serving_machine_is_gone_for_good_and_the_open_page_plays_on_through_another(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        words = ("--seats", "3", "--rounds", "1", "--leave-after", "3")
        host = at.start("Mia", "host", "crazy-eights", "--phones", *words)
        address = near(host.said("phones"))
        jonas = at.start("Jonas", "join", join_port(host), "--matches", "1", "--phones")
        assert jonas.said("phones")
        browser = at.browser()
        tab, screen = browser.tab(), browser.tab(1280, 720, touch=False)
        tab.open(f"{address}&name=Lena")
        press(tab, "Ready")
        says(tab, "YOUR TURN")
        screen.open(f"{address}&watch")
        screen.wait("document.querySelector('.table.watching') && document.querySelector('.join')", WAIT_S)
        hand = tab.js("document.querySelector('.hand').innerText")
        host.process.kill()
        says(tab, "vote to play on without Mia")
        assert tab.js("document.querySelector('.hand').innerText") == hand
        at.clients.remove(host)
        press(tab, "Play on")
        screen.wait("!document.querySelector('.join')", WAIT_S)
        tab.call("Page.bringToFront")  # only there do taps arrive
        Thumb(tab).play_round(WAIT_S)
        at.assert_equal_files()
        screen.wait("document.querySelectorAll('.scores tbody tr').length === 3", WAIT_S)


def test_a_phone_that_has_left_may_come_back_to_its_match_or_go_into_the_room(tmp_path: Path) -> None:
    """Also to one that it has put aside meanwhile."""
    with evening(tmp_path) as at:
        tab = at.browser().tab()
        hand = sits_down(at, tab)
        steps_away(tab)
        tab.tap("[data-key^=row-]:first-of-type")
        says(tab, "YOUR TURN")
        assert tab.js(HAND) == hand
        steps_away(tab)
        tab.tap("[data-key=row-room]")
        says(tab, "You have an unfinished match")
        tab.tap("[data-key=row-aside]")
        tab.wait("document.querySelector('.member')", WAIT_S)
        tab.tap("[data-key=back]")
        press(tab, "Leave")
        says(tab, "Rejoin your match")
        tab.tap("[data-key^=row-]:first-of-type")
        says(tab, "YOUR TURN")
        assert tab.js(HAND) == hand
        assert tab.told == []


def steps_away(tab: Tab) -> None:
    """Leave the table, and keep the seat."""
    tab.tap("[data-key=menu]")
    tab.tap("[data-key=menu-leave]")
    tab.tap(".answers button:nth-of-type(2)")
    says(tab, "Rejoin your match")


STARTS_A_BROWSER = """
from cli.bench.chrome import browser_path, chrome
with chrome(browser_path()) as browser:
    browser.tab().open("about:blank")
    print(browser.group, flush=True)
    input()
"""


@pytest.mark.parametrize("by", [signal.SIGTERM, signal.SIGKILL])
def test_a_browser_ends_with_whoever_started_it(by: signal.Signals) -> None:
    words = [sys.executable, "-c", STARTS_A_BROWSER]
    with subprocess.Popen(words, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as starter:
        assert starter.stdout is not None
        group = int(starter.stdout.readline())
        starter.send_signal(by)
    until = time.monotonic() + WAIT_S
    while True:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        assert time.monotonic() < until
        time.sleep(0.05)


def test_a_phone_that_comes_late_watches_from_the_room(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
        address = near(host.said("phones"))
        jonas = at.browser().tab()
        jonas.open(f"{address}&name=Jonas")
        press(jonas, "Ready")
        says(jonas, "YOUR TURN")
        tab = at.browser().tab()
        tab.open(f"{address}&name=Lena")
        says(tab, "playing")
        press(tab, "Watch")
        tab.wait("document.querySelector('.table.watching')", WAIT_S)
        says(tab, "Mia")
        assert tab.js("document.querySelectorAll('.slot').length") == 0


REMEMBERS_WORKERS = """
globalThis.workers = [];
const Real = globalThis.Worker;
globalThis.Worker = class extends Real {
  constructor(...given) {
    super(...given);
    workers.push(this);
  }

  postMessage(message) {
    if (!this.isDeaf || message.type !== "ping") super.postMessage(message);
  }
};"""


def test_a_worker_that_hangs_or_breaks_down_is_ended_and_the_seat_restored(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        tab = at.browser().tab()
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=REMEMBERS_WORKERS)
        hand = sits_down(at, tab)
        tab.js("workers[0].isDeaf = true")
        tab.wait("workers.length === 2 && document.querySelector('.lost.shown')", WAIT_S)
        tab.wait("!document.querySelector('.lost.shown')", WAIT_S)
        says(tab, "YOUR TURN")
        assert tab.js(HAND) == hand
        tab.js("workers[1].dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
        tab.wait("workers.length === 3 && !document.querySelector('.lost.shown')", WAIT_S)
        says(tab, "YOUR TURN")
        assert tab.js(HAND) == hand
        press(tab, "Draw")
        tab.wait(f"{HAND} !== {json.dumps(hand)}", WAIT_S)
        tab.js("workers[2].dispatchEvent(new ErrorEvent('error', { message: 'out of memory' }))")
        says(tab, "Something went wrong on this page")


UNREADABLE = """
import cli.phones.serving as serving
real, asked = serving.answer, []
def answer(path, server):
    kind, data, headers = real(path, server) or ("", b"", {})
    if path == "/phone.js":
        asked.append(path)
        if len(asked) == 1:
            data, headers = b"what?", {name: each for name, each in headers.items() if name != "Content-Encoding"}
    return (kind, data, headers) if kind else None
serving.answer = answer"""


def test_a_page_that_cannot_run_or_finds_nobody_is_not_empty(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1", version=UNREADABLE)
        address = near(host.said("phones"))
        tab = at.browser().tab()
        tab.call("Network.enable")
        tab.open(address)
        says(tab, "This browser is too old for Fairdeal")
        tab.call("Network.setBlockedURLs", urls=["*/phone.js"])
        tab.open("about:blank")
        tab.open(address)
        says(tab, "The computer that serves this page can’t be reached.")
        tab.call("Network.setBlockedURLs", urls=["*/build.json"])
        tab.open("about:blank")
        tab.open(address)
        tab.wait("document.querySelector('[data-key=again]')", WAIT_S)
        tab.call("Network.setBlockedURLs", urls=[])
        tab.js("document.querySelector('[data-key=again]').click()")
        says(tab, "Your name")
        tab.call("Network.setBlockedURLs", urls=["*/build.json"])
        tab.call("Page.reload")
        says(tab, "The computer that serves this page can’t be reached.")


HIDDEN = """(() => {
  Object.defineProperty(document, "visibilityState", { configurable: true, value: "%s" });
  document.dispatchEvent(new Event("visibilitychange"));
})()"""


def test_a_phone_that_is_put_away_is_shown_asleep_until_it_is_looked_at(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "3", "--rounds", "1")
        address = near(host.said("phones"))
        jonas, lena = at.browser().tab(), at.browser().tab()
        for tab, name in ((jonas, "Jonas"), (lena, "Lena")):
            tab.open(f"{address}&name={name}")
            press(tab, "Ready")
        says(jonas, "round 1")
        says(lena, "round 1")
        lena.js(HIDDEN % "hidden")
        says(jonas, "asleep")
        lena.js(HIDDEN % "visible")
        jonas.wait("!document.body.innerText.includes('asleep')", WAIT_S)


POSTED = """globalThis.posted = [];
Worker = class extends Worker {
  postMessage(said) { posted.push(said.type); super.postMessage(said); }
};"""


def test_python_is_loaded_while_a_name_is_typed(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
        tab = at.browser().tab()
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=POSTED)
        tab.open(near(host.said("phones")))
        tab.wait("document.querySelector('form')", WAIT_S)
        tab.call("Page.reload")
        tab.wait("document.querySelector('form')", WAIT_S)
        assert tab.js("posted") == ["load"]
        assert findings(tab) == []
        assert (
            tab.js(
                "(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('.start'))"
            )
            < 2
        )
        tab.call("Input.insertText", text="Lena")
        tab.tap("form .primary")
        tab.wait("document.querySelector('[data-key=ready]')", WAIT_S)
        says(tab, "Lena")


def test_a_fair_deal_and_whom_a_phone_has_to_trust_are_on_one_screen(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        tab = at.browser().tab(320, 568)
        sits_down(at, tab)
        tab.tap("[data-key=report]")
        tab.wait("document.querySelector('.trust')", WAIT_S)
        tab.wait("document.getAnimations().every((each) => each.effect.getTiming().iterations === Infinity)")
        bottom = "document.querySelector('%s').getBoundingClientRect().bottom"
        headline, trust, window = (tab.js(bottom % each) for each in (".headline", ".trust", "main.text"))
        assert headline < trust <= window


DROPS = """(() => {
  const data = new DataTransfer();
  data.items.add(new File([Uint8Array.from(atob("%s"), (each) => each.charCodeAt(0))], "old.match"));
  dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
})()"""


def test_a_file_is_checked_and_another_tab_watches_in_the_middle_of_a_match(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        browser = at.browser()
        tab = browser.tab()
        hand = sits_down(at, tab)
        tab.js(DROPS % b64encode((ROOT / "tests/vectors/matches/complaint.match").read_bytes()).decode())
        says(tab, "P1 cheated, and this file proves it.")
        press(tab, "Close")
        assert tab.js(HAND) == hand
        screen = browser.tab()
        screen.open(f"{near(at.clients[0].said('phones'))}&watch")
        screen.wait("document.querySelector('.table.watching')", WAIT_S)
        press(tab, "Draw")
        tab.wait(f"{HAND} !== {json.dumps(hand)}", WAIT_S)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows stops no processes")
def test_a_phone_that_wakes_after_its_socket_died_plays_on(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        tab = at.browser().tab()
        hand = sits_down(at, tab)
        tab.js(HIDDEN % "hidden")
        at.clients[0].process.send_signal(signal.SIGSTOP)
        says(tab, "Is this phone still on the same Wi-Fi")
        at.clients[0].process.send_signal(signal.SIGCONT)
        tab.js(HIDDEN % "visible")
        tab.wait("!document.querySelector('.lost-sheet')", WAIT_S)
        assert tab.js(HAND) == hand
        press(tab, "Draw")
        tab.wait(f"{HAND} !== {json.dumps(hand)}", WAIT_S)


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("game", sorted(BUILT_IN))
def test_a_round_of_each_game_by_taps_on_a_phone(tmp_path: Path, game: str) -> None:
    seats = min(game_class(game).seat_counts)
    with evening(tmp_path) as at:
        words = ("--seats", str(seats), "--bots", str(seats - 2), "--rounds", "1", "--matches", "2", "--grace", "0")
        host = at.start("Mia", "host", game, "--phones", *words)
        tab = at.browser().tab()
        tab.open(f"{near(host.said('phones'))}&name=Lena")
        press(tab, "Ready")
        Thumb(tab).play_round(400.0)
        assert tab.told == []
        assert verify(Path(host.said("transcript")).read_bytes(), os.urandom).ok


OTHER_PAGE = "import cli.phones.files as files; files.page_version = lambda: 'another'"
OTHER_PROTOCOL = "import protocol.table.roster as roster; roster.is_of_this_version = lambda _roster: False"
MARK = "globalThis.isStillThatPage = true"


def test_a_page_of_another_version_plays_on_and_is_loaded_anew_in_the_room(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        words = ("host", "crazy-eights", "--seats", "2", "--rounds", "1", "--option", "hand=2")
        host = at.start("Mia", *words, "--phones", "--matches", "2")
        tab = at.browser().tab()
        tab.open(f"{near(host.said('phones'))}&name=Lena")
        press(tab, "Ready")
        says(tab, "YOUR TURN")
        tab.js(MARK)
        host.process.kill()
        says(tab, "away")
        at.start("Mia", *words, "--matches", "2", version=OTHER_PAGE)
        says(tab, "Mia is back")
        assert tab.js("globalThis.isStillThatPage"), "not in the middle of a match"
        Thumb(tab).play_round(WAIT_S)
        tab.tap("[data-key=escape], [data-key=back]")
        tab.wait("!globalThis.isStillThatPage", WAIT_S)
        press(tab, "Ready")
        says(tab, "YOUR TURN")


def test_a_page_that_the_program_does_not_understand_any_more_says_so(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        words = ("host", "crazy-eights", "--seats", "2", "--rounds", "1")
        host = at.start("Mia", *words, "--phones")
        tab = at.browser().tab()
        tab.open(f"{near(host.said('phones'))}&name=Lena")
        press(tab, "Ready")
        says(tab, "YOUR TURN")
        host.process.kill()
        says(tab, "away")
        at.start("Mia", *words, "--phones", version=f"{OTHER_PAGE}; {OTHER_PROTOCOL}")
        says(tab, "runs another version of Fairdeal now. Load the page again.")
        tab.js(MARK)
        press(tab, "Try again")
        tab.wait("!globalThis.isStillThatPage", WAIT_S)


FAILS_ONCE = """
import cli.phones.serving as serving
real, failed = serving.answer, set()
WANTED = ("/table.js", "/style.css", "/worker.js", "/store.js", "pyodide.mjs", ".zip")
def answer(path, server):
    found = next((each for each in WANTED if path.endswith(each) and each not in failed), None)
    if found is None:
        return real(path, server)
    failed.add(found)
    return None
serving.answer = answer"""
SEEN = """(() => {
  globalThis.isNotice = (text) => text.includes('arrive');
  const note = () => { if (isNotice(document.body?.innerText ?? '')) sessionStorage.setItem('seen', '1'); };
  new MutationObserver(note).observe(document, { childList: true, subtree: true });
})()"""


def test_a_page_is_not_put_off_by_files_that_do_not_come_at_once(tmp_path: Path) -> None:
    """Neither of the page itself, nor of its worker, nor of Python; and it says what it waits for."""
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1", version=FAILS_ONCE)
        tab = at.browser().tab()
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=SEEN)
        tab.open(f"{near(host.said('phones'))}&name=Lena")
        tab.wait("document.querySelector('[data-key=ready], [data-key=again]')", WAIT_S)
        assert not tab.js("Boolean(document.querySelector('[data-key=again]'))"), tab.text()
        assert tab.js("sessionStorage.getItem('seen')")
        assert tab.js("sessionStorage.getItem('tries')") == "0"


def test_an_address_without_an_invitation_lets_nobody_in_but_checks_files(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
        address = near(host.said("phones"))
        tab = at.browser().tab()
        tab.open(address.partition("#")[0])
        says(tab, "Nobody can join at this address: scan the code")
        assert not tab.js("document.querySelector('form')"), "before anybody is asked for anything"
        tab.open("about:blank")
        tab.open(f"{address.partition('#')[0]}#{'A' * 43}&name=Eve")
        says(tab, "another computer has this address now".capitalize())
        tab.open("about:blank")
        tab.open(f"{address.partition('#')[0]}#broken&name=Eve")
        says(tab, "Part of this address is missing")
        document = tab.call("DOM.getDocument", depth=-1)["root"]["nodeId"]
        field = tab.call("DOM.querySelector", nodeId=document, selector="input[type=file]")["nodeId"]
        file = ROOT / "tests/vectors/matches/complaint.match"
        tab.call("DOM.setFileInputFiles", files=[str(file)], nodeId=field)
        says(tab, "P1 cheated, and this file proves it.")


def test_a_phone_without_room_for_its_seat_says_so(tmp_path: Path) -> None:
    with evening(tmp_path) as at:
        host = at.start("Mia", "host", "crazy-eights", "--phones", "--seats", "2", "--rounds", "1")
        address = near(host.said("phones"))
        tab = at.browser().tab()
        tab.call("Storage.overrideQuotaForOrigin", origin=address.partition("/#")[0], quotaSize=1)
        tab.open(f"{address}&name=Lena")
        says(tab, "storage is full")
