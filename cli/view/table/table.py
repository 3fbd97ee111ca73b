"""The parts of a table, and what several of them do together. Inputs are told apart in `doing` and `hearing`, `showing` makes
the view."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cli import news as events
from cli.games.base.hand import Hand
from cli.games.base.replies import AskBot, LeaveTable, Move, Picked, Query, Refused, Reply, Told
from cli.games.base.viewpoint import Viewpoint
from cli.games.registry import face_of
from cli.games.titles import game_title
from cli.news import Paused, Playing, SeatOffered, Suggestion
from cli.text import Translator
from cli.view.effects import Advise, Focus, Leave, Play, TakeHelp
from cli.view.model import Clock, Effects
from cli.view.settings import Settings
from cli.view.table.guard import Guard
from cli.view.table.log import Log
from cli.view.table.notice import Notice
from cli.view.table.pause import Pause
from cli.view.table.question import Question
from cli.view.table.rounds import Rounds
from cli.view.table.timers import AUTO_S, Timers
from cli.view.table.tipping import Tips
from cli.view.views import Flight
from protocol.cards import Card, Seat
from protocol.games.game import Data
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Vacancy:
    """A seat that somebody has to take, or the match cannot go on. `until`: when a bot takes it, or else (not `by_bot`) the match
    ends, by our clock; `because`: who left it, in words."""

    until: float
    by_bot: bool
    because: str


class TableParts:
    """One seat at one table, or a watcher. Every part has the data of one idea and knows nothing of this class."""

    def __init__(
        self, playing: Playing, settings: Settings, clock: Clock, rules: Callable[[int], Sequence[str]] | None = None
    ) -> None:
        self.playing, self.settings, self.clock, self.rules = playing, settings, clock, rules
        game_face = face_of(playing.game)
        self.at = Viewpoint(playing, game_face, self._, settings.ascii_only)
        self._spoken = (self._, settings.ascii_only)
        self.face = game_face.table(self.at)
        self.hand: Hand = self.at.hand
        self.log = Log(self.face)
        self.notice = Notice(clock)
        self.question = Question()
        self.guard = Guard(clock)
        self.timers = Timers(clock)
        self.pause = Pause(clock)
        self.rounds = Rounds(clock)
        self.rounds.may_go_again = playing.seat is not None
        self.tips = Tips(self.face)
        self.checked: list[events.DealChecked] = []
        self.accused: events.Accused | None = None
        self.broken: events.Broken | None = None
        self.notes: dict[Seat, tuple[str, float]] = {}
        """What somebody has just said, and until when it stands at the seat."""
        self.fresh: frozenset[int] = frozenset()
        """What was drawn, or came otherwise, since our last turn ended: marked in the hand."""
        self.flight: Flight | None = None
        kept = settings.sortings.get(self.face.sorting_setting)
        self.sorting = kept if kept is not None and kept in self.face.sorts else self.face.sorts[0]
        self.offered: SeatOffered | None = None
        """The empty seat of this match, which we watch, that we can take."""
        self.sits_down: Callable[[], bool] = lambda: False
        """Whether we have asked for a seat of this match, which we watch."""
        self.vacancy: Vacancy | None = None
        """The match waits for somebody who takes an empty seat."""
        self.fills_seats = False
        """If nobody takes it, a bot of our computer does."""
        self._moment: tuple[int, int, bool, object] | None = None
        self._advice_for: object = None
        self._help_told = ""
        """The level of hints that the table was told last."""
        self.knows_one = False
        """It was told that where one card is played another pick takes its place."""
        self.renew()

    @property
    def _(self) -> Translator:
        return self.settings.words

    @property
    def title(self) -> str:
        return game_title(self._, self.playing.game.name)

    @property
    def is_watching(self) -> bool:
        """Whether we have no seat, or the others play on without it."""
        me = self.playing.seat
        return me is None or self.playing.players[me].left

    @property
    def may_chat(self) -> bool:
        return self.playing.seat is not None

    @property
    def is_asked_ready(self) -> bool:
        """Whether the next round waits for our word, and not for somebody who takes an empty seat."""
        is_next = self.rounds.is_between and not self.rounds.is_last and not self.is_watching
        return is_next and self.vacancy is None

    @property
    def next_round(self) -> str:
        """How long the pause between rounds lasts at most."""
        left = self.rounds.left_s()
        return "" if left is None else self._("next round in {seconds} s at most", seconds=left)

    @property
    def sheet_is_up(self) -> bool:
        """It covers the table, but no question, and not who is missing, unless it was asked for."""
        return self.rounds.is_up and self.question.query is None and (self.rounds.is_asked_for or not self._is_stopped)

    @property
    def _is_stopped(self) -> bool:
        """Whether a box says why the match does not go on."""
        is_stopped = self.paused is not None or self.playing.reconnecting is not None
        return is_stopped and self.rounds.ended is None

    def order(self, cards: Sequence[Card]) -> Sequence[Card]:
        return self.face.order(self.sorting, cards)

    def renew(self) -> None:
        """Players come and go, and the settings may be others now."""
        settings = self.settings
        may_suggest = self.playing.facts.suggest
        self.at.hints = "legal" if settings.hints == "suggest" and not may_suggest else settings.hints
        self.at.kanji = settings.shown.kanji
        spoken = (self._, settings.ascii_only)
        if spoken[0] is not self._spoken[0] or spoken[1] != self._spoken[1]:
            self._spoken = spoken
            self.at.speak(*spoken)
            self.log.reword()
            self.question.reword()
        self.at.narrator.names, self.at.narrator.seat = self.at.names, self.at.me

    def tell_help(self) -> Effects:
        """The table is told how much help with the hand we have."""
        if self.is_watching or self.at.hints == self._help_told:
            return ()
        self._help_told = self.at.hints
        return (TakeHelp(self.at.hints),)

    @property
    def paused(self) -> Paused | None:
        """Who is awaited; None where several choose at once and we have not: that comes first, or all wait for all."""
        is_asked = self.at.is_due and not self.at.in_flight and self.at.view.turn != self.playing.seat
        return None if is_asked else self.pause.news

    @property
    def sleepers(self) -> list[Seat]:
        """Whose phone the table waits for while nobody looks at it."""
        players = self.playing.players
        return [seat for seat in self.face.prompts.awaited() if seat < len(players) and players[seat].asleep]

    @property
    def _missing(self) -> set[Seat]:
        """Whom the table waits for while they are not there."""
        awaited = () if self.pause.news is None else self.pause.news.awaited
        return {*awaited, *self.sleepers}

    # --- together ---

    def changed(self) -> Effects:
        """Something happened: what was known is known no longer."""
        self.at.forget()
        self._move_on()
        if self.at.position is not None:
            # In the order in which the table holds them, which is that in which they came.
            came = self.hand.update(self.playing.hand(), lambda cards: self.order(tuple(cards)))
            if self.log.last_move is not None and self.face.marks_new:  # what is dealt is no news
                self.fresh |= frozenset(came)
        return self._schedule()

    def _move_on(self) -> None:
        state = (
            self.rounds.is_between,
            self.pause.news is None,
            self.accused is None,
            self.broken is None,
            self.rounds.ended is None,
        )
        moment = (self.rounds.number, self.log.moves_seen, self.at.is_due, state)
        before, self._moment = self._moment, moment
        if moment != before:
            self.face.new_moment()
            goes_on = before is not None and before[3] == state
            self.notice.new_moment(moment[2], before is not None and before[2], goes_on)

    def _schedule(self) -> Effects:
        """What is done for the player by itself, where there is nothing to choose; and the bell."""
        self.timers.auto_at = None
        effects = self.tips.choose(self.face.plays_cards())
        position = self.at.position
        if position is None or not self.at.is_due:
            return effects
        if self.question.query is None and not self.at.in_flight and (query := self.face.opening()) is not None:
            self.question.ask(query)
            self.guard.begin()
        if self.face.forced() is not None:
            self.timers.auto_at = self.clock() + AUTO_S
        view = position.view
        return effects + self.timers.ring((self.rounds.number, self.log.moves_seen, view.turn, view.phase))

    def play(self, move: Data) -> Effects:
        """Hands a move to the table."""
        position = self.at.position
        if position is None:
            return ()
        self.question.close()
        self.face.played()
        self.at.in_flight = True
        self.timers.auto_at = None
        return (Play(position.game.decode(move)),)

    def take(self, reply: Reply) -> Effects:
        """What the game's face has answered to an action."""
        match reply:
            case Move(move):
                return self.play(move)
            case Refused(sentence):
                self.notice.refuse(sentence)
            case Told(sentence, card, choice):
                if sentence:
                    self.notice.say(sentence)
                if card is not None or choice is not None:
                    return (Focus(card, choice),)
            case Picked(cards, sentence):
                last = self.hand.pick(cards)
                self.notice.say(sentence)
                return (Focus(last),) if last is not None else ()
            case AskBot():
                self._advice_for = self._moment
                self.notice.say(self._("Thinking…"))
                return (Advise(),)
            case LeaveTable(for_good, aside):
                return (Leave(for_good, aside),)
            case Query():
                self.question.ask(reply)
            case None:
                pass
        return ()

    @property
    def moment(self) -> object:
        """Something that changes when the table moves on. It is read by other threads."""
        return self._moment

    def advised(self, proposal: Suggestion | None) -> Effects:
        """What the game's bot would do here: its cards are picked, its action is named. Too late, and it is not told."""
        if self.at.position is None or self._moment != self._advice_for or self.at.in_flight:
            return ()
        if self.question.query is not None:
            return ()
        self.guard.lift()  # what is picked now is meant
        return self.take(self.face.proposed(proposal))

    def lost(self, reason: str) -> Effects:
        """The table did not take the move after all."""
        self.at.in_flight = False
        effects = self.changed()
        self.notice.refuse(reason)
        return effects

    def tick(self) -> Effects:
        now = self.clock()
        self.renew()
        effects = self.tell_help()
        auto_at = self.timers.auto_at
        if auto_at is not None and now >= auto_at and not self.at.in_flight and not self.face.waits_for_bomb():
            self.timers.auto_at, self.timers.is_by_itself = None, True
            if (move := self.face.forced()) is not None:
                effects += self.play(move)
        self.notes = {seat: note for seat, note in self.notes.items() if note[1] >= now}
        self.rounds.tick()
        effects += self.timers.tick(self.at.me) + self.timers.miss(self._missing)
        self.notice.tick()
        return effects
