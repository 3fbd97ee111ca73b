"""The client in a phone's browser: what runs in the page's worker, under Pyodide. The page draws what this tells it."""

from __future__ import annotations

import asyncio
import json
import sys
import traceback
from base64 import b64encode
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import js
from pyodide.ffi import create_proxy

from cli.client.room import Door
from cli.client.system import System
from cli.console import Terminal
from cli.context import Context, config_of
from cli.faults import NobodyThere
from cli.flow.phone import stay
from cli.flow.session import Flow
from cli.flow.watching import watch_all
from cli.news import ExportedFiles
from cli.phones import warming
from cli.phones.invitation import read
from cli.phones.texts import UNINVITED
from cli.requests import TableRequest
from cli.text import languages, load_translator
from cli.view.settings import Settings
from cli.web.app import WebApp
from cli.web.checking import checked
from cli.web.incoming import Garbled, Tapped, Typed, read_message
from p2p.browser.clock import forgive_lateness
from p2p.browser.jobs import PageJobs
from p2p.browser.journal import BrowserJournal, open_journal
from p2p.browser.links import connect
from p2p.browser.store import TabStore
from p2p.guests.challenge import Code, Voucher
from p2p.guests.links import GuestLinks
from p2p.home import open_home
from p2p.interfaces import Address
from p2p.node import Node
from p2p.ports import Ports
from p2p.saved import Journals
from protocol.errors import FairdealError
from protocol.identity import KEY_BYTES, Identity
from protocol.table.roster import is_of_this_version

HOME = Path("/home/fairdeal")
SERVER_FILE = "server"
"""The key of the machine that serves this page."""
PATIENCE_S = 15.0
"""A host that has just started anew shows its room again within so long."""
WARM_S = 0.1
KEEP_S = 2.0
"""Small files, like settings, are saved so often if they have changed."""


class WorkerLink:
    """The page, as the app's link to it."""

    def tell(self, message: dict[str, Any]) -> None:
        js.page.tell(json.dumps(message, ensure_ascii=False))


class NoWayIn(FairdealError):
    """The address holds no invitation, and this phone was never here."""


async def main() -> None:
    """Run until the page is closed, or something fails; the page is told."""
    forgive_lateness(asyncio.get_running_loop())
    config = json.loads(js.config)
    words = load_translator(_language(config["languages"]))
    try:
        if "file" in config:
            js.page.tell(
                json.dumps({"type": "report", "lines": checked(words, config["file"], bytes(js.checked.to_py()))})
            )
        elif config["watch"]:
            await Onlooker(config).run()
        else:
            await ClientRun(config).run()
    except FairdealError as fault:
        from cli.games.explain import explain

        js.page.tell(json.dumps({"type": "ended", "text": explain(words, fault)}))
    except Exception:  # a bug: told whole, for a report
        js.page.tell(json.dumps({"type": "failed", "why": "fault", "text": traceback.format_exc()[-2000:]}))


class ClientRun:
    """One run of the client in this page."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config
        self._store = TabStore(HOME)
        self._node: Node | None = None
        self._is_asleep = False

    async def run(self) -> None:
        """Sit down, or come back, and play until the page is closed."""
        config = self._config
        HOME.mkdir(parents=True, exist_ok=True)
        saved = js.saved.to_py()
        files = {name: bytes(data) for name, data in zip(saved["names"], saved["files"], strict=True)}
        changes = self._store.load([bytes(each) for each in saved["log"]], files)
        with open_home(HOME) as home:
            seed = home.seed()
            if config["name"]:
                home.set_name(config["name"])
            journal = await open_journal(home.journal, self._store, changes)
        invitation, server = self._way_in()
        await self._store.flush()
        links = GuestLinks(seed, config["place"], server, invitation, connect, config["page"], _skewed)
        settings = Settings.read(config_of(HOME), _language(config["languages"]), False, True, HOME / "config.toml")
        app = WebApp(settings)
        page = WorkerLink()
        self._hears = create_proxy(partial(_heard, app, self._sleep))
        js.page.hear(self._hears)
        context = _context(settings)
        jobs = PageJobs(self._store)
        ports = Ports(lambda _path: journal, lambda _seed: links, has_disk=False)
        system = System(lambda: jobs, ports, None, server, Ports(_no_journal, links.watching), self._opened)
        flow = Flow(context, app, system)
        flow.on_saved = _hand_over
        app.opened(page)
        asyncio.get_event_loop().set_exception_handler(lambda _loop, context: _failed(context))
        tasks = [asyncio.ensure_future(self._keep()), asyncio.ensure_future(_warm_up(app, jobs))]
        try:
            await app.run(lambda: self._play(flow, journal, links))
        finally:
            for task in tasks:
                task.cancel()

    def _way_in(self) -> tuple[bytes, bytes]:
        """Return the invitation (empty for who comes back) and the key of the computer that serves this page. Raises NoWayIn."""
        path = HOME / SERVER_FILE
        server = bytes.fromhex(self._config["server"])
        invitation = b""
        if self._config["invitation"]:
            invitation, beginning = _invitation(self._config["invitation"])
        elif path.exists():
            beginning = path.read_bytes()
        else:
            raise NoWayIn(UNINVITED)
        _check(server, beginning)
        path.write_bytes(server)
        return invitation, server

    async def _play(self, flow: Flow, journal: BrowserJournal, links: GuestLinks) -> None:
        request = TableRequest(command="join", autoplay=self._config["autoplay"], home=HOME)
        left = any(is_of_this_version(match.roster) for match in journal.unfinished())
        try:
            await stay(flow, Door(request, (_address(self._config["place"]),), patience_s=PATIENCE_S), left)
        except FairdealError as fault:
            if links.refused is not None and links.refused.code is Code.FULL:
                raise NoWayIn(
                    "there is no room for another phone right now: wait a moment, then scan the code again"
                ) from fault
            if links.refused is not None:
                raise NoWayIn("this invitation is no longer valid: scan the code on the host’s screen") from fault
            raise

    def _opened(self, node: Node) -> None:
        self._node = node
        node.mesh.sleep(self._is_asleep)

    def _sleep(self, is_asleep: bool) -> None:
        """The page is hidden, or shown again: the others are told, and what is due is done at once."""
        self._is_asleep = is_asleep
        if self._node is None:
            return
        if is_asleep:
            self._node.mesh.sleep(True)
        else:
            self._node.mesh.wake()

    async def _keep(self) -> None:
        with suppress(FairdealError):  # the page is told of it, and ends this run
            while True:
                await asyncio.sleep(KEEP_S)
                await self._store.flush()


class Onlooker:
    """A page that only watches, large, for everybody in the room. It has no seat and keeps nothing."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._config = config

    async def run(self) -> None:
        """Watch until the page is closed, or nobody lets us in. Raises NoWayIn."""
        config = self._config
        server = bytes.fromhex(config["server"])
        invitation, beginning = _invitation(config["invitation"])
        _check(server, beginning)
        HOME.mkdir(parents=True, exist_ok=True)
        identity = Identity(bytes.fromhex(config["watch"]))
        secret = b"" if config["again"] else invitation
        settings = Settings.read(config_of(HOME), _language(config["languages"]), False, True, None)
        app = WebApp(settings, is_big=True, address=f"http://{config['place']}/#{config['invitation']}")
        links = GuestLinks(
            *(identity.secret_seed, config["place"], server, secret, connect, config["page"], _skewed),
            on_moved=lambda: app.show_code(""),  # nobody joins with our invitation any more
            voucher=_voucher(config["voucher"]),
            on_voucher=_keep_voucher,
        )
        ports = Ports(_no_journal, lambda _seed: links)
        flow = Flow(_context(settings), app)
        app.opened(WorkerLink())
        asyncio.get_event_loop().set_exception_handler(lambda _loop, context: _failed(context))

        async def find() -> list[Address]:
            return [_address(config["place"])]

        try:
            await app.run(lambda: watch_all(flow, find, identity, ports, lambda: links.is_unwelcome))
        except NobodyThere as fault:
            raise NoWayIn("this invitation is no longer valid: scan the code on the host’s screen") from fault


