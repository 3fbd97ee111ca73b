"""From the lobby to a table and back: the session around the presenters. Everything heavy is imported when it is needed, in
another thread, so that the screen is there first and never stands still."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cli.clean import clean_name
from cli.context import Context, config_of
from cli.faults import DONE, FAILED, NobodyThere
from cli.plain.explain import explain
from cli.requests import TableRequest, WatchRequest
from cli.screen.app import App
from cli.screen.effects import Do, Effect, Say
from cli.screen.present.presenter import Presenter
from cli.screen.probe import is_wide
from cli.screen.settings import settings_from
from cli.words import Words
from protocol.errors import FairdealError

if TYPE_CHECKING:
    from cli.finding import Found
    from cli.replaying import Recorded
    from cli.screen.present.opening import Plan
    from cli.screen.present.room import RoomPresenter
    from cli.screen.present.table import TablePresenter
    from cli.screen.views import Piece
    from cli.tabling import Client
    from p2p.journal import Match

Begin = Callable[["Client"], Awaitable[None]]
LOOK_S = 0.25
KNOCK_EVERY_S = 6.0
REJOIN_S = 20.0
"""How long a guest tries to find the host's next table for a rematch."""


class Notes(io.StringIO):
    """Standard error while the screen is full: what is written goes nowhere but here."""

    def __init__(self, told: Callable[[str], None]) -> None:
        super().__init__()
        self._told = told

    def write(self, text: str) -> int:
        if text.strip():
            self._told(text.strip())
        return len(text)


