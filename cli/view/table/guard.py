"""Guards against an Enter that was meant for what was there before: a box that has just closed, a trick that was just taken."""

from __future__ import annotations

from cli.view.model import Clock

GUARD_S = 0.3
"""An Enter so soon after a box has closed, or has opened by itself, was meant for what was there before."""
LATE_S = 0.8
"""The same after a trick was taken, the Mah Jong shown or the score sheet closed."""
UNASKED_S = 2.5
"""The same where that was done without an action of ours: it must be seen first that it was."""


class Guard:
    """`is_for_trick`: what is guarded is the lead after a trick that was taken."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._until = 0.0
        self.is_for_trick = False

    def begin(self, seconds: float = GUARD_S, is_for_trick: bool = False) -> None:
        self._until, self.is_for_trick = self._clock() + seconds, is_for_trick

    def begin_at(self, instant: float) -> None:
        self._until, self.is_for_trick = instant, False

    def lift(self) -> None:
        """The player has seen what is there now."""
        self._until = 0.0

    def stops(self) -> bool:
        """Whether an Enter now is too soon; the next one is not."""
        is_early = self._clock() < self._until
        self._until = 0.0
        return is_early
