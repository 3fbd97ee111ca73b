"""One run of a client with a face: who has the screen, what was chosen there, what is said when it is given back."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, TypeVar

from cli.context import Context
from cli.faults import DONE
from cli.flow.face import ClientFace
from cli.games.explain import explain
from cli.news import BotsComing, Do, ExportedFiles, JoinAddress, Progress, Say
from cli.text import Translator
from cli.view.effects import Effect
from protocol.errors import FairdealError
from protocol.steps import Steps, done
from protocol.values import replace

if TYPE_CHECKING:
    from cli.client.system import System
    from cli.flow.showing import Showing
    from cli.view.listing import ListModel
    from cli.view.looking import LookingModel
    from cli.view.replay import ReplayModel
    from cli.view.table.model import TableModel

T = TypeVar("T")
DRAWING_S = 0.02
"""How long the screen may keep the interpreter while arithmetic wants it: a picture is not drawn in slices of 5 ms."""


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
    """One run of a client: its face, what is said at its end, and what was chosen on it."""

    def __init__(self, context: Context, app: ClientFace, system: System | None = None) -> None:
        """`system`: what sessions run on; None: this computer."""
        self.context = context
        self.system = system
        self.app = app
        self.settings = app.settings
        self.kept: list[str] = []
        """What went to standard error meanwhile; printed when the screen is given back."""
        self.table: TableModel | None = None
        self.transcript = ""
        """The file of the match at hand: what E saves also while it is being written."""
        self.status = DONE
        self.lobby_words = ""
        """What the lobby says of the table that one comes from."""
        self.next_opening: str | None = None
        """What the lobby goes on to at once, "new" or "practise": there the next game is chosen."""
        self.serves_phones = False
        """Whether phones can sit down wherever one sits down from the lobby."""
        self.room_opens_with = ""
        """What the room begins with, an action: the score sheet has asked for it."""
        self.transcripts: list[str] = []
        """The files of the matches that were played to their end: named on the ordinary screen at the end."""
        self.has_quit = False
        """Whether the person gave up the seat for good, and sees no lobby that would say so."""
        self.kept_seat = False
        """Whether a seat is kept for the person: then it is said there how to come back."""
        self.on_saved: Callable[[ExportedFiles], None] = lambda _saved: None
        """Called with files that were exported: a phone hands them to its person."""
        self.background: set[asyncio.Task[None]] = set()
        self.show_code: Callable[[str], None] = lambda _address: None
        """Shows the code to join by phone on a screen for the whole room; empty: none."""
        self.take_seat: Callable[[], None] = lambda: None
        """Sits down in the empty seat of the match that is watched."""
        self.fill_seat: Callable[[], None] = lambda: None
        """Lets a bot take the seat for which our match waits."""
        self.doctor: asyncio.Task[None] | None = None
        """It is looking now."""
        self.choices: asyncio.Queue[Do | Say] = asyncio.Queue()

    @property
    def _(self) -> Translator:
        return self.settings.words

    @property
    def quiet(self) -> Context:
        """A context whose lines cannot spoil the screen."""
        notes = Notes(self.note)
        return replace(self.context, words=self.settings.words, stdout=notes, stderr=notes)

    def note(self, line: str) -> None:
        shown = self.app.presenter
        say = getattr(shown, "say", None)
        if say is not None:
            say(line)
            self.app.redraw()

    def notify(self, progress: Progress) -> None:
        """The client's progress, as far as the screen does not show it anyway."""
        if not isinstance(progress, (BotsComing, JoinAddress)):
            self.quiet.notify(progress)

    def run(self, session: Callable[[], Awaitable[None]]) -> int:
        """Takes the screen, gives it back."""
        real = sys.stderr
        sys.stderr = Notes(self.kept.append)
        sys.setswitchinterval(DRAWING_S)
        try:
            asyncio.run(self.app.run(session))
        finally:
            sys.stderr = real
            for line in self.kept[-20:]:
                self.context.note(line)
        for path in self.transcripts:
            self.context.note(self._("Transcript: {path}", path=path))
        if self.has_quit:
            self.context.note(self._("You quit for good."))
        if self.kept_seat:
            self.context.note(
                self._("You stepped away. Your seat is kept. To rejoin, run: {command}", command="fairdeal")
            )
        return self.status

    def screen(self, model: ListModel | ReplayModel | LookingModel) -> Showing:
        """A model on the screen, not yet shown."""
        return self.app.screen_of(model)

    async def choice(self, screen: Showing) -> Do | Say:
        """Shows it and waits for what is chosen there."""
        self.hold(screen)
        return await self.choices.get()

    def hold(self, screen: Showing) -> None:
        self.app.carry_out = self._chosen
        if self.app.presenter is not screen:
            self.app.show(screen)

    async def _chosen(self, effect: Effect) -> None:
        if isinstance(effect, (Do, Say)):
            self.choices.put_nowait(effect)

    def forget_choices(self) -> None:
        while not self.choices.empty():
            self.choices.get_nowait()

    async def run_steps(self, steps: Steps[Any, T]) -> T:
        """Take all steps and return what comes of them, while the face goes on."""
        return await (asyncio.to_thread(done, steps) if self.system is None else self.system.jobs().run_steps(steps))

    def explained(self, fault: FairdealError) -> str:
        return explain(self._, fault)

    def wait_screen(self, text: str) -> None:
        """Something is being looked for: says so; Esc ends the program."""
        from cli.view.looking import LookingModel

        screen = self.screen(LookingModel(self.settings, text))

        async def chosen(effect: Effect) -> None:
            self.app.exit()

        self.app.carry_out = chosen
        self.app.show(screen)
