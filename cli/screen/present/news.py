"""A seat at a table: what is known, and what news do to it. No keys, no pictures."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, assert_never

from cli import playing as told
from cli.clean import clean
from cli.plain.explain import explain
from cli.plain.position import Position, position_of
from cli.plain.tichu import is_bomb
from cli.playing import News, Playing
from cli.screen.canvas import Action
from cli.screen.commands import TABLE
from cli.screen.effects import Bell, Do, Play
from cli.screen.present.faces import narrator_of, told_apart
from cli.screen.present.holding import Holding, by_arrival, by_kind, by_rank
from cli.screen.present.picking import Picking, Query
from cli.screen.present.presenter import FLASH_S, Clock, Presenter
from cli.screen.present.scores import Sheet
from cli.screen.present.tipping import tip_now
from cli.screen.present.titles import game_title
from cli.screen.settings import Settings
from cli.screen.tips import ALL, ARROWS, TOLD, tips_for
from cli.screen.views import Cap, Piece
from protocol.cards import DOG, Card, Seat
from protocol.games.eights import Eights
from protocol.games.game import Data

MOST_LOG = 500
CHAT_CELLS = 200
AUTO_S = 1.2
"""A trick that is mine is taken, and the Mah Jong shown, after so long: there is nothing to choose."""
SHEET_S = 8.0
"""The score sheet stays at least so long, though the next round has begun."""
URGENT_S = 5.0
"""With so little time left the bell rings twice."""
NOTE_S = 8.0
"""What the session tells stands so long on the prompt line, or until a key."""
READ_S = 1.5
"""The answer to a key stands at least so long, unless our turn comes."""
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


LATE_S = 0.8
"""So long after a trick was taken, the Mah Jong shown or the score sheet closed for us, an Enter was meant for that, and plays
no card."""


class TableNews(Presenter):
    """What one seat (or a watcher) knows of its table."""

    place = TABLE

    def __init__(
        self, playing: Playing, settings: Settings, clock: Clock, rules: Callable[[int], Sequence[str]] | None = None
    ) -> None:
        super().__init__(settings, clock)
        self.playing = playing
        self.rules = rules
        self._spoken = settings.words
        self.narrator, self.cards = narrator_of(self._, playing.game, self._names(), playing.seat)
        self.is_tichu = playing.game.name == "tichu"
        self.holding = Holding()
        self.dog: Seat | None = None
        """Who has just led the Dog: it lies on the table until the next move."""
        self.holding.takes_one = isinstance(playing.game, Eights)
        self.sorts = ("rank", "suit", "kind", "dealt") if self.is_tichu else ("suit", "rank", "dealt")
        kept = settings.sorting_tichu if self.is_tichu else settings.sorting
        self.sorting = kept if kept in self.sorts else self.sorts[0]
        self.round = 0
        self.log: deque[Piece] = deque(maxlen=MOST_LOG)
        self.last_event = ""
        self.notice = ""
        """Why a key was refused, or what it did; stands until the next key."""
        self.notice_is_no = False
        self._notice_until = 0.0
        """Until when it stands while others move; 0: until the next move."""
        self._noticed_at = 0.0
        self._moment: tuple[int, int, bool, object] | None = None
        self.query: Query | None = None
        self.query_cursor = 0
        self._typed = ""
        self._guarded_until = 0.0
        self.grand_cursor = 1
        """Which answer to Grand Tichu lies under the cursor: no, until another is chosen."""
        self._answer: Callable[[Any], None] = lambda _value: None
        self.said: dict[str, Any] = {}
        self.call_next = False
        self.pass_ahead = False
        self.gifts: list[int | None] = [None, None, None]
        self.gift_at = 0
        self.received: dict[int, str] = {}
        self.before: Card | None = None
        self.checked: list[told.DealChecked] = []
        self.paused: told.Paused | None = None
        self.paused_at = 0.0
        self.accused: told.Accused | None = None
        self.broken: told.Broken | None = None
        self.ended: told.MatchEnded | None = None
        self.sheet = Sheet()
        self.shows_sheet = False
        self._sheet_since = 0.0
        self.between_rounds = False
        self.is_ready = False
        self.next_round_at: float | None = None
        self.in_flight = False
        self.turn_since = clock()
        self.deadline: tuple[Seat, float] | None = None
        self.grace: tuple[Seat, float] | None = None
        self.away_since: dict[Seat, float] = {}
        self.deeds: dict[Seat, deque[str]] = {}
        self.notes: dict[Seat, tuple[str, float]] = {}
        self._hint_at = -1
        self._bomb_at = -1
        self._asked_leave = -100.0
        self._auto_at: float | None = None
        self._rang_for: object = None
        self._urged_for: tuple[Seat, float] | None = None
        self._position: Position | None = None
        self._is_known = False
        self.moves_seen = 0
        self.tips_seen: frozenset[str] = ALL
        """What this person was told in earlier turns, those of earlier matches included."""
        self.tip = ""
        """The tip of this turn, by its name."""
        self._was_ours = False
        self._flash: tuple[float, Seat, Card] | None = None
        self._is_back = False
        """Told anew how things stand: we were away."""
        self.evening: tuple[str, ...] = ()

    def _names(self) -> list[str]:
        return [player.name for player in self.playing.players]

    def _renew(self) -> None:
        """Players come and go, and the language may be another now."""
        names = self._names()
        if self._spoken is not self._:
            self._spoken = self._
            self.narrator, self.cards = narrator_of(self._, self.playing.game, names, self.playing.seat)
        self.narrator.names = names

    @property
    def position(self) -> Position | None:
        """How things stand for our seat; computed once until something happens."""
        if not self._is_known:
            # A real table may not have been dealt yet.
            view = self.playing.view()
            self._position = position_of(self.playing, self.cards.sort) if view and "hand_sizes" in view else None
            self._is_known = True
        return self._position

    def view_now(self) -> Data:
        """The table as our news have told it: a table may be a step ahead of what it has told."""
        position = self.position
        return position.view if position is not None else self.playing.view()

    def changed(self) -> None:
        """Something happened: what was known is known no longer."""
        self._is_known = False
        position = self.position
        self._move_on(position)
        if position is not None:
            # In the order in which the table holds them, which is that in which they came.
            new = self.holding.update(self.playing.hand(), self._order)
            if self.received:
                self.received = {
                    each: name
                    for each, name in self.received.items()
                    if each in {held.id for held in self.holding.cards}
                }
            self._new = new
        self._schedule()

    def _move_on(self, position: Position | None) -> None:
        """What was said about how things stood goes with it, and nothing hides that it is our turn. A note that was asked
        for may be read to its end while others move."""
        is_ours = position is not None and position.must_act
        over = (self.between_rounds, self.paused is None, self.accused is None, self.broken is None, self.ended is None)
        moment = (self.round, self.moves_seen, is_ours, over)
        if moment == self._moment:
            return
        before, self._moment = self._moment, moment
        self._hint_at = self._bomb_at = -1
        if not is_ours and before is not None and before[3] == over and self.clock() - self._noticed_at < READ_S:
            # Others may move at once after our key: its answer must be readable.
            self._notice_until = self._notice_until or self._noticed_at + READ_S
        elif is_ours or self.notice_is_no or not self._notice_until:
            self._hush()

    def _hush(self) -> None:
        self.notice, self._notice_until = "", 0.0

    def _order(self, cards: Any) -> Sequence[Card]:
        match self.sorting:
            case "rank":
                return by_rank(cards)
            case "kind":
                return by_kind(cards)
            case "dealt":
                return by_arrival(cards)
            case _suit if self.is_tichu:
                return tuple(sorted(by_rank(cards), key=lambda card: card[1] if len(card) == 2 else ""))
            case _suit:
                return self.cards.sort(cards)

    def hear(self, news: News) -> None:
        """One piece of news."""
        self._renew()
        _, who = self._, self.narrator
        match news:
            case told.RoundBegan(number, view):
                self._round_began(number, view)
            case told.Moved():
                self._moved(news)
            case told.RoundEnded(view, breaches, pause_s):
                self.next_round_at = self.clock() + pause_s if pause_s else None
                self._forget_question()
                self.between_rounds, self.is_ready = True, False
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
            case told.Away(seat):
                self.away_since.setdefault(seat, self.clock())
                self._tell(_("{name} is away; the seat is kept.", name=who.name(seat)), "alarm")
            case told.Back(seat):
                self.away_since.pop(seat, None)
                self._tell(_("{name} is back.", name=who.name(seat)), "ok")
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
                self._tell(
                    _("The match cannot go on. {reason}", reason=explain(_, reason, self.cards, who.names)), "alarm"
                )
            case _:
                assert_never(news)
        if isinstance(news, AFTER_WHICH_ALL_IS_OTHERWISE):
            self.changed()

    def _round_began(self, number: int, view: Data) -> None:
        self.round = number
        self.between_rounds = self.is_ready = False
        self.paused = None
        self.gifts, self.gift_at, self.received = [None, None, None], 0, {}
        self.before, self.deadline, self.grace = None, None, None
        self.pass_ahead = self.call_next = self.in_flight = False
        self.grand_cursor = 1
        self.dog = None
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

    def is_moving(self) -> bool:
        return self._flash is not None and self.clock() - self._flash[0] < FLASH_S

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
            self.deeds.setdefault(seat, deque(maxlen=4)).append(sentences[0])
        if move.get("do") == "play" and move.get("cards") and self.may_move_cards:
            self._flash = (self.clock(), seat, move["cards"][-1])
        if move.get("do") == "play" and not self.is_tichu and before.get("top"):
            cards = list(move.get("cards", ()))
            self.before = cards[-2] if len(cards) > 1 else before["top"]
        if seat == self.playing.seat and move.get("do") in ("collect", "show"):
            self._guarded_until = self.clock() + LATE_S  # it may have been done for us while Enter was on its way
        if move.get("do") == "pass" and self.is_tichu:
            self.notes[seat] = (self._("passes"), self.clock() + 3600)
        elif self.is_tichu:
            self.notes.pop(seat, None)
            self.dog = seat if move.get("do") == "play" and list(move["cards"]) == [DOG] else None
            if move.get("do") == "collect":
                self.notes.clear()
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
        if self.is_tichu:
            self._tichu_moved(seat, before, after)
        self._look_for_pass_ahead(before, after)

    def _tichu_moved(self, seat: Seat, before: Data, after: Data) -> None:
        me = self.playing.seat
        if before.get("phase") == "give" and after.get("phase") != "give" and me is not None:
            # Cards arrive from the next seat, the partner, the previous one, in this order.
            for held, giver in zip(self._new, ((me + step) % 4 for step in (1, 2, 3)), strict=False):
                self.received[held] = told_apart(self.narrator.names)[giver]
        elif after.get("played") and len(after["played"]) > 0 and not before.get("played"):
            self.received = {}

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

    def _tell(self, text: str, ink: str = "text") -> None:
        if text:
            self.log.append((text, ink))
            self.last_event = text

    def _schedule(self) -> None:
        """What is done for the player by itself, where there is nothing to choose; and the bell."""
        self._auto_at = None
        position = self.position
        is_ours = position is not None and position.must_act and position.view.get("phase") not in ("grand", "give")
        self._choose_tip(position, is_ours)
        self._was_ours = is_ours
        if position is None or not position.must_act:
            return
        phase = position.view.get("phase")
        self._open_by_itself()
        if self.is_tichu and (
            (phase == "collect" and list(position.view.get("trick") or ()) != ["Drg"]) or phase == "show"
        ):
            self._auto_at = self.clock() + AUTO_S
        now = (self.round, self.moves_seen, position.view.get("turn"), phase)
        if now != self._rang_for and self._auto_at is None:
            self._rang_for = now
            self.effects.append(Bell())

    def _choose_tip(self, position: Position | None, is_ours: bool) -> None:
        """One key at a time in a person's first turns, each once: the next that does something now."""
        if position is None or not is_ours or not self._was_ours:
            self.tip = ""
        if position is None or not is_ours or self._tip_told(self.tip):
            return
        fresh = (name for name in tips_for(self.is_tichu) if name not in self.tips_seen and self._tip_told(name))
        self.tip = next(fresh, "")
        if self.tip:
            self.tips_seen |= {self.tip}
            self.effects.append(Do("tip-seen", self.tips_seen))

    def _tip_told(self, name: str) -> str:
        """This tip's text as things stand, by its name; empty where it is not true now."""
        position = self.position
        if not name or position is None:
            return ""
        may_tell = self.settings.hints != "off"
        picking = Picking(self._, self.cards, position, may_tell)
        return tip_now(name, position, self.holding, picking.feasible, may_tell)

    def tip_cap(self) -> Cap | None:
        """The tip as it is shown and clicked; none while a question is open or our move is on its way."""
        told = self._tip_told(self.tip) if self._was_ours and self.query is None and not self.in_flight else ""
        if not told:
            return None
        if told == ARROWS:
            return Cap("←→", self._(TOLD[told]), Action("right"))
        registry = self.settings.registry
        return registry.cap(self._, self.tip.rpartition(" ")[2], self._(TOLD[told]))

    def tick(self) -> bool:
        now = self.clock()
        super().tick()
        if not self.in_flight and (self.position is None or self._may_wait_for_others(self.position)):
            self.changed()  # after a return the table lets us move without any news
        if self._auto_at is not None and now >= self._auto_at and not self.in_flight:
            self._auto_at = None
            self._enter_forced()
        for seat in [seat for seat, (_text, until) in self.notes.items() if until < now]:
            del self.notes[seat]
        if self.shows_sheet and not self.between_rounds and self.ended is None and now - self._sheet_since > SHEET_S:
            self.shows_sheet = False
        if self.deadline is not None and self.deadline[0] == self.playing.seat and self.deadline[1] - now <= URGENT_S:
            if self._urged_for != self.deadline:
                self._urged_for = self.deadline
                self.effects.append(Bell(2))
        else:
            self._urged_for = None
        if self.grace is not None and self.grace[1] < now:
            self.grace = None
        if self._notice_until and self._notice_until < now:
            self._hush()
        return True

    @staticmethod
    def _may_wait_for_others(position: Position) -> bool:
        return position.view.get("turn") == position.seat and not position.verbs

    def _phase(self) -> object:
        position = self.position
        return position.view.get("phase") if self.is_tichu and position is not None and position.must_act else None

    def _play(self, move: Data) -> None:
        """Hands a move to the table."""
        position = self.position
        if position is None:
            return
        self._forget_question()
        self.call_next = False
        self.in_flight = True
        self._auto_at = None
        self.effects.append(Play(position.game.decode(move)))

    def lost(self, reason: str) -> None:
        """The table did not take the move after all."""
        self.in_flight = False
        self.changed()
        self._say_no(reason)

    def _say_no(self, sentence: str) -> None:
        self.notice, self.notice_is_no, self._notice_until = sentence, True, 0.0
        self._noticed_at = self.clock()

    def _say(self, sentence: str) -> None:
        """What a key did."""
        self.notice, self.notice_is_no, self._notice_until = sentence, False, 0.0
        self._noticed_at = self.clock()

    def tell_note(self, sentence: str, seconds: float = NOTE_S) -> None:
        """Something to be read, by the session around the table or about a player."""
        self.notice, self.notice_is_no = sentence, False
        self._notice_until = self.clock() + seconds

    def _forget_question(self) -> None:
        self.query = None
        self._typed = ""

    def _drop_question(self) -> None:
        """The table has moved on, and its questions with it; whether to leave may still be answered."""
        if self.query is None or self.query.field != "leave":
            self._forget_question()

    def _title(self) -> str:
        return game_title(self._, self.playing.game.name)

    def _open_by_itself(self) -> None:
        """Opens the box of a question that only we can answer now."""
        raise NotImplementedError

    def _enter_forced(self) -> None:
        """Does the one thing that can be done now."""
        raise NotImplementedError

    def _below(self) -> tuple[str, str, str]:
        """Head, prompt and mood of the prompt line."""
        raise NotImplementedError

    def _next_round(self) -> str:
        """How long the pause between rounds lasts at most."""
        if self.next_round_at is None:
            return ""
        left = max(0, round(self.next_round_at - self.clock()))
        return self._("the next round in {seconds} s at the latest", seconds=left)