class Flow:
    """One run of the full-screen client."""

    def __init__(self, context: Context) -> None:
        self.context = context
        config = config_of(context.home)
        self.settings = settings_from(
            config,
            context.words.lang,
            context.terminal.ascii_only or is_wide(context.stdin, context.stdout),
            bool(context.terminal.colours),
            context.home / "config.toml",
        )
        self.app = App(self.settings, context.terminal.colours)
        self.kept: list[str] = []
        """What went to standard error meanwhile; printed when the screen is given back."""
        self.table: TablePresenter | None = None
        self.transcript = ""
        """The file of the match at hand: what E saves also while it is being written."""
        self.status = DONE
        self.last_words: list[str] = []
        """What is said on the ordinary screen at the end."""
        self._background: set[asyncio.Task[None]] = set()
        self._choices: asyncio.Queue[Do | Say] = asyncio.Queue()

    @property
    def _(self) -> Words:
        return self.settings.words

    @property
    def quiet(self) -> Context:
        """A context whose lines cannot spoil the screen."""
        notes = Notes(self._note)
        return replace(self.context, words=self.settings.words, stdout=notes, stderr=notes)

    def _note(self, line: str) -> None:
        presenter = self.app.presenter
        say = getattr(presenter, "say", None) or getattr(presenter, "tell_note", None)
        if say is not None:
            say(line)
            self.app.redraw()

    # --- running ---

    def run(self, session: Callable[[], Awaitable[None]]) -> int:
        """Takes the screen, gives it back."""
        real = sys.stderr
        sys.stderr = Notes(self.kept.append)
        try:
            asyncio.run(self.app.run(session))
        finally:
            sys.stderr = real
            for line in self.kept[-20:]:
                print(line, file=sys.stderr)
        for line in self.last_words:
            self.context.note(line)
        return self.status

    async def choice(self, presenter: Presenter) -> Do | Say:
        """Shows a list and waits for what is chosen there."""
        self._hold(presenter)
        return await self._choices.get()

    def _hold(self, presenter: Presenter) -> None:
        self.app.carry_out = self._chosen
        if self.app.presenter is not presenter:
            self.app.show(presenter)

    async def _chosen(self, effect: Effect) -> None:
        if isinstance(effect, (Do, Say)):
            self._choices.put_nowait(effect)

    def _forget_choices(self) -> None:
        while not self._choices.empty():
            self._choices.get_nowait()

    def explained(self, fault: FairdealError) -> str:
        return explain(self._, fault)

    # --- the lobby ---

    async def lobby(self) -> None:
        """Until the person leaves the program."""
        from cli.commands.whoami import login_name
        from cli.screen.present.lobby import LobbyPresenter

        presenter = LobbyPresenter(self.settings, time.monotonic, login_name())
        self._hold(presenter)
        await asyncio.sleep(0)
        looking = asyncio.create_task(self._look(presenter))
        try:
            while True:
                self._forget_choices()
                chosen = await self.choice(presenter)
                if not isinstance(chosen, Do):
                    continue
                if chosen.name == "quit":
                    return
                try:
                    await self._go(chosen, presenter)
                except FairdealError as fault:
                    presenter.say(self.explained(fault), True)
                for line in self.last_words:
                    presenter.say(line)
                self.table, self.last_words = None, []
                self._hold(presenter)
                await self._read_home(presenter)
                self.app.redraw()
        finally:
            looking.cancel()
            await asyncio.gather(looking, return_exceptions=True)

    async def _read_home(self, presenter: Any) -> None:
        """The person's name, and whether a match was left unfinished."""

        def read() -> tuple[str | None, str]:
            from p2p.home import read_home
            from p2p.journal import Journal

            home = read_home(self.context.home)
            title = ""
            if home.journal.exists():
                with contextlib.suppress(FairdealError):
                    journal = Journal.read_only(home.journal)
                    try:
                        match = next(iter(journal.unfinished()), None)
                        if match is not None:
                            title = clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8]
                    finally:
                        journal.close()
            return home.name, title

        name, title = await asyncio.to_thread(read)
        if name:
            presenter.name = clean_name(name)
        presenter.unfinished = title

    async def _look(self, presenter: Any) -> None:
        """Keeps the list of tables: what is announced, and of that what answers."""
        try:
            await self._read_home(presenter)
            await asyncio.to_thread(import_module, "p2p.discovery")
            from cli.finding import reachable, rows
            from p2p.discovery import Browser

            browser = Browser()
            await browser.start()
            alive: dict[str, bool] = {}
            next_knock = 0.0
            knocking: asyncio.Task[None] | None = None
            try:
                while True:
                    seen = rows(browser.sightings)
                    now = time.monotonic()
                    new = [row for row in seen if row.id not in alive]
                    if (new or now > next_knock) and (knocking is None or knocking.done()):
                        next_knock = now + KNOCK_EVERY_S

                        async def knock(tables: list[Found]) -> None:
                            found = {row.id for row in await reachable(tables)}
                            for row in tables:
                                alive[row.id] = row.id in found

                        knocking = asyncio.create_task(knock(seen))
                    presenter.found([row for row in seen if alive.get(row.id)])
                    if self.app.presenter is presenter:
                        self.app.redraw()
                    await asyncio.sleep(LOOK_S)
            finally:
                if knocking is not None:
                    knocking.cancel()
                await browser.close()
        except Exception as fault:
            self.app.fail(fault)

    async def _go(self, chosen: Do, presenter: Any) -> None:
        """What was chosen in the lobby."""
        from cli.finding import parse_address

        match chosen:
            case Do("sit", row):
                presenter.say(self._("Sitting down at {table}…", table=row.title))
                self.app.redraw()
                await self.join(TableRequest("join"), row.addresses)
            case Do("address", text):
                address = parse_address(str(text))
                if address is None:
                    raise NobodyThere(
                        "{text} is no address: it looks like 192.168.1.23 or kitchen.local:4711", text=text
                    )
                presenter.say(self._("Calling {address}…", address=text))
                self.app.redraw()
                await self.join(TableRequest("join"), [address])
            case Do("watch", row):
                await self.watch(row.addresses)
            case Do("new"):
                await self._open(presenter, False)
            case Do("practise"):
                await self._open(presenter, True)
            case Do("records"):
                await self.records()
            case Do("resume"):
                await self.resume(TableRequest("join"))
            case Do("name", text):
                await self._set_name(presenter, str(text))
            case _other:
                pass

    async def _set_name(self, presenter: Any, text: str) -> None:
        name = clean_name(text, "")
        if not name:
            return

        def write() -> None:
            from p2p.home import open_home

            with open_home(self.context.home, guests=False) as home:
                home.set_name(name)

        await asyncio.to_thread(write)
        presenter.name = name

    async def _open(self, lobby: Any, practice: bool) -> None:
        from cli.screen.present.opening import OpeningPresenter

        title = self._("{name}'s table", name=lobby.name)
        presenter = OpeningPresenter(self.settings, time.monotonic, practice, title)
        chosen = await self.choice(presenter)
        if isinstance(chosen, Do) and chosen.name == "open":
            await self.host(self._request(chosen.about, practice))

    @staticmethod
    def _request(plan: Plan, practice: bool) -> TableRequest:
        from protocol.games.options import spelled

        return TableRequest(
            "play" if practice else "host",
            game=plan.game,
            table=plan.title or None,
            seats=plan.seats,
            bots=plan.bots,
            options=tuple((name, spelled(value)) for name, value in plan.options.items()),
            time_s=plan.time_s,
        )

    # --- tables ---

    async def host(self, request: TableRequest) -> None:
        """Opens a table, and another one for each rematch."""
        bots = request.bots or 0

        async def begin(client: Client) -> None:
            from cli import tabling

            await tabling.host(client, bots)

        while await self._at_table(request, begin) == "rematch":
            pass

    async def join(self, request: TableRequest, addresses: Any) -> None:
        """Sits down at a host's table; for a rematch at the next one that this host opens."""
        patience_s = 0.0

        async def begin(client: Client) -> None:
            from cli import tabling

            deadline = time.monotonic() + patience_s
            while True:
                try:
                    await tabling.join(client, addresses)
                    return
                except FairdealError:
                    if time.monotonic() > deadline:
                        raise
                    await asyncio.sleep(0.5)

        while await self._at_table(request, begin) == "rematch":
            patience_s = REJOIN_S

    async def resume(self, request: TableRequest) -> None:
        """Takes up the match that was left here."""

        async def begin(client: Client) -> None:
            from cli import tabling

            match = client.node.resumable()
            if match is None:
                raise NobodyThere("there is no unfinished match here")
            await tabling.resume(client, match)

        await self._at_table(request, begin, True)

    async def _about_old(self, client: Client, old: Match) -> bool:
        """A match was left here: back to it, or give it up; False for neither."""
        from cli import tabling
        from cli.screen.present.choosing import ChoicePresenter

        _ = self._
        title = clean_name(str(old.meta.get("title") or ""), "") or old.id.hex()[:8]
        presenter = ChoicePresenter(
            self.settings,
            time.monotonic,
            _("You left a match unfinished: {title}", title=title),
            (
                ("back", _("Take your old seat again")),
                ("goodbye", _("Give it up for good: your hand is opened, others cannot finish the round without it")),
                ("cancel", _("Neither: leave things as they are")),
            ),
        )
        self._forget_choices()
        chosen = await self.choice(presenter)
        match chosen:
            case Do("chosen", "back"):
                await tabling.resume(client, old)
                await client.seat.seated.wait()
                return True
            case Do("chosen", "goodbye"):
                await tabling.say_goodbye(client, old)
                return True
            case _other:
                return False

    def wait_screen(self, text: str) -> None:
        """Something is being looked for: says so; Esc ends the program."""
        from cli.screen.present.choosing import ChoicePresenter

        presenter = ChoicePresenter(self.settings, time.monotonic, text, (("cancel", self._("Stop")),))

        async def chosen(effect: Effect) -> None:
            self.app.exit()

        self.app.carry_out = chosen
        self.app.show(presenter)

    async def _at_table(self, request: TableRequest, begin: Begin, is_return: bool = False) -> str:
        """From sitting down to leaving; how it ended."""
        if self.app.presenter is None:
            self.wait_screen(self._("One moment…"))
        for module in ("cli.tabling", "cli.screen.seat", "cli.screen.present.room"):
            await asyncio.to_thread(import_module, module)
        from cli import tabling

        async with AsyncExitStack() as stack:
            client = await tabling.open_client(stack, request, self.quiet, auto_ready=request.command == "play")
            client.on_screen = True
            old = client.node.resumable()
            if old is not None and not is_return:
                if request.fresh:
                    await tabling.say_goodbye(client, old)
                elif not await self._about_old(client, old):
                    return "lobby"
                elif client.seat.driver is not None:
                    return await self._play(client)
            room = await self._in_room(client, request, begin)
            return "lobby" if room is None else await self._play(client, tuple(room.chat))

    async def _in_room(self, client: Client, request: TableRequest, begin: Begin) -> RoomPresenter | None:
        """In the waiting room until the table is sealed; None if we left it."""
        from cli import tabling
        from cli.screen.present.room import RoomPresenter

        seat, node = client.seat, client.node
        is_host = request.command in ("host", "play")
        presenter = RoomPresenter(self.settings, time.monotonic, node.identity.public, is_host)
        if client.home.guest:
            presenter.say(
                self._("Another Fairdeal is running here: this one plays as guest {number}.", number=client.home.guest)
            )

        def changed(room: Any) -> None:
            presenter.changed(room)
            presenter.sealing = not room.is_open
            self.app.redraw()

        def heard(key: bytes, text: str) -> None:
            presenter.said(key, text)
            self.app.redraw()

        seat.on_room_change = changed
        seat.on_chat = heard
        self._forget_choices()
        self._hold(presenter)
        await begin(client)
        if request.command == "host":
            presenter.addresses = tuple(tabling.addresses_of(node.mesh.port))
            self.app.redraw()
        assert seat.refused is not None
        seated = asyncio.create_task(seat.seated.wait())
        choosing: asyncio.Task[Any] | None = None
        try:
            while True:
                choosing = choosing or asyncio.create_task(self._choices.get())
                await asyncio.wait((seated, seat.refused, choosing), return_when=asyncio.FIRST_COMPLETED)
                if seated.done():
                    return presenter
                if seat.refused.done():
                    raise seat.refused.result()
                chosen = choosing.result()
                choosing = None
                if chosen == Do("back"):
                    return None
                try:
                    await self._in_room_do(client, chosen)
                except FairdealError as fault:
                    presenter.say(self.explained(fault), True)
                self.app.redraw()
        finally:
            for task in (seated, choosing):
                if task is not None:
                    task.cancel()

    async def _in_room_do(self, client: Client, chosen: Do | Say) -> None:
        from cli import tabling

        match chosen:
            case Say(text):
                client.node.say_in_room(text)
            case Do("ready", ready):
                client.node.ready(bool(ready))
            case Do("move", place):
                client.node.move_to(int(place))
            case Do("refuse", key):
                client.node.refuse(key)
            case Do("bot"):
                room = client.node.room
                if room is not None and len(room.sitters) < len(room.seats):
                    await tabling.seat_bot(client)
            case _other:
                pass

    async def _play(self, client: Client, chat: Sequence[Piece] = ()) -> str:
        """From the sealed table to its end."""
        from cli import tabling
        from cli.commands.rules import rules_lines
        from cli.screen.seat import SeatSession

        driver = client.seat.driver
        assert driver is not None
        tabling.note_bots(client, driver)
        self.transcript = str(driver.transcript_path)
        game = driver.table.game
        finishing = asyncio.create_task(tabling.finish(client))
        session = SeatSession(
            self.app,
            client.seat,
            lambda columns: rules_lines(self.settings.words, game, game.seats, columns),
            self._other,
        )
        self.table = session.presenter
        session.presenter.log.extend(chat)
        words = " ".join(driver.table.record.words)
        if words:
            if client.request.command != "play":
                session.presenter.tell_note(self._("The table’s words: {words}. Compare them aloud once.", words=words))
            session.presenter.log.append((self._("The table’s words: {words}", words=words), "gold"))
        try:
            outcome = await session.run()
            if session.match is not None or session.broken is not None:
                report = await finishing
                self.status = DONE if report["verified"] and session.broken is None else FAILED
                self.last_words = self._goodbye(report)
            elif outcome == "left":
                self.last_words = [self._("You left; your seat is kept. Come back with: {command}", command="fairdeal")]
        finally:
            finishing.cancel()
            await asyncio.gather(finishing, return_exceptions=True)
        return outcome

    def _goodbye(self, report: dict[str, Any]) -> list[str]:
        return [self._("Transcript: {path}", path=report["transcript"])] if report.get("transcript") else []

    def _other(self, effect: Do, presenter: TablePresenter) -> None:
        """What a table's presenter wants besides moves."""
        path = str(effect.about or "")
        match effect.name:
            case "export":
                presenter.tell_note(self._export(path, presenter))
            case "replay" if path:
                task = asyncio.get_running_loop().create_task(self._replay_over(path))
                self._background.add(task)
                task.add_done_callback(self._background.discard)
            case _other:
                pass

    async def _replay_over(self, path: str) -> None:
        """A replay, and back to where we were."""
        from cli.screen.present.table import TablePresenter

        before, carry_out = self.app.presenter, self.app.carry_out
        try:
            await self.replay(path)
        except FairdealError as fault:
            if isinstance(before, TablePresenter):
                before.tell_note(self.explained(fault))
        if before is not None:
            self.app.carry_out = carry_out
            self.app.show(before)

    def _export(self, path: str, presenter: TablePresenter) -> str:
        """Copies the transcript and writes the evening in words, into the folder where the program was started."""
        if not path:
            path = presenter.ended.transcript if presenter.ended is not None else self.transcript
        stem = time.strftime("evening-%Y%m%d-%H%M%S")
        try:
            lines = [text for text, _ink in presenter.log]
            Path(f"{stem}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
            if path and Path(path).exists():
                Path(f"{stem}.fairdeal").write_bytes(Path(path).read_bytes())
                return self._(
                    "Saved: {text} (to read) and {file} (fairdeal verify checks it)",
                    text=f"{stem}.txt",
                    file=f"{stem}.fairdeal",
                )
        except OSError as fault:
            return self._("It could not be saved here: {reason}", reason=fault.strerror or str(fault))
        return self._("Saved: {text}", text=f"{stem}.txt")

    # --- watching and looking back ---

    async def watch(self, addresses: Any) -> None:
        """Looks on until the table is over or the person leaves."""
        await asyncio.to_thread(import_module, "cli.commands.watch")
        from cli.commands.rules import rules_lines
        from cli.commands.watch import identity_of
        from cli.screen.seat import SeatSession
        from cli.screen.watching import WatchedTable
        from p2p.errors import LinkLost
        from p2p.watcher import Watcher

        watcher = Watcher(identity_of(self.context))
        try:
            try:
                await watcher.watch(addresses)
            except LinkLost as lost:
                raise NobodyThere(lost.template, **lost.fields) from lost
            first = await watcher.scenes.get()
            if first is None or watcher.follower is None:
                reason = watcher.reason
                raise reason if isinstance(reason, FairdealError) else NobodyThere("the table is gone")
            table = WatchedTable(watcher, watcher.follower, first)
            hearing = asyncio.create_task(table.run())
            game = table.game
            session = SeatSession(
                self.app,
                table,
                lambda columns: rules_lines(self.settings.words, game, game.seats, columns),
                self._other,
            )
            try:
                await session.run()
            finally:
                hearing.cancel()
                await asyncio.gather(hearing, return_exceptions=True)
        finally:
            await watcher.close()

    async def records(self) -> None:
        """Matches that lie here, until the person goes back."""
        from cli.screen.present.records import RecordsPresenter

        files, scores = await asyncio.to_thread(self._files)
        presenter = RecordsPresenter(self.settings, time.monotonic, files, scores)
        while True:
            chosen = await self.choice(presenter)
            if chosen == Do("back"):
                return
            if isinstance(chosen, Do) and chosen.name == "replay":
                try:
                    await self.replay(str(chosen.about))
                except FairdealError as fault:
                    presenter.notice = self.explained(fault)

    def _files(self) -> tuple[list[tuple[str, tuple[str, ...]]], list[str]]:
        """Transcripts with what the journal says of them, the newest first; the scores in words."""
        from cli.commands.scores import finished_match, score_lines
        from cli.screen.present.titles import game_title
        from p2p.home import read_home
        from p2p.journal import Journal

        home = read_home(self.context.home)
        found: list[tuple[str, tuple[str, ...]]] = []
        matches = []
        if home.journal.exists():
            with contextlib.suppress(FairdealError):
                journal = Journal.read_only(home.journal)
                try:
                    for match in journal.finished(200):
                        each = finished_match(match.finished or match.created, match.status, match.result or {})
                        matches.append(each)
                        path = home.transcripts / f"{match.id.hex()[:16]}.fairdeal"
                        if path.exists():
                            when = time.strftime("%Y-%m-%d %H:%M", time.localtime(each.ended))
                            found.append((str(path), (when, game_title(self._, each.game), self._.list(each.names))))
                finally:
                    journal.close()
        return found, score_lines(self._, matches) if matches else []

    async def replay(self, path: str) -> None:
        """Steps through a transcript until the person goes back."""
        from cli.screen.present.replay import ReplayPresenter

        recording, is_sound = await asyncio.to_thread(_recording, path)
        note = "" if is_sound else self._("This file is NOT in order; fairdeal verify says why.")
        presenter = ReplayPresenter(recording, self.settings, time.monotonic, path, note)
        while True:
            chosen = await self.choice(presenter)
            if chosen == Do("back"):
                return


def _recording(path: str) -> tuple[Recorded, bool]:
    """A transcript as a recording, and whether it is in order. Raises FairdealError."""
    from cli.commands.replay import steps_of
    from cli.commands.verify import read_transcript
    from cli.faults import WrongUse
    from cli.replaying import Recorded
    from protocol.table.verify import replayed

    reading, scenes = replayed(read_transcript(Path(path)), os.urandom)
    steps = tuple(steps_of(scenes))
    if not steps:
        raise WrongUse("{path} holds no round that could be replayed", path=path)
    names = tuple(clean_name(player) for player, _fingerprint in reading.report.players)
    return Recorded(reading.game, names, steps), reading.report.ok


def run_lobby(context: Context) -> int:
    """`fairdeal` alone."""
    flow = Flow(context)
    return flow.run(flow.lobby)


def run_table(request: TableRequest, context: Context) -> int:
    """`play` and `host` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        await flow.host(request)

    return flow.run(session)


def run_join(request: TableRequest, context: Context) -> int:
    """`join` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        from cli.finding import find_table, is_free

        flow.wait_screen(flow._("Looking for a table on this network…"))
        addresses = await find_table(request.where, request.wait_or_default_s, flow.quiet, is_free)
        await flow.join(request, addresses)

    return flow.run(session)


def run_watch(request: WatchRequest, context: Context) -> int:
    """`watch` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        from cli.finding import find_table, is_running

        flow.wait_screen(flow._("Looking for a table on this network…"))
        await flow.watch(await find_table(request.where, request.wait_s, flow.quiet, is_running))

    return flow.run(session)


def run_replay(path: Path, context: Context) -> int:
    """`replay` on the screen."""
    flow = Flow(context)

    async def session() -> None:
        await flow.replay(str(path))

    return flow.run(session)
