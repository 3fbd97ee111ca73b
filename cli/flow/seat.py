"""Sits a person down at a table: the presenter, its news, and what it wants done."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from cli.client.evening import evening_of
from cli.faults import CommandFault
from cli.flow.face import ClientFace
from cli.flow.showing import Showing
from cli.games.explain import explain
from cli.news import Broken, Do, MatchEnded, Playing, Say, Thought, suggestion_of
from cli.view.effects import Advise, BeReady, CastVote, ConfirmWords, Effect, Leave, Play, TakeHelp
from cli.view.table.model import TableModel
from cli.view.tips import note_tip, tips_seen
from protocol.errors import FairdealError
from protocol.games.advice import Advice
from protocol.steps import Steps, done, unless

MOST_LOOKS = 10
JUST_NOW_S = 10.0
"""A match whose end we hear of now was ended by somebody's machine so long ago at most."""


async def in_a_thread(steps: Steps[None, Advice | None]) -> Advice | None:
    """Take all steps in a thread."""
    return await asyncio.to_thread(done, steps)


class SeatSession:
    """One table on a face, from the first news until the player leaves. `outcome` is how it ended: "left", "aside",
    "goodbye", "again", "room", "lobby"."""

    def __init__(
        self,
        app: ClientFace,
        playing: Playing,
        rules: Callable[[int], Sequence[str]] | None = None,
        other: Callable[[Do, TableModel, Showing], None] | None = None,
        think: Callable[[Thought], Awaitable[Advice | None]] = in_a_thread,
    ) -> None:
        self.app = app
        self.playing = playing
        self.model = TableModel(playing, app.settings, time.monotonic, rules)
        self.screen = app.screen_of(self.model)
        self.outcome = ""
        self.fault: Exception | None = None
        """What the game, its face or ours raised: the table cannot be shown any more."""
        self.match: MatchEnded | None = None
        self.broken: Broken | None = None
        self.wants_other = False
        """The player wants another game next."""
        self._other, self._think = other, think
        self._over = asyncio.Event()
        path = app.settings.path
        self._home = None if path is None else path.parent
        if playing.seat is not None:
            self.model.table.tips.seen = tips_seen(self._home)

    async def run(self) -> str:
        """Until the player leaves the table. Raises `fault`."""
        self.app.carry_out, self.app.takes_fault = self.carry_out, self._fails
        self.app.show(self.screen)
        hearing = asyncio.create_task(self._hear())
        try:
            await self._over.wait()
        finally:
            self.app.takes_fault = None if self.fault is None else self._repeats
            hearing.cancel()
            await asyncio.gather(hearing, return_exceptions=True)
        if self.fault is not None:
            raise self.fault
        return self.outcome

    def _fails(self, fault: BaseException) -> bool:
        """Leave the table because of this fault; not for what ends the program as it is meant to."""
        if not isinstance(fault, Exception) or isinstance(fault, CommandFault):
            return False
        self.fault = self.fault or fault
        self._over.set()
        return True

    def _repeats(self, _fault: BaseException) -> bool:
        """Whether the table that failed is still shown: it may fail again until something else is."""
        return self.app.presenter is self.screen

    async def _hear(self) -> None:
        """News until there are none. What fails in here must end this, not leave a dead table."""
        try:
            while (news := await self.playing.news.get()) is not None:
                self.screen.hear(news)
                while not self.playing.news.empty() and (more := self.playing.news.get_nowait()) is not None:
                    self.screen.hear(more)
                    news = more
                if isinstance(news, MatchEnded):
                    self.match = news
                if isinstance(news, Broken):
                    self.broken = news
                self.app.after()
        except Exception as fault:  # a bug in hearing or showing it, as one in any other callback
            self.app.fail(fault)

    def end(self, outcome: str) -> None:
        self.outcome = self.outcome or outcome
        self._over.set()

    async def _advise(self) -> None:
        """Think off the event loop: keys are answered meanwhile. When the table moves on, the search ends."""
        thought, asked = self.playing.thought(), self.model.table.moment

        def is_late() -> bool:
            return self.model.table.moment != asked

        advice = await self._think(unless(is_late, thought)) if thought is not None else None
        if not is_late():
            self.screen.take(self.model.advised(suggestion_of(self.playing.game, advice)))

    async def _evening(self, wait_s: float) -> None:
        if self._home is None:
            return
        began = time.time()
        for _try in range(MOST_LOOKS):
            await asyncio.sleep(wait_s)
            found = tuple(await asyncio.to_thread(evening_of, self._home, time.time()))
            if not wait_s or any(each.ended > began - JUST_NOW_S for each in found):
                break  # the match that has just ended is in it
        self.model.table.rounds.evening = found

    async def carry_out(self, effect: Effect) -> None:
        """What the presenter wants done."""
        try:
            match effect:
                case Play(move):
                    await self.playing.play(move)
                case Say(text):
                    await self.playing.say(text)
                case BeReady():
                    await self.playing.ready()
                case CastVote(opinion):
                    await self.playing.vote(opinion)
                case ConfirmWords():
                    await self.playing.confirm_words()
                    self.app.redraw()
                case TakeHelp(level):
                    await self.playing.take_help(level)
                case Leave(aside=True):
                    self.end("aside")
                case Leave(for_good):
                    await self.playing.leave(for_good)
                    self.end("goodbye" if for_good else "left")
                case Do("again" | "room" | "lobby" as name, about):
                    self.wants_other = about == "other"
                    self.end(name)
                case Advise():
                    await self._advise()
                case Do("tip-seen", frozenset() as seen):
                    await asyncio.to_thread(note_tip, self._home, seen)
                case Do("evening", wait_s):
                    await self._evening(float(wait_s or 0))
                case Do() if self._other is not None:
                    self._other(effect, self.model, self.screen)
                case _other:
                    pass
        except FairdealError as fault:
            at = self.model.table.at
            self.screen.take(self.model.lost(explain(at._, fault, at.cards, at.narrator.names)))
