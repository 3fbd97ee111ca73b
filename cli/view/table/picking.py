"""From picked cards to a move: asks for what is missing (suit, rank, joker, order, next player), refuses with the reason and
what would do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from cli.games.tichu_narrator import is_bomb
from cli.plain.reader import Reader, remaining
from cli.view.table.asking import Asking, Option, Query
from cli.view.table.combos import tidy
from cli.view.views import Choice
from protocol.cards import Card
from protocol.games.game import Data


@dataclass(frozen=True, slots=True)
class Move:
    """The rules let this pass."""

    move: Data


@dataclass(frozen=True, slots=True)
class Refused:
    """Why not, and what would do."""

    sentence: str


Answer: TypeAlias = Move | Refused | Query


class Picking(Asking):
    """For one moment of one seat: `resolve` is asked again with each answer added to what was said."""

    def simple(self, move: Data) -> Answer:
        """A move without cards."""
        reason = self.refusal(move)
        if reason is None:
            return Move(move)
        if move.get("do") == "pass" and "draw" in self.position.verbs:
            return Refused(self._after_fits(self._("You cannot pass yet: {what}", what=self._drawing())))
        return Refused(self._after_fits(reason))

    def resolve(self, picked: Sequence[Card], said: Mapping[str, Any]) -> Answer:
        """The move, the next question, or why not. `said` holds answers by field."""
        cards = tuple(said.get("order", picked))
        orders = self.feasible_orders(cards)
        if len(orders) > 1:
            return self._ask_order(orders)
        if not orders:
            return Refused(self.suggested(self._why(cards)))
        cards = orders[0]  # the player's, or the only one that the rules let pass
        if (breaking := self._breaking(cards, said)) is not None:
            return breaking  # before it is asked what to wish for
        jokers = [card for card in cards if self.cards.is_joker(card)]
        stands: tuple[Card, ...] = tuple(said.get("as", ()))
        if len(stands) < len(jokers):
            asked_joker = self._ask_joker(cards, stands, len(jokers))
            if len(asked_joker.options) == 1:
                return self.resolve(picked, {**said, "as": asked_joker.options[0].value})
            return asked_joker
        move: Data = {"do": "play", "cards": list(cards)}
        if jokers:
            move["as"] = list(stands)
        if not self.cards.is_tichu and self._possible({**move, "call": True}):
            # First the word: with it the last jack of Mau-Mau ends the round and names nothing, without it a suit.
            if said.get("call") is None and self.position.warn_call:
                return self._ask_call(move)
            if said.get("call"):
                move["call"] = True
        for name, ask in (
            ("phoenix", self._ask_phoenix),
            ("suit", self._ask_suit),
            ("rank", self._ask_rank),
            ("wish", self._ask_wish),
            ("next", self._ask_next),
        ):
            if name in said:
                if said[name] is not None:
                    move[name] = said[name]
                continue
            asked = ask(move)
            if isinstance(asked, Query):
                return asked
            move.update(asked)
        reason = self.refusal(move)
        if reason is not None:
            return Refused(self.suggested(reason))
        if self.cards.is_tichu:
            move["cards"] = tidy(cards, move.get("phoenix"))  # the others see it in this order
        return Move(move)

    def bomb_broken_by(self, cards: Sequence[Card]) -> frozenset[Card]:
        """A bomb of the hand that is none without these; none where they are one themselves."""
        if not self.cards.is_tichu or is_bomb(cards):
            return frozenset()
        hand = self.position.hand
        broken = Reader.bombs_in(hand) - Reader.bombs_in(remaining(hand, cards))
        return frozenset(min(broken, key=sorted, default=()))

    def _breaking(self, cards: Sequence[Card], said: Mapping[str, Any]) -> Query | None:
        """Asks once before what cannot be taken back."""
        _ = self._
        if not said.get("break") and (broken := self.bomb_broken_by(cards)):
            bomb = self.cards.row(self.cards.sort(broken))
            return Query(
                "break",
                _("This breaks your bomb: {cards}", cards=bomb),
                (
                    Option(True, Choice(_("Y"), _("Play all the same"))),
                    Option("no", Choice(_("N"), _("Keep the bomb"))),
                ),
                _("←→ or Y N, then Enter · Esc: back"),
                cursor=1,
            )
        return None
