"""Tables of the network in words."""

from __future__ import annotations

from cli.news import STATES, FoundTable
from cli.text import Translator
from cli.view.key_words import words_of_keys


def address_of(row: FoundTable) -> str:
    """The first address announced, as it is typed; empty if there is none."""
    host, port = row.addresses[0] if row.addresses else ("", 0)
    if not host:
        return ""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def table_line(_: Translator, row: FoundTable) -> str:
    """A table in a sentence, with its address and the words that tell it from another of this name."""
    told = _(
        "{table}: {game}, {taken} of {seats} seats taken, {state}",
        table=row.title,
        game=row.game,
        taken=row.taken,
        seats=row.seats,
        state=_(STATES.get(row.state, row.state)),
    )
    return " · ".join(filter(None, (told, address_of(row), words_of_keys(row.keys))))
