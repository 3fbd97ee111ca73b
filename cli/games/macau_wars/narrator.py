"""Tells Macau Wars: fours, the last call, turns alone."""

from __future__ import annotations

from cli.games.shedding.narrator import SheddingNarrator
from protocol.cards import Card, Seat
from protocol.games.game import Data
from protocol.games.macau_wars.view import MacauView
from protocol.games.views import PublicView, seen_as


class MacauNarrator(SheddingNarrator):
    """Macau Wars' sentences."""

    def round_began(self, number: int, view: PublicView) -> list[str]:
        _, covered = self._, seen_as(MacauView, view).covered
        if not covered or not (top := view.top):
            return super().round_began(number, view)
        told = super().round_began(number, view)
        both = _("Turned up: {cards}, then {card}.", cards=self.cards.say_all(covered), card=self.cards.say(top))
        return [*told[:-1], both]

    def skips(self, card: Card) -> bool:
        return card == "Qd"

    def skipped(self, seat: Seat, move: Data, after: PublicView) -> Seat | None:
        return None if seen_as(MacauView, after).solo else super().skipped(seat, move, after)

    def own_parts(self, view: PublicView) -> list[str]:
        _, war = self._, seen_as(MacauView, view)
        if war.phase == "fours":
            return [
                _.n(
                    "One four is down: add fours or pass.",
                    "{n} fours are down: add fours or pass.",
                    war.fours or 1,
                )
            ]
        if war.phase == "last-call":
            return [_("Last chance to add fours ({n} played).", n=war.fours or 1)]
        if war.solo:
            return [_.n("One turn left to play alone.", "{n} turns left to play alone.", war.solo)]
        return []

    def own_events(self, before: PublicView, after: PublicView) -> list[str]:
        """Fours, the last call and turns alone."""
        _ = self._
        told: list[str] = []
        was, now = seen_as(MacauView, before), seen_as(MacauView, after)
        if now.fours and now.fours != was.fours:
            told.append(_.n("One four played.", "{n} fours played.", now.fours))
        if now.phase != was.phase:
            if now.phase == "fours":
                told.append(_("Everyone else must play fours or pass."))
            elif now.phase == "last-call":
                told.append(_("Last chance to play fours."))
        if now.solo and not was.solo and now.last is not None:
            told.append(
                self.did(
                    now.last,
                    "You play alone for {turns}.",
                    "{name} plays alone for {turns}.",
                    turns=_.n("one turn", "{n} turns", now.solo),
                )
            )
        return told
