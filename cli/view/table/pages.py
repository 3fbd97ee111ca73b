"""The pages that lie over a table."""

from __future__ import annotations

from cli.view.options import SettingsModel
from cli.view.page import Below, PageModel
from cli.view.table.help import TableHelp
from cli.view.table.prompting import beneath
from cli.view.table.report import ReportPage
from cli.view.table.table import TableParts


def page(table: TableParts, name: str) -> PageModel | SettingsModel:
    """The page that this action opens."""

    def below() -> Below:
        return beneath(table)

    match name:
        case "report":
            return ReportPage(table, below)
        case "help":
            return TableHelp(table, below)
        case "settings":
            return SettingsModel(table.settings, lambda: table.title, below)
        case _log:
            return PageModel(
                table.settings,
                lambda: table.title,
                lambda: table._("Log & chat"),
                lambda: [((text, ink),) for text, ink in table.log.entries],
                below,
                from_end=True,
                opened_by="log",
            )
