"""What is typed in a waiting room behind a word: a seat, a level of bots, a name. Each function returns what is told at once, and
what is to be done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from cli.clean import clean_name
from cli.games.cards import plain
from cli.news import Do, Say
from cli.plain.phones import ACTIONS
from cli.plain.room_told import typed_here
from cli.plain.verbs import words_for, words_shown
from cli.text import Translator
from cli.view.in_room import InRoom
from protocol.games.catalogue import game_class
from protocol.room.values import Guest, Room

Answer: TypeAlias = tuple[list[str], Do | Say | None]


def move(_: Translator, room: Room, text: str) -> Answer:
    number = int(text) if text.isdecimal() and len(text) < 3 else 0
    if not 1 <= number <= len(room.seats):
        return [
            _("Which seat? Type {verb} and a number from 1 to {n}.", verb=typed_here(_, "seat"), n=len(room.seats))
        ], None
    sitter = room.seats[number - 1]
    if sitter is not None:
        return [_("Seat {n} is taken by {name}.", n=number, name=clean_name(sitter.name))], None
    return [], Do("move", number - 1)


def bot(_: Translator, room: Room, free: int, text: str) -> Answer:
    """`free`: how many seats are free for one more bot."""
    levels = game_class(room.game).levels
    level = next((each for each in levels if plain(text) in words_for(_, f"bot {each}")), None)
    if text and level is None:
        word = typed_here(_, "bot")
        forms = [word, *(f"{word} {words_shown(_, f'bot {each}')}" for each in levels)]
        return [_("You can type {forms}.", forms=_.either(forms))], None
    if free <= 0:
        return [_("All seats are taken. Type remove and a name to free one for a bot.")], None
    return [], Do("bot", level)


def phones(_: Translator, text: str) -> Answer:
    if not text:
        return [], Do("phones")
    for action in ACTIONS:
        if plain(text) in words_for(_, f"phones {action}"):
            return [], Do(f"phones-{action}")
    word = typed_here(_, "phones")
    forms = (f"{word} {words_shown(_, f'phones {action}')}" for action in ACTIONS)
    return [_("You can type {forms}.", forms=_.either([word, *forms]))], None


def send_away(_: Translator, standing: InRoom, text: str) -> Answer:
    others = [each for each in standing.room.members if each.key != standing.me]
    seats = {str(at): each for at, each in enumerate(standing.room.seats, 1) if each is not None}
    chosen = [each for each in others if each is seats.get(text)] or named(text, others)
    if len(chosen) != 1:
        return [_which(_, _("Who should be removed: {names}?"), chosen or others)], None
    return [], Do("refuse", chosen[0].key)


def hand_over(_: Translator, standing: InRoom, text: str) -> Answer:
    friends = standing.friends
    chosen = named(text, friends)
    if len(chosen) != 1:
        return [_which(_, _("Who should host the room: {names}?"), chosen or friends)], None
    return [], Do("hand-over", chosen[0].key)


def pick(_: Translator, standing: InRoom, text: str) -> Answer:
    waiting = [each for each in standing.room.members if standing.picks(each) is not None]
    if not waiting:
        return [_("Nobody is waiting for a seat.")], None
    chosen = named(text, waiting)
    if len(chosen) != 1:
        return [_which(_, _("Who should play: {names}?"), chosen or waiting)], None
    loser = standing.picks(chosen[0])
    names = {"name": clean_name(chosen[0].name), "other": clean_name(loser.name) if loser is not None else "?"}
    return [_("{name} plays the next match instead of {other}.", **names)], Do("pick", chosen[0].key)


def named(text: str, guests: Sequence[Guest]) -> list[Guest]:
    """Those whose name is this, or else begins like this."""
    wanted = plain(text)
    whole = [each for each in guests if plain(clean_name(each.name)) == wanted]
    return whole or [each for each in guests if wanted and plain(clean_name(each.name)).startswith(wanted)]


def _which(_: Translator, question: str, guests: Sequence[Guest]) -> str:
    names = _.either(clean_name(each.name) for each in guests)
    return question.replace("{names}", names) if guests else _("Nobody else is here.")
