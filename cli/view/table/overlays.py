"""What lies beside and over the table: dialogs and the key bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from cli.games.cards import last_word
from cli.games.explain import explain
from cli.games.short_cards import told_apart
from cli.games.tichu_narrator import is_bomb
from cli.plain.reader import Reader
from cli.terminal.canvas import Action
from cli.view.fairness import evidence_text
from cli.view.position import Position
from cli.view.table import prompts
from cli.view.table.asking import Query
from cli.view.table.controls import TableControls
from cli.view.table.pausing import pause_dialog, reconnect_dialog
from cli.view.views import Cap, Choice, Dialog
from protocol.games.game import Data


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


def needed(cap: Cap) -> Cap:
    """A key of what must be done in one's turn."""
    return replace(cap, is_needed=True)


class TableSights(TableControls):
    """Dialogs and the key bar, as they stand now."""

    def _dialog(self, view: Data) -> Dialog | None:
        _ = self._
        if self.query is not None:
            return dialog_of(self.query, self.query_cursor)
        if self.broken is not None:
            reason = explain(_, self.broken.reason, self.cards, self.narrator.names)
            if self.accused is not None:  # whom and for what, the banner says
                reason = evidence_text(_, self.accused)
            footer = _("Enter: to the lobby · V: proof · L: log")
            if self.accused is not None:
                footer = _("E saves the evidence · Enter: to the lobby · V: proof · L: log")
            return Dialog(_("The match cannot go on"), lines=(((reason, "text"),),), footer=footer)
        if (reconnecting := self.playing.reconnecting) is not None:
            return reconnect_dialog(_, self.playing.facts.name, reconnecting)
        if self.paused is not None:
            passed_s = self.clock() - self.paused_at
            players, me = self.playing.players, self.playing.seat
            return pause_dialog(_, self.narrator, players, me, self.paused, passed_s, self.bots)
        if self._phase() == "give":
            return self._exchange()
        auto = self._auto_query()
        if auto is not None:
            return dialog_of(auto[0], auto[0].cursor)
        return None

    def _exchange(self) -> Dialog:
        _, me = self._, self.playing.seat or 0
        by_id = {held.id: held.card for held in self.holding.cards}
        kanji = self.settings.shown.kanji
        names = told_apart(self.narrator.names)
        places = (_("left ←"), _("partner"), _("right →"))
        choices = []
        for at in range(3):
            held = self.gifts[at]
            face = self.cards.face(by_id[held], kanji) if held is not None and held in by_id else None
            choices.append(Choice(str(at + 1), names[(me + at + 1) % 4], places[at], face))
        given: Sequence[bool] = self.playing.view().get("given") or ()
        missing = [names[seat] for seat, done in enumerate(given) if not done and seat != me]
        footer = _("Hidden until all four have chosen.")
        if missing:
            footer = _.join([footer, _("Waiting: {names}", names=_.list(missing))])
        return Dialog(_("Exchange: one card for each"), tuple(choices), self.gift_at, footer=footer, has_places=True)

    def _caps(self, position: Position | None) -> tuple[Cap, ...]:
        _ = self._
        if self.query is not None:
            return (
                Cap("←→", _("choose"), Action("key", "right")),
                Cap("Enter", _("take it"), Action("key", "enter")),
                Cap("Esc", _("back"), Action("key", "escape")),
            )
        if self.accused is not None or self.broken is not None:
            return self._over_caps()
        if self.sheet_is_due:
            return (self.cap("enter", _("scores")), self.cap("log"), *self._chat_cap(), self.cap("leave"))
        if self.between_rounds:
            ready = (self.cap("enter", _("ready")),) if self.playing.seat is not None and not self.is_last_round else ()
            return (*ready, self.cap("report"), self.cap("log"), *self._chat_cap(), self.cap("leave"))
        caps: list[Cap] = []
        verbs = position.verbs if position is not None and not self.in_flight else frozenset()
        if self.paused is not None:
            wishes = [self.cap("wait"), self.cap("grand", _("go on"))] if self.paused.left_s is not None else []
            return (*wishes, *self._chat_cap(), self.cap("leave"))
        phase = self._phase()
        if phase == "grand":
            caps += [
                Cap("←→", _("choose"), Action("key", "right")),
                Cap("Enter", _("take it"), Action("key", "enter")),
                *([self.cap("hint")] if self.settings.hints != "off" else ()),
            ]
        elif phase == "give":
            caps += [
                Cap("←→", _("move"), Action("right")),
                Cap("1 2 3", _("give to"), Action("pick")),
                Cap("Enter", _("give"), Action("enter")),
                *([self.cap("hint")] if self.settings.hints != "off" else ()),
                self.cap("clear"),
            ]
        elif position is not None and position.hand:
            caps += [self.cap("left", ""), self.cap("pick")]
            if (position.must_act and not self.in_flight) or "play" in verbs:
                caps.append(needed(self.cap("enter", self._enter_label(phase))))
        if position is not None and self._holds_bomb(position) and position.view.get("phase") in ("play", "collect"):
            # Shown as long as one is held, and glowing: nobody may miss the moment.
            caps.append(replace(self.cap("bomb", self._bomb_label(position)), glows=True))
        if "call" in verbs or (position is not None and self._call_is_due(position)):
            caps.append(needed(self.cap("call", self._call_label(position))))
        if "draw" in verbs:
            due = position.view.get("penalty") if position is not None else 0
            caps.append(needed(self.cap("draw", _("take {n}", n=due) if due else None)))
        if "pass" in verbs:
            caps.append(needed(self.cap("pass")))
        elif self._may_pass_ahead(position):
            caps.append(self.cap("pass", _("do not pass") if self.pass_ahead else _("pass ahead")))
        if position is not None and position.must_act and position.plays and self.settings.hints != "off":
            caps.append(self.cap("hint"))
        if "tichu" in verbs:
            caps.append(self.cap("tichu"))
        if self.holding.picked and phase != "give":
            caps.append(self.cap("clear"))
        if position is not None and position.hand:
            caps.append(self.cap("sort"))
        if position is not None and not position.hand:
            # Who is out looks on: how it went, and how it stands.
            return (self.cap("log"), self.cap("scores"), *self._chat_cap(), self.cap("report"), self.cap("leave"))
        caps += self._chat_cap()
        caps += [self.cap("report"), self.cap("log"), self.cap("leave")]
        return tuple(caps)

    def _over_caps(self) -> tuple[Cap, ...]:
        """Nothing can be played any more."""
        _ = self._
        saved = (Cap("E", _("save evidence"), Action("key", "e")),) if self.accused is not None else ()
        lobby = (Cap("Enter", _("lobby"), Action("key", "enter")),) if self.broken is not None else ()
        return (*lobby, *saved, self.cap("report"), self.cap("log"), *self._chat_cap(), self.cap("leave"))

    def _chat_cap(self) -> tuple[Cap, ...]:
        """Who looks on is heard by nobody."""
        return (self.cap("chat"),) if self.playing.seat is not None else ()

    def _may_pass_ahead(self, position: Position | None) -> bool:
        """Whether P says a pass for later: somebody else is to beat a trick."""
        if not self.is_tichu or position is None or not position.hand or position.view.get("phase") != "play":
            return False
        view, seat = position.view, position.seat
        return bool(view.get("trick")) and view.get("turn") != seat and view.get("owner") != seat

    def _enter_label(self, phase: object) -> str | None:
        if phase == "show":
            return self._("show")
        if phase == "collect":
            return self._("take")
        return None

    def _bomb_label(self, position: Position) -> str | None:
        if not self._can_bomb(position):
            return None
        return self._("bomb now") if self._bomb_hurries(position) else self._("pick bomb")

    def _call_is_due(self, position: Position) -> bool:
        return bool(position.must_act and any(move.get("call") for move in position.plays[:50]))

    def _call_label(self, position: Position | None) -> str | None:
        if position is None or not position.game.words:
            return None
        return prompts.word_due(self._, position) or last_word(self._, position.game.words)

    def _can_bomb(self, position: Position) -> bool:
        return self.is_tichu and any(is_bomb(move["cards"]) for move in position.plays)

    def _holds_bomb(self, position: Position) -> bool:
        return self.is_tichu and bool(Reader.bombs_in(position.hand))
