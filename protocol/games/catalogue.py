"""Finds games by name: the five that come along, and those that other installed packages offer.

A third-party game is a `Game` class behind an entry point in the group `fairdeal.games`; looking for those is the one look
that the protocol takes at the installation. The five games use nothing that such a game could not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from protocol.errors import BadOption
from protocol.games.game import AnyGame

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

BUILT_IN: Mapping[str, str] = {
    "crazy-eights": "protocol.games.crazy_eights:CrazyEights",
    "two-four-jack": "protocol.games.two_four_jack:TwoFourJack",
    "mau-mau": "protocol.games.mau_mau:MauMau",
    "macau-wars": "protocol.games.macau_wars:MacauWars",
    "tichu": "protocol.games.tichu:Tichu",
}
"""Named here too, so that the usual ones are found without the slow look at the installation."""


def _offered() -> Iterable[EntryPoint]:
    """The games that installed packages offer. The import stands here as it is slow, and seldom needed."""
    from importlib.metadata import entry_points

    return entry_points(group="fairdeal.games")


def game_names() -> tuple[str, ...]:
    """All games there are, the built-in ones first."""
    others = {point.name for point in _offered()} - set(BUILT_IN)
    return (*BUILT_IN, *sorted(others))


def game_class(name: str) -> type[AnyGame]:
    """The class of a game. Raises BadOption for a name that nobody offers."""
    if (place := BUILT_IN.get(name)) is None:
        for point in _offered():
            if point.name == name:
                place = point.value
        if place is None:
            raise _unknown(name)
    module, _, attribute = place.partition(":")
    found: type[AnyGame] = getattr(import_module(module), attribute)
    return found


def _unknown(name: str) -> BadOption:
    from difflib import get_close_matches

    known = game_names()
    if close := get_close_matches(name, known, 1):
        return BadOption(
            "there is no game {name}: did you mean {close}? There are {known}",
            name=name,
            close=close[0],
            known=", ".join(known),
        )
    return BadOption("there is no game {name}: there are {known}", name=name, known=", ".join(known))


def load(name: str, seats: int, options: Mapping[str, object] | None = None) -> AnyGame:
    """A game for this many seats with these options (the others at their defaults). Raises BadOption."""
    return game_class(name)(seats, options)
