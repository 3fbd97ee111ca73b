"""What opening a table needs: the game that was asked for, its seats, the names of bots and of this person."""

from __future__ import annotations

import getpass

from cli.clean import clean_name
from cli.faults import WrongUse
from cli.requests import TableRequest
from protocol.games.catalogue import game_class
from protocol.games.game import AnyGame
from protocol.games.options import option_values

BOT_NAMES = ("Ada", "Emmy", "Sofia", "Kurt", "Alan", "Grace", "Carl", "Hypatia", "Euler")
USUAL_SEATS = 4


def game_of(request: TableRequest) -> AnyGame:
    """The game with its options and seats. Raises BadOption, or WrongUse for more bots than seats."""
    kind = game_class(request.game)
    seats = seats_of(request, min(kind.seat_counts), max(kind.seat_counts))
    return kind(seats, option_values(kind.OPTIONS, request.options))


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


def login_name() -> str:
    """The name of who has not said one: as they are known to this machine."""
    try:
        return clean_name(getpass.getuser().split("@")[0].capitalize())
    except (OSError, KeyError, ImportError):
        return "?"
