"""The middle of Macau Wars' table: wars, fours, turns alone."""

from __future__ import annotations

from cli.games.base.viewpoint import Viewpoint
from cli.games.macau_wars.picking import FOURS
from cli.games.shedding.middle import PileText
from cli.games.shown import Line, Piece
from protocol.cards import JOKER, Card
from protocol.games.macau_wars.view import MacauView
from protocol.games.views import PublicView, seen_as


def alone_next(at: Viewpoint, view: PublicView) -> str:
    """The turns alone that the fours bring the last player, if nobody adds one; empty where that player is out: they lapse."""
    war = seen_as(MacauView, view)
    if war.last in war.out:
        return ""
    return at._.n("{n} turn alone", "{n} turns alone", war.fours or 1)


class MacauPile(PileText):
    """For one seat."""

    def match_lines(self, view: PublicView) -> tuple[Line, ...]:
        _, cards, top = self.at._, self.at.cards, view.top
        is_open = top is not None and not view.round_over and not cards.is_joker(top)
        if is_open and view.phase in FOURS:
            has_jokers = JOKER in self.at.game.deck
            four = _("a 4 or {joker}", joker=cards.short(JOKER)) if has_jokers else _("a 4")
            return (((four, "strong"),), ((_("or pass"), "text"),))
        return super().match_lines(view)

    def match_due(self, top: Card) -> tuple[Line, ...]:
        raising = self.at._("{cards} raise", cards=f"2 3 K♠ K♥{self.joker(' ')}")
        return (((raising, "strong"),), ((self.at._("Q♥ ends, other Q pass on"), "text"),))

    def also(self, top: Card) -> str:
        return f"J, A{self.joker(', ')}" if top[0] in "JA" else super().also(top)

    def always(self) -> str:
        return f"J, A{self.joker(', ')}"

    def special(self, view: PublicView) -> tuple[Piece, ...]:
        _, war = self.at._, seen_as(MacauView, view)
        told: list[Piece] = []
        if due := view.due:
            told.append((_("WAR +{n}", n=due), "alarm"))
        if view.phase in FOURS:
            fours = _.n("{n} four", "{n} fours", war.fours or 1)
            told.append((_("LAST CHANCE: {fours}", fours=fours) if view.phase == "last-call" else fours, "alarm"))
            last, turns = war.last, alone_next(self.at, view)
            if last is not None and turns:
                told.append((_("{name}: {turns}", name=self.at.narrator.who(last), turns=turns), "gold"))
        elif war.solo:
            told.append((_.n("alone: {n} turn", "alone: {n} turns", war.solo), "gold"))
        return tuple(told)
