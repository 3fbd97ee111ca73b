"""The table of today as help, report and sheet know one. It goes when the table is a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cli import news as events
from cli.games.narrator import Narrator
from cli.games.short_cards import ShortCards
from cli.news import Finished, Playing
from cli.text import Translator
from cli.view.scores import Sheet
from cli.view.settings import Settings
from cli.view.table.tichu_score import account, so_far
from cli.view.table.wording import moved
from cli.view.views import Line
from protocol.cards import Card
from protocol.games.eights import Eights
from protocol.games.game import Data
from protocol.games.mau_mau import MauMau

if TYPE_CHECKING:
    from cli.view.table.state import TableState


class AsTable:
    """A table, its viewpoint, its rounds and its game's sheet in one."""

    rules: Callable[[int], Sequence[str]] | None
    settings: Settings
    playing: Playing
    narrator: Narrator
    cards: ShortCards
    checked: list[events.DealChecked]
    accused: events.Accused | None
    evening: tuple[Finished, ...]
    ended: events.MatchEnded | None
    sheet: Sheet
    may_rematch: bool
    is_ready: bool
    sheet_is_up: bool
    moves_seen: int
    last_move: events.Moved | None
    is_between: bool
    is_last: bool

    def __init__(self, table: TableState) -> None:
        self.table = table

    def __getattr__(self, name: str) -> object:
        return getattr(self.table, {"is_between": "between_rounds", "is_last": "is_last_round"}.get(name, name))

    @property
    def _(self) -> Translator:
        return self.table._

    @property
    def title(self) -> str:
        return self.table._title()

    @property
    def at(self) -> AsTable:
        return self

    @property
    def rounds(self) -> AsTable:
        return self

    @property
    def game_sheet(self) -> AsTable:
        return self

    @property
    def is_asked_ready(self) -> bool:
        return self.table._is_asked_ready()

    def account(self, view: Data) -> tuple[Line, ...]:
        table = self.table
        return account(table._, table.playing.game, table.narrator, view) if table.is_tichu else ()

    def so_far(self) -> tuple[Line, ...]:
        table = self.table
        return so_far(table._, table.playing.game, table.narrator, table.view_now()) if table.is_tichu else ()

    def how_it_ended(self, view: Data, last: events.Moved | None) -> str:
        table, _, narrator = self.table, self.table._, self.table.narrator
        out: Sequence[int] = view.get("out") or ()
        if view.get("ended") == "blocked":
            return _("Nobody could play any more.")
        if table.is_tichu and last is not None:
            return _.join(moved(narrator, last))
        if table.is_tichu or not out:
            return ""
        if len(out) > 1:
            order = _("Out in this order: {names}", names=_.list(narrator.who(seat) for seat in out))
            return _.join([*(moved(narrator, last) if last is not None else ()), order])
        if (top := view.get("top")) is None:
            return ""
        card = table.cards.short(top)
        told = narrator.did(out[-1], "You went out with {card}.", "{name} went out with {card}.", card=card)
        game = table.playing.game
        if isinstance(game, MauMau) and game.is_doubled(view.get("ended"), top):
            told = _.join([told, _("A jack at the end counts all double.")])
        return told

    def counted(self, cards: Sequence[Card]) -> str:
        ordered, game = self.table.cards.sort(cards), self.table.playing.game
        if not isinstance(game, Eights):
            return " ".join(self.table.cards.short(card) for card in ordered)
        shown = "\u00a0· ".join(f"{self.table.cards.short(card)}\u00a0{game.card_cost(card)}" for card in ordered)
        return shown if len(cards) < 2 else f"{shown}\u00a0=\u00a0{sum(game.card_cost(card) for card in cards)}"
