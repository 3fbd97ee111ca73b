"""Help at a table: its actions, then the rules of this game in this variant. A face puts its keys to the actions."""

from __future__ import annotations

from collections.abc import Callable

from cli.view.page import UNBROKEN, Below, PageModel, as_lines
from cli.view.table.table import TableParts
from protocol.cards import JOKER


class TableHelp(PageModel):
    """The page; the face that shows it tells its own keys above the rules."""

    def __init__(self, table: TableParts, below: Callable[[], Below]) -> None:
        super().__init__(
            table.settings,
            lambda: table.title,
            lambda: table._("Keys and rules"),
            lambda: as_lines(table.rules(UNBROKEN)) if table.rules is not None else (),
            below,
            opened_by="help",
        )
        self.table = table

    def sheet_actions(self) -> list[tuple[str, str]]:
        """What can be done on the score sheet as it stands; nothing while it is not up."""
        table, _ = self.table, self.table._
        if not table.sheet_is_up:
            return []
        proof, log = ("report", _("show the fairness report")), ("log", _("show the full log"))
        if table.rounds.ended is None:
            is_asked = table.is_asked_ready
            enter = _("ready for the next round") if is_asked else _("back to the table")
            back = [("back", _("back to the table"))] if is_asked else []
            return [("play", enter), *back, proof, log]
        again = [("play", _("another match with the same players"))] if table.rounds.may_go_again else []
        other = [("other-game", _("choose another game"))] if table.may_chat else []
        return [
            *again,
            *other,
            proof,
            log,
            ("replay", _("replay the match step by step, with all hands open")),
            ("export", _("save the match: as text, and as a file anyone can verify")),
            ("back", _("to the lobby") if table.rounds.room is None else _("to the room")),
        ]

    def letters(self) -> list[str]:
        """What stands on cards as a letter, with the card's name."""
        cards = self.table.at.cards
        letters = [f"{rank} {cards.rank_name(rank)}" for rank in "JQKA" if cards.rank_name(rank) != rank]
        deck = self.table.playing.game.deck
        return [*letters, *([f"{cards.short(JOKER)} {cards.full(JOKER)}"] if JOKER in deck else [])]
