"""Running text over a table or a list: rules, help, log, reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from cli.games.rules_page import rules_lines
from cli.text import Translator
from cli.text.rules import Heading
from cli.view.actions import PAGE
from cli.view.effects import Close, OpenSettings
from cli.view.inputs import Act, Input
from cli.view.model import Effects
from cli.view.settings import Settings
from cli.view.views import Frame, Line, Offer, PageView
from protocol.games.game import AnyGame

Below: TypeAlias = tuple[str, str, str]
"""Head, prompt and mood of what goes on under a page."""
UNBROKEN = 1 << 20
"""Columns of lines that a face breaks."""


def nothing_below() -> Below:
    return "", "", "wait"


class PageModel:
    """A page; going back closes it. Title, heading and text are asked for each view, as the language may change."""

    place = PAGE

    def __init__(
        self,
        settings: Settings,
        title: Callable[[], str],
        heading: Callable[[], str],
        lines: Callable[[], Sequence[Line]],
        below: Callable[[], Below] = nothing_below,
        keys: Callable[[], tuple[tuple[str, str], ...]] = tuple,
        from_end: bool = False,
        opened_by: str = "",
    ) -> None:
        """`below` tells what goes on underneath, `keys` actions and what they do; the action `opened_by` closes it, too."""
        self.settings = settings
        self.title, self.heading, self.lines = title, heading, lines
        self.below, self.keys = below, keys
        self.from_end, self.opened_by = from_end, opened_by

    @property
    def _(self) -> Translator:
        return self.settings.words

    @property
    def window_title(self) -> str:
        return self._("Fairdeal")

    def offers(self) -> tuple[Offer, ...]:
        """What can be done here besides going back."""
        return ()

    def update(self, given: Input) -> Effects:
        match given:
            case Act("back" | "leave-page"):
                return (Close(),)
            case Act("settings"):
                return (OpenSettings(self.title, self.below),)
            case _other:
                return ()

    def view(self) -> PageView:
        head, prompt, mood = self.below()
        return PageView(
            Frame(self.title(), head=head, prompt=prompt, mood=mood, actions=(Offer("back"), *self.offers())),
            self.heading(),
            tuple(self.lines()),
            self.keys(),
            self.from_end,
            self.opened_by,
        )


def rules_of(_: Translator, game: AnyGame) -> list[Line]:
    """The rules page of a game as its options make it."""
    return as_lines(rules_lines(_, game, game.seats, UNBROKEN))


def as_lines(rules: Sequence[str]) -> list[Line]:
    """Headings, list items, which go on below their beginning, and paragraphs, which begin at the edge."""
    return [
        ((line, "gold"),)
        if isinstance(line, Heading)
        else ((line, "text"),)
        if line.startswith("- ")
        else (("", "text"), (line, "text"))
        for line in rules
    ]
