"""What opening a table needs: the game, its number of seats, the names of bots and of this person."""

from __future__ import annotations

import contextlib
import getpass
import itertools
from collections.abc import Collection

from cli.clean import clean_name
from cli.faults import WrongUse
from cli.news import with_level
from cli.requests import TableRequest
from protocol.errors import BadOption
from protocol.games.catalogue import game_class, load
from protocol.games.game import LEVELS, NORMAL, AnyGame
from protocol.games.options import option_values
from protocol.table.keepers import LEAST_KEEPERS
from protocol.table.options import RECOVERY_ON

BOT_NAMES = ("Ada", "Emmy", "Sofia", "Kurt", "Alan", "Grace", "Carl", "Hypatia", "Euler")
DEFAULT_SEATS = 4


def game_of(request: TableRequest) -> AnyGame:
    """Return the game with its options and seats. Raises BadOption, or WrongUse for more bots than seats, or a level that
    the game's bots don't have."""
    kind = game_class(request.game)
    if request.level is not None and request.level not in kind.levels:
        raise WrongUse("bots in this game play: {levels}", levels=", ".join(kind.levels))
    seats = seats_of(request, min(kind.seat_counts), max(kind.seat_counts))
    most = max(kind.seat_counts) if request.command == "host" and request.seats is None else seats
    _check_recovery(request, most)
    return load(request.game, seats, option_values(kind.OPTIONS, request.options))


def _check_recovery(request: TableRequest, seats: int) -> None:
    """Raises WrongUse if recovery is asked for where it can never be: our own bots and we are one computer."""
    if request.recovery == RECOVERY_ON and seats - (request.bots or 0) < LEAST_KEEPERS:
        raise WrongUse("--recovery on needs players on at least three computers")


def hosted_game(request: TableRequest) -> AnyGame:
    """Return the game for a room: with the requested number of seats, otherwise with the most that its options allow.

    Raises BadOption or WrongUse.
    """
    kind = game_class(request.game)
    if request.command == "host" and request.seats is None:
        for seats in sorted(kind.seat_counts, reverse=True):
            with contextlib.suppress(BadOption):
                return load(request.game, seats, option_values(kind.OPTIONS, request.options))
    return game_of(request)


def seats_of(request: TableRequest, least: int, most: int) -> int:
    """Return the requested number of seats; otherwise what the bots imply, or the default within the game's limits."""
    if request.seats is not None:
        if request.bots is not None and request.bots >= request.seats:
            raise WrongUse(
                "{seats} seats leave no room for you beside {bots} bots: --seats includes the bots",
                seats=request.seats,
                bots=request.bots,
            )
        return request.seats
    if request.command == "play" and request.bots is not None:
        return request.bots + 1
    return min(max(DEFAULT_SEATS, least), most)


def bot_name(number: int, level: str = NORMAL) -> str:
    """Return the name of the bot with this number, counting from 0. It says how well the bot plays, for all to see."""
    return with_level(f"Bot {BOT_NAMES[number % len(BOT_NAMES)]}", level)


def next_bot_name(level: str, taken: Collection[str]) -> str:
    """Return the name of one more bot; no two have the same but for their levels."""
    numbers = (number for number in itertools.count() if not {bot_name(number, each) for each in LEVELS} & set(taken))
    return bot_name(next(numbers), level)


def login_name() -> str:
    """Return the name for a person who has not chosen one, from their login."""
    try:
        return clean_name(getpass.getuser().split("@")[0].capitalize())
    except (OSError, KeyError, ImportError):
        return "?"
