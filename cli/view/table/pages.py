"""The log as a page over the table."""

from __future__ import annotations

from cli.view.presenter import PagePresenter
from cli.view.table.prompting import beneath
from cli.view.table.table import Table
from cli.view.views import Line


def log_page(table: Table) -> PagePresenter:
    def lines(_columns: int) -> tuple[Line, ...]:
        return tuple(((text, ink),) for text, ink in table.log.entries)

    return PagePresenter(
        table.settings,
        table.clock,
        lambda: table.title,
        lambda: table._("Log & chat"),
        lines,
        lambda: beneath(table),
        at_end=True,
        opened_by="log",
    )
