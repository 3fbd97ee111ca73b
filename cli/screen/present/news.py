"""A seat at a table: what news do to what is known there, and how the log tells them."""

from __future__ import annotations

from collections import deque
from typing import assert_never

from cli import playing as told
from cli.clean import clean
from cli.plain.explain import explain
from cli.plain.ours import bots_told
from cli.plain.tichu import is_bomb
from cli.playing import News
from cli.screen.effects import Do
from cli.screen.present.faces import told_apart
from cli.screen.present.timing import SHEET_S, TableTiming
from cli.words.helped import change_of_help
from protocol.cards import DOG, Seat
from protocol.games.game import Data

CHAT_CELLS = 200
AFTER_WHICH_ALL_IS_OTHERWISE = (
    told.RoundEnded,
    told.RoundVoid,
    told.MatchEnded,
    told.Paused,
    told.WentOn,
    told.Accused,
    told.Broken,
)
SAVED_S = 1.0
"""A match that is over stands in the journal after so long."""
EMOTES = {":gg": "good game", ":wow": "wow", ":hurry": "hurry up", ":sorry": "sorry", ":clap": "clap clap"}


def is_no_emote(text: str) -> bool:
    """A word that looks like an emote and is none, so that nobody says ":wa" by mistake; a smiley is a text."""
    word = text[1:]
    return text.startswith(":") and len(word) > 1 and word.isascii() and word.isalpha() and text not in EMOTES


SKIPPED_S = 6.0
LATE_S = 0.8
"""So long after a trick was taken, the Mah Jong shown or the score sheet closed for us, an Enter was meant for that, and plays
no card."""


