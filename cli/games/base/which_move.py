"""Asks which of several moves is meant, in the words that their game brings."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.base.moves import MoveWords
from cli.games.base.replies import Move, Query, QueryOption
from cli.games.base.viewpoint import Viewpoint
from cli.games.shown import Choice
from protocol.games.game import Data
from protocol.games.views import MoveView, move_view_of

MOST_LINES = 6
"""How much of the table is told above the answers to a question."""


def which_move(at: Viewpoint, moves: Sequence[Data]) -> Query:
    """The question with an answer for each of these moves."""
    _, view = at._, at.view
    words = MoveWords(_, at.game, at.cards, at.narrator.names)
    seen = [move_view_of(move) for move in moves]
    numbers = [_number_in(each) for each in seen]
    # "bid 3" is chosen with 3, as long as nothing else is.
    are_apart = len({number for number in numbers if number is not None}) == len(moves)
    options: list[QueryOption] = []
    for place, move in enumerate(moves, 1):
        told = words.tell(move)
        number = numbers[place - 1] if are_apart else place
        options.append(
            QueryOption(
                move,
                Choice(str(number) if number is not None and 0 <= number <= 9 else "", told),
                _("{answer}: {@play} to confirm", answer=told[:1].upper() + told[1:]),
            )
        )
    lines = [_("Trump: {suit}.", suit=at.cards.suit_name(view.trump))] if view.trump else []
    lines += at.narrator.in_short(view)  # the box lies over the table
    return Query("moves", _title(at, seen), tuple(options), kind="list", lines=tuple(lines[:MOST_LINES]), answer=Move)


def _title(at: Viewpoint, moves: Sequence[MoveView]) -> str:
    """The game's question, where all moves answer one; else the phase."""
    title = at.view.phase_label
    kinds, named = {move.do for move in moves}, {name for move in moves for name in move.named}
    if len(kinds) == 1 and len(named) == 1:
        title = at.game.move_kind(kinds.pop()).questions.get(named.pop(), title)
    title = at._(title) if title else at._("Your turn: what do you do?")
    return title[:1].upper() + title[1:]


def _number_in(move: MoveView) -> int | None:
    """The number that a move names, if it is one alone."""
    numbers = [value for value in move.named.values() if type(value) is int]
    return numbers[0] if len(numbers) == 1 else None
