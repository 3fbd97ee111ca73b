"""What all lists have in common: settings and help."""

from __future__ import annotations

from collections.abc import Sequence

from cli.text import Translator
from cli.view.actions import LIST
from cli.view.effects import OpenSettings, ShowModel
from cli.view.inputs import Act, Input
from cli.view.model import Effects
from cli.view.page import PageModel
from cli.view.settings import Settings
from cli.view.views import Line, ListView


class ListModel:
    """Rows that can be chosen. A face sends `Choose(row id)` for a row, and `Act(name, row id)` for an action, with the row
    that is looked at."""

    place = LIST

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def _(self) -> Translator:
        return self.settings.words

    @property
    def window_title(self) -> str:
        return self._("Fairdeal")

    def title(self) -> str:
        """What settings and help have in their title bar."""
        return self._("Fairdeal")

    def help_keys(self) -> list[tuple[str, str]]:
        """The actions of this list, beside those that all have, and what they do."""
        return []

    def help_text(self) -> Sequence[Line]:
        """What the help says below them."""
        return ()

    def update(self, given: Input) -> Effects:
        match given:
            case Act("settings"):
                return (OpenSettings(self.title),)
            case Act("help"):
                return (ShowModel(self.help_page()),)
            case _other:
                return ()

    def help_page(self) -> PageModel:
        def keys() -> tuple[tuple[str, str], ...]:
            _ = self._
            along, settings = ("row-up", _("move through the list")), ("settings", _("language, colours, mouse, sound"))
            return (along, *self.help_keys(), settings, ("back", _("back")))

        return PageModel(self.settings, self.title, lambda: self._("Help"), self.help_text, keys=keys)

    def view(self) -> ListView:
        raise NotImplementedError
