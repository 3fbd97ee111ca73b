"""Checks a table's options against what a game declares. One place, so that all games refuse in the same words."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from protocol.errors import BadOption

if TYPE_CHECKING:
    from protocol.games.game import AnyGame, Option


def allowed(option: Option) -> str:
    """What an option may be, as a person would type it."""
    words = [spelled(value) for value in option.values]
    if option.low is not None:
        words.append(f"{option.low}-{option.high}")
    if option.none and None not in option.values:
        words.insert(0, "null")
    return ", ".join(words)


def spelled(value: object) -> str:
    """An option's value as it is written on a command line."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def fits(option: Option, value: object) -> bool:
    """Whether a value is one of those allowed; true is not 1 and false not 0."""
    if value is None:
        return option.none or None in option.values
    if any(value == each and type(value) is type(each) for each in option.values):
        return True
    if option.low is None or option.high is None or type(value) is not int:
        return False
    return option.low <= value <= option.high


def check_options(game: AnyGame, seats: int, given: Mapping[str, object]) -> Mapping[str, Any]:
    """All options with defaults filled in. Raises BadOption that says what is allowed."""
    if type(seats) is not int or seats not in game.seat_counts:
        low, high = min(game.seat_counts), max(game.seat_counts)
        if low == high:
            raise BadOption("{game} is for {low} players, not {seats}", game=game.name, low=low, seats=seats)
        raise BadOption(
            "{game} is for {low} to {high} players, not {seats}", game=game.name, low=low, high=high, seats=seats
        )
    for key, value in given.items():
        option = game.OPTIONS.get(key)
        if option is None:
            known = ", ".join(sorted(game.OPTIONS))
            raise BadOption("{game} has no option {option}: it has {known}", game=game.name, option=key, known=known)
        if not fits(option, value):
            raise BadOption(
                "{option} cannot be {value}: it may be {allowed}",
                option=key,
                value=spelled(value),
                allowed=allowed(option),
            )
    return MappingProxyType({key: given.get(key, option.default) for key, option in game.OPTIONS.items()})
