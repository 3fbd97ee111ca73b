"""Which face a game has. The only place that knows games by name.

An outside package may bring a face by an entry point in the group `fairdeal.faces`, named like its game.
"""

from __future__ import annotations

import logging
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING

from cli.games.base.words import Verb
from cli.games.face import Face
from protocol.errors import FairdealError
from protocol.games.game import AnyGame

if TYPE_CHECKING:
    from importlib.metadata import EntryPoints

log = logging.getLogger("fairdeal.faces")
log.addHandler(logging.NullHandler())  # without a log, nothing goes to standard error: people read `take_fault`
GROUP = "fairdeal.faces"
FACES = {
    "crazy-eights": "cli.games.shedding.face:SheddingFace",
    "two-four-jack": "cli.games.shedding.face:SheddingFace",
    "mau-mau": "cli.games.shedding.face:MauMauFace",
    "macau-wars": "cli.games.macau_wars.face:MacauFace",
    "tichu": "cli.games.tichu.face:TichuFace",
}
"""Where the face of each built-in game stands."""
_faults: dict[str, FairdealError] = {}
"""Why games have no face of their own, until it is told."""


def entry_points(group: str, name: str) -> EntryPoints:
    """The entry points of this name. `importlib.metadata` is slow to import and seldom needed."""
    from importlib.metadata import entry_points

    return entry_points(group=group, name=name)


def face_of(game: AnyGame) -> Face:
    """The face of a game: its own, or the one that serves any game."""
    return face_type(game.name)(game)


@cache
def face_type(name: str) -> type[Face]:
    """The kind of face for a game of this name."""
    if name in FACES:
        return _load(FACES[name])
    for entry in entry_points(group=GROUP, name=name):
        try:
            found = entry.load()
        except Exception as error:
            # Whatever a stranger's package does while it is loaded: its game can be played without.
            log.error("the face of %s does not load", name, exc_info=error)
            _faults[name] = FairdealError(
                "the display of {game} failed to load: {error}. The standard one is used instead",
                game=name,
                error=f"{type(error).__name__}: {error}",
            )
            continue
        if isinstance(found, type) and issubclass(found, Face):
            return found
    return Face


def take_fault(game: AnyGame) -> FairdealError | None:
    """Return why a game is shown without its own face, the first time that this is asked."""
    face_type(game.name)
    return _faults.pop(game.name, None)


def _load(place: str) -> type[Face]:
    module, _colon, name = place.partition(":")
    found: type[Face] = getattr(import_module(module), name)
    return found


def move_verbs() -> tuple[Verb, ...]:
    """The words for moves of all games that are known here, each once."""
    verbs = {verb.name: verb for name in FACES for verb in face_type(name).reader_type.verbs}
    return tuple(verbs.values())
