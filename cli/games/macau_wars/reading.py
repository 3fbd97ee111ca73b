"""Reads the typed moves of Macau Wars: its jack calls a value, its ace a suit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cli.games.base.answers import TypedQuestion
from cli.games.base.lines import Parsed
from cli.games.shedding.reading import SheddingReader
from protocol.cards import RANKS
from protocol.games.game import Data
from protocol.games.macau_wars.view import MacauView
from protocol.games.views import PublicView, seen_as

if TYPE_CHECKING:
    from cli.games.position import Position


class MacauReader(SheddingReader):
    """Moves of Macau Wars."""

    call_word = "macau"

    def turn_of(self, view: PublicView) -> tuple[object, ...]:
        war = seen_as(MacauView, view)
        return *super().turn_of(view), war.fours, war.solo

    def _optional(self, move: Data, parsed: Parsed, position: Position) -> TypedQuestion | None:
        _ = self._
        if parsed.nothing or any(name in move for name in ("suit", "rank")):
            return None
        last = move["cards"][-1]
        stands = (move.get("as") or [last])[-1] if self.cards.is_joker(last) else last
        for name, letter, values in (("rank", "J", RANKS), ("suit", "A", self.cards.suits)):
            if stands[0] != letter:
                continue
            possible = [value for value in values if self._passes({**move, name: value}, position)]
            if possible:
                named = _.either(
                    self.cards.suit(value) if name == "suit" else self.cards.rank(value) for value in possible
                )
                question = (
                    _("Which suit do you call: {values}? Or no.", values=named)
                    if name == "suit"
                    else _("Which rank do you call: {values}? Or no.", values=named)
                )
                return self._ask_optional(name, question, possible, move, parsed, position)
        return None