async def _warm_up(app: WebApp, jobs: PageJobs) -> None:
    """Once something is shown, so that nobody waits for it: run what deals will need."""
    while app.presenter is None:
        await asyncio.sleep(WARM_S)
    for step in warming.steps():
        await asyncio.sleep(WARM_S)
        if jobs.is_used:
            return
        await jobs.run(step)


def _voucher(kept: list[str]) -> Voucher | None:
    """Return what `_keep_voucher` gave the page."""
    return Voucher(*map(bytes.fromhex, kept)) if kept else None


def _keep_voucher(voucher: Voucher) -> None:
    """The page keeps it, for when it is loaded anew."""
    js.page.tell(json.dumps({"type": "voucher", "voucher": [voucher.server.hex(), voucher.signature.hex()]}))


def _no_journal(_path: Path) -> Journals:
    raise AssertionError("who only watches keeps no journal")


def _invitation(text: str) -> tuple[bytes, bytes]:
    """Return the invitation and the beginning of the server's key. Raises NoWayIn."""
    try:
        return read(text)
    except ValueError as fault:
        raise NoWayIn("part of this address is missing: scan the code again") from fault


def _check(server: bytes, beginning: bytes) -> None:
    """Raises NoWayIn if another computer answers than the address names."""
    if len(server) != KEY_BYTES or not server.startswith(beginning):
        raise NoWayIn("another computer has this address now: scan the code on the host’s screen")


def _address(place: str) -> Address:
    host, _, port = place.rpartition(":")
    return host.strip("[]"), int(port)


def _context(settings: Settings) -> Context:
    terminal = Terminal(False, True, False, 0, 80)
    return Context(settings.words, {}, sys.stdin, sys.stdout, sys.stderr, terminal, HOME)


def _heard(app: WebApp, sleep: Callable[[bool], None], text: str) -> None:
    match json.loads(text):
        case {"type": "shown", "shown": bool(is_shown)}:
            sleep(not is_shown)
            return
    try:
        message = read_message(text)
    except Garbled:
        return
    if isinstance(message, (Tapped, Typed)):
        app.said(message)


def _skewed(is_stuck: bool) -> None:
    """Our computer may serve another version of the page now: the page finds out, and knows when it can be loaded anew."""
    js.page.tell(json.dumps({"type": "skew", "stuck": is_stuck}))


def _failed(context: dict[str, Any]) -> None:
    """A bug in a task that nobody waits for: into the console, for a report."""
    fault = context.get("exception")
    told = "".join(traceback.format_exception(fault)) if isinstance(fault, BaseException) else ""
    js.console.error(f"{context.get('message', '')}\n{told}")


def _hand_over(saved: ExportedFiles) -> None:
    """Give the exported files to the browser, which saves them as downloads."""
    for path in (saved.text, saved.transcript):
        if path is not None:
            data = b64encode(path.read_bytes()).decode()
            js.page.tell(json.dumps({"type": "file", "name": path.name, "data": data}))


def _language(wanted: Sequence[str]) -> str:
    """Return the first of these languages (BCP 47) that we speak."""
    known = languages()
    return next((lang for each in wanted if (lang := each[:2].lower()) in known), "en")