class TableNews(TableTiming):
    """What one seat (or a watcher) hears."""

    def hear(self, news: News) -> None:
        """One piece of news."""
        self._renew()
        _, who = self._, self.narrator
        match news:
            case told.RoundBegan(number, view):
                self._round_began(number, view)
            case told.Moved():
                self._moved(news)
            case told.RoundEnded(view, breaches, pause_s, is_last):
                self.next_round_at = self.clock() + pause_s if pause_s else None
                self._drop_question()
                self.between_rounds, self.is_ready, self.is_last_round = True, False, is_last
                self.sheet.round_ended(self.playing.game, view)
                self.shows_sheet, self._sheet_since = True, self.clock()
                self._tell(_.join(who.round_ended(view)), "gold")
                for seat, fault in breaches:
                    reason = explain(_, fault, self.cards, who.names)
                    self._tell(
                        _(
                            "Found when the cards were opened: {name} broke a rule. {reason}",
                            name=who.name(seat),
                            reason=reason,
                        ),
                        "alarm",
                    )
            case told.RoundVoid(left):
                self.between_rounds = True
                self._tell(
                    _("The round is void, nobody scores: {names} left.", names=who.everyone(left))
                    if left
                    else _("The round is void, nobody scores."),
                    "alarm",
                )
            case told.MatchEnded(view):
                self.ended = news
                self.between_rounds = False
                self._forget_question()
                if not self.sheet.rounds:
                    self.sheet.round_ended(self.playing.game, view)
                self.shows_sheet, self._sheet_since = True, self.clock()
                self.effects.append(Do("evening", SAVED_S))
                self._tell(_.join(who.match_ended(view)), "gold")
            case told.DealChecked(took_ms=took_ms):
                self.checked.append(news)
                self._is_back = not took_ms
                if took_ms:
                    self._tell(_("✓ deal proven fair, {ms} ms", ms=round(took_ms)), "ok")
            case told.Said(seat, text):
                shown = clean(EMOTES.get(text, text) if text.startswith(":") else text, CHAT_CELLS)
                self._tell(
                    _("{name}: {text}", name=who.who(seat) if seat == who.seat else who.name(seat), text=shown), "chat"
                )
                self.notes[seat] = (f"“{clean(shown, 16)}”", self.clock() + 6)
            case told.HintsChanged():
                self._tell(change_of_help(who, news), "text")
            case told.Away(seat):
                self.away_since.setdefault(seat, self.clock())
                if not news.is_ours:
                    self._tell(_("{name} is away; the seat is kept.", name=who.name(seat)), "alarm")
            case told.Back(seat):
                self.away_since.pop(seat, None)
                if not news.is_ours:
                    self._tell(_("{name} is back.", name=who.name(seat)), "ok")
            case told.BotsStopped() | told.BotsBack() | told.BotStuck():
                self.bots = news
                self._tell(bots_told(_, news), "ok" if isinstance(news, told.BotsBack) else "alarm")
            case told.Paused(awaited):
                before, self.paused, self.paused_at = self.paused, news if awaited else None, self.clock()
                if awaited and (before is None or before.awaited != awaited):
                    self._tell(_("Paused: waiting for {names}.", names=who.everyone(awaited)), "alarm")
                elif before is not None and not awaited:
                    self._tell(_("The table goes on."), "ok")
                self.deadline = None  # nobody's time runs while the table waits for somebody else
            case told.WentOn(without):
                self.paused = None
                self._tell(
                    _("The game goes on without {names}; the rules play the open hand.", names=who.everyone(without)),
                    "alarm",
                )
            case told.TookSeat(seat):
                self._tell(_("{name} takes an empty seat.", name=who.name(seat)), "ok")
            case told.Accused(seat, reason):
                self.accused = news
                self._forget_question()
                self._tell(
                    _(
                        "CHEATING: {name}. {reason}",
                        name=who.name(seat),
                        reason=explain(_, reason, self.cards, who.names),
                    ),
                    "alarm",
                )
            case told.Overtaken():
                self.in_flight = False
                self.changed()
                self._say_no(_("Somebody else’s move came first; yours did not count."))
            case told.Grace(seat, seconds):
                self.grace = (seat, self.clock() + seconds)
            case told.ClockRuns(seat, left_s):
                self.deadline = (seat, self.clock() + left_s)
            case told.Broken(reason):
                self.broken = news
                self._forget_question()
                if self.accused is None:
                    told_why = explain(_, reason, self.cards, who.names)
                    self._tell(_("The match cannot go on. {reason}", reason=told_why), "alarm")
            case _:
                assert_never(news)
        if isinstance(news, AFTER_WHICH_ALL_IS_OTHERWISE):
            self.changed()

    def _round_began(self, number: int, view: Data) -> None:
        self.round = number
        self.between_rounds = self.is_ready = self.is_last_round = False
        self.paused = None
        self.gifts, self.gift_at, self.received = [None, None, None], 0, {}
        self.before, self.deadline, self.grace = None, None, None
        self.pass_ahead = self.call_next = self.in_flight = False
        self.grand_cursor = 1
        self.dog = None
        self.passed.clear()
        self.deeds.clear()
        self._drop_question()
        self._tell(self._.join(self._back(number, view) or self.narrator.round_began(number, view)), "gold")
        self._is_back = False
        if self.shows_sheet and self.clock() - self._sheet_since > SHEET_S:
            self.shows_sheet = False
            self._guarded_until = self.clock() + LATE_S  # an Enter on its way said that we are ready
        self.turn_since = self.clock()
        self.changed()

    def _back(self, number: int, view: Data) -> list[str]:
        """What who comes back is told first; nothing for all others."""
        if not self._is_back or view.get("round_over"):
            return []
        _ = self._
        first = [_("You are back in round {number}.", number=number)]
        if top := view.get("top"):
            first.append(self._lying(self.cards.say(top), view))
        elif lying := view.get("trick"):
            first.append(_("On the table: {cards}.", cards=self.cards.say_all(lying)))
        return first

    def _lying(self, card: str, view: Data) -> str:
        """What lies on the pile, with what its player named: that was said while we were away."""
        _ = self._
        if suit := view.get("suit"):
            return _("On the pile: {card}, {suit} named.", card=card, suit=self.cards.suit_name(suit))
        if rank := view.get("rank"):
            return _("On the pile: {card}, {rank} called.", card=card, rank=self.cards.ranks(rank))
        return _("On the pile: {card}.", card=card)

    def _moved(self, news: told.Moved) -> None:
        seat, move, before, after = news.seat, news.move, news.before, news.after
        self.moves_seen += 1
        self.paused = None
        sentences = self.narrator.moved(seat, move, before, after)
        if (move.get("do") == "grand" and not move.get("call")) or (
            move.get("do") == "give" and seat != self.playing.seat
        ):
            sentences = sentences[1:]  # the seats show who has decided
        text = self._.join(sentences)
        loud = (
            move.get("do") in ("tichu",)
            or move.get("call") is True
            or (move.get("do") == "play" and self.is_tichu and is_bomb(move.get("cards", ())))
        )
        self._tell(text, "alarm" if loud else "text")
        if sentences:
            told_first = len(self.narrator.recycled(move, before, after)) if move.get("do") == "draw" else 0
            self.deeds.setdefault(seat, deque(maxlen=4)).append(sentences[told_first])
        if move.get("do") == "play" and move.get("cards") and self.may_move_cards:
            self._flash = (self.clock(), seat, move["cards"][-1])
        if move.get("do") == "play" and not self.is_tichu and before.get("top"):
            cards = list(move.get("cards", ()))
            self.before = cards[-2] if len(cards) > 1 else before["top"]
        if seat == self.playing.seat and move.get("do") in ("collect", "show"):
            self._guarded_until = self.clock() + LATE_S  # it may have been done for us while Enter was on its way
        if move.get("do") == "pass" and self.is_tichu:
            self.passed.add(seat)
        elif self.is_tichu:
            self.passed.discard(seat)
            self.dog = seat if move.get("do") == "play" and list(move["cards"]) == [DOG] else None
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
        self._drop_question()
        self.changed()
        self._note_missing(seat, move, before, after)
        if self.is_tichu:
            self._tichu_moved(seat, before, after)
        self._look_for_pass_ahead(before, after)

    def _note_missing(self, seat: Seat, move: Data, before: Data, after: Data) -> None:
        """A turn taken away stands at its seat for a while; cards that nobody could give stand on our own prompt line."""
        if (missed := self.narrator.skipped(seat, move, after)) is not None:
            self.notes[missed] = (self._.n("misses a turn", "misses {n} turns", 1), self.clock() + SKIPPED_S)
        is_ours = seat == self.playing.seat and move.get("do") == "draw"
        if is_ours and (lapsed := self.narrator.lapsed(seat, before, after)):
            self.tell_note(self._.join(lapsed))

    def _tichu_moved(self, seat: Seat, before: Data, after: Data) -> None:
        me = self.playing.seat
        if before.get("phase") == "give" and after.get("phase") != "give" and me is not None:
            # Cards arrive from the next seat, the partner, the previous one, in this order.
            for held, giver in zip(self._new, ((me + step) % 4 for step in (1, 2, 3)), strict=False):
                self.received[held] = told_apart(self.narrator.names)[giver]
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
