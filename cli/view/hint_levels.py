"""How much help with the hand a player takes, in words: everybody at the table may know."""

from __future__ import annotations

from typing import TYPE_CHECKING

from protocol.cards import Seat

if TYPE_CHECKING:
    from cli.games.base.narrator import Narrator
    from cli.news import HintsChanged


def helped(who: Narrator, seat: Seat, level: str) -> str:
    """A sentence about one seat; nothing where it has not said so."""
    match level:
        case "off":
            return who.did(seat, "You play without hints.", "{name} plays without hints.")
        case "legal":
            return who.did(seat, "You see which cards you can play.", "{name} sees which cards can be played.")
        case "suggest":
            return who.did(seat, "You get suggestions from a bot.", "{name} gets suggestions from a bot.")
    return ""


def change_of_help(who: Narrator, news: HintsChanged) -> str:
    """What the table is told of a change: of proposed plays, as they are no small matter; nothing of the rest."""
    return helped(who, news.seat, news.now) if "suggest" in (news.before, news.now) else ""
