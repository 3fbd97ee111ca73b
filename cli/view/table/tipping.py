"""One action at a time in a person's first turns, each told once, and only while it does something sensible."""

from __future__ import annotations

from cli.games.base.table import TableFace
from cli.games.base.tips import TipText
from cli.news import Do
from cli.view.model import Effects
from cli.view.tips import ALL
from cli.view.views import Tip


class Tips:
    """`seen`: what this person was told in earlier turns, those of earlier matches included."""

    def __init__(self, face: TableFace) -> None:
        self._face = face
        self.seen: frozenset[str] = ALL
        self._tip = ""
        """The tip of this turn, by its name."""
        self._was_ours = False

    def choose(self, is_ours: bool) -> Effects:
        """The next that does something now."""
        if not is_ours or not self._was_ours:
            self._tip = ""
        self._was_ours = is_ours
        if not is_ours or self._told(self._tip) or self.seen >= ALL:
            return ()
        self._tip = next((name for name in self._face.tips if name not in self.seen and self._told(name)), "")
        if not self._tip:
            return ()
        self.seen |= {self._tip}
        return (Do("tip-seen", self.seen),)

    def tip(self) -> Tip | None:
        """The tip as it is shown."""
        told = self._told(self._tip) if self._was_ours else None
        at = self._face.at
        if told is None or not at._(told.text):
            return None
        return Tip(told.action, at._(told.text), at._(told.otherwise) if told.otherwise and at.may_tell else "")

    def _told(self, name: str) -> TipText | None:
        """The tip's text as things stand, by its name; None where it would not be true or would not help."""
        face, position = self._face, self._face.at.position
        if position is None or not position.must_act or face.is_alike():
            return None
        now = face.judging(position)
        return next((text for text in face.tips.get(name, ()) if text.fits(now)), None)
