"""What the shedding games say on the score sheet."""

from __future__ import annotations

from collections.abc import Sequence

from cli import news as events
from cli.games.base.sheet import Sheet
from cli.games.base.telling import moved
from protocol.cards import Card
from protocol.games.eights import Eights
from protocol.games.mau_mau import MauMau
from protocol.games.views import PublicView


class SheddingSheet(Sheet):
    """For one seat."""

    def how_it_ended(self, view: PublicView, last: events.Moved | None) -> str:
        """Who went out with which card, or in which order all did."""
        _, who = self.at._, self.at.narrator
        out: Sequence[int] = view.out
        if view.ended == "blocked" or not out:
            return super().how_it_ended(view, None)
        if len(out) > 1:
            order = _("Out in this order: {names}", names=_.list(who.who(seat) for seat in out))
            return _.join([*(moved(who, last) if last is not None else ()), order])
        if (top := view.top) is None:
            return ""
        card = self.at.cards.short(top)
        told = who.did(out[-1], "You went out with {card}.", "{name} went out with {card}.", card=card)
        game = self.at.game
        if isinstance(game, MauMau) and game.is_doubled(view.ended, top):
            told = _.join([told, _("The last card was a jack: all points count double.")])
        return told

    def counted(self, cards: Sequence[Card]) -> str:
        """ "8♠ 50 · 3♣ 3"."""
        game = self.at.game
        if not isinstance(game, Eights):
            return super().counted(cards)
        # No line ends between a card and its points, nor before the sum.
        ordered = self.at.cards.sort(cards)
        shown = "\u00a0· ".join(f"{self.at.cards.short(card)}\u00a0{game.card_cost(card)}" for card in ordered)
        return shown if len(cards) < 2 else f"{shown}\u00a0=\u00a0{sum(game.card_cost(card) for card in cards)}"
