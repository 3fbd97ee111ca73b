"""Something is being looked for: says so until it is found. Enter does nothing here, only going back stops it."""

from __future__ import annotations

from cli.news import Do
from cli.view.actions import MENU
from cli.view.inputs import Act, Input
from cli.view.listing import ListModel
from cli.view.model import Effects
from cli.view.settings import Settings
from cli.view.views import Frame, ListView, Offer


class LookingModel(ListModel):
    """Leaves as `Do("back")`."""

    place = MENU

    def __init__(self, settings: Settings, text: str) -> None:
        super().__init__(settings)
        self.text = text

    def update(self, given: Input) -> Effects:
        match given:
            case Act("back" | "quit"):
                return (Do("back"),)
            case _other:
                return super().update(given)

    def view(self) -> ListView:
        _ = self._
        frame = Frame(_("Fairdeal"), prompt=_("{@back:cancel}"), mood="wait", actions=(Offer("back", _("cancel")),))
        return ListView("menu", frame, self.text)
