"""Another game for the room as it is typed: "tichu target=500"."""

from __future__ import annotations

from cli.games.cards import plain
from cli.games.explain import explain
from cli.games.titles import game_title
from cli.news import Do
from cli.text import Translator
from cli.view.opening import OpeningPlan
from protocol.errors import BadOption
from protocol.games.catalogue import game_class, game_names
from protocol.games.options import option_values
from protocol.room.values import Room


def chosen_game(_: Translator, room: Room, text: str) -> tuple[list[str], Do | None]:
    """What is told at once, and what is to be done. The table's own settings stay as they are."""
    wanted, *pairs = text.split() or [""]
    names = [each for each in game_names() if plain(wanted) in (plain(each), plain(game_title(_, each)))]
    if not names:
        return [_("Which game: {names}?", names=_.either(game_names()))], None
    kind = game_class(names[0])
    seats = max(min(kind.seat_counts), min(len(room.seats), max(kind.seat_counts)))
    parts = (each.partition("=") for each in pairs)
    try:
        options = option_values(kind.OPTIONS, tuple((name, value) for name, _sign, value in parts))
        kind(seats, options)
    except BadOption as fault:
        return [explain(_, fault)], None
    table = room.table
    plan = OpeningPlan(names[0], seats, 0, options, room.title, table.time / 1000 or None, table.suggest, table.remind)
    return [], Do("choose", plan)
