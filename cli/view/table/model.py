"""A table on any face: inputs come in, effects go out. No terminal, no network; the clock is passed in."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import get_args

from cli.news import News, Playing, Suggestion
from cli.view.actions import TABLE
from cli.view.inputs import Hear, Input, Tick
from cli.view.model import Clock, Effects
from cli.view.settings import Settings
from cli.view.table.doing import do
from cli.view.table.hearing import hear
from cli.view.table.showing import view_of
from cli.view.table.table import TableParts
from cli.view.views import ScoreView, TableView


class TableModel:
    """One seat at one table, or a watcher. `table` holds its parts; the session around it reads them, and tells them what it
    knows (`tell`, `note`, `advised`, `lost`)."""

    place = TABLE

    def __init__(
        self, playing: Playing, settings: Settings, clock: Clock, rules: Callable[[int], Sequence[str]] | None = None
    ) -> None:
        self.table = TableParts(playing, settings, clock, rules)

    @property
    def window_title(self) -> str:
        table = self.table
        about = table.playing.facts.name or table.title
        if table.at.is_due and not table.at.in_flight:
            return table._("Your turn - {table}", table=about)
        return about

    def update(self, given: Input) -> Effects:
        match given:
            case Hear(news):
                return hear(self.table, news) if isinstance(news, get_args(News)) else ()
            case Tick():
                return self.table.tick()
            case _action:
                self.table.renew()
                return do(self.table, given)

    def view(self) -> TableView | ScoreView:
        return view_of(self.table)

    def stops_play(self) -> bool:
        """Whether a key that plays is too soon after something new; then it is said that it did nothing."""
        table, _ = self.table, self.table._
        if (table.rounds.is_due and table.question.query is None) or not table.guard.stops():
            return False
        table.notice.hush()
        if table.question.query is None and table.face.question() is None:  # an open box says itself what the key does
            table.notice.note(
                _("The trick was just taken, so no card was played. Press {@play} again to play one.")
                if table.guard.is_for_trick
                else _("The screen just changed, so nothing was done. Press {@play} again if you still want to.")
            )
        return True

    # --- what the session around it tells ---

    def tell(self, text: str, ink: str = "text") -> None:
        """An entry of the log that is no news of the table."""
        self.table.log.tell(text, ink)

    def note(self, sentence: str) -> None:
        """A sentence for the prompt line."""
        self.table.notice.note(sentence)

    def advised(self, proposal: Suggestion | None) -> Effects:
        """What the game's bot would do, as an `Advise` effect asked."""
        return self.table.advised(proposal)

    def lost(self, reason: str) -> Effects:
        """The table did not take our move after all."""
        return self.table.lost(reason)
