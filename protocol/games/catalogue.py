"""Find games by name: the five built-in ones, and those that other installed packages offer.

A package offers a `Game` class by an entry point in the group `fairdeal.games`. A package that cannot be loaded is left out,
and `game_problems` says why; it never stops the program.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from importlib import import_module
from inspect import isabstract
from typing import TYPE_CHECKING

from protocol.errors import BadOption, FairdealError, failures_of
from protocol.games.game import AnyGame, Game, Option
from protocol.games.options import fits, spelled

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "fairdeal.games"
BUILT_IN: Mapping[str, str] = {
    "crazy-eights": "protocol.games.crazy_eights:CrazyEights",
    "two-four-jack": "protocol.games.two_four_jack:TwoFourJack",
    "mau-mau": "protocol.games.mau_mau:MauMau",
    "macau-wars": "protocol.games.macau_wars:MacauWars",
    "tichu": "protocol.games.tichu:Tichu",
}
"""Named here too, so that these games are found without the slow search through all installed packages."""


class _NotLoaded(Exception):
    """A package offers a game that cannot be played. The argument says why."""


@cache
def _offered() -> Mapping[str, EntryPoint]:
    """The games that other installed packages offer. `importlib.metadata` is slow to import and seldom needed."""
    from importlib.metadata import entry_points

    return {point.name: point for point in reversed(list(entry_points(group=GROUP))) if point.name not in BUILT_IN}


@cache
def _outside(name: str) -> type[AnyGame] | _NotLoaded:
    """The class of a game that another package offers, or the reason why it cannot be had."""
    try:
        found = _offered()[name].load()
    except (Exception, SystemExit) as error:  # a stranger's module may raise anything while it is imported
        return _NotLoaded(f"{type(error).__name__}: {error}")
    fault = _fault(name, found)
    return found if fault is None else _NotLoaded(fault)


def _fault(name: str, found: object) -> str | None:
    """Why this object is no game that can be played under this name; None where it is one."""
    if not (isinstance(found, type) and issubclass(found, Game)):
        return f"{found!r} is not a subclass of protocol.games.Game"
    if isabstract(found):
        return f"{found.__name__} lacks {', '.join(sorted(found.__abstractmethods__))}"
    if getattr(found, "name", None) != name:
        return f"{found.__name__}.name is not {name!r}"
    options, counts = getattr(found, "OPTIONS", None), getattr(found, "seat_counts", None)
    if not isinstance(options, Mapping) or not all(isinstance(option, Option) for option in options.values()):
        return f"{found.__name__}.OPTIONS is not a mapping of names to Option"
    for option_name, option in options.items():
        if not fits(option, option.default):
            return f"{found.__name__}.OPTIONS[{option_name!r}] does not allow its default, {spelled(option.default)}"
    if not (isinstance(counts, Collection) and counts and all(type(count) is int for count in counts)):
        return f"{found.__name__}.seat_counts does not list numbers"
    return None


def game_names() -> tuple[str, ...]:
    """All games that can be played, the built-in ones first."""
    return (*BUILT_IN, *(name for name in sorted(_offered()) if isinstance(_outside(name), type)))


def game_problems() -> Mapping[str, str]:
    """Why games that installed packages offer cannot be played: a reason in English for each name."""
    found = ((name, _outside(name)) for name in sorted(_offered()))
    return {name: str(problem) for name, problem in found if isinstance(problem, _NotLoaded)}


def forget_packages() -> None:
    """Search the installed packages anew when next asked: they are searched once a process."""
    _offered.cache_clear()
    _outside.cache_clear()


def game_class(name: str) -> type[AnyGame]:
    """The class of a game. Raises BadOption for a name that nobody offers, or a game that cannot be loaded."""
    if (place := BUILT_IN.get(name)) is not None:
        return _built_in(place)
    if name not in _offered():
        raise _unknown(name)
    found = _outside(name)
    if isinstance(found, _NotLoaded):
        raise BadOption("{game} cannot be loaded: {reason}", game=name, reason=str(found))
    return found


@cache
def _built_in(place: str) -> type[AnyGame]:
    module, _, attribute = place.partition(":")
    found: type[AnyGame] = getattr(import_module(module), attribute)
    return found


def _unknown(name: str) -> BadOption:
    from difflib import get_close_matches

    known = game_names()
    if close := get_close_matches(name, known, 1):
        return BadOption(
            "there is no game {name}: did you mean {close}? The games are {known}",
            name=name,
            close=close[0],
            known=", ".join(known),
        )
    return BadOption("there is no game called {name}: choose from {known}", name=name, known=", ".join(known))


def load(name: str, seats: int, options: Mapping[str, object] | None = None) -> AnyGame:
    """A game for this many seats with these options (the others at their defaults). Raises BadOption and GameFailed."""
    kind = game_class(name)
    with failures_of(name, FairdealError):
        return kind(seats, options)
