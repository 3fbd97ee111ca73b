"""A seat at a table when something happened or time passed: what ends with it, what is done by itself, when the bell rings."""

from __future__ import annotations

from math import ceil

from cli.news import Do
from cli.terminal.canvas import Action
from cli.view.effects import Bell, Play, TakeHelp
from cli.view.position import Position
from cli.view.table.picking import Picking
from cli.view.table.state import TableState
from cli.view.table.tipping import tip_now
from cli.view.tips import ARROWS, TOLD, tips_for
from cli.view.views import Cap
from protocol.games.game import Data

AUTO_S = 1.2
"""A trick that is mine is taken, and the Mah Jong shown, after so long: there is nothing to choose."""
LAST_PLAY_S = 3.0
"""So long the play that ended a round is seen before the score sheet covers it."""
SHEET_S = 8.0
"""The score sheet stays at least so long, though the next round has begun."""
URGENT_S = 5.0
"""With so little time left the bell rings twice."""
NO_S = 6.0
"""Why a key was refused stands so long: what else is to be known may stand below it."""
READ_S = 1.5
"""The answer to a key stands at least so long, unless our turn comes."""


class TableTiming(TableState):
    """What follows by itself from how things stand."""

    def changed(self) -> None:
        """Something happened: what was known is known no longer."""
        self._is_known = False
        position = self.position
        self._move_on(position)
        if position is not None:
            # In the order in which the table holds them, which is that in which they came.
            came = self.holding.update(self.playing.hand(), self._order)
            if self.last_move is not None and not self.is_tichu:  # what is dealt is no news
                self.fresh |= frozenset(came)
            if self.received:
                self.received = {
                    each: name
                    for each, name in self.received.items()
                    if each in {held.id for held in self.holding.cards}
                }
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
        elif before is not None and before[2] and is_ours:
            pass  # others answer at the same time as we, as in an exchange: what our key brought stands on
        elif is_ours or self.notice_is_no or not self._notice_until:
            self._hush()

    def by_itself_s(self) -> int | None:
        """In how many seconds the one thing that can be done now is done for the player; None if nothing is."""
        if self._auto_at is None:
            return None
        return max(1, ceil(self._auto_at - self.clock()))

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
        if self.playing.seat is not None and self.hints != self._help_told:
            self._help_told = self.hints
            self.effects.append(TakeHelp(self.hints))
        if not self.in_flight and (self.position is None or self._may_wait_for_others(self.position)):
            self.changed()  # after a return the table lets us move without any news
        # A bomb that was picked for one's own trick waits for Enter or X.
        is_bombing = self._bomb_at >= 0 and bool(self.holding.picked)
        if self._auto_at is not None and now >= self._auto_at and not self.in_flight and not is_bombing:
            self._auto_at, self._is_by_itself = None, True
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
        has_lapsed = self._notice_until and self._notice_until < now
        if has_lapsed or (self.notice_is_no and self._noticed_at + NO_S <= now):
            self._hush()
        return True

    @staticmethod
    def _may_wait_for_others(position: Position) -> bool:
        return position.view.get("turn") == position.seat and not position.verbs

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

    def _open_by_itself(self) -> None:
        """Opens the box of a question that only we can answer now."""
        raise NotImplementedError

    def _enter_forced(self) -> None:
        """Does the one thing that can be done now."""
        raise NotImplementedError
