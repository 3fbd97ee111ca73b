"""Keys and clicks at the table: which deed each is."""

from __future__ import annotations

from cli.news import Do
from cli.terminal.canvas import Action
from cli.view import fairness
from cli.view.commands import RANK_KEYS
from cli.view.effects import AskText, GoOn, Repaint
from cli.view.emotes import EMOTES
from cli.view.hint_levels import helped
from cli.view.presenter import PagePresenter
from cli.view.table.actions import TableDeeds
from cli.view.table.pausing import answer_to
from cli.view.views import Line
from protocol.cards import Seat

SORTED_S = 3.0
"""How long it is told in which order the hand lies now."""


class TableControls(TableDeeds):
    """Takes what is pressed."""

    _knows_one = False

    def key(self, pressed: str) -> None:
        guarded, stood = self._guarded_until, self._stands()
        super().key(pressed)
        if pressed != "enter" and not self._guarded_until and stood == self._stands():
            self._guarded_until = guarded  # a key that was refused has prepared no play

    def _stands(self) -> tuple[object, ...]:
        return (self.holding.cursor, self.holding.chosen, self.query, self.overlay, self.call_next)

    def first(self, pressed: str) -> bool:
        if pressed not in ("c-c", "c-q", "f10"):
            self._hush()
        if self.sheet_is_due and self.query is None and pressed in ("enter", " ", "escape"):
            self._show_sheet()
            return True
        if pressed == "enter" and self.clock() < self._guarded_until:
            self._guarded_until = 0.0
            if self.query is None and self._auto_query() is None:  # an open box says itself what Enter does
                self._say(
                    self._("The trick had been taken already: this Enter played no card. Press it again to play one.")
                    if self._guards_trick
                    else self._("Something new came just then: this Enter did nothing. Press it again if you mean it.")
                )
            return True
        self._guarded_until = 0.0
        if self.sheet_is_up and self.query is None:
            return self._sheet_key(pressed)
        if self.query is not None:
            return self._query_key(pressed)
        if self.accused is not None and pressed in ("e", "E"):
            self.effects.append(Do("export", ""))
            return True
        if (self.paused is not None or self.broken is not None) and self._paused_key(pressed):
            return True
        phase = self._phase()
        if phase == "grand" and not self.in_flight and self._grand_key(pressed):
            return True
        if phase == "give" and pressed in ("1", "2", "3"):
            self._gift(int(pressed) - 1)
            self._to_next_gift()
            return True
        return False

    def may_press_unseen(self, pressed: str) -> bool:
        """Esc takes back the question whether to leave: the small window shows that it is asked."""
        return super().may_press_unseen(pressed) or (pressed == "escape" and self.query is not None)

    def other(self, pressed: str) -> None:
        rank = RANK_KEYS.get(pressed.lower())
        if rank is not None and (rank != "1" or self.is_tichu):
            position = self.position
            may_tell = position is not None and position.must_act and self.settings.hints != "off"
            if not self.holding.jump(rank, position.playable if position is not None and may_tell else ()):
                self._say_no(self._("You hold no {rank}.", rank="10" if rank == "T" else rank))
        else:
            shown = pressed.upper() if len(pressed) > 1 else pressed
            self._say_no(self._("“{key}” does nothing here: ? lists the keys.", key=shown))

    def act(self, action: Action, twice: bool = False) -> None:
        self._hush()
        match action:
            case Action("card", int() as place):
                self._card_clicked(place, twice)
            case Action("choose", int() as place) if self.query is None and self.paused is not None:
                self._wish_on(place == 1)
            case Action("choose", int() as place) if self.query is None and self._phase() == "give":
                self._gift(place)
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
        elif twice:
            if self.holding.cards[place].id not in self.holding.picked:
                self.holding.toggle(place)
            self._enter()
        else:
            self._toggle(place)

    def _toggle(self, place: int) -> None:
        """Picks a card or puts it back; once it is told that where one card is played another pick takes its place."""
        before = self.holding.chosen
        self.holding.toggle(place)
        now = self.holding.chosen
        if self.holding.takes_one and before and now and not self._knows_one:
            self._knows_one = True
            old, new = self.cards.row(before), self.cards.row(now)
            self._say(self._("One card at a time: {card} instead of {other}.", card=new, other=old))

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
        name = self.narrator.name(seat)
        done = list(self.deeds.get(seat) or (self._("{name} has done nothing yet in this round.", name=name),))
        if self.deeds.get(seat):
            deeds = ", ".join(self.deeds[seat])
            done = [
                self._("Your last moves: {deeds}.", deeds=deeds)
                if seat == self.playing.seat
                else self._("{name}, the last moves: {deeds}.", name=name, deeds=deeds)
            ]
        hints = helped(self.narrator, seat, self.playing.players[seat].hints)
        self.tell_note(self._.join([*done, *filter(None, (hints,))]))

    def command(self, name: str, pressed: str = "") -> None:
        holding = self.holding
        match name:
            case "left" | "right" | "home" | "end" | "pick" | "unpick" if not holding.cards:
                if not self._cannot_act():
                    self._say_no(self._("You hold no cards."))
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
                    self._toggle(holding.cursor)
                else:
                    self._say_no(self._("This card is picked already: Enter plays it, X clears."))
            case "unpick":
                if holding.under and holding.under.id in holding.picked:
                    holding.toggle(holding.cursor)
                else:
                    self._say_no(self._("This card is not picked: Space picks it."))
            case "unpick-last" if not holding.picked:
                self._say_no(self._("Nothing is picked."))
            case "unpick-last":
                holding.unpick_last()
            case "escape" if not self._has_said_or_picked():
                self._say_no(self._("Esc takes back what is picked: nothing is. Ctrl-Q leaves the table."))
            case "clear" if not self._has_said_or_picked():
                self._say_no(self._("Nothing is picked."))
            case "clear" | "escape":
                self._clear()
            case "enter" | "sheet-enter":
                self._enter()
            case "draw" if self.is_tichu:
                self._say_no(self._("No cards are drawn in Tichu."))
            case "draw":
                self._simple({"do": "draw"})
            case "pass":
                self._pass()
            case "call":
                self._call()
            case "grand" if self.paused is not None:
                self._wish_on(True)
            case "tichu" | "grand" if not self.is_tichu:
                self._say_no(self._("“{key}” does nothing here: ? lists the keys.", key=pressed or name))
            case "tichu":
                self._tichu()
            case "grand" if self._phase() == "grand":
                self.grand_cursor = 0
            case "grand":
                self._grand(True)
            case "wait" if self.paused is not None:
                self._wish_on(False)
            case "wait":
                self._say_no(self._("W answers a pause: the table is not paused."))
            case "bomb":
                self._bomb()
            case "sort":
                self.sorting = self.sorts[(self.sorts.index(self.sorting) + 1) % len(self.sorts)]
                holding.sort(self._order)
                if self.is_tichu:
                    self.settings.sorting_tichu = self.sorting
                else:
                    self.settings.sorting = self.sorting
                self.settings.save()
                self.tell_note(self._sorted_text(), SORTED_S)  # a tip, or what is picked, stands where it else would
            case "hint":
                self._hint()
            case "chat" if self.playing.seat is None:
                self._say_no(self._("You are watching: others play here."))
            case "chat":
                self.effects.append(AskText(self._("Say"), self._spoke, ":" if pressed == ":" else "", tuple(EMOTES)))
            case "log":
                self.overlay = self._log_page()
            case "up":
                self.overlay = self._log_page()
            case "report":
                self.overlay = fairness.report_page(self)
            case "scores":
                self._show_sheet()
                self._sheet_since = self.clock() + 3600
                self.effects.append(Do("evening", 0.0))
            case "help":
                from cli.view.help import help_page

                self.overlay = help_page(self)
            case "settings":
                from cli.view.options import SettingsPresenter

                self.overlay = SettingsPresenter(self.settings, self.clock, self._title, self._beneath)
            case "big":
                self.settings.big = not self.settings.big
            case "leave":
                self._ask_leave(pressed)
            case "repaint":
                self.effects.append(Repaint())
            case _other:
                pass

    def _sorted_text(self) -> str:
        _ = self._
        match self.sorting:
            case "rank":
                return _("Sorted by rank.")
            case "kind":
                return _("Sorted by combination: fours, triples and pairs first.")
            case "dealt":
                return _("In the order in which the cards came.")
            case _suit:
                return _("Sorted by suit.")

    def _show_sheet(self) -> None:
        """At once: it was asked for."""
        self.shows_sheet = True
        self._sheet_from = self._guarded_until = 0.0

    def _sheet_key(self, pressed: str) -> bool:
        if self.sheet.scroll(pressed):
            self._sheet_since = max(self._sheet_since, self.clock())  # it is being read
            return True
        match pressed:
            case "enter" | " " | "escape" | "f3":
                if self.ended is not None:
                    is_again = pressed == "enter" and self.may_rematch
                    self.effects.append(Do("rematch" if is_again else "lobby"))
                elif pressed in ("enter", " ") and self._is_asked_ready():
                    self._be_ready()
                else:  # between rounds, too, Esc only goes back to the table
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
            case "v" | "V" | "l" | "L" | "?" | "f1" | "f2" | "/" | ":" | "c-l" | "c-c" | "c-q" | "f10" | "tab":
                return False
            case _other if not self.between_rounds and self.ended is None:
                self.shows_sheet = False  # the table first: nobody plays blindly
                return True
            case _other:
                if len(pressed) == 1:
                    self._say_no(self._("“{key}” does nothing here: ? lists the keys.", key=pressed))
                return True

    def _paused_key(self, pressed: str) -> bool:
        if self.broken is not None:
            if pressed in ("enter", "escape"):
                self.effects.append(Do("lobby"))
                return True
            return False
        if pressed.lower() in ("g", "w"):
            self._wish_on(pressed.lower() == "g")
            return True
        return False

    def _wish_on(self, wish: bool) -> None:
        """While paused: to go on without the awaited, or to wait. Every press is answered."""
        paused, me = self.paused, self.playing.seat
        if paused is None:
            return
        if me is None:
            self._say_no(self._("You are watching: the players decide."))
            return
        told = answer_to(self._, self.narrator, self.playing.players, me, paused, wish)
        if wish and paused.left_s is None:
            self._say_no(told)
            return
        self._say(told)
        self.effects.append(GoOn(wish))

    def _log_page(self) -> PagePresenter:
        def lines(_columns: int) -> tuple[Line, ...]:
            return tuple(((text, ink),) for text, ink in self.log)

        return PagePresenter(
            self.settings,
            self.clock,
            self._title,
            lambda: self._("Log & chat"),
            lines,
            self._beneath,
            at_end=True,
            opened_by="log",
        )

    def scroll(self, by: int) -> None:
        """The wheel goes through the log."""
        if self.overlay is None and self.sheet_is_up and self.query is None:
            self.sheet.scroll("down" if by > 0 else "up")
        elif self.overlay is None and by < 0:
            self.overlay = self._log_page()
        super().scroll(by)
