"""A table on the screen: news come in, keys and clicks come in; views and effects go out. No terminal, no network, no clock of
its own."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Sequence
from typing import Any, assert_never

from cli import playing as told
from cli.clean import clean
from cli.plain.explain import explain
from cli.plain.position import Position, position_of
from cli.plain.tichu import is_bomb
from cli.playing import News, Playing
from cli.screen.canvas import Action
from cli.screen.commands import RANK_KEYS, TABLE
from cli.screen.effects import AskText, Bell, Do, GoOn, Leave, Play, Ready, Repaint, Say
from cli.screen.present import fairness, prompts, seats
from cli.screen.present.combos import combo_of, described
from cli.screen.present.faces import narrator_of
from cli.screen.present.holding import Holding, by_arrival, by_kind, by_rank
from cli.screen.present.middle import pile_of, trick_of
from cli.screen.present.picking import Move, Option, Picking, Query, Refused
from cli.screen.present.presenter import Clock, PagePresenter, Presenter
from cli.screen.present.scores import Sheet
from cli.screen.present.titles import game_title
from cli.screen.settings import Settings
from cli.screen.views import Cap, Choice, Dialog, Frame, HandCard, Line, Piece, TableView, View
from protocol.cards import DOG, Card, Seat
from protocol.games.game import Data

MOST_LOG = 500
CHAT_CELLS = 200
AUTO_S = 1.2
"""A trick that is mine is taken, and the Mah Jong shown, after so long: there is nothing to choose."""
SHEET_S = 8.0
"""The score sheet stays at least so long, though the next round has begun."""
TWICE_S = 2.0
NOTE_S = 8.0
"""What the session tells stands so long on the prompt line, or until a key."""
EMOTES = {":gg": "good game", ":wow": "wow", ":hurry": "hurry up", ":sorry": "sorry", ":clap": "clap clap"}


class TablePresenter(Presenter):
    """One seat at one table (or a watcher)."""

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
        self.sorts = ("rank", "suit", "kind", "dealt") if self.is_tichu else ("suit", "rank", "dealt")
        self.sorting = self.sorts[0]
        self.round = 0
        self.log: deque[Piece] = deque(maxlen=MOST_LOG)
        self.last_event = ""
        self.notice = ""
        """Why a key was refused, or what it did; stands until the next key."""
        self.notice_is_no = False
        self._notice_until = 0.0
        self.query: Query | None = None
        self.query_cursor = 0
        self._typed = ""
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
        self._position: Position | None = None
        self._is_known = False
        self.moves_seen = 0

    # --- names and words ---

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

    def changed(self) -> None:
        """Something happened: what was known is known no longer."""
        self._is_known = False
        position = self.position
        if position is not None:
            new = self.holding.update(position.hand, self._order)
            if self.received:
                self.received = {
                    each: name
                    for each, name in self.received.items()
                    if each in {held.id for held in self.holding.cards}
                }
            self._new = new
        self._schedule()

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

    # --- news ---

    def hear(self, news: News) -> None:
        """One piece of news."""
        self._renew()
        _, who = self._, self.narrator
        match news:
            case told.RoundBegan(number, view):
                self._round_began(number, view)
            case told.Moved():
                self._moved(news)
            case told.RoundEnded(view, breaches):
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
                self._tell(_.join(who.match_ended(view)), "gold")
            case told.DealChecked(took_ms=took_ms):
                self.checked.append(news)
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
                if self.paused is not None and (seat in self.paused.awaited):
                    rest = tuple(each for each in self.paused.awaited if each != seat)
                    self.paused = told.Paused(rest, self.paused.left_s, ()) if rest else None
                self._tell(_("{name} is back.", name=who.name(seat)), "ok")
            case told.Paused(awaited):
                if self.paused is None or self.paused.awaited != awaited:
                    self._tell(_("Paused: waiting for {names}.", names=who.everyone(awaited)), "alarm")
                self.paused, self.paused_at = news, self.clock()
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
                self._say_no(_("Somebody else’s move came first; yours did not count."))
                self.changed()
            case told.Grace(seat, seconds):
                self.grace = (seat, self.clock() + seconds)
                self._tell(
                    who.did(
                        seat,
                        "You take the trick in {seconds} s.",
                        "{name} takes the trick in {seconds} s.",
                        seconds=round(seconds),
                    ),
                    "dim",
                )
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

    def _round_began(self, number: int, view: Data) -> None:
        self.round = number
        self.between_rounds = self.is_ready = False
        self.paused = None
        self.gifts, self.gift_at, self.received = [None, None, None], 0, {}
        self.before, self.deadline, self.grace = None, None, None
        self.pass_ahead = self.call_next = self.in_flight = False
        self.deeds.clear()
        self._forget_question()
        self._tell(self._.join(self.narrator.round_began(number, view)), "gold")
        self.turn_since = self.clock()
        self.changed()

    def _moved(self, news: told.Moved) -> None:
        seat, move, before, after = news.seat, news.move, news.before, news.after
        self.moves_seen += 1
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
        if move.get("do") == "play" and not self.is_tichu and before.get("top"):
            cards = list(move.get("cards", ()))
            self.before = cards[-2] if len(cards) > 1 else before["top"]
        if move.get("do") == "pass" and self.is_tichu:
            self.notes[seat] = (self._("passes"), self.clock() + 3600)
        elif self.is_tichu:
            self.notes.pop(seat, None)
            if move.get("do") == "collect":
                self.notes.clear()
        if after.get("turn") != before.get("turn"):
            self.turn_since = self.clock()
            if self.deadline is not None and self.deadline[0] != after.get("turn"):
                self.deadline = None
        self.grace = None
        if seat == self.playing.seat:
            self.in_flight = False
        self._forget_question()
        self.changed()
        if self.is_tichu:
            self._tichu_moved(seat, before, after)
        self._look_for_pass_ahead(before, after)

    def _tichu_moved(self, seat: Seat, before: Data, after: Data) -> None:
        me = self.playing.seat
        if before.get("phase") == "give" and after.get("phase") != "give" and me is not None:
            # Cards arrive from the next seat, the partner, the previous one, in this order.
            for held, giver in zip(self._new, ((me + step) % 4 for step in (1, 2, 3)), strict=False):
                self.received[held] = self.narrator.name(giver)
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

    # --- time ---

    def _schedule(self) -> None:
        """What is done for the player by itself, where there is nothing to choose; and the bell."""
        self._auto_at = None
        position = self.position
        if position is None or not position.must_act:
            return
        phase = position.view.get("phase")
        if self.is_tichu and (
            (phase == "collect" and list(position.view.get("trick") or ()) != ["Drg"]) or phase == "show"
        ):
            self._auto_at = self.clock() + AUTO_S
        now = (self.round, self.moves_seen, position.view.get("turn"), phase)
        if now != self._rang_for and self._auto_at is None:
            self._rang_for = now
            self.effects.append(Bell())

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
        if self.grace is not None and self.grace[1] < now:
            self.grace = None
        if self._notice_until and self._notice_until < now:
            self.notice, self._notice_until = "", 0.0
        return True

    @staticmethod
    def _may_wait_for_others(position: Position) -> bool:
        return position.view.get("turn") == position.seat and not position.verbs

    # --- keys ---

    def first(self, pressed: str) -> bool:
        if pressed not in ("c-c", "c-q", "f10"):
            self.notice = ""
        if self.shows_sheet and self.query is None:
            return self._sheet_key(pressed)
        if self.query is not None:
            return self._query_key(pressed)
        if self.accused is not None and pressed in ("e", "E"):
            self.effects.append(Do("export", ""))
            return True
        if (self.paused is not None or self.broken is not None) and self._paused_key(pressed):
            return True
        phase = self._phase()
        if phase == "grand" and pressed.lower() in ("y", "n", "g"):
            self._grand(pressed.lower() != "n")
            return True
        if phase == "give" and pressed in ("1", "2", "3"):
            self._gift(int(pressed) - 1)
            return True
        return False

    def _phase(self) -> object:
        position = self.position
        return position.view.get("phase") if self.is_tichu and position is not None and position.must_act else None

    def other(self, pressed: str) -> None:
        rank = RANK_KEYS.get(pressed.lower())
        if rank is not None:
            if not self.holding.jump(rank):
                self._say_no(self._("You hold no {rank}.", rank="10" if rank == "T" else rank))
        elif len(pressed) == 1 and pressed.isprintable():
            self._say_no(self._("“{key}” does nothing here: ? lists the keys.", key=pressed))

    def act(self, action: Action, twice: bool = False) -> None:
        self.notice = ""
        match action:
            case Action("card", int() as place):
                self._card_clicked(place, twice)
            case Action("choose", int() as place):
                self._choose(place)
            case Action("seat", int() as seat):
                self._seat_clicked(seat)
            case Action("stock", _):
                self.command("draw")
            case Action("gift", int() as place):
                self._gift(place)
            case Action("sheet-enter", _):
                self._sheet_key("enter")
            case Action("key", str() as pressed):
                self.key(pressed)
            case _other:
                self.command(action.name)

    def _card_clicked(self, place: int, twice: bool) -> None:
        if self.query is not None or not 0 <= place < len(self.holding.cards):
            return
        self.holding.cursor = place
        if self._phase() == "give":
            self._toggle_gift(place)
        elif twice and not self.is_tichu:
            if self.holding.cards[place].id not in self.holding.picked:
                self.holding.toggle(place)
            self._enter()
        else:
            self.holding.toggle(place)

    def _seat_clicked(self, seat: Seat) -> None:
        if self.query is not None and self.query.field in ("next", "to"):
            for at, option in enumerate(self.query.options):
                if option.value == seat:
                    self._choose(at)
                    return
        if self._phase() == "give" and self.playing.seat is not None:
            step = (seat - self.playing.seat) % 4
            if step:
                self._gift(step - 1)
                return
        deeds = self.deeds.get(seat)
        if not deeds:
            self.notice = self._("{name} has done nothing yet in this round.", name=self.narrator.name(seat))
        else:
            self.notice = self._.join(deeds)
        self.notice_is_no = False

    def command(self, name: str, pressed: str = "") -> None:
        holding = self.holding
        match name:
            case "left":
                holding.move(-1)
            case "right":
                holding.move(1)
            case "home":
                holding.cursor = 0
            case "end":
                holding.cursor = max(0, len(holding.cards) - 1)
            case "pick" if self._phase() == "give":
                self._toggle_gift(holding.cursor)
            case "pick":
                if pressed != "up" or (holding.under and holding.under.id not in holding.picked):
                    holding.toggle(holding.cursor)
            case "unpick":
                if holding.under and holding.under.id in holding.picked:
                    holding.toggle(holding.cursor)
            case "unpick-last":
                holding.unpick_last()
            case "clear" | "escape":
                self.pass_ahead = self.call_next = False
                self.gifts, self.gift_at = [None, None, None], 0
                holding.clear()
            case "enter" | "sheet-enter":
                self._enter()
            case "draw":
                self._simple({"do": "draw"})
            case "pass":
                self._pass()
            case "call":
                self._call()
            case "tichu":
                self._tichu()
            case "grand" if self.paused is not None:
                self.effects.append(GoOn(True))
            case "grand":
                self._grand(True)
            case "wait" if self.paused is not None:
                self.effects.append(GoOn(False))
            case "bomb":
                self._bomb()
            case "sort":
                self.sorting = self.sorts[(self.sorts.index(self.sorting) + 1) % len(self.sorts)]
                holding.sort(self._order)
            case "hint":
                self._hint()
            case "chat":
                self.effects.append(AskText(self._("Say"), self._spoke, ":" if pressed == ":" else "", tuple(EMOTES)))
            case "log":
                self.overlay = self._log_page()
            case "up":
                self.overlay = self._log_page()
            case "report":
                self.overlay = fairness.report_page(self)
            case "scores":
                self.shows_sheet, self._sheet_since = True, self.clock() + 3600
            case "help":
                from cli.screen.present.help import help_page

                self.overlay = help_page(self)
            case "settings":
                from cli.screen.present.options import SettingsPresenter

                self.overlay = SettingsPresenter(self.settings, self.clock, self._title(), self._below)
            case "big":
                self.settings.big = not self.settings.big
            case "leave":
                self._ask_leave(pressed)
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                pass

    # --- moves ---

    def _picking(self) -> Picking | None:
        position = self.position
        return None if position is None else Picking(self._, self.cards, position)

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
        self._say_no(reason)
        self.changed()

    def _cannot_act(self) -> bool:
        if self.playing.seat is None:
            self._say_no(self._("You are watching: others play here."))
            return True
        if self.accused is not None:
            self._say_no(self._("A check failed: the table is frozen. V shows which."))
            return True
        if self.broken is not None or self.ended is not None:
            self._say_no(self._("The match is over."))
            return True
        if self.in_flight:
            self._say_no(self._("Your move is on its way."))
            return True
        if self.position is None:
            self._say_no(self._("The cards are still being dealt."))
            return True
        if self.between_rounds:
            self._say_no(self._("The round is over: Enter when you are ready for the next."))
            return True
        return False

    def _simple(self, move: Data) -> None:
        """A move without cards, if the rules let it pass."""
        if self._cannot_act():
            return
        picking = self._picking()
        assert picking is not None
        answer = picking.simple(move)
        if isinstance(answer, Move):
            self._play(answer.move)
        elif isinstance(answer, Refused):
            self._say_no(answer.sentence)

    def _enter(self) -> None:
        if self.between_rounds and self.ended is None:
            self._be_ready()
            return
        if self._cannot_act():
            return
        phase = self._phase()
        if phase == "give":
            self._give()
        elif phase in ("show", "collect") and not self.holding.picked:
            self._enter_forced()
        elif phase == "grand":
            self._say_no(self._("Grand Tichu? Press Y or N."))
        else:
            if not self.holding.picked and self.holding.under is not None:
                self.holding.toggle(self.holding.cursor)
                self._resolve({"call": True} if self.call_next else {}, alone=True)
            else:
                self._resolve({"call": True} if self.call_next else {})

    def _enter_forced(self) -> None:
        """Shows the Mah Jong or takes the trick, as it stands; the Dragon's is given away."""
        position = self.position
        if position is None:
            return
        if "show" in position.verbs:
            self._simple({"do": "show"})
            return
        gifts = [move for move in position.moves if move["do"] == "collect"]
        if len(gifts) > 1:
            self._ask_dragon(gifts)
        elif gifts:
            self._play(gifts[0])

    def _resolve(self, said: dict[str, Any], alone: bool = False) -> None:
        """Plays what is picked, or asks what is missing. `alone`: the card under the cursor was picked just for this."""
        picking = self._picking()
        if picking is None:
            return
        chosen = self.holding.chosen
        if not chosen:
            self._say_no(self._.join([self._("Pick a card first."), picking.what_fits()]))
            return
        answer = picking.resolve(chosen, said)
        if isinstance(answer, Move):
            self._play(answer.move)
        elif isinstance(answer, Refused):
            if alone:
                self.holding.clear()
            self._say_no(answer.sentence)
        else:

            def take(value: Any) -> None:
                if answer.field == "break" and value == "no":
                    self._forget_question()
                    return
                self._resolve({**said, answer.field: value})

            self._ask(answer, take)

    def _pass(self) -> None:
        position = self.position
        if (
            self.is_tichu
            and position is not None
            and position.view.get("trick")
            and position.view.get("turn") != position.seat
            and position.view.get("phase") == "play"
            and position.hand
        ):
            self.pass_ahead = not self.pass_ahead
            return
        self._simple({"do": "pass"})

    def _call(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        if "call" in position.verbs:
            self._play({"do": "call"})
            return
        if not position.game.words or not self._has_word(position):
            self._say_no(self._("There is no last-card word at this table."))
            return
        self.call_next = not self.call_next
        word = position.game.words[0]
        self.notice_is_no = False
        self.notice = (
            self._("You will say “{word}” with the play that leaves one card.", word=word)
            if self.call_next
            else self._("You will not say “{word}” by yourself.", word=word)
        )

    @staticmethod
    def _has_word(position: Position) -> bool:
        return getattr(position.game, "word_penalty", 1) is not None

    def _tichu(self) -> None:
        if self._cannot_act():
            return
        picking = self._picking()
        assert picking is not None
        answer = picking.simple({"do": "tichu"})
        if isinstance(answer, Refused):
            self._say_no(picking.refusal({"do": "tichu"}) or answer.sentence)
            return
        _ = self._
        query = Query(
            "tichu",
            _("Call Tichu? 100 points if you are out first, else 100 lost"),
            (Option(True, Choice("Y", _("Call Tichu"))), Option(False, Choice("N", _("Not now")))),
            _("Y / N · Esc: back"),
            cursor=1,
        )
        self._ask(query, lambda value: self._play({"do": "tichu"}) if value else self._forget_question())

    def _grand(self, call: bool) -> None:
        if self._cannot_act():
            return
        picking = self._picking()
        assert picking is not None
        reason = picking.refusal({"do": "grand", "call": call})
        if reason is not None:
            self._say_no(reason)
            return
        if not call:
            self._play({"do": "grand", "call": False})
            return
        _ = self._
        query = Query(
            "grand",
            _("Call Grand Tichu? 200 points if you are out first, else 200 lost"),
            (Option(True, Choice("Y", _("Call Grand Tichu"))), Option(False, Choice("N", _("No")))),
            _("Y / N · Esc: back"),
            cursor=1,
        )
        self._ask(query, lambda value: self._play({"do": "grand", "call": bool(value)}))

    def _bomb(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        if not self.is_tichu:
            self._say_no(self._("There are no bombs in this game."))
            return
        bombs = list(dict.fromkeys(tuple(move["cards"]) for move in position.plays if is_bomb(move["cards"])))
        if not bombs:
            self._say_no(self._("You can play no bomb now."))
        elif len(bombs) == 1:
            self._play({"do": "play", "cards": list(bombs[0])})
        else:
            self._bomb_at = (self._bomb_at + 1) % len(bombs)
            self.holding.pick(bombs[self._bomb_at])
            self.notice_is_no = False
            self.notice = self._(
                "Bomb {number} of {count}: Enter plays it, B: the next", number=self._bomb_at + 1, count=len(bombs)
            )

    def _hint(self) -> None:
        position = self.position
        if self._cannot_act() or position is None:
            return
        plays = list(dict.fromkeys(tuple(move["cards"]) for move in position.plays))
        self.notice_is_no = False
        if not plays:
            picking = self._picking()
            self.notice = picking.what_fits() if picking is not None else ""
            if not self.notice:
                self.notice = self._("There is nothing for you to do now.")
            return
        self._hint_at = (self._hint_at + 1) % len(plays)
        self.holding.pick(plays[self._hint_at])
        self.notice = self._(
            "Allowed: {cards} ({number} of {count}) · Enter plays it",
            cards=" ".join(self.cards.short(card) for card in plays[self._hint_at]),
            number=self._hint_at + 1,
            count=len(plays),
        )

    # --- the exchange ---

    def _gift(self, place: int) -> None:
        """The card under the cursor goes to this player."""
        under = self.holding.under
        if self._phase() != "give" or under is None:
            return
        self.gifts = [None if each == under.id else each for each in self.gifts]
        self.gifts[place] = under.id
        self._show_gifts()
        self.gift_at = next((at for at in range(3) if self.gifts[at] is None), 2)

    def _toggle_gift(self, place: int) -> None:
        self.holding.cursor = place
        held = self.holding.cards[place].id
        if held in self.gifts:
            self.gifts[self.gifts.index(held)] = None
            self._show_gifts()
            self.gift_at = next((at for at in range(3) if self.gifts[at] is None), 2)
        elif None in self.gifts:
            self._gift(self.gifts.index(None))
        else:
            self._say_no(self._("Three cards are chosen: Enter gives them, X begins anew."))

    def _show_gifts(self) -> None:
        self.holding.picked = [each for each in self.gifts if each is not None]

    def _give(self) -> None:
        by_id = {held.id: held.card for held in self.holding.cards}
        cards = [by_id[each] for each in self.gifts if each is not None and each in by_id]
        if len(cards) < 3:
            self._say_no(self._("Choose three cards first, one for each player: {n} chosen.", n=len(cards)))
            return
        self._simple({"do": "give", "cards": cards})

    # --- questions ---

    def _ask(self, query: Query, answer: Callable[[Any], None]) -> None:
        self.query, self.query_cursor, self._answer, self._typed = query, query.cursor, answer, ""

    def _forget_question(self) -> None:
        self.query = None
        self._typed = ""

    def _choose(self, place: int) -> None:
        query = self.query
        if query is None:
            auto = self._auto_query()
            if auto is None or not 0 <= place < len(auto[0].options):
                return
            auto[1](auto[0].options[place].value)
            return
        if 0 <= place < len(query.options):
            answer, value = self._answer, query.options[place].value
            self.query = None
            answer(value)

    def _query_key(self, pressed: str) -> bool:
        query = self.query
        assert query is not None
        count = len(query.options)
        step = query.columns or count
        match pressed:
            case "left" | "right":
                self.query_cursor = (self.query_cursor + (1 if pressed == "right" else -1)) % max(1, count)
            case "up" | "down" if query.columns:
                moved = self.query_cursor + (step if pressed == "down" else -step)
                self.query_cursor = moved if 0 <= moved < count else self.query_cursor
            case "up" | "down":
                self.query_cursor = (self.query_cursor + (1 if pressed == "down" else -1)) % max(1, count)
            case "home":
                self.query_cursor = 0
            case "end":
                self.query_cursor = count - 1
            case "enter" | " ":
                self._choose(self.query_cursor)
            case "escape" | "backspace" | "x":
                self._forget_question()
            case "c-c" | "c-q" | "f10" if query.field == "leave":
                self._forget_question()
                self.effects.append(Leave(False))
            case "/" | "?" | "v" | "l" | "f1" | "f2" | "c-l" | "c-c" | "c-q" | "f10":
                return False
            case _other:
                self._typed_choice(pressed)
        return True

    def _typed_choice(self, pressed: str) -> None:
        """A choice by its key, its first letters, or a card by rank and suit."""
        query = self.query
        if query is None or len(pressed) != 1:
            return
        typed = pressed.upper()
        for place, option in enumerate(query.options):
            if option.choice.key and option.choice.key.upper() == typed:
                self._choose(place)
                return
        wanted = "10" if typed in ("0", "T") else typed
        suits = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
        if query.field == "as" and typed in suits:
            here = query.options[self.query_cursor].choice.label[:-1]
            for place, option in enumerate(query.options):
                if option.choice.label == here + suits[typed]:
                    self.query_cursor = place
                    return
        matches = [at for at, option in enumerate(query.options) if option.choice.label.upper().startswith(wanted)]
        if matches:
            self.query_cursor = next((at for at in matches if at > self.query_cursor), matches[0])

    def _auto_query(self) -> tuple[Query, Callable[[Any], None]] | None:
        """A question that the game itself asks now."""
        if self._phase() != "grand":
            return None
        _ = self._
        query = Query(
            "grand",
            _("Grand Tichu? These are your first eight cards"),
            (
                Option(True, Choice("Y", _("Call it"), _("200 points, won or lost"))),
                Option(False, Choice("N", _("No"), _("see your other cards"))),
            ),
            _("Esc is no answer: Y or N"),
            cursor=1,
        )
        return query, lambda value: self._grand(bool(value))

    def _ask_dragon(self, gifts: Sequence[Data]) -> None:
        _ = self._
        sizes: Sequence[int] = self.playing.view().get("hand_sizes", ())
        options = tuple(
            Option(
                move["to"],
                Choice(
                    str(number),
                    self.narrator.name(move["to"]),
                    _.n("{n} card left", "{n} cards left", sizes[move["to"]]),
                ),
            )
            for number, move in enumerate(gifts, 1)
        )
        points = self.playing.view().get("pile_points") or 0
        query = Query(
            "to", _("The Dragon gives the trick away ({n} points): to whom?", n=points), options, _("←→ or 1-2 · Enter")
        )
        self._ask(query, lambda seat: self._play({"do": "collect", "to": seat}))

    def _ask_leave(self, pressed: str) -> None:
        _ = self._
        if self.ended is not None or self.broken is not None or self.playing.seat is None:
            self.effects.append(Leave(False))
            return
        now = self.clock()
        if pressed == "c-c" and now - self._asked_leave < TWICE_S:
            self.effects.append(Leave(False))
            return
        self._asked_leave = now
        query = Query(
            "leave",
            _("Leave the table?"),
            (
                Option("stay", Choice("S", _("Stay"))),
                Option("away", Choice("A", _("Away"), _("seat kept"))),
                Option("good", Choice("G", _("For good"), _("seat given up"))),
            ),
            _("Away: come back with the same command. For good: your hand is opened."),
        )

        def answer(value: Any) -> None:
            if value != "stay":
                self.effects.append(Leave(value == "good"))

        self._ask(query, answer)

    # --- score sheet, pause ---

    def _sheet_key(self, pressed: str) -> bool:
        match pressed:
            case "enter" | " " | "escape" | "f3":
                if self.ended is not None:
                    self.effects.append(Do("rematch" if pressed == "enter" else "lobby"))
                elif self.between_rounds:
                    self._be_ready()
                    if pressed != "enter":
                        self.shows_sheet = False
                else:
                    self.shows_sheet = False
                return True
            case "g" | "G" if self.ended is not None:
                self.effects.append(Do("lobby", "other"))
                return True
            case "e" | "E" if self.ended is not None:
                self.effects.append(Do("export", self.ended.transcript))
                return True
            case "r" | "R" if self.ended is not None:
                self.effects.append(Do("replay", self.ended.transcript))
                return True
            case "v" | "V" | "l" | "?" | "f1" | "f2" | "/" | ":" | "c-l" | "c-c" | "c-q" | "f10" | "tab":
                return False
            case _other:
                return True

    def _be_ready(self) -> None:
        if not self.is_ready:
            self.is_ready = True
            self.effects.append(Ready())

    def _paused_key(self, pressed: str) -> bool:
        if self.broken is not None:
            if pressed in ("enter", "escape"):
                self.effects.append(Do("lobby"))
                return True
            return False
        if pressed.lower() == "g":
            self.effects.append(GoOn(True))
            return True
        if pressed.lower() == "w":
            self.effects.append(GoOn(False))
            return True
        return False

    # --- what is said ---

    def _say_no(self, sentence: str) -> None:
        self.notice, self.notice_is_no = sentence, True

    def tell_note(self, sentence: str) -> None:
        """Something that the session around the table has to say."""
        self.notice, self.notice_is_no = sentence, False
        self._notice_until = self.clock() + NOTE_S

    def _spoke(self, text: str) -> None:
        said = clean(text, CHAT_CELLS)
        if said:
            self.effects.append(Say(said))

    # --- the view ---

    def own_view(self, columns: int, rows: int) -> View:
        self._renew()
        if self.shows_sheet and self.query is None:
            return self.sheet.view(self)
        view = self.playing.view()
        position = self.position
        players = self.playing.players
        now = self.clock()
        away = {seat: elapsed(now - since) for seat, since in self.away_since.items()}
        for seat, player in enumerate(players):
            if player.away:
                away.setdefault(seat, "")
        notes = {seat: text for seat, (text, _until) in self.notes.items()}
        if self.paused is not None:
            notes |= {seat: self._("goes on") for seat in self.paused.agreed}
        hand = self._hand_cards(position)
        dialog = self._dialog(view)
        is_over = self.accused is not None or self.paused is not None or self.broken is not None
        return TableView(
            frame=self._frame(view, position),
            seats=seats.tiles(
                self._, self.playing.game, view, players, self.narrator.names, self.playing.seat, notes, away
            ),
            me=self.playing.seat,
            hand=hand,
            heading=self._heading(hand),
            sorting=self._sorting_text() if hand else "",
            picked=self._picked_text(position),
            log=tuple(self.log),
            log_title=self._("Log & chat"),
            log_hint=self._("/ chat"),
            last_event=self.last_event,
            pile=None
            if self.is_tichu
            else pile_of(
                self._,
                self.playing.game,
                self.cards,
                view,
                self.before,
                position if position and position.must_act else None,
            ),
            trick=trick_of(
                self._,
                self.playing.game,
                self.cards,
                self.narrator,
                view,
                self.playing.seat,
                position,
                self.settings.shown.kanji,
            )
            if self.is_tichu
            else None,
            dialog=dialog,
            dimmed=is_over and self.query is None,
        )

    def _title(self) -> str:
        return game_title(self._, self.playing.game.name)

    def _frame(self, view: Data, position: Position | None) -> Frame:
        _ = self._
        head, prompt, mood = self._below()
        right: list[Piece] = []
        if self.accused is None and self.checked:
            last = self.checked[-1]
            text = _("✓ fair deal {ms} ms · all {n} shuffled", ms=round(last.took_ms), n=len(last.shuffled_by))
            right.append((text, "ok"))
        elif self.accused is not None:
            right.append((_("✗ check failed"), "alarm"))
        clock = self._clock_piece()
        if clock is not None:
            right.append(clock)
        subtitle = [_("round {number}", number=self.round)] if self.round else []
        target = self.playing.game.options.get("target")
        if target:
            subtitle.append(_("to {target}", target=target))
        if self.playing.facts.name:
            subtitle.insert(0, self.playing.facts.name)
        if self.playing.seat is None:
            subtitle.append(_("watching"))
        banner = ""
        if self.accused is not None:
            reason = explain(_, self.accused.reason, self.cards, self.narrator.names)
            banner = _("CHEATING: {name}. {reason}", name=self.narrator.name(self.accused.seat), reason=reason)
        return Frame(
            self._title(),
            " · ".join(subtitle),
            tuple(right),
            head,
            prompt,
            mood,
            self._caps(position),
            self.cap("help"),
            banner,
        )

    def _clock_piece(self) -> Piece | None:
        deadline = self.grace or self.deadline
        if deadline is None:
            return None
        left = max(0, round(deadline[1] - self.clock()))
        return elapsed(left), "alarm" if left <= 5 else "gold" if left <= 10 else "text"

    def _below(self) -> tuple[str, str, str]:
        """Head, prompt and mood of the prompt line."""
        _ = self._
        if self.notice:
            return ("", self.notice, "no" if self.notice_is_no else "turn")
        if self.accused is not None and self.broken is None:
            return ("", _("A check failed: the table is frozen · V shows which · E saves the evidence"), "alarm")
        if self.broken is not None:
            return ("", _("The match was broken off · Enter: to the lobby · V: what was checked"), "alarm")
        if self.paused is not None:
            names = self.narrator.everyone(self.paused.awaited)
            return ("", _("Paused: waiting for {names} · W wait · G go on without", names=names), "wait")
        view, position = self.playing.view(), self.position
        if position is None:
            if self.playing.seat is None and view:
                return (
                    "",
                    prompts.waiting(
                        _, self.narrator, view, elapsed(self.clock() - self.turn_since), len(self.playing.players)
                    ),
                    "wait",
                )
            return ("", _("Shuffling: every player shuffles, and every shuffle is checked…"), "wait")
        if self.query is not None:
            return (_("YOUR CHOICE"), self.query.title, "turn")
        if self.between_rounds:
            told = (
                _("The round is over · you are ready")
                if self.is_ready
                else _("The round is over · Enter: ready for the next")
            )
            return ("", told, "wait")
        if position.must_act and not self.in_flight:
            picked = self._described(position)
            return (_("YOUR TURN"), picked or prompts.my_turn(_, self.cards, position), "turn")
        waited = elapsed(self.clock() - self.turn_since)
        prompt = prompts.waiting(_, self.narrator, view, waited, len(self.playing.players))
        parts = [prompt]
        if self.in_flight:
            parts = [_("Your move is on its way…")]
        if self.grace is not None:
            left = max(0, round(self.grace[1] - self.clock()))
            parts.append(_("trick taken in {seconds} s: bomb now or never", seconds=left))
        if self.pass_ahead:
            parts.append(_("you pass ahead (X: no)"))
        if "tichu" in position.verbs and self._can_bomb(position):
            parts.append(_("B: bomb"))
        if "call" in position.verbs:
            return (_("NOW"), _("Say “{word}”: O", word=(position.game.words or ("!",))[0]), "turn")
        if self.last_event:
            parts.append(self.last_event)
        return ("", " · ".join(parts), "wait")

    def _can_bomb(self, position: Position) -> bool:
        return self.is_tichu and any(is_bomb(move["cards"]) for move in position.plays)

    def _described(self, position: Position) -> str:
        """Picked Tichu cards by name, live."""
        chosen = self.holding.chosen
        if not self.is_tichu or not chosen or position.view.get("phase") != "play":
            return ""
        top = combo_of(position.view)
        text = described(self._, self.cards, chosen, position.hand, top)
        picking = self._picking()
        if picking is not None and chosen != (DOG,):
            reason = picking.refusal({"do": "play", "cards": list(chosen)})
            if reason is None:
                return self._("{combo} · Enter plays it", combo=text)
        return text

    def _heading(self, hand: Sequence[HandCard]) -> str:
        if self.playing.seat is None:
            return self._("You are watching: only what is public is shown")
        return self._("Your hand · {n}", n=len(hand))

    def _sorting_text(self) -> str:
        _ = self._
        match self.sorting:
            case "rank":
                return _("sorted by rank (S)")
            case "kind":
                return _("sorted by combination (S)")
            case "dealt":
                return _("as dealt (S)")
            case _suit:
                return _("sorted by suit (S)")

    def _picked_text(self, position: Position | None) -> str:
        _ = self._
        if self._phase() == "give":
            return _("picked: {n} of 3", n=sum(each is not None for each in self.gifts))
        chosen = self.holding.chosen
        parts: list[str] = []
        if chosen:
            parts.append(_("picked: {cards}", cards=" ".join(self.cards.short(card) for card in chosen)))
        if self.call_next:
            parts.append(_("with the word (O)"))
        if self.pass_ahead:
            parts.append(_("passing ahead (X: no)"))
        return " · ".join(parts)

    def _hand_cards(self, position: Position | None) -> tuple[HandCard, ...]:
        if position is None:
            return ()
        bright = self._bright(position)
        kanji = self.settings.shown.kanji
        cursor = self.holding.cursor
        marks = self._marks()
        return tuple(
            HandCard(
                self.cards.face(held.card, kanji),
                bright is None or held.card in bright or held.id in self.holding.picked,
                held.id in self.holding.picked,
                place == cursor and self.query is None,
                marks.get(held.id, ""),
                held.card[1] if self.sorting == "suit" and len(held.card) == 2 else held.card[0],
            )
            for place, held in enumerate(self.holding.cards)
        )

    def _marks(self) -> dict[int, str]:
        if self._phase() == "give":
            return {held: str(place + 1) for place, held in enumerate(self.gifts) if held is not None}
        return dict(self.received)

    def _bright(self, position: Position) -> frozenset[Card] | None:
        """What can be played now, with what is picked already; None where all cards are alike."""
        if not position.must_act or self._phase() in ("grand", "give", "show", "collect") or self.in_flight:
            return None
        chosen = self.holding.chosen
        if not chosen:
            return position.playable
        wanted: Counter[Card] = Counter(chosen)
        found: set[Card] = set()
        for move in position.plays:
            cards: Counter[Card] = Counter(move["cards"])
            if wanted <= cards:
                found.update(cards)
        return frozenset(found)

    # --- dialogs ---

    def _dialog(self, view: Data) -> Dialog | None:
        _ = self._
        if self.query is not None:
            return dialog_of(self.query, self.query_cursor)
        if self.broken is not None:
            reason = explain(_, self.broken.reason, self.cards, self.narrator.names)
            lines = text_lines(reason, 50)
            return Dialog(_("The match cannot go on"), lines=lines, footer=_("Enter: to the lobby · V: proof · L: log"))
        if self.paused is not None:
            return self._pause_dialog(self.paused)
        if self._phase() == "give":
            return self._exchange()
        auto = self._auto_query()
        if auto is not None:
            return dialog_of(auto[0], auto[0].cursor)
        return None

    def _pause_dialog(self, paused: told.Paused) -> Dialog:
        _, who = self._, self.narrator
        names = who.everyone(paused.awaited)
        lines: list[Line] = [
            ((_("Seats and cards are kept; nobody sees a hand."), "text"),),
            ((_("They come back with the same command."), "text"),),
        ]
        if paused.left_s is not None:
            left = max(0, round(paused.left_s - (self.clock() - self.paused_at)))
            if left:
                lines.append(((_("{time} until the others may go on, if all agree.", time=elapsed(left)), "gold"),))
            else:
                lines.append(((_("The others may go on now, if all agree."), "gold"),))
        if paused.agreed:
            lines.append(
                (
                    (
                        _("Wish to go on: {names} (lapses on return)", names=who.everyone(paused.agreed)),
                        "text",
                    ),
                )
            )
        return Dialog(
            _("Paused: {names} lost the connection", names=names),
            (Choice("W", _("Keep waiting")), Choice("G", _("Go on without"))),
            cursor=0,
            lines=tuple(lines),
            footer=_("/ chat · F10 leave"),
        )

    def _exchange(self) -> Dialog:
        _, me = self._, self.playing.seat or 0
        by_id = {held.id: held.card for held in self.holding.cards}
        kanji = self.settings.shown.kanji
        places = (_("left ←"), _("partner"), _("right →"))
        choices = []
        for at in range(3):
            held = self.gifts[at]
            face = self.cards.face(by_id[held], kanji) if held is not None and held in by_id else None
            choices.append(Choice(str(at + 1), self.narrator.name((me + at + 1) % 4), places[at], face))
        given: Sequence[bool] = self.playing.view().get("given") or ()
        missing = [self.narrator.name(seat) for seat, done in enumerate(given) if not done and seat != me]
        footer = _("Hidden until all four have chosen.")
        if missing:
            footer = _.join([footer, _("Waiting: {names}", names=_.list(missing))])
        return Dialog(_("Exchange: one card for each"), tuple(choices), self.gift_at, footer=footer)

    # --- the key bar ---

    def _caps(self, position: Position | None) -> tuple[Cap, ...]:
        _ = self._
        if self.query is not None:
            return (
                Cap("←→", _("choose"), Action("key", "right")),
                Cap("Enter", _("take it"), Action("key", "enter")),
                Cap("Esc", _("back"), Action("key", "escape")),
            )
        caps: list[Cap] = []
        verbs = position.verbs if position is not None and not self.in_flight else frozenset()
        if self.paused is not None:
            caps += [self.cap("wait"), self.cap("grand", _("go on")), self.cap("chat"), self.cap("leave")]
            return tuple(caps)
        phase = self._phase()
        if phase == "grand":
            caps += [
                Cap("Y", _("Grand Tichu"), Action("key", "y")),
                Cap("N", _("no"), Action("key", "n")),
            ]
        elif phase == "give":
            caps += [
                Cap("←→", _("move"), Action("right")),
                Cap("1 2 3", _("give to"), Action("pick")),
                Cap("Enter", _("confirm"), Action("enter")),
                self.cap("clear"),
            ]
        elif position is not None and position.hand and self.broken is None:
            caps += [self.cap("left", ""), self.cap("pick"), self.cap("enter", self._enter_label(phase))]
        if "call" in verbs or (position is not None and self._call_is_due(position)):
            caps.append(self.cap("call", self._call_label(position)))
        if "draw" in verbs:
            due = position.view.get("penalty") if position is not None else 0
            caps.append(self.cap("draw", _("take {n}", n=due) if due else None))
        if "pass" in verbs:
            caps.append(self.cap("pass"))
        elif self.is_tichu and position is not None and position.view.get("trick") and not position.must_act:
            caps.append(self.cap("pass", _("pass ahead")))
        if position is not None and self._can_bomb(position):
            caps.append(self.cap("bomb"))
        if "tichu" in verbs:
            caps.append(self.cap("tichu"))
        if self.holding.picked and phase != "give":
            caps.append(self.cap("clear"))
        if position is not None and position.must_act and position.plays:
            caps.append(self.cap("hint"))
        caps += [self.cap("sort"), self.cap("chat"), self.cap("report"), self.cap("log"), self.cap("leave")]
        return tuple(caps)

    def _enter_label(self, phase: object) -> str | None:
        if phase == "show":
            return self._("show")
        if phase == "collect":
            return self._("take")
        if self.between_rounds:
            return self._("ready")
        return None

    def _call_is_due(self, position: Position) -> bool:
        return bool(position.must_act and any(move.get("call") for move in position.plays[:50]))

    def _call_label(self, position: Position | None) -> str | None:
        words = position.game.words if position is not None else ()
        return words[0] if words else None

    # --- pages ---

    def _log_page(self) -> PagePresenter:
        def lines(_columns: int) -> tuple[Line, ...]:
            return tuple(((text, ink),) for text, ink in self.log)

        return PagePresenter(
            self.settings, self.clock, self._title(), lambda: self._("Log & chat"), lines, self._below, at_end=True
        )


def dialog_of(query: Query, cursor: int) -> Dialog:
    """A question as it is drawn."""
    return Dialog(
        query.title,
        tuple(option.choice for option in query.options),
        cursor,
        tuple(((line, "text"),) for line in query.lines),
        query.footer,
        query.columns,
    )


def text_lines(text: str, columns: int) -> tuple[Line, ...]:
    from cli.clean import wrap

    return tuple(((line, "text"),) for line in wrap(text, columns))


def elapsed(seconds: float) -> str:
    """0:07."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
