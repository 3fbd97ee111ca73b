"""What commands that open a table have in common: the game asked for, its seats, the players' names."""

from __future__ import annotations

from cli.clean import clean_name
from cli.context import Context
from cli.faults import WrongUse
from cli.requests import TableRequest, option_values
from protocol.games.catalogue import game_class
from protocol.games.game import AnyGame

BOT_NAMES = ("Ada", "Emmy", "Sofia", "Kurt", "Alan", "Grace", "Carl", "Hypatia", "Euler")
USUAL_SEATS = 4


def on_screen(request: TableRequest, context: Context) -> bool:
    """Whether a person sits before a terminal that can be drawn on, and has not asked for lines."""
    return not (context.terminal.plain or request.autoplay or request.json)


def game_of(request: TableRequest) -> AnyGame:
    """The game with its options and seats. Raises BadOption, or WrongUse for more bots than seats."""
    kind = game_class(request.game)
    seats = seats_of(request, min(kind.seat_counts), max(kind.seat_counts))
    return kind(seats, option_values(kind, request.options))


def seats_of(request: TableRequest, least: int, most: int) -> int:
    """Seats as asked; else what the bots leave room for; else the usual number, as far as the game offers it."""
    if request.seats is not None:
        if request.bots is not None and request.bots >= request.seats:
            raise WrongUse(
                "{seats} seats leave no place beside {bots} bots: --seats counts bots",
                seats=request.seats,
                bots=request.bots,
            )
        return request.seats
    if request.command == "play" and request.bots is not None:
        return request.bots + 1
    return min(max(USUAL_SEATS, least), most)


def bot_name(number: int) -> str:
    """What the bot on the so-many-th bot seat is called."""
    return f"Bot {BOT_NAMES[number % len(BOT_NAMES)]}"


def person_name(request: TableRequest, otherwise: str) -> str:
    """The name said on the command line, else the one known."""
    return clean_name(request.name or otherwise)
