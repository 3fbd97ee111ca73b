"""`fairdeal rules GAME`: the rules as the options make them, in the reader's language, then the options themselves."""

from __future__ import annotations

from cli.context import Context
from cli.faults import DONE
from cli.games.rules_page import rules_lines
from cli.requests import RulesRequest
from protocol.games.catalogue import game_class
from protocol.games.options import option_values


def run(request: RulesRequest, context: Context) -> int:
    kind = game_class(request.game)
    seats = request.seats or min(kind.seat_counts, key=lambda count: abs(count - 4))
    game = kind(seats, option_values(kind.OPTIONS, request.options))
    columns = min(context.terminal.columns - 1, 100) if context.terminal.is_screen else 10_000
    for line in rules_lines(context.words, game, request.seats, columns, typed=True):
        context.tell(line)
    return DONE
