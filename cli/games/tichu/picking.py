"""From picked cards to a play of Tichu: combinations by name, the Phoenix's rank, the wish, a bomb that would break."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cli.games.base.judging import Judging, code_of
from cli.games.base.replies import Move, Query, QueryOption, Refused, Reply
from cli.games.cards import without
from cli.games.explain import explain
from cli.games.shown import Choice
from cli.games.tichu.bombs import bombs_in, is_bomb
from cli.games.tichu.combos import capital, combo_of, described, named, tidy
from cli.text.sentences import sentence
from protocol.cards import MAH_JONG, PHOENIX, RANKS, Card
from protocol.errors import FairdealError
from protocol.games.game import Data
from protocol.games.tichu.combinations import rank_name, readings

SHOWN_RANKS = {"T": "10"}


class TichuPicking(Judging):
    """For one moment of one seat."""

    def refusal(self, move: Data) -> str | None:
        if move.get("do") != "tichu":
            return super().refusal(move)
        try:
            self.position.check(self.position.game.decode(move))
        except FairdealError as fault:  # that is no matter of turns
            return explain(self._, fault, self.cards, self.position.names)
        return None

    def suggested(self, reason: str) -> str:
        return self._.join([reason, self.way_out()]) if self.position.verbs else reason

    def after_fits(self, reason: str) -> str:
        return reason

    def way_out(self) -> str:
        """Where some combination would do, the key that shows it."""
        return (
            self._("Press {@hint} to see what you can play.")
            if self.position.plays and self.may_tell
            else super().way_out()
        )

    def feasible(self, cards: Sequence[Card]) -> bool:
        return self.passes({"do": "play", "cards": list(cards)})

    def why(self, cards: Sequence[Card]) -> str:
        try:
            self.position.check(self.position.game.decode({"do": "play", "cards": list(cards)}))
        except FairdealError as fault:
            if code_of(fault) in ("no combination", "no match"):
                return sentence(described(self._, self.cards, cards, self.position, combo_of(self.position.view)))
            return self.told(fault)
        return ""

    def resolve(self, picked: Sequence[Card], said: Mapping[str, Any]) -> Reply:
        if not self.feasible(picked):
            return Refused(self.suggested(self.why(picked)))
        if (breaking := self._breaking(picked, said)) is not None:
            return breaking  # before it is asked what to wish for
        move: Data = {"do": "play", "cards": list(picked)}
        if (
            query := self.open_question(move, said, {"phoenix": self._ask_phoenix, "wish": self._ask_wish})
        ) is not None:
            return query
        reason = self.refusal(move)
        if reason is not None:
            return Refused(self.suggested(reason))
        return Move({**move, "cards": tidy(picked, move.get("phoenix"))})  # the others see it in this order

    def bomb_broken_by(self, cards: Sequence[Card]) -> frozenset[Card]:
        """A bomb of the hand that is none without these; none where they are one themselves."""
        if is_bomb(cards):
            return frozenset()
        hand = self.position.hand
        broken = bombs_in(hand) - bombs_in(without(hand, cards))
        return frozenset(min(broken, key=sorted, default=()))

    def _breaking(self, cards: Sequence[Card], said: Mapping[str, Any]) -> Query | None:
        """Asks once before what cannot be taken back."""
        _ = self._
        broken = frozenset() if said.get("break") else self.bomb_broken_by(cards)
        if not broken:
            return None
        return Query(
            "break",
            _("This breaks up your bomb: {cards}", cards=self.cards.row(self.cards.sort(broken))),
            (
                QueryOption(True, Choice(_("Y"), _("Play anyway"))),
                QueryOption("no", Choice(_("N"), _("Keep the bomb"))),
            ),
            _("back"),
            focus=1,
        )

    def _ask_phoenix(self, move: Data) -> Query | Data:
        if PHOENIX not in move["cards"] or len(move["cards"]) == 1:
            return {}
        _ = self._
        found: dict[str, QueryOption] = {}
        for reading in readings(move["cards"]):
            if reading.phoenix is None:
                continue
            rank = rank_name(reading.phoenix)
            if self.passes({**move, "phoenix": rank}):
                found[rank] = QueryOption(rank, Choice(SHOWN_RANKS.get(rank, rank), capital(named(_, reading.combo))))
        if len(found) == 1:
            return {"phoenix": next(iter(found))}
        if not found:
            return {}
        title = _("Which rank is the Phoenix?")
        return Query("phoenix", title, tuple(found.values()), _("back"))

    def _ask_wish(self, move: Data) -> Query | Data:
        if MAH_JONG not in move["cards"]:
            return {}
        _ = self._
        ranks = [rank for rank in RANKS if self.passes({**move, "wish": rank})]
        if not ranks:
            return {}
        kept = self.cards.row(move["cards"]) if len(move["cards"]) <= 2 else _("the cards")
        return Query(
            "wish",
            _("Mah Jong: wish for a rank?"),
            (
                QueryOption(None, Choice("", _("none")), _("{@play:play without a wish}")),
                *(
                    QueryOption(
                        rank,
                        Choice("", SHOWN_RANKS.get(rank, rank)),
                        _("{rank}: {@play} to wish for it", rank=capital(self.cards.rank_name(rank))),
                    )
                    for rank in ranks
                ),
            ),
            _("keep {cards}", cards=kept),
            kind="grid",
        )
