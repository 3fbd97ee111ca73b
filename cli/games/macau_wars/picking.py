"""What Macau Wars says to cards beyond the other shedding games: wars and fours."""

from __future__ import annotations

from cli.games.base.judging import code_of
from cli.games.shedding.questions import SheddingPicking
from protocol.errors import FairdealError

FOURS = ("fours", "last-call")
"""The phases in which fours are answered."""


class MacauPicking(SheddingPicking):
    """For one moment of one seat."""

    def told(self, fault: FairdealError) -> str:
        _, position = self._, self.position
        in_turn = position.verbs or position.view.turn in (None, position.seat)
        if in_turn and code_of(fault) == "only fours":
            if "play" in position.verbs:
                return _("Only a four can follow a four: add one or press {@pass} to pass.")
            return _("Only a four can follow a four, and you have none: press {@pass} to pass.")
        return super().told(fault)

    def told_due(self) -> str:
        return self._("Play 2, 3, K♠, K♥, a queen or a joker, or press {@draw} to draw {n}.", n=self.due)

    def suggested(self, reason: str) -> str:
        if self.position.view.phase in FOURS and not (self.fitting and self.may_tell):
            return reason  # it says already what would do
        return super().suggested(reason)
