"""Tichu and Grand Tichu: asked, called, seen at the seats."""

from __future__ import annotations

from cli.games.base.replies import Move, Query, QueryOption, Refused, Reply
from cli.games.base.viewpoint import Viewpoint
from cli.games.position import Position
from cli.games.shown import Choice
from cli.games.tichu.bombs import bombs_in
from cli.games.tichu.picking import TichuPicking
from protocol.cards import DRAGON, PHOENIX, Seat
from protocol.games.game import Data
from protocol.games.tichu.view import TichuView
from protocol.games.views import seen_as

ALL_DEALT = 14
"""A player who holds fewer cards after the deal has played."""


class Calls:
    """For one seat."""

    def __init__(self, at: Viewpoint) -> None:
        self.at = at

    def chip(self, seat: Seat) -> str:
        """A call stands at its caller's place for the whole round, and how it ended as soon as somebody is out."""
        _, view = self.at._, seen_as(TichuView, self.at.view)
        call, out = dict(view.callers).get(seat), view.out
        if not call:
            return ""
        if out and out[0] == seat:
            return _("Grand made!") if call == "grand" else _("Tichu made!")
        if out:
            return _("Grand lost") if call == "grand" else _("Tichu lost")
        return _("GRAND!") if call == "grand" else _("TICHU!")

    def question(self) -> Query:
        """Grand Tichu, before the other cards are seen."""
        _ = self.at._
        confirm = {
            True: _("Call Grand Tichu? {@yes}/{@no} ({@play} = {answer})", answer=_("Call Grand Tichu")),
            False: _("Call Grand Tichu? {@yes}/{@no} ({@play} = {answer})", answer=_("No")),
        }
        return Query(
            "grand",
            _("Grand Tichu? These are your first eight cards"),
            (
                QueryOption(
                    True,
                    Choice(_("Y"), _("Call Grand Tichu"), _("win or lose 200 points"), action="grand"),
                    confirm[True],
                ),
                QueryOption(False, Choice(_("N"), _("No"), _("see the other cards")), confirm[False]),
            ),
            focus=1,
            answer=lambda value: self.grand(bool(value)),
            no_escape=_("You have to answer: {@yes} or {@no}."),
        )

    def grand(self, call: bool) -> Reply:
        return self._judged({"do": "grand", "call": call})

    def _judged(self, move: Data) -> Reply:
        position = self.at.position
        if position is None:
            return None
        reason = TichuPicking(self.at, position).refusal(move)
        return Move(move) if reason is None else Refused(reason)

    def tichu(self) -> Reply:
        _, answer = self.at._, self._judged({"do": "tichu"})
        if not isinstance(answer, Move):
            return Refused(why) if (why := self._why_no_tichu()) else answer
        return Query(
            "tichu",
            _("Call Tichu? 100 points if you are out first, -100 if not"),
            (QueryOption(True, Choice(_("Y"), _("Call Tichu"))), QueryOption(False, Choice(_("N"), _("Not now")))),
            _("back"),
            focus=1,
            answer=lambda value: answer if value else None,
            again=self.tichu,
        )

    def _why_no_tichu(self) -> str:
        """What stands in the way of this player's call now, rather than the whole rule; empty for anything else."""
        _, position = self.at._, self.at.position
        if position is None:
            return ""
        view = seen_as(TichuView, position.view)
        if call := dict(view.callers).get(position.seat):
            named = _("Grand Tichu") if call == "grand" else _("Tichu")
            return _("You’ve already called {call}.", call=named)
        if view.phase == "grand":
            return _("Answer Grand Tichu first. You can call Tichu once you have 14 cards.")
        if len(position.hand) < ALL_DEALT:
            return _("You’ve already played. Call Tichu before your first card.")
        return ""

    def proposed_grand(self, position: Position, call: bool) -> str:
        """Whether the bot would call Grand Tichu, and the cards that it turns on."""
        _, row = self.at._, self.at.cards.row
        strong = [card for card in position.hand if card in (DRAGON, PHOENIX) or (len(card) == 2 and card[0] == "A")]
        if call:
            kings = [card for card in position.hand if len(card) == 2 and card[0] == "K"]
            bombs = [card for bomb in bombs_in(position.hand) for card in sorted(bomb)]
            shown = row(dict.fromkeys((*strong, *bombs, *kings)))
            return _("Suggestion: yes, your hand is strong ({cards}) · {@play:confirm}", cards=shown)
        if (position.seat + 2) % 4 in dict(seen_as(TichuView, position.view).callers):
            return _("Suggestion: no, your partner has already called · {@play:confirm}")
        if not strong:
            return _("Suggestion: no, you have no Dragon, Phoenix or ace · {@play:confirm}")
        return _("Suggestion: no, {cards} is not enough · {@play:confirm}", cards=row(strong))
