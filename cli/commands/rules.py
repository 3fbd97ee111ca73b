"""`fairdeal rules GAME`: print the rules with the chosen options, in the reader's language, then the options."""

from __future__ import annotations

from cli.client.game_failures import failing_in
from cli.context import Context
from cli.faults import DONE
from cli.games.rules_page import page_of, rules_lines
from cli.requests import RulesRequest
from protocol.games.catalogue import game_class, load
from protocol.games.options import option_values


def run(request: RulesRequest, context: Context) -> int:
    kind = game_class(request.game)
    seats = request.seats or min(kind.seat_counts, key=lambda count: abs(count - 4))
    game = load(request.game, seats, option_values(kind.OPTIONS, request.options))
    columns = min(context.terminal.columns - 1, 100) if context.terminal.is_screen else 10_000
    for line in rules_lines(context.words, game, request.seats, columns, typed=True):
        context.tell(line)
    with failing_in(game.name, context.home):
        page_of(context.words, game, request.seats)
    return DONE
