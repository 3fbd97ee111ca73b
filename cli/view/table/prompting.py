"""The prompt line of a table: whose turn it is, what can be done, and whom we wait for."""

from __future__ import annotations

from cli.games.by_itself import by_itself
from cli.games.cards import last_word
from cli.view.position import Position
from cli.view.table import prompts
from cli.view.table.asking import Query
from cli.view.table.combos import capital, combo_of, described
from cli.view.table.overlays import TableSights
from cli.view.table.prompts import elapsed
from cli.view.table.timing import URGENT_S
from cli.view.table.wording import moved
from cli.view.views import Piece
from protocol.cards import DOG
from protocol.games.game import Data


class TablePrompt(TableSights):
    """One seat (or a watcher): what the line below the hand says."""

    def _waited_s(self) -> float:
        """For how long who is in turn has been thinking; 0 where their time runs down in sight already."""
        return 0.0 if self._clock_piece() is not None else self.clock() - self.turn_since

    def _waiting_text(self, view: Data) -> str:
        """Whom we wait for, and for how long."""
        is_limited = self.deadline is not None and self.deadline[0] == view.get("turn") and self.grace is None
        left_s = max(0.0, self.deadline[1] - self.clock()) if self.deadline is not None and is_limited else None
        count = len(self.playing.players)
        return prompts.waiting(self._, self.narrator, view, self._waited_s(), count, left_s)

    def _clock_piece(self) -> Piece | None:
        deadline = self.grace or self.deadline
        if deadline is None or self.accused is not None or self.broken is not None:
            return None  # nobody's time runs any more
        left = max(0, round(deadline[1] - self.clock()))
        return elapsed(left), "alarm" if left < 5 else "gold" if left < 10 else "text"

    def _below(self) -> tuple[str, str, str]:
        """Head, prompt and mood of the prompt line."""
        _ = self._
        if self.notice and not (self._is_urgent() and self.query is None):
            return ("", self.notice, "no" if self.notice_is_no else "turn")
        if self.accused is not None and self.broken is None:
            return ("", _("A check failed: the table is frozen · V shows which · E saves the evidence"), "alarm")
        if self.broken is not None and self.accused is not None:
            return ("", _("A check failed: the match is over · E saves the evidence · Enter: to the lobby"), "alarm")
        if self.broken is not None and self.broken.may_return:
            return (
                "",
                _("It cannot be saved · Enter: to the lobby, U goes on later"),
                "alarm",
            )
        if self.broken is not None:
            return ("", _("The match was broken off · Enter: to the lobby · V: what was checked"), "alarm")
        if self.playing.reconnecting is not None:
            return ("", _("The others cannot be reached: your link is lost, and is tried again and again"), "wait")
        if self.paused is not None:
            names = self.narrator.everyone(self.paused.awaited)
            if self.paused.left_s is None:
                return ("", _("Paused: waiting for {names}", names=names), "wait")
            return ("", _("Paused: waiting for {names} · W wait · G go on without", names=names), "wait")
        view, position = self.view_now(), self.position
        if position is None:
            if self.playing.seat is None and view:
                told = self._waiting_text(view)
                return ("", " · ".join(part for part in (told, self.last_event) if part), "wait")
            return ("", _("Shuffling: all players do, and every shuffle is checked…"), "wait")
        if self.query is not None and self.query.field == "leave" and self.is_unseen:
            return ("", _("Ctrl-C: yes, the seat is kept · Esc: stay"), "turn")
        if self.query is not None:
            return (_("YOUR CHOICE"), self._chosen_text(self.query, self.query_cursor), "turn")
        if self.sheet_is_due:
            # A small window tells it above the hand, but Tichu's has no row there.
            event = "" if self._is_small and not self.is_tichu else self._newest_event()
            told = " · ".join(filter(None, (_("The round is over"), _("Enter: the scores"), event)))
            return ("", told, "turn" if event else "wait")  # on two rows, so that the play is told
        if self.between_rounds and self.is_last_round:
            return ("", _("The match is over: all sign the result…"), "wait")
        if self.between_rounds:
            over = _("The round is void, nobody scores") if self.is_void else _("The round is over")
            ready = (
                ""
                if self.playing.seat is None
                else _("you are ready")
                if self.is_ready
                else _("Enter: ready for the next")
            )
            return ("", " · ".join(part for part in (over, ready) if part), "wait")
        if position.must_act and not self.in_flight:
            picked = self._described(position)
            if self._phase() == "grand" and (auto := self._auto_query()) is not None:
                return (_("YOUR CHOICE"), self._chosen_text(auto[0], self.grand_cursor), "turn")
            no_hints = self.settings.hints == "off"
            told = picked or prompts.my_turn(_, self.cards, position, self.call_next, no_hints, self.by_itself_s())
            if urgent := self._left_text():
                told = " · ".join((urgent, told))
            return (_("YOUR TURN"), told, "turn")
        parts = [self._waiting_text(view)]
        if self.in_flight:
            parts = [_("Your move is on its way…")]
        if self.grace is not None:
            left = max(0, round(self.grace[1] - self.clock()))
            takes_for_us = self.playing.seat is not None and (self.grace[0] - self.playing.seat) % 2 == 0
            if self._can_bomb(position) and not takes_for_us:
                parts = [_("The trick is taken in {seconds} s: bomb now or never", seconds=left)]
            else:
                who = self.narrator
                told = who.did(self.grace[0], "You take the trick ({n} s)", "{name} takes the trick ({n} s)", n=left)
                parts = [told]
        if self.pass_ahead:
            parts.append(_("you pass ahead (P or X: no)"))
        if "tichu" in position.verbs and self._can_bomb(position):
            parts.append(_("B bombs at once"))
        if "call" in position.verbs:
            return (_("NOW"), _("Say “{word}”: O", word=last_word(_, position.game.words)), "turn")
        if self.last_event:
            parts.append(self.last_event)
        return ("", " · ".join(parts), "wait")

    def _newest_event(self) -> str:
        """What happened last; while the round's last play is looked at, that play."""
        if self.sheet_is_due and self.draws is not None:
            return self._.join(moved(self.narrator, self.draws))
        return self.last_event

    def _beneath(self) -> tuple[str, str, str]:
        _ = self._
        if self.notice and not self._is_urgent():
            return self._below()
        if self.accused is not None:
            return ("", _("A check failed · Esc: to the table"), "alarm")
        if self.broken is not None:
            return ("", _("The match was broken off · Esc: to the table"), "alarm")
        if self.playing.reconnecting is None and self.paused is not None:
            return ("", _("Paused: waiting for {names}", names=self.narrator.everyone(self.paused.awaited)), "wait")
        head, prompt, mood = self._below()
        if head:
            back, left = _("Esc: to the table"), self._left_text()
            return (head, " · ".join(part for part in (left, back) if part), mood)
        if self.between_rounds:
            return ("", _("The round is over"), mood)
        return (head, prompt, mood)

    def _left_text(self) -> str:
        """What becomes of us when our time is up, and when; empty while there is enough of it."""
        position = self.position
        if not self._is_urgent() or self.deadline is None or position is None:
            return ""
        left = max(0, round(self.deadline[1] - self.clock()))
        what = by_itself(self._, self.cards, position, self.settings.hints != "off")
        return self._("In {seconds} s {what}", seconds=left, what=what)

    def _is_urgent(self) -> bool:
        """Our own time is nearly up."""
        deadline = self.deadline
        return (
            deadline is not None
            and deadline[0] == self.playing.seat
            and not self.in_flight
            and deadline[1] - self.clock() <= URGENT_S
        )

    def _described(self, position: Position) -> str:
        """What is picked, live: Tichu's combinations by name, of other games what Enter plays."""
        chosen = self.holding.chosen
        if not self.is_tichu:
            return self._enter_plays(position) if chosen else ""
        if self._phase() == "give" and None not in self.gifts:
            return self._("Three cards are chosen · Enter gives them")
        if not chosen or position.view.get("phase") != "play":
            return ""
        top = combo_of(position.view)
        text = described(self._, self.cards, chosen, position, top)
        picking = self._picking()
        if picking is not None and chosen != (DOG,):
            reason = picking.refusal({"do": "play", "cards": list(chosen)})
            if reason is None:
                return self._("{combo} · Enter plays it", combo=text)
        return text

    def _enter_plays(self, position: Position) -> str:
        """What Enter does with the picked cards; empty where they cannot be played, or nobody may say so."""
        _, chosen, picking = self._, self.holding.chosen, self._picking()
        if picking is None or self.settings.hints == "off":
            return ""
        orders = picking.feasible_orders(chosen)
        if not orders:
            return ""
        if len(orders) > 1:
            return _("Enter plays these {n}, and asks in which order", n=len(chosen))
        shown, left = self.cards.row(orders[0]), len(position.hand) - len(chosen)
        word = "" if self.call_next else prompts.word_due(_, position, chosen)
        if word:
            return _("Enter plays {cards} · O says “{word}”", cards=shown, word=word)
        if not left:
            return _("Enter plays {cards}: you are out", cards=shown)
        return _("Enter plays {cards}", cards=shown)

    def _chosen_text(self, query: Query, cursor: int) -> str:
        """What Enter takes now, in words: the box tells it by colour only."""
        _ = self._
        if not query.options:
            return query.title
        option = query.options[cursor % len(query.options)]
        if query.field == "wish":
            if option.value is None:
                return _("No wish: Enter plays it so")
            return _("{rank}: Enter wishes for it", rank=capital(self.cards.rank_name(option.value)))
        if query.field == "grand":
            return _("{answer}: Enter takes it · Y or N chooses", answer=capital(option.choice.label))
        return _("{answer}: Enter takes it · Esc goes back", answer=capital(option.choice.label))
