"""Names of games and of their options' values, as people write them."""

from __future__ import annotations

from cli.words import Words
from protocol.games.options import spelled


def game_title(_: Words, name: str) -> str:
    """A game's name; a third-party game's as it calls itself."""
    return {
        "crazy-eights": _("Crazy Eights"),
        "two-four-jack": _("Two-Four-Jack"),
        "mau-mau": _("Mau-Mau"),
        "macau-wars": _("Macau Wars"),
        "tichu": _("Tichu"),
    }.get(name, name)


def option_value(_: Words, value: object) -> str:
    """An option's value in a word."""
    if value is True:
        return _("yes")
    if value is False:
        return _("no")
    if value is None:
        return _("usual")
    return spelled(value)
