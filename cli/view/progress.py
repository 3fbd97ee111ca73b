"""A client's progress in words."""

from __future__ import annotations

from collections.abc import Iterator

from cli.news import (
    BotsChanged,
    BotsComing,
    GuestProfile,
    JoinAddress,
    NoAnswer,
    Progress,
    Resuming,
    Searching,
    TableSeen,
    TableWords,
)
from cli.text import Translator
from cli.view.bot_news import bots_told
from cli.view.tables import table_line


def progress_lines(_: Translator, progress: Progress) -> Iterator[str]:
    """The lines that tell it."""
    match progress:
        case GuestProfile(number):
            yield _("Another Fairdeal is running here: this one plays as guest {number}.", number=number)
        case Resuming():
            yield _("Taking up your match again; waiting for the others.")
        case JoinAddress(address):
            yield _("Friends can join with: fairdeal join {address}", address=address)
        case BotsComing():
            yield _("The bots sit down; the cards are dealt in a moment.")
        case Searching(is_again):
            looking = _("Still looking for a table.") if is_again else _("Looking for a table on this network…")
            yield _.join([looking, _("Ctrl-C stops. With the host’s address: fairdeal join ADDRESS")])
        case TableSeen(table):
            yield table_line(_, table)
        case NoAnswer():
            yield _("Nobody answers there yet; trying on. Ctrl-C stops.")
            yield _("What may be in the way: fairdeal doctor")
        case BotsChanged(piece, is_seated):
            yield bots_told(_, piece, is_seated=is_seated)
        case TableWords(words):
            yield _("The table's words: {words}", words=" ".join(words))
