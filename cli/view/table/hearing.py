"""A seat at a table: what news do to what is known there. How the log tells them, `wording` knows."""

from __future__ import annotations

from collections import deque
from typing import assert_never

from cli import news as events
from cli.clean import clean
from cli.games.short_cards import told_apart
from cli.news import Do, News
from cli.view.emotes import shown_text
from cli.view.table.recap import short_deeds
from cli.view.table.timing import LAST_PLAY_S, SHEET_S, TableTiming
from cli.view.table.wording import drawn_together, moved, tichu_deed
from protocol.cards import DOG, Seat
from protocol.games.game import Data

AFTER_WHICH_ALL_IS_OTHERWISE = (
    events.RoundEnded,
    events.RoundVoid,
    events.MatchEnded,
    events.Paused,
    events.WentOn,
    events.Accused,
    events.Broken,
)
SAVED_S = 1.0
"""A match that is over stands in the journal after so long."""
SKIPPED_S = 6.0
LATE_S = 0.8
"""So long after a trick was taken, the Mah Jong shown or the score sheet closed, an Enter was meant for that, and plays no
card."""
UNASKED_S = 2.5
"""The same where it was done without a key of ours: it must be seen first that it was."""


class TableNews(TableTiming):
    """What one seat (or a watcher) hears."""

    def hear(self, news: News) -> None:
        """One piece of news."""
        self._renew()
        if self._is_told(news):
            self._tell_news(news, self._is_back and isinstance(news, events.RoundBegan))
        match news:
            case events.RoundBegan(number, _view):
                self._round_began(number)
            case events.Moved():
                self._moved(news)
            case events.RoundEnded(view, _breaches, pause_s, is_last):
                self.next_round_at = self.clock() + pause_s if pause_s else None
                self._drop_question()
                self.between_rounds, self.is_ready, self.is_last_round = True, False, is_last
                self.is_void = False
                self.sheet.round_ended(self.playing.game, view)
                self.shows_sheet, self._sheet_since = True, self.clock()
                self._sheet_from = self.clock() + (LAST_PLAY_S if self.last_move is not None else 0.0)
                if self.query is None:
                    self._guarded_until, self._guards_trick = self._sheet_from + LATE_S, False
            case events.RoundVoid():
                self.between_rounds = self.is_void = True
            case events.MatchEnded(view):
                self.ended = news
                self.between_rounds = False
                self._forget_question()
                if not self.sheet.rounds:
                    self.sheet.round_ended(self.playing.game, view)
                self.shows_sheet, self._sheet_since = True, self.clock()
                self.evening = ()  # it has one match more now: that is told when it is known
                self.effects.append(Do("evening", SAVED_S))
            case events.DealChecked(took_ms=took_ms):
                self.checked.append(news)
                self._is_back = not took_ms
            case events.Said(seat, text):
                self.notes[seat] = (self._("“{text}”", text=clean(shown_text(self._, text), 16)), self.clock() + 6)
            case events.Away(seat):
                self.away_since.setdefault(seat, self.clock())
            case events.Back(seat):
                self.away_since.pop(seat, None)
            case events.BotsStopped() | events.BotsBack() | events.BotStuck():
                self.bots = news
            case events.Paused(awaited):
                self.paused, self.paused_at = news if awaited else None, self.clock()
                self.deadline = None  # nobody's time runs while the table waits for somebody else
            case events.WentOn():
                self.paused = None
            case events.Accused():
                self.accused = news
                self._forget_question()
            case events.Overtaken():
                self.in_flight = False
                self.changed()
                self._say_no(self._("Somebody else’s move came first; yours did not count."))
            case events.Grace(seat, seconds):
                self.grace = (seat, self.clock() + seconds)
            case events.ClockRuns(seat, left_s):
                self.deadline = (seat, self.clock() + left_s)
            case events.Broken():
                self.broken, self.shows_sheet = news, False  # the table says what happened, and where Enter leads
                self._forget_question()
            case events.Earlier(points=points):
                self.sheet.rounds = list(points)
            case events.TookSeat() | events.HintsChanged():
                pass
            case _:
                assert_never(news)
        if isinstance(news, AFTER_WHICH_ALL_IS_OTHERWISE):
            self.changed()

    def _is_told(self, news: News) -> bool:
        """Whether the log has not said so already."""
        if isinstance(news, events.Paused):
            before = self.paused.awaited if self.paused is not None else ()
            return before != news.awaited
        return not (isinstance(news, events.Broken) and self.accused is not None)

    def _round_began(self, number: int) -> None:
        self.round = number
        self.between_rounds = self.is_ready = self.is_last_round = self.is_void = False
        self.paused = None
        self.gifts, self.gift_at, self.received, self.fresh = [None, None, None], 0, {}, frozenset()
        self.before, self.deadline, self.grace = None, None, None
        self.named_by = None
        self.since.clear()
        self.pass_ahead = self.call_next = self.in_flight = False
        self.grand_cursor = 1
        self.dog = self.out_winner = None
        self.last_move = self.draws = None
        self.passed.clear()
        self.deeds.clear()
        self._drop_question()
        self._is_back = False
        self._sheet_from = min(self._sheet_from, self.clock())
        if self.shows_sheet and self.clock() - self._sheet_since > SHEET_S:
            self.shows_sheet = False
            self._guarded_until = self.clock() + LATE_S  # an Enter on its way said that we are ready
            self._guards_trick = False
        self.turn_since = self.clock()
        self.changed()

    def _moved(self, news: events.Moved) -> None:
        seat, move, before, after = news.seat, news.move, news.before, news.after
        self.moves_seen += 1
        together = drawn_together(self.narrator, self.draws, news) if self.draws is not None else None
        self.last_move, self.draws = news, together or news
        self.paused = None
        sentences = moved(self.narrator, news)
        if sentences:
            deed = (
                tichu_deed(self._, self.cards, move)
                if self.is_tichu
                else ", ".join(short_deeds(self.narrator, self.cards, self.draws))
            )
            if together is not None and self.deeds.get(seat):
                self.deeds[seat].pop()
            if deed:
                self.deeds.setdefault(seat, deque(maxlen=4)).append(deed)
        self._note_since(self.draws, is_more=together is not None)
        if move.get("do") == "play" and not self.is_tichu:
            self.named_by = seat if move.get("suit") or move.get("rank") else None
        if move.get("do") == "play" and move.get("cards") and self.may_move_cards:
            self._flash = (self.clock(), seat, move["cards"][-1])
        if move.get("do") == "play" and not self.is_tichu and before.get("top"):
            cards = list(move.get("cards", ()))
            self.before = cards[-2] if len(cards) > 1 else before["top"]
        elif self.narrator.recycled(move, before, after):
            self.before = None  # only the top card is left of the pile
        if seat == self.playing.seat and move.get("do") in ("collect", "show"):
            # It may have been done for us while Enter was on its way.
            self._guarded_until = self.clock() + (UNASKED_S if self._is_by_itself else LATE_S)
            self._guards_trick, self._is_by_itself = move.get("do") == "collect", False
        if move.get("do") == "pass" and self.is_tichu:
            self.passed.add(seat)
        elif self.is_tichu:
            self.passed.discard(seat)
            self.dog = seat if move.get("do") == "play" and list(move["cards"]) == [DOG] else None
            self.out_winner = seat if move.get("do") == "collect" and seat in (before.get("out") or ()) else None
            if move.get("do") == "collect":
                self.passed.clear()
                self.holding.clear()  # what was picked was meant for the trick
        if after.get("turn") != before.get("turn"):
            self.turn_since = self.clock()
            if self.deadline is not None and self.deadline[0] != after.get("turn"):
                self.deadline = None
        self.grace = None
        if seat == self.playing.seat:
            self.in_flight = False
            if after.get("turn") != seat or move.get("do") in ("play", "pass"):
                self.fresh = frozenset()  # what came before is known by now
        self._drop_question()
        self.changed()
        self._note_missing(seat, move, before, after)
        if self.is_tichu:
            self._tichu_moved(seat, before, after)
        self._look_for_pass_ahead(before, after)

    def _note_since(self, news: events.Moved, is_more: bool) -> None:
        """Our turn is over, or somebody else did something. `is_more`: the entry before is a part of it."""
        if news.seat == self.playing.seat:
            if news.move.get("do") in ("play", "pass") or news.after.get("turn") != news.seat:
                self.since.clear()
            return
        if is_more and self.since:
            self.since.pop()
        self.since.append(news)

    def _note_missing(self, seat: Seat, move: Data, before: Data, after: Data) -> None:
        """A turn taken away stands at its seat for a while; cards that nobody could give, or that a forgotten word
        brought us, stand on our own prompt line."""
        if (missed := self.narrator.skipped(seat, move, after)) is not None:
            self.notes[missed] = (self._("skipped"), self.clock() + SKIPPED_S)
        elif self.notes.get(turn := after.get("turn", -1), ("",))[0] == self._("skipped"):
            del self.notes[turn]  # it is their turn again
        is_ours = seat == self.playing.seat and move.get("do") == "draw"
        if is_ours and (lapsed := self.narrator.lapsed(seat, before, after)):
            self.tell_note(self._.join(lapsed))
        if told_off := self.narrator.own_penalty(seat, move, before, after):
            self.tell_note(told_off)

    def _tichu_moved(self, seat: Seat, before: Data, after: Data) -> None:
        me = self.playing.seat
        if before.get("phase") == "give" and after.get("phase") != "give" and me is not None:
            # Cards arrive from the next seat, the partner, the previous one, in this order.
            names = told_apart(self.narrator.names)
            for card, step in zip(after.get("entered") or (), (1, 2, 3), strict=False):
                held = next((each.id for each in self.holding.cards if each.card == card), None)
                if held is not None:
                    self.received[held] = names[(me + step) % 4]
        elif seat == me and before.get("phase") == "play":
            self.received = {}  # looked at: the first play of others comes too soon for that

    def _look_for_pass_ahead(self, before: Data, after: Data) -> None:
        """The pass that was said ahead happens when the turn comes; a new trick or a bomb wipes it out."""
        if not self.pass_ahead:
            return
        if not after.get("trick"):
            self.pass_ahead = False
        elif after.get("turn") == self.playing.seat:
            self.pass_ahead = False
            position = self.position
            if position is not None and "pass" in position.verbs:
                self._play({"do": "pass"})
