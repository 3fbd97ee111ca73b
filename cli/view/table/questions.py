"""Questions at the table: those that a play raises, those that the game asks, and the answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from cli.view.commands import TABLE
from cli.view.effects import Leave
from cli.view.table.asking import Option, Query, suit_keys
from cli.view.table.hearing import TableNews
from cli.view.table.picking import Move, Picking, Refused
from cli.view.views import Choice
from protocol.cards import Seat
from protocol.games.game import Data

TWICE_S = 2.0
ALL_DEALT = 14
"""Who holds fewer of Tichu's cards after the deal has played."""
GUARD_S = 0.3
"""An Enter so soon after a box has closed, or has opened by itself, was meant for what was there before."""


class TableQuestions(TableNews):
    """Asks, and takes answers by key, by click or by what is typed."""

    def _picking(self) -> Picking | None:
        position = self.position
        return None if position is None else Picking(self._, self.cards, position, self.settings.hints != "off")

    def _ask(self, query: Query, answer: Callable[[Any], None], again: Callable[[], None]) -> None:
        self.query, self.query_cursor, self._answer, self._ask_again = query, query.cursor, answer, again

    def _guard(self) -> None:
        """An Enter that comes now was not meant for what is there now; any other key was."""
        self._guarded_until = self.clock() + GUARD_S
        self._guards_trick = False

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
            self._guard()
            answer(value)

    def _query_key(self, pressed: str) -> bool:
        query = self.query
        assert query is not None
        count = len(query.options)
        step = query.columns or self._abreast
        match pressed:
            case "left" | "right":
                self.query_cursor = (self.query_cursor + (1 if pressed == "right" else -1)) % max(1, count)
            case "up" | "down" if 1 < step < count:
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
                self._asked_leave = -TWICE_S  # who stays is asked again by the next Ctrl-C
                if pressed != "escape" and query.field != "leave":  # of this key the box has said nothing
                    self._say(self._("Back: nothing was played."))
            case "c-c" | "c-q" | "f10" if query.field == "leave":
                self._forget_question()
                self.effects.append(Leave(False))
            case "/" | "?" | "v" | "l" | "f1" | "f2" | "c-l" | "c-c" | "c-q" | "f10":
                return False
            case _other:
                self._typed_choice(pressed)
        return True

    def _typed_choice(self, pressed: str) -> None:
        """Goes to a choice by its key, its first letters, or a card by rank and suit; Enter takes it, in every box."""
        query = self.query
        if query is None or len(pressed) != 1:
            return
        typed = pressed.upper()
        # Y is understood in every language.
        named = (typed, self._("Y")) if typed == "Y" else (typed,)
        for place, option in enumerate(query.options):
            if option.choice.key and option.choice.key.upper() in named:
                self.query_cursor = place
                return
        command = self.settings.registry.command(TABLE, pressed)
        if query.field == "call" and command is not None and command.name == "call":
            self._choose(0)  # the key that says the word says yes
            return
        wanted = "10" if typed in ("0", "T") else typed
        suits = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
        if query.field == "as":
            suits |= {typed: self.cards.glyph(suit) for suit, typed in suit_keys(self.cards).items()}
        if query.field == "as" and typed in suits:
            here = query.options[self.query_cursor].choice.label[:-1]
            for place, option in enumerate(query.options):
                if option.choice.label == here + suits[typed]:
                    self.query_cursor = place
                    return
        matches = [at for at, option in enumerate(query.options) if option.choice.label.upper().startswith(wanted)]
        if matches:
            self.query_cursor = next((at for at in matches if at > self.query_cursor), matches[0])
        elif typed == "H":
            self._say_no(self._("No hint for this question."))
        else:
            self._say_no(self._("“{key}” is no answer here. {keys}", key=pressed, keys=query.footer or query.title))

    def _ask_dragon(self, gifts: Sequence[Data]) -> None:
        _ = self._
        view = self.view_now()
        sizes: Sequence[int] = view.get("hand_sizes", ())
        out: Sequence[Seat] = view.get("out") or ()
        me = self.playing.seat or 0
        places = {(me + 1) % 4: _("left ←"), (me + 3) % 4: _("right →")}
        options = []
        # As they sit: the arrow to the left goes to the player on the left.
        for number, to in enumerate(sorted((move["to"] for move in gifts), key=lambda seat: (seat - me) % 4), 1):
            held = _("out: {place}", place=list(out).index(to) + 1) if to in out else ""
            held = held or _.n("{n} card left", "{n} cards left", sizes[to])
            about = " · ".join(part for part in (places.get(to, ""), held) if part)
            options.append(Option(to, Choice(str(number), self.narrator.name(to), about)))
        points = view.get("pile_points") or 0
        query = Query(
            "to",
            _("Dragon: to whom goes the trick ({n} points)?", n=points),
            tuple(options),
            _("←→ or 1-2, then Enter"),
            lines=(self._about_gift(out),),
        )
        again = partial(self._ask_dragon, gifts)
        self._ask(query, lambda seat: self._play({"do": "collect", "to": seat}), again)

    def _about_gift(self, out: Sequence[Seat]) -> str:
        """What becomes of the points: they count for the other team, unless their taker is last of all."""
        if out:
            name = self.narrator.who(out[0])
            return self._("Both are opponents. Who is last in the end gives all tricks to {name}.", name=name)
        return self._("Both are opponents. Who is last in the end gives all tricks to the first who is out.")

    def _ask_leave(self, pressed: str) -> None:
        if self.ended is not None or self.broken is not None or self.playing.seat is None:
            self.effects.append(Leave(False))
            return
        now = self.clock()
        if pressed == "c-c" and now - self._asked_leave < TWICE_S:
            self.effects.append(Leave(False))
            return
        self._asked_leave = now
        self._ask_how_to_leave()

    def _ask_how_to_leave(self) -> None:
        _ = self._
        query = Query(
            "leave",
            _("Leave the table?"),
            (
                Option("stay", Choice("S", _("Stay"))),
                Option("away", Choice("A", _("Away"), _("seat kept"))),
                Option("good", Choice("G", _("For good"), _("seat given up"))),
            ),
            _("←→ S A G, then Enter · Esc stay · Ctrl-Q away"),
            lines=(_("Away: U in the lobby brings you back. For good: the match ends for all."),),
        )

        def answer(value: Any) -> None:
            if value == "stay":
                self._asked_leave = -TWICE_S
            else:
                self.effects.append(Leave(value == "good"))

        self._ask(query, answer, self._ask_how_to_leave)

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
        if self.sheet_is_due:
            self._say_no(self._("The round is over: Enter shows the scores."))
            return True
        if self.between_rounds:
            self._say_no(self._("The round is over: Enter when you are ready for the next."))
            return True
        if (
            not self.position.hand
            and not self.position.verbs
            and self.playing.seat in self.position.view.get("out", ())
        ):
            self._say_no(self._("You are out: the others play on."))
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

    def _grand(self, call: bool) -> None:
        if self._cannot_act():
            return
        picking = self._picking()
        assert picking is not None
        reason = picking.refusal({"do": "grand", "call": call})
        if reason is not None:
            self._say_no(reason)
            return
        self._guard()
        self._play({"do": "grand", "call": call})

    def _auto_query(self) -> tuple[Query, Callable[[Any], None]] | None:
        """A question that the game itself asks now."""
        if self._phase() != "grand":
            return None
        _ = self._
        query = Query(
            "grand",
            _("Grand Tichu? These are your first eight cards"),
            (
                Option(True, Choice(_("Y"), _("Call Grand Tichu"), _("200 points, won or lost"))),
                Option(False, Choice(_("N"), _("No"), _("see your other cards"))),
            ),
            _("←→ or Y N, then Enter"),
            cursor=self.grand_cursor,
        )
        return query, lambda value: self._grand(bool(value))

    def _grand_key(self, pressed: str) -> bool:
        """The first question of a round takes the keys that every box takes; whether it took this one."""
        match "y" if pressed.upper() == self._("Y") else pressed.lower():
            case "left" | "right" | "up" | "down":
                self.grand_cursor = 1 - self.grand_cursor
            case "y" | "g":
                self.grand_cursor = 0
            case "n":
                self.grand_cursor = 1
            case "enter" | " ":
                self._grand(self.grand_cursor == 0)
            case "escape":
                self._say_no(self._("Esc is no answer: Y or N, then Enter."))
            case _other:
                return False
        return True

    def _tichu(self) -> None:
        if self._cannot_act():
            return
        picking = self._picking()
        assert picking is not None
        answer = picking.simple({"do": "tichu"})
        if isinstance(answer, Refused):
            self._say_no(self._why_no_tichu() or picking.refusal({"do": "tichu"}) or answer.sentence)
            return
        _ = self._
        query = Query(
            "tichu",
            _("Call Tichu? 100 points if you are out first, else 100 lost"),
            (Option(True, Choice(_("Y"), _("Call Tichu"))), Option(False, Choice(_("N"), _("Not now")))),
            _("←→ or Y N, then Enter · Esc: back"),
            cursor=1,
        )
        self._ask(query, lambda value: self._play({"do": "tichu"}) if value else self._forget_question(), self._tichu)

    def _why_no_tichu(self) -> str:
        """What stands in the way of this player's call now, rather than the whole rule; empty for anything else."""
        _, position = self._, self.position
        if not self.is_tichu or position is None:
            return ""
        view = position.view
        if call := (view.get("calls") or {}).get(str(position.seat)):
            named = _("Grand Tichu") if call == "grand" else _("Tichu")
            return _("You have called {call} already.", call=named)
        if view.get("phase") == "grand":
            return _("First Grand Tichu, yes or no: Tichu comes with all 14 cards.")
        if len(position.hand) < ALL_DEALT:
            return _("You have played already: Tichu is called before one’s first card.")
        return ""

    def _resolve(self, said: dict[str, Any], alone: bool = False) -> None:
        """Plays what is picked, or asks what is missing. `alone`: the card under the cursor was picked just for this."""
        picking = self._picking()
        if picking is None:
            return
        chosen = self.holding.chosen
        if not chosen:
            self._say_no(picking.suggested(self._("Pick a card first.")))
            return
        answer = picking.resolve(chosen, said)
        if isinstance(answer, Move):
            self._play(answer.move)
        elif isinstance(answer, Refused):
            if alone:
                self.holding.clear()
                self._say_no(answer.sentence)
            else:
                told = self._("Picked: {cards}. X clears it.", cards=self.cards.row(chosen))
                # In Tichu the refusal itself names what is picked, as far as that matters.
                self._say_no(self._.join([answer.sentence, self._("X clears it.") if self.is_tichu else told]))
        else:

            def take(value: Any) -> None:
                if answer.field == "break" and value == "no":
                    self._forget_question()
                    return
                self._resolve({**said, answer.field: value})

            self._ask(answer, take, partial(self._resolve, said, alone))
