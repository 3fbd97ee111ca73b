"""Choosing what a room plays next: the form of a new table, without what the room has settled already."""

from __future__ import annotations

from cli.clean import clean_name
from cli.news import Do
from cli.view.effects import Close, Tell
from cli.view.inputs import Act, Input
from cli.view.model import Effects
from cli.view.opening import TIMES, OpeningModel
from cli.view.settings import Settings
from cli.view.views import Row
from protocol.games.catalogue import load
from protocol.room.values import Room


class ChangingModel(OpeningModel):
    """Leaves as `Do("choose", Plan)` and closes; the room plays that from then on."""

    def __init__(self, settings: Settings, room: Room) -> None:
        super().__init__(settings, False, clean_name(room.title, ""))
        self.game = room.game
        declared = load(room.game, len(room.seats), room.options).OPTIONS
        self.options = {name: value for name, value in room.options.items() if value != declared[name].default}
        self._wished = len(room.seats)
        self._fit_seats()
        time_s = room.table.time / 1000 or None
        self.time_at = TIMES.index(time_s) if time_s in TIMES else 0
        self.suggest, self.remind = room.table.suggest, room.table.remind

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name in super().names if name != "bots")

    def update(self, given: Input) -> Effects:
        match given:
            case Act("back" | "quit"):
                return (Close(),)
            case _other:
                return super().update(given)

    def _open(self) -> Effects:
        if refused := self.refusal():
            return (Tell(refused, is_no=True),)
        return (Do("choose", self.plan), Close())

    def title(self) -> str:
        return self._("Change the game")

    def _row(self, name: str) -> Row:
        _ = self._
        if name != "open":
            return super()._row(name)
        prompt = _("{@row-enter:play this next} · {@row-down:choose a game}")
        return Row(name, (_("Play this next"),), (), _("choose"), prompt, ink="strong")
