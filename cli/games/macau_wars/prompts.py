"""The prompt line of Macau Wars: wars, fours, turns alone."""

from __future__ import annotations

from collections.abc import Collection

from cli.games.macau_wars.middle import alone_next
from cli.games.macau_wars.picking import FOURS
from cli.games.position import Position
from cli.games.shedding.prompts import SheddingPrompts
from protocol.cards import Seat
from protocol.games.macau_wars.view import MacauView
from protocol.games.views import seen_as


class MacauPrompts(SheddingPrompts):
    """For one seat."""

    def demand(self, position: Position, has_none: bool) -> tuple[list[str], str]:
        if self.is_answering(position):
            return [self._fours(position)], ""
        return super().demand(position, has_none)

    def told_due(self, position: Position, due: int) -> str:
        war = self.at._("WAR +{n}: 2 3 K♠ K♥ raise, Q♥ ends", n=due)
        return war if "play" in position.verbs or self.no_hints else self.at._("WAR +{n}", n=due)

    def is_answering(self, position: Position) -> bool:
        return position.view.phase in FOURS

    def special(self, position: Position) -> list[str]:
        _, war = self.at._, seen_as(MacauView, position.view)
        found = []
        if war.due and ("play" in position.verbs or self.no_hints):
            found.append(_("other queens pass it on"))
        if war.solo:
            found.append(_.n("you play alone: {n} turn", "you play alone: {n} turns", war.solo))
        return found

    def following(self, gone: Collection[Seat]) -> Seat | None:
        """Nobody else is next while a player has more turns alone."""
        return None if seen_as(MacauView, self.at.view).solo > 1 else super().following(gone)

    def wilds(self) -> list[str]:
        return ["J", "A"]

    def also(self, top: str) -> list[str]:
        return ["J", "A"] if top[0] in "JA" else []

    def match_text(self, position: Position) -> str:
        top = position.view.top
        if top is None or self.at.cards.is_joker(top):
            return super().match_text(position)
        return self.at._("Match {cards}", cards=self.ways(position, is_held=True))

    def _fours(self, position: Position) -> str:
        """What to do about the fours that lie there; in the last call also what a pass brings on."""
        _, war = self.at._, seen_as(MacauView, position.view)
        has_four = "play" in position.verbs or self.no_hints
        if war.phase != "last-call":
            if has_four:
                return _.n(
                    "One four is down: add a 4 or press {@pass} to pass",
                    "{n} fours are down: add a 4 or press {@pass} to pass",
                    war.fours or 1,
                )
            return _.n(
                "One four is down and you have none: press {@pass} to pass",
                "{n} fours are down and you have none: press {@pass} to pass",
                war.fours or 1,
            )
        last, turns = war.last, alone_next(self.at, war)
        if last is None or not turns:
            return (
                _("Last chance: add a 4 or press {@pass} to pass")
                if has_four
                else _("Last chance, you have no 4: press {@pass} to pass")
            )
        name = position.names[last]
        if has_four:
            return _("Last chance: add a 4, or {@pass} and {name} may get {turns}", name=name, turns=turns)
        return _("You have no four: press {@pass} ({name} then gets {turns})", name=name, turns=turns)
