"""Tells Macau Wars: fours, the last call, turns alone."""

from __future__ import annotations

from cli.games.shedding.narrator import SheddingNarrator
from protocol.cards import Card, Seat
from protocol.games.game import Data


class MacauNarrator(SheddingNarrator):
    """Macau Wars' sentences."""

    def round_began(self, number: int, view: Data) -> list[str]:
        _, covered = self._, view.get("covered") or ()
        if not covered or not (top := view.get("top")):
            return super().round_began(number, view)
        told = super().round_began(number, view)
        both = _("Turned up: {cards}, then {card}.", cards=self.cards.say_all(covered), card=self.cards.say(top))
        return [*told[:-1], both]

    def skips(self, card: Card) -> bool:
        return card == "Qd"

    def skipped(self, seat: Seat, move: Data, after: Data) -> Seat | None:
        return None if after.get("solo") else super().skipped(seat, move, after)

    def own_parts(self, view: Data) -> list[str]:
        _ = self._
        if view.get("phase") == "fours":
            return [
                _.n(
                    "One four is down: add fours or pass.",
                    "{n} fours are down: add fours or pass.",
                    view.get("fours") or 1,
                )
            ]
        if view.get("phase") == "last-call":
            return [_("Last chance to add fours ({n} played).", n=view.get("fours") or 1)]
        if view.get("solo"):
            return [_.n("One turn left to play alone.", "{n} turns left to play alone.", view["solo"])]
        return []

    def own_events(self, before: Data, after: Data) -> list[str]:
        """Fours, the last call and turns alone."""
        _ = self._
        told: list[str] = []
        phase = after.get("phase")
        if after.get("fours") and after.get("fours") != before.get("fours"):
            told.append(_.n("One four played.", "{n} fours played.", after["fours"]))
        if phase != before.get("phase"):
            if phase == "fours":
                told.append(_("Everyone else must play fours or pass."))
            elif phase == "last-call":
                told.append(_("Last chance to play fours."))
        if after.get("solo") and not before.get("solo") and after.get("last") is not None:
            told.append(
                self.did(
                    after["last"],
                    "You play alone for {turns}.",
                    "{name} plays alone for {turns}.",
                    turns=_.n("one turn", "{n} turns", after["solo"]),
                )
            )
        return told
