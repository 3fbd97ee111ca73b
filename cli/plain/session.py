"""Plain mode at a table: news come in and are told, lines come in and are played. Knows no network and no terminal."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

from cli.clean import clean
from cli.games.by_itself import by_itself
from cli.games.cards import plain
from cli.games.explain import explain
from cli.games.narrator import Narrator
from cli.games.tichu_narrator import TichuNarrator
from cli.news import (
    ALL_AGREE,
    Accused,
    Away,
    Back,
    BotsBack,
    BotsStopped,
    BotStuck,
    Broken,
    ClockRuns,
    DealChecked,
    Earlier,
    Grace,
    HintsChanged,
    MatchEnded,
    Moved,
    News,
    Overtaken,
    Paused,
    Playing,
    RoundBegan,
    RoundEnded,
    RoundVoid,
    Said,
    TookSeat,
    WentOn,
    has_company,
)
from cli.plain.drawing import Drawing
from cli.plain.reader import Reader
from cli.plain.replies import Ask, Command, Play, Refusal, Reply
from cli.plain.verbs import shown, words_for
from cli.text import Translator
from cli.view.bot_news import bots_told
from cli.view.checks import check_text, took_text
from cli.view.hint_levels import change_of_help, helped
from cli.view.position import Position, position_of
from protocol.cards import Card, Seat
from protocol.errors import IllegalMove
from protocol.games.game import AnyGame, Data

CHAT_CELLS = 200


@dataclass(frozen=True, slots=True)
class Ended:
    """How the session ended: with the match, with a fault, or by leaving (both None)."""

    match: MatchEnded | None = None
    broken: Broken | None = None


def narrator_for(_: Translator, game: AnyGame, names: Sequence[str], seat: int | None) -> Narrator:
    """The narrator that speaks this game best."""
    kind = TichuNarrator if game.name == "tichu" else Narrator
    return kind(_, game, names, seat)


class _End:
    """No more lines will come."""


class Session:
    """One seat at one table in lines of text. `tell` takes a finished line; `prompt` says that a line is awaited."""

    def __init__(
        self,
        playing: Playing,
        _: Translator,
        tell: Callable[[str], None],
        *,
        prompt: Callable[[], None] | None = None,
        drawing: Callable[[Narrator], Drawing] | None = None,
        rules: Callable[[str], Sequence[str]] | None = None,
        patient: bool = False,
    ) -> None:
        """`patient`: the lines are a script, so a line waits until this seat must act; a person's are taken as they come."""
        self.playing = playing
        self._ = _
        self.tell = tell
        self.prompt = prompt or (lambda: None)
        self.rules = rules
        names = [player.name for player in playing.players]
        self.narrator = narrator_for(_, playing.game, names, playing.seat)
        self.narrator.reads_hand = True
        self.reader = Reader(_, self.narrator.cards, names, playing.seat)
        self.drawing = drawing(self.narrator) if drawing else None
        self.asked: Ask | None = None
        self.between_rounds = False
        self.paused: Paused | None = None
        self.checked: list[DealChecked] = []
        self._patient = patient
        self._waiting: deque[str | _End] = deque()
        self._in_flight = False
        """Whether a move of ours is on its way to becoming news."""
        self._told: object = None
        """What was last said about how things stand, so that it is said once."""
        self._heard_hand: tuple[Card, ...] = ()
        """The hand as it was last read."""
        self._is_back = False
        """The next round told is one that we had left."""
        self._turn: object = None
        """The turn that was announced last, and in which nobody else has acted since."""

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
                await asyncio.wait((tasks["news"], tasks["line"]), return_when=asyncio.FIRST_COMPLETED)
                # All news there are come first, so that a line is read, and a turn announced, as things stand now.
                if tasks["news"].done() and (ended := self._take_all(tasks.pop("news").result())) is not None:
                    return ended
                if tasks["line"].done():
                    self._waiting.append(tasks.pop("line").result())
                self._announce()
                while self.playing.news.empty() and self._waiting and self._may_read(self._waiting[0]):
                    if (ended := await self._take(self._waiting.popleft())) is not None:
                        return ended
        finally:
            for task in tasks.values():
                task.cancel()
            await asyncio.gather(*tasks.values(), return_exceptions=True)

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
        if self._in_flight:
            return False
        position = self.position()
        if position is None or position.must_act or self.asked is not None:
            return True
        idle = self.between_rounds or self.paused is not None
        return idle and isinstance(line, str) and isinstance(self.reader.read(line, position), (Command, Ask))

    async def _take(self, line: str | _End) -> Ended | None:
        if isinstance(line, str):
            return await self._line(line)
        self.tell(self._("No more input: you leave the table, your seat is kept."))
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
        self._refresh_names()
        if told := self.told(news):
            self.tell(self._.join(told))
        match news:
            case MatchEnded():
                return Ended(match=news)
            case Broken():
                return Ended(broken=news)
            case _other:
                return None

    def _refresh_names(self) -> None:
        """Players come and go between rounds."""
        names = [player.name for player in self.playing.players]
        if names != self.narrator.names:
            self.narrator.names = names
            self.reader = Reader(self._, self.narrator.cards, names, self.playing.seat)

    # --- news ---

    def told(self, news: News) -> list[str]:
        """The sentences of one piece of news."""
        _, who = self._, self.narrator
        match news:
            case RoundBegan(number, view):
                self.between_rounds = False
                self._told = None
                is_back, self._is_back = self._is_back, False
                return self._goes_on(number, view) if is_back else who.round_began(number, view)
            case Moved(seat, move, before, after):
                return [*who.moved(seat, move, before, after), *self._runs_out(seat, move, before, after)]
            case Earlier(moves):
                self._is_back = bool(moves)
                return []  # a screenful at once helps nobody who listens; how things stand is told
            case RoundEnded(view, breaches, pause_s, is_last):
                self.between_rounds = True
                told = who.round_ended(view)
                if pause_s and not is_last and self.playing.seat is not None:
                    told.append(
                        _(
                            "The next round begins in {seconds} seconds, sooner if all type {verb}.",
                            seconds=round(pause_s),
                            verb=shown(_, "ready"),
                        )
                    )
                for seat, fault in breaches:
                    reason = explain(_, fault, who.cards, who.names)
                    told.append(
                        _(
                            "Found when the cards were opened: {name} broke a rule. {reason}",
                            name=who.name(seat),
                            reason=reason,
                        )
                    )
                return told
            case RoundVoid(held_up_by):
                self.between_rounds = True
                return who.round_void(held_up_by)
            case MatchEnded(view, _match, transcript, verified):
                told = who.match_ended(view)
                if verified is not None:
                    told.append(
                        _("The transcript was checked: in order.")
                        if verified
                        else _("The transcript was checked: NOT in order.")
                    )
                if transcript:
                    told.append(_("Transcript: {path}", path=transcript))
                return told
            case DealChecked(shuffled_by, took_ms):
                self.checked.append(news)
                if not took_ms:  # who comes back did not see it
                    return [_("This deal was checked here before you left.")]
                return [
                    _.n(
                        "Fair deal checked: {n} shuffle, {ms} ms.",
                        "Fair deal checked: {n} shuffles, {ms} ms.",
                        len(shuffled_by),
                        ms=round(took_ms),
                    )
                ]
            case Said(seat, text):
                return [who.did(seat, "You say: {text}", "{name} says: {text}", text=clean(text, CHAT_CELLS))]
            case HintsChanged():
                return list(filter(None, (change_of_help(who, news),)))
            case Away(is_ours=True) | Back(is_ours=True):
                return []
            case BotsStopped() | BotsBack() | BotStuck():
                return [bots_told(_, news)]
            case Away(seat):
                return [_("{name} is away; the seat is kept.", name=who.name(seat))]
            case Back(seat):
                return [_("{name} is back.", name=who.name(seat))]
            case Paused():
                earlier, self.paused = self.paused, news if news.awaited else None
                return self._pause(news, earlier)
            case WentOn(without):
                self.paused = None
                return [
                    _("The game goes on without {names}; the rules play the open hand.", names=who.everyone(without))
                ]
            case TookSeat(seat):
                return [_("{name} takes an empty seat.", name=who.name(seat))]
            case Accused(seat, reason, provable):
                told = [
                    _(
                        "CHEATING: {name}. {reason}",
                        name=who.name(seat),
                        reason=explain(_, reason, who.cards, who.names),
                    )
                ]
                return [*told, _("The evidence is in the transcript.")] if provable else told
            case Overtaken():
                self._told = None
                return [_("Somebody else’s move came first; yours did not count.")]
            case Grace(seat, seconds):
                wait = _.n("{n} second", "{n} seconds", round(seconds))
                if seat == self.playing.seat:
                    return [_("You take the trick in {time}.", time=wait)]
                # The wait is for bombs: who holds none hears when the trick is taken.
                has_bomb = self.playing.seat is not None and self.reader.bombs_in(self.playing.hand())
                return (
                    [_("{name} takes the trick in {time}; until then you may bomb.", name=who.name(seat), time=wait)]
                    if has_bomb
                    else []
                )
            case ClockRuns(seat, left_s):
                if seat != self.playing.seat:
                    return []
                position = self.position()
                what = by_itself(_, who.cards, position) if position is not None else _("the table moves for you")
                return [_("{seconds} seconds left to move, then {what}.", seconds=round(left_s), what=what)]
            case Broken(reason):
                return [_("The match cannot go on. {reason}", reason=explain(_, reason, who.cards, who.names))]
            case _:
                assert_never(news)

    def _goes_on(self, number: int, view: Data) -> list[str]:
        """We are back in a round: how it stands, and our hand. In our turn that is told anyway."""
        _, who, position = self._, self.narrator, self.position()
        told = [_("Round {number} goes on.", number=number), *who.score(view)]
        if position is None or position.must_act:
            return told
        return [*told, *who.situation(view), who.hand(position.hand)]

    def _runs_out(self, seat: Seat, move: Data, before: Data, after: Data) -> list[str]:
        """That somebody has but one card left, and that there is nothing left to draw: seen at once by who sees."""
        _, told = self._, []
        sizes, were = after.get("hand_sizes") or (), before.get("hand_sizes") or ()
        if (
            move.get("do") == "play"
            and seat < len(sizes)
            and sizes[seat] == 1 < were[seat]
            and not after.get("round_over")
        ):
            told.append(self.narrator.did(seat, "You have one card left.", "{name} has one card left."))
        if after.get("stock_size") == 0 and before.get("stock_size") and not self.narrator.cards.is_tichu:
            told.append(_("The stock is empty."))
        return told

    def _pause(self, news: Paused, before: Paused | None) -> list[str]:
        """What is new about a wait: all of it at first, then only who wishes what."""
        _, who = self._, self.narrator
        if not news.awaited:
            return [_("The table goes on; all wishes to go on without somebody are over.")] if before else []
        told: list[str] = []
        if before is None or before.awaited != news.awaited:
            told.append(_("Paused: waiting for {names}. Seats and cards are kept.", names=who.everyone(news.awaited)))
        if before is None or before.awaited != news.awaited or (before.left_s or 0) > 0 >= (news.left_s or 0):
            if news.left_s is None:
                told.append(_("Too few would be left to go on without them: the match waits."))
            elif news.left_s > 0:
                told.append(
                    _("After {seconds} seconds the others may go on, if all agree.", seconds=round(news.left_s))
                )
            else:
                told.append(_("Type go to go on without them, or wait."))
        if news.all_agree:
            told.append(_(ALL_AGREE, names=who.everyone(news.awaited)))
        elif news.agreed:
            told.append(_("Agreed: {names}.", names=who.everyone(news.agreed)))
        elif before is not None and before.agreed:
            told.append(_("Nobody wishes to go on without them any more."))
        return told

    # --- how things stand ---

    def position(self) -> Position | None:
        return position_of(self.playing, self.narrator.cards.sort)

    def _announce(self) -> None:
        """Says that it is our turn, once."""
        position = self.position()
        if position is None or not position.must_act:
            return
        now = (
            position.view.get("turn"),
            position.view.get("phase"),
            position.hand,
            position.view.get("top"),
            len(position.moves),
        )
        if now == self._told:
            return
        self._told = now
        before, self._turn = self._turn, self._turn_of(position)
        if before == self._turn and self.drawing is None:
            self.tell(self._.join([self._("Still your turn."), self.reader.now(position)]))
        else:
            for line in self.standing(position):
                self.tell(line)
        self.prompt()

    @staticmethod
    def _turn_of(position: Position) -> object:
        """What stays as it is while one draws card after card in one turn."""
        view = position.view
        return [
            view.get(name) for name in ("turn", "phase", "top", "suit", "rank", "penalty", "trick", "fours", "solo")
        ]

    def standing(self, position: Position | None) -> list[str]:
        """The table as it stands: drawn on a screen, else in sentences."""
        view = self.playing.view() if position is None else position.view
        if self.drawing is not None:
            told = self._.join(self.narrator.turn(view))
            return [*self.drawing.table(self.narrator, view, position), *([f"  {told}"] if told else [])]
        lines = [self._.join(self.narrator.announced(view))]
        if position is not None and not (position.verbs and position.verbs <= {"collect", "show", "tichu"}):
            lines.append(self._hand(position))
        return lines

    def _hand(self, position: Position) -> str:
        """The hand and what fits. Of a hand of Tichu that was read and is still the same only the latter."""
        _, who, reader = self._, self.narrator, self.reader
        is_known, self._heard_hand = position.hand == self._heard_hand, position.hand
        if not who.cards.is_tichu:
            return _.join([who.hand(position.hand, position.playable), reader.nothing_fits(position)])
        # Where several cards are to be beaten together, one that is part of an answer is none by itself.
        together = len(position.view.get("trick") or ()) > 1
        fits = (
            reader.hint(position) if together else reader.now(position) if is_known else reader.nothing_fits(position)
        )
        if is_known and (together or position.view.get("trick")):
            return fits
        return _.join(
            [
                who.hand(position.hand, frozenset() if together else position.playable),
                fits if together or not position.plays else "",
            ]
        )

    # --- lines ---

    async def _line(self, line: str) -> Ended | None:
        position = self.position()
        reply = self.reader.read(line, position, self.asked)
        if reply is None:
            self.tell(self.asked.sentence if self.asked is not None else self._in_short(position))
            self.prompt()
            return None
        asked, self.asked = self.asked, None
        return await self._carry_out(reply, position, asked)

    async def _carry_out(self, reply: Reply, position: Position | None, asked: Ask | None) -> Ended | None:
        match reply:
            case Refusal(sentence):
                self.asked = asked
                self.tell(self._.join([sentence, asked.sentence if asked is not None else ""]))
                self.prompt()
            case Ask(sentence):
                self.asked = reply
                self.tell(sentence)
                self.prompt()
            case Play(move):
                try:
                    await self.playing.play(self.playing.game.decode(move))
                    self._in_flight = True
                except IllegalMove as fault:
                    # The table moved on while the line was read.
                    self.tell(explain(self._, fault, self.narrator.cards, self.narrator.names))
            case Command(name, text):
                return await self._command(name, text, position, asked)
            case _:
                assert_never(reply)
        return None

    async def _command(self, name: str, text: str, position: Position | None, asked: Ask | None) -> Ended | None:
        """`asked`: the question that was open; unless this was its answer, it stays so and is asked again."""
        _ = self._
        match name:
            case "nothing":
                self.tell(_("All right."))
            case "say":
                await self.playing.say(clean(text, CHAT_CELLS))
            case "who":
                view = self.playing.view()
                told = [*self.narrator.situation(view), *self._away()]
                self.tell(_.join([*told, *self._people()] if plain(text) in words_for(_, "all") else told))
            case "hand" if position is not None:
                for line in (
                    self.drawing.hand(position.hand, position.playable)
                    if self.drawing
                    else [self.narrator.hand(position.hand, position.playable)]
                ):
                    self.tell(line)
            case "score":
                self.tell(_.join(self.narrator.score(self.playing.view())) or _("There are no points yet."))
            case "verify":
                for line in self.fairness():
                    self.tell(line)
            case "rules":
                for line in self.rules(text) if self.rules else [_("There are no rules at hand.")]:
                    self.tell(line)
            case "hint" if position is not None:
                self.tell(self.reader.hint(position))
            case "help":
                self.tell(_("You can type:"))
                for line in self.reader.help(position, self.between_rounds, self.paused is not None):
                    self.tell(line)
            case "ready":
                await self.playing.ready()
                self.tell(_("You are ready."))
            case "wait" | "go":
                await self.playing.go_on(name == "go")
                self.tell(_("You wish to go on.") if name == "go" else _("You wait."))
            case "quit" | "goodbye":
                await self.playing.leave(for_good=name == "goodbye")
                self.tell(_("You left for good.") if name == "goodbye" else _("You left; your seat is kept."))
                return Ended()
            case _other:
                self.tell(_("You are watching: type help."))
        if asked is not None and name != "nothing":
            self.asked = asked
            self.tell(asked.sentence)
        self.prompt()
        return None

    def _in_short(self, position: Position | None) -> str:
        """Whose turn it is: the answer to an empty line."""
        _ = self._
        if self.between_rounds:
            return _("The round is over: the next one begins soon. Type ready to go on.")
        view = self.playing.view() if position is None else position.view
        told = self.narrator.turn(view)
        if position is not None and position.must_act:
            told.append(self.reader.nothing_fits(position))
        return _.join([*told, _("{verb} lists what you can type.", verb=shown(_, "help"))])

    def _away(self) -> list[str]:
        return [
            self._("{name} is away; the seat is kept.", name=player.name)
            for player in self.playing.players
            if player.away
        ]

    def _people(self) -> list[str]:
        """What need not be heard each time: who is shown what, who plays through whose machine, the table's words."""
        _ = self._
        told: list[str] = []
        for seat, player in enumerate(self.playing.players):
            if player.hints:
                told.append(helped(self.narrator, seat, player.hints))
            if player.through:
                told.append(_("{name} plays through {keeper}’s machine.", name=player.name, keeper=player.through))
        if self.playing.facts.words and has_company(self.playing):
            told.append(
                _("The table’s words: {words}. Compare them aloud once.", words=" ".join(self.playing.facts.words))
            )
        return told

    def fairness(self) -> list[str]:
        """What this machine has checked, and what nobody can."""
        _ = self._
        if not self.checked:
            return [_("No deal has been checked here: cards came from this program’s own dealer.")]
        last = self.checked[-1]
        lines = [_("Fair deal, checked on your machine:")]
        lines += [_("  shuffled by {names}, every proof holds", names=self.narrator.everyone(last.shuffled_by))]
        checks = (*last.steps, *self.playing.checks())
        lines += [_("  {step}, {time}", step=check_text(_, each), time=took_text(_, each)) for each in checks]
        if not last.took_ms:
            lines.append(_("  This deal was checked here before you left."))
        lines.append(_("No one alone, the host included, could see your cards; no one could pick them."))
        lines.append(_("Not proven: the timing of moves, and talk outside the program."))
        return lines
