"""A model as the page shows it: where its prompt stands, the answer to the last tap stands for a while."""

from __future__ import annotations

import itertools

from cli.flow.showing import Showing
from cli.view.actions import TABLE
from cli.view.inputs import Act, Input, PlayNow
from cli.view.model import Clock, Model
from cli.view.settings import Settings
from cli.view.table.model import TableModel
from cli.view.views import View
from protocol.values import replace

_numbers = itertools.count(1)


class PageShowing(Showing):
    """A model, and the models over it, for pages."""

    def __init__(self, model: Model, settings: Settings, clock: Clock) -> None:
        super().__init__(model, settings, clock)
        self._number, self._is_sheet = next(_numbers), False
        self._said, self._is_no = "", False

    @property
    def number(self) -> int:
        """Names what is shown to the page: taps that were meant for something else are passed over.

        A table and the score sheet that covers it have different numbers: what means "scores" on one means "again" on the other.
        """
        is_sheet = isinstance(self.model, TableModel) and self.model.table.sheet_is_up
        if is_sheet != self._is_sheet:
            self._number, self._is_sheet = next(_numbers), is_sheet
        return self._number

    def over(self, model: Model) -> PageShowing:
        return PageShowing(model, self.settings, self.clock)

    @property
    def top(self) -> PageShowing:
        """What is seen: this, or what lies over it."""
        return self if self.overlay is None else self.overlay.top

    @property
    def said(self) -> str:
        return self._said

    def say(self, text: str, is_no: bool = False) -> None:
        if isinstance(self.model, TableModel):
            self.model.note(text)
        else:
            self._said, self._is_no = text, is_no

    def tapped(self, given: Input) -> None:
        """An input for what is seen."""
        if self.overlay is not None:
            self.overlay.tapped(given)
            self.look_after_overlay()
            return
        self._said = ""
        is_play = isinstance(given, PlayNow) or given == Act("play")
        if is_play and isinstance(self.model, TableModel) and self.model.stops_play():
            return
        self.send(given)

    def view(self) -> View:
        """What is seen of this model itself."""
        view = self.model.view()
        if not self._said or self.place == TABLE:
            return view
        frame = replace(view.frame, head="", prompt=self._said, mood="no" if self._is_no else "turn")
        return replace(view, frame=frame)
