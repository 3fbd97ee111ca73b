"""Asks in lines about a match that was left here: take the seat again, put the match aside, or give it up."""

from __future__ import annotations

from enum import Enum, auto

from cli.client.returning import title_of
from cli.games.cards import plain
from cli.games.titles import game_title
from cli.plain.lines_in import LineQueue
from cli.plain.verbs import words_for
from cli.plain.voice import Voice
from cli.text import Translator
from p2p.saved import SavedMatch
from protocol.table.roster import decode_roster


class OldMatch(Enum):
    """What becomes of it."""

    REJOINED = auto()
    ASIDE = auto()
    GIVEN_UP = auto()


class StaysAsItIs(Exception):
    """Nothing is decided about the match, so nothing else is begun."""


async def ask_about_old(_: Translator, match: SavedMatch, typed: LineQueue, voice: Voice) -> OldMatch:
    """Ask until it is answered. Raises StaysAsItIs if it is not."""
    questions = {
        OldMatch.REJOINED: _(
            "You left a match unfinished: {game}, {title}. Rejoin it? Yes or no.",
            game=_game(_, match),
            title=title_of(match),
        ),
        OldMatch.ASIDE: _("Put that match aside, unfinished, and continue here? You can rejoin it later. Yes or no."),
        OldMatch.GIVEN_UP: _("Quit that match for good and continue here? You finish last there. Yes or no."),
    }
    for answer, question in questions.items():
        if await _says_yes(_, question, typed, voice):
            return answer
    raise StaysAsItIs


async def takes_up(_: Translator, match: SavedMatch, typed: LineQueue, voice: Voice) -> bool:
    """Ask whether a match that was put aside is taken up again. Raises StaysAsItIs if that is not answered."""
    question = _(
        "You put a match aside: {game}, {title}. Rejoin it? Yes or no.", game=_game(_, match), title=title_of(match)
    )
    return await _says_yes(_, question, typed, voice)


def _game(_: Translator, match: SavedMatch) -> str:
    return game_title(_, decode_roster(match.roster).game)


async def _says_yes(_: Translator, question: str, typed: LineQueue, voice: Voice) -> bool:
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
    return answer in words_for(_, "yes")
