"""Asks in lines about a match that was left here: take the seat again, or give it up."""

from __future__ import annotations

from cli.clean import clean_name
from cli.games.cards import plain
from cli.plain.lines_in import Typed
from cli.plain.verbs import words_for
from cli.plain.voice import Voice
from cli.text import Translator
from p2p.saved import Match


class StaysAsItIs(Exception):
    """The match is neither taken up again nor given up, so nothing else is begun."""


async def takes_old_seat(_: Translator, match: Match, typed: Typed, voice: Voice) -> bool:
    """Ask until it is answered: True to go back, False to give the seat up for good. Raises StaysAsItIs for neither."""
    title = clean_name(str(match.meta.get("title") or ""), "") or match.id.hex()[:8]
    back = _("You left a match unfinished: {title}. Rejoin it? Yes or no.", title=title)
    give_up = _("Quit that match for good and continue here? That ends it for everyone. Yes or no.")
    for question in (back, give_up):
        answer = ""
        while answer not in words_for(_, "yes") | words_for(_, "no"):
            voice.tell(question)
            voice.prompt()
            line = await typed.peek()
            if line is None:
                raise StaysAsItIs
            typed.take()
            voice.entered()
            answer = plain(line)
        if answer in words_for(_, "yes"):
            return question == back
    raise StaysAsItIs
