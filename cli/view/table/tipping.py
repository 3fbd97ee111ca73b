"""One key at a time in a person's first turns, each told once, and only while it does something sensible."""

from __future__ import annotations

from cli.games.base.table import TableFace
from cli.news import Do
from cli.view.model import Effects
from cli.view.tips import ALL, ARROWS, TOLD
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
        if not is_ours or self._told(self._tip):
            return ()
        self._tip = next((name for name in self._face.tips if name not in self.seen and self._told(name)), "")
        if not self._tip:
            return ()
        self.seen |= {self._tip}
        return (Do("tip-seen", self.seen),)

    def tip(self) -> Tip | None:
        """The tip as it is shown."""
        _, told = self._face.at._, self._told(self._tip) if self._was_ours else ""
        if not told or not _(TOLD[told]):
            return None
        otherwise = _(TOLD[ARROWS]) if told == "enter" and self._face.at.may_tell else ""
        return Tip(self._tip.rpartition(" ")[2], _(TOLD[told]), otherwise)

    def _told(self, name: str) -> str:
        """The tip's text as things stand, by its name in `TOLD`; empty where it would not be true or would not help."""
        at, position = self._face.at, self._face.at.position
        if not name or position is None or not position.must_act or self._face.is_alike():
            return ""
        verbs, picked = position.verbs, at.hand.picked
        match name:
            case "enter" if picked:
                return "enter picked" if self._face.judging(position).feasible(at.hand.chosen) else ""
            case "enter":
                fits = bool(position.plays and position.hand)
            case "draw":
                fits = "draw" in verbs and not position.plays and not position.view.get("penalty")
            case "pass":
                fits = verbs == {"pass"}
            case "hint" | "tichu hint":
                fits = bool(position.plays) and at.may_tell and not picked
            case "tichu pick":
                fits = bool(position.plays) and not picked
            case _pass_in_tichu:
                fits = "pass" in verbs
        return name if fits else ""
