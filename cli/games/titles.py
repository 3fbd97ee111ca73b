"""Names of games as people write them."""

from __future__ import annotations

from cli.text import Translator


def game_title(_: Translator, name: str) -> str:
    """A game's name; a third-party game's as it calls itself."""
    return {
        "crazy-eights": _("Crazy Eights"),
        "two-four-jack": _("Two-Four-Jack"),
        "mau-mau": _("Mau-Mau"),
        "macau-wars": _("Macau Wars"),
        "tichu": _("Tichu"),
    }.get(name, name)
