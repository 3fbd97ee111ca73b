"""Plain mode at a table: news come in and are told, lines come in and are played. Knows no network and no terminal."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any, assert_never

from cli.games.base.answers import Refusal, Reply, TypedCommand, TypedMove, TypedQuestion
from cli.games.base.narrator import Narrator
from cli.games.explain import explain
from cli.games.position import Position
from cli.news import (
    Broken,
    MatchEnded,
    Moved,
    News,
    Overtaken,
    Paused,
    Playing,
    RoundBegan,
    RoundEnded,
    WentOn,
)
from cli.plain.commands import Commands, Rules
from cli.plain.drawing import Drawing
from cli.plain.outlook import Outlook
from cli.plain.telling import Telling
from cli.text import Translator
from cli.view.partings import can_only_wait
from protocol.errors import IllegalMove
from protocol.table.options import TableOptions
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Ended:
    """How the session ended: with the match, with a fault, or by leaving (both None)."""

    match: MatchEnded | None = None
    broken: Broken | None = None
    is_aside: bool = False
    """The match is to be put aside."""


class _End:
    """No more lines will come."""


class LineSession:
    """One seat at one table in lines of text. `tell` takes a finished line; `prompt` says that a line is awaited."""

    def __init__(
        self,
        playing: Playing,
        _: Translator,
        tell: Callable[[str], None],
        *,
        prompt: Callable[[], None] | None = None,
        drawing: Callable[[Narrator], Drawing] | None = None,
        rules: Rules | None = None,
        fill: Callable[[], bool] | None = None,
        patient: bool = False,
    ) -> None:
        """`patient`: the lines are a script, so a line waits until this seat must act; a person's are taken as they come."""
        self.playing = playing
        self._ = _
        self.tell = tell
        self.prompt = prompt or (lambda: None)
        self.outlook = Outlook(playing, _, drawing)
        self.telling = Telling(self.outlook)
        self.commands = Commands(self.telling, rules, fill)
        self.asked: TypedQuestion | None = None
        self._patient = patient
        self._waiting: deque[str | _End] = deque()
        self._vote_at: float | None = None
        """When one can vote on playing on without somebody; None: at no time, or already."""
        self._gives_up_at: float | None = None
        """When a script that has only moves left has waited long enough at a paused table."""
        self._in_flight = False
        """Whether a move of ours is on its way to becoming news."""
        self._told: object = None
        """What was last said about how things stand, so that it is said once."""
        self._turn: object = None
        """The turn that was announced last, and in which nobody else has acted since."""

    @property
    def narrator(self) -> Narrator:
        return self.outlook.narrator

    def position(self) -> Position | None:
        return self.outlook.position()

    # --- the loop ---

    async def run(self, lines: AsyncIterator[str]) -> Ended:
        """Until the match ends, breaks, or the player leaves. The end of the lines is leaving too: the seat is kept."""
        typed: asyncio.Queue[str | _End] = asyncio.Queue()
        tasks: dict[str, asyncio.Task[Any]] = {"pump": asyncio.create_task(self._pump(lines, typed))}
        if self.playing.seat is not None:
            await self.playing.take_help("legal")  # what can be played is told with the hand
        try:
            while True:
                for name, source in (("news", self.playing.news), ("line", typed)):
                    if name not in tasks:
                        tasks[name] = asyncio.create_task(source.get())
                ready = (tasks["news"], tasks["line"])
                await asyncio.wait(ready, timeout=self._left_s(), return_when=asyncio.FIRST_COMPLETED)
                self._tell_vote()
                # All news there are come first, so that a line is read, and a turn announced, as things stand now.
                if tasks["news"].done() and (ended := self._take_all(tasks.pop("news").result())) is not None:
                    return ended
                if tasks["line"].done():
                    self._waiting.append(tasks.pop("line").result())
                self._announce()
                while self.playing.news.empty() and self._waiting and self._may_read(self._waiting[0]):
                    if (ended := await self._take(self._waiting.popleft())) is not None:
                        return ended
                if self._gives_up():
                    return await self._step_away()
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)
            if "line" in tasks and not tasks["line"].cancelled():
                self._waiting.append(tasks["line"].result())
            while not typed.empty():
                self._waiting.append(typed.get_nowait())

    @property
    def unread(self) -> list[str]:
        """Lines that were typed and not read: they are for what comes after the match."""
        return [line for line in self._waiting if isinstance(line, str)]

    def _left_s(self) -> float | None:
        """Seconds until something is to be done though nothing happens; None: never."""
        times = [self._vote_at, self._gives_up_at if self._is_all_typed() else None]
        return min((max(0.0, each - time.monotonic()) for each in times if each is not None), default=None)

    def _is_all_typed(self) -> bool:
        """Whether our lines are a script of which no more will come."""
        return self._patient and any(isinstance(each, _End) for each in self._waiting)

    def _gives_up(self) -> bool:
        """Whether a script whose moves must wait at a paused table has waited long enough: it cannot vote, nobody types."""
        at = self._gives_up_at
        return at is not None and time.monotonic() >= at and self._is_all_typed()

    def _tell_vote(self) -> None:
        """Tell when one can vote on playing on without somebody: no news comes of that."""
        if self._vote_at is not None and time.monotonic() >= self._vote_at:
            self._vote_at = None
            if told := self.telling.vote_opened():
                self.tell(self._.join(told))
                self.prompt()

    async def _pump(self, lines: AsyncIterator[str], typed: asyncio.Queue[str | _End]) -> None:
        async for line in lines:
            typed.put_nowait(line)
        typed.put_nowait(_End())

    def _take_all(self, first: News | None) -> Ended | None:
        """This piece of news and all that wait behind it."""
        each = first
        while True:
            ended = Ended() if each is None else self._news(each)
            if ended is not None or self.playing.news.empty():
                return ended
            each = self.playing.news.get_nowait()

    def _may_read(self, line: str | _End) -> bool:
        """Whether the next line has its place now. A person's always has; a script's when we must act, or where it is no move
        and nothing goes on."""
        if not self._patient:
            return True
        telling = self.telling
        if isinstance(line, _End) and (telling.waits_for_ready or telling.paused is not None):
            return True  # nobody types any more what the match waits for
        if self._in_flight:
            return False
        position = self.position()
        if position is None or position.must_act or self.asked is not None:
            return True
        if isinstance(line, _End) or not (telling.between_rounds or telling.paused is not None):
            return False
        return isinstance(self.outlook.reader.read(line, position), (TypedCommand, TypedQuestion))

    async def _take(self, line: str | _End) -> Ended | None:
        if isinstance(line, str):
            return await self._line(line)
        return await self._step_away()

    async def _step_away(self) -> Ended:
        self.tell(self._("No more input, so you step away from the table. Your seat is kept."))
        await self.playing.leave(for_good=False)
        return Ended()

    def _news(self, news: News) -> Ended | None:
        if isinstance(news, (Moved, RoundBegan, RoundEnded)):
            self.asked = None
            if not isinstance(news, Moved) or news.seat != self.playing.seat or news.move.get("do") != "draw":
                self._turn = None
        if isinstance(news, Overtaken) or (isinstance(news, Moved) and news.seat == self.playing.seat):
            self._in_flight = False
            self._told = None
        self.outlook.refresh_names()
        if told := self.told(news):
            self.tell(self._.join(told))
        if isinstance(news, Paused | WentOn):
            left_s = news.left_s if isinstance(news, Paused) and news.awaited else None
            self._vote_at = time.monotonic() + left_s if left_s else None
            self._gives_up_at = self._end_of_patience(news) if isinstance(news, Paused) and news.awaited else None
        match news:
            case MatchEnded():
                return Ended(match=news)
            case Broken():
                return Ended(broken=news)
            case _other:
                return None

    def _end_of_patience(self, paused: Paused) -> float:
        """When others could vote to play on; where nobody can, after as long as that usually takes."""
        usual = TableOptions().leave_after / 1000
        left_s = usual - paused.since_s if paused.left_s is None else paused.left_s
        return time.monotonic() + max(0.0, left_s)

    def told(self, news: News) -> list[str]:
        """The sentences of one piece of news."""
        if isinstance(news, (RoundBegan, Overtaken)):
            self._told = None
        return self.telling.told(news)

    def _announce(self) -> None:
        """Says that it is our turn, once."""
        position = self.position()
        if position is None or not position.must_act:
            return
        now = (
            position.view.turn,
            position.view.phase,
            position.hand,
            position.view.top,
            len(position.moves),
        )
        if now == self._told:
            return
        self._told = now
        before, self._turn = self._turn, self.outlook.reader.moves.turn_of(position.view)
        if before == self._turn and self.outlook.drawing is None:
            self.tell(self._.join([self._("It’s still your turn."), self.outlook.reader.moves.now(position)]))
        else:
            for line in self.outlook.standing(position):
                self.tell(line)
        self.prompt()

    # --- lines ---

    async def _line(self, line: str) -> Ended | None:
        position = self.position()
        reply = self.outlook.reader.read(line, position, self.asked)
        if reply is None:
            self.tell(self.asked.sentence if self.asked is not None else self._in_short(position))
            self.prompt()
            return None
        asked, self.asked = self.asked, None
        return await self._carry_out(reply, position, asked)

    async def _carry_out(self, reply: Reply, position: Position | None, asked: TypedQuestion | None) -> Ended | None:
        match reply:
            case Refusal(sentence):
                self.asked = asked
                self.tell(self._.join([sentence, asked.sentence if asked is not None else ""]))
                self.prompt()
            case TypedQuestion(sentence):
                self.asked = reply
                self.tell(sentence)
                self.prompt()
            case TypedMove(move):
                try:
                    await self.playing.play(self.playing.game.decode(move))
                    self._in_flight = True
                except IllegalMove as fault:
                    # The table moved on while the line was read.
                    self.tell(explain(self._, fault, self.narrator.cards, self.narrator.names))
            case TypedCommand():
                return await self._command(reply, position, asked)
            case _:
                assert_never(reply)
        return None

    async def _command(
        self, command: TypedCommand, position: Position | None, asked: TypedQuestion | None
    ) -> Ended | None:
        """`asked`: the question that was open; unless this was its answer, it stays so and is asked again."""
        for line in await self.commands.carry_out(command, position):
            self.tell(line)
        if command.name in ("quit", "goodbye"):
            return Ended()
        if command.name == "aside" and can_only_wait(self.telling.paused):
            return Ended(is_aside=True)
        if asked is not None and command.name != "nothing":
            self.asked = asked
            self.tell(asked.sentence)
        self.prompt()
        return None

    def _in_short(self, position: Position | None) -> str:
        if self.telling.between_rounds:
            return self._("The round is over, the next one starts soon. Type ready to continue.")
        return self.outlook.in_short(position)
