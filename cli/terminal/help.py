"""Help at a table on the terminal: its keys and the mouse, then the rules."""

from __future__ import annotations

from cli.clean import pad
from cli.games.own_actions import OPTIONAL
from cli.games.registry import face_of
from cli.news.emotes import EMOTES
from cli.terminal.pages import PageScreen
from cli.view.actions import TABLE
from cli.view.table.help import TableHelp
from cli.view.views import Line, PageView

CELLS = 8


def _line(key: str, text: str, cells: int = CELLS) -> Line:
    return (pad(key, cells), "gold"), (text, "text")


class HelpScreen(PageScreen, shows=TableHelp):
    """The keys are those of the registry, with the player's own."""

    model: TableHelp

    def key_lines(self, view: PageView) -> tuple[Line, ...]:
        _, registry, table = self._, self.settings.registry, self.model.table
        game = face_of(table.playing.game).help_keys(_)
        left_out = (OPTIONAL - game.helps) | game.late.keys()
        names = {name for name in registry.by_name if name not in left_out}
        texts = {self._key(name): text for name, text in game.texts.items()}
        keys = [(key, texts.get(key, text)) for key, text in registry.help_lines(_, TABLE, names)]
        yes_no = f"{_('Y')} {_('N')}"
        if game.yes_no:
            keys += [(yes_no, game.yes_no), ("1 2 3", game.gives)]
        keys += [(self._key(name), text) for name, text in game.late.items()]
        keys.append((f"1-9 {yes_no}", _("in a dialog: choose an answer, like ←→; Enter confirms, Esc goes back")))
        lines = [_line(key, text) for key, text in keys]
        if here := self.model.sheet_actions():
            heads: list[Line] = [((text, "strong"),) for text in (_("On the score sheet"), _("At the table"))]
            on_sheet = [_line(self._key(name), text) for name, text in here]
            lines = [heads[0], *on_sheet, (("", "text"),), heads[1], *lines]
        lines.append(_line("2-9 0 JQKA", _("jump to a card of that rank, playable ones first (0 = ten)"), 12))
        lines.append(_line(_("Mouse"), game.mouse))
        lines.append(_line(_("Emotes"), " ".join(EMOTES)))
        if letters := self.model.letters():
            lines.append(_line(_("Letters"), _.list(letters)))
        return (*lines, (("", "text"),))
