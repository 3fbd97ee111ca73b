"""Help: the keys of this screen, made from the registry, then the rules of this game in this variant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.clean import pad
from cli.screen.present.presenter import PagePresenter
from cli.screen.views import Line

if TYPE_CHECKING:
    from cli.screen.present.news import TableNews

ONLY_TICHU = frozenset({"tichu", "bomb"})
ONLY_SHEDDING = frozenset({"draw", "call"})


def help_page(table: TableNews) -> PagePresenter:
    return PagePresenter(
        table.settings,
        table.clock,
        table._title(),
        lambda: table._("Keys and rules"),
        lambda columns: help_lines(table, columns),
        table._below,
    )


def help_lines(table: TableNews, columns: int) -> tuple[Line, ...]:
    _ = table._
    left_out = ONLY_SHEDDING if table.is_tichu else ONLY_TICHU
    names = {command for command in table.settings.registry.by_name if command not in left_out}
    lines: list[Line] = [
        ((pad(key, 8), "gold"), (text, "text"))
        for key, text in table.settings.registry.help_lines(_, table.place, names)
    ]
    lines.append(((pad("2-9 0 JQKA", 12), "gold"), (_("go to the next card of that rank (0 is the ten)"), "text")))
    lines.append(
        (
            (pad(_("Mouse"), 8), "gold"),
            (_("click picks, on the stock draws, on the pile plays; the key bar can be clicked"), "text"),
        )
    )
    lines.append((("", "text"),))
    if table.rules is not None:
        lines += [((line, "gold" if line.isupper() else "text"),) for line in table.rules(columns)]
    return tuple(lines)
