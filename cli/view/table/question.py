"""The question that is open at the table."""

from __future__ import annotations

from cli.games.base.replies import Query
from cli.games.shown import Dialog


def dialog_of(query: Query, number: int, is_standing: bool = False) -> Dialog:
    """A question as it is shown."""
    return Dialog(
        query.title,
        tuple(option.choice for option in query.options),
        tuple(((line, "text"),) for line in query.lines),
        query.cancel,
        kind=query.kind,
        name=query.name,
        focus=query.focus,
        number=number,
        asks=not is_standing,
        is_standing=is_standing,
    )


class Question:
    """At most one is open."""

    def __init__(self) -> None:
        self.query: Query | None = None
        self.number = 0

    def ask(self, query: Query) -> None:
        self.query = query
        self.number += 1

    def close(self) -> None:
        self.query = None

    def drop(self) -> None:
        """The table has moved on, and its questions with it; whether to leave may still be answered."""
        if self.query is None or self.query.name != "leave":
            self.close()

    def reword(self) -> None:
        """In the language of now."""
        if self.query is not None:
            again = self.query.again()
            self.query = again if isinstance(again, Query) and again.name == self.query.name else None

    def dialog(self) -> Dialog | None:
        return dialog_of(self.query, self.number) if self.query is not None else None
