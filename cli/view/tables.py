"""Tables of the network in words."""

from __future__ import annotations

from cli.news import STATES, Found
from cli.text import Translator


def table_line(_: Translator, row: Found) -> str:
    """A table in a sentence."""
    return _(
        "{table}: {game}, {taken} of {seats} seats taken, {state}",
        table=row.title,
        game=row.game,
        taken=row.taken,
        seats=row.seats,
        state=_(STATES.get(row.state, row.state)),
    )
