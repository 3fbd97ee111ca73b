"""Questions of somebody who goes, or who hosts: what becomes of the room?"""

from __future__ import annotations

from cli.clean import clean_name
from cli.news import Do
from cli.view.choosing import Alternative, ChoiceModel
from cli.view.in_room import InRoom
from cli.view.model import Effects
from cli.view.settings import Settings


def ask_how_to_leave(settings: Settings, standing: InRoom) -> ChoiceModel:
    """Whether to leave a room in which friends sit. Staying is the last answer, which Esc takes."""
    _ = settings.words
    after = standing.next_host
    host = clean_name(after.name) if after is not None else ""
    leave = _("Leave: {name} hosts the room from then on", name=host) if standing.is_host and host else _("Leave")
    answers = [Alternative("leave", leave)]
    if standing.is_host:
        answers.append(Alternative("close", _("Close the room for everyone"), is_final=True))
    answers.append(Alternative("stay", _("Stay")))
    done = {"leave": (Do("back"),), "close": (Do("close-room"),)}

    def chosen(name: str) -> Effects:
        return done.get(name, ())

    return ChoiceModel(settings, _("Leave the room?"), answers, chosen, focus="stay")


def ask_who_hosts(settings: Settings, standing: InRoom) -> ChoiceModel:
    """To whom the room is handed over."""
    _ = settings.words
    answers = [Alternative(each.key.hex(), clean_name(each.name)) for each in standing.friends if each.can_host]

    def chosen(name: str) -> Effects:
        return (Do("hand-over", bytes.fromhex(name)),) if name != "cancel" else ()

    return ChoiceModel(settings, _("Who should host the room?"), (*answers, Alternative("cancel", _("Cancel"))), chosen)
