"""Which face a game has. The only place that knows games by name.

An outside package may bring a face of its own by an entry point in the group `fairdeal.faces`, named like its game.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from cli.games.base.words import Verb
from cli.games.face import Face
from protocol.games.game import AnyGame

GROUP = "fairdeal.faces"
FACES = {
    "crazy-eights": "cli.games.shedding.face:SheddingFace",
    "two-four-jack": "cli.games.shedding.face:SheddingFace",
    "mau-mau": "cli.games.shedding.face:MauMauFace",
    "macau-wars": "cli.games.macau_wars.face:MacauFace",
    "tichu": "cli.games.tichu.face:TichuFace",
}
"""Where the face of each built-in game stands."""


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
        except Exception:  # whatever a stranger's package does while it is loaded: its game can be played without
            continue
        if isinstance(found, type) and issubclass(found, Face):
            return found
    return Face


def _load(place: str) -> type[Face]:
    module, _colon, name = place.partition(":")
    found: type[Face] = getattr(import_module(module), name)
    return found


def move_verbs() -> tuple[Verb, ...]:
    """The words for moves of all games that are known here, each once."""
    verbs = {verb.name: verb for name in FACES for verb in face_type(name).reader_type.verbs}
    return tuple(verbs.values())
