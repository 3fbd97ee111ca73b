"""Names of games as people write them."""

from __future__ import annotations

from cli.text import Translator
from protocol.errors import BadOption
from protocol.games.catalogue import game_class


def game_title(_: Translator, name: str) -> str:
    """A game's name as the game brings it; else, and where it is not known here, the name that is typed."""
    try:
        title = game_class(name).title
    except BadOption:
        return name
    return _(title) if title else name
