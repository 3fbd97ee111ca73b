"""What every screen is to a face: a model that takes inputs, returns effects, and shows itself as a view without sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from cli.view.effects import Effect
from cli.view.inputs import Input
from cli.view.views import View

Clock = Callable[[], float]
"""Seconds that only rise."""
Effects = tuple[Effect, ...]


class Model(Protocol):
    """A page that lies over another model is a model too: the one below returns `Open(page)`, the page returns `Close()`. The
    face keeps them in a stack; news and ticks go to all, other inputs to the topmost."""

    @property
    def place(self) -> str:
        """Which actions keys stand for here: `actions.TABLE`, `LIST` or `PAGE`."""

    @property
    def window_title(self) -> str: ...

    def update(self, given: Input) -> Effects:
        """Take an input. What it wants done is returned, and is carried out by the face and the session around it."""

    def view(self) -> View:
        """What is seen now, in the reader's language."""
