"""Takes typed plays of Tichu apart: the Phoenix stands for a rank, and no suit is ever named."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.base.answers import Refusal
from cli.games.base.lines import LineParser, Parsed
from protocol.cards import PHOENIX


class TichuLineParser(LineParser):
    """Knows one table's cards and players in one language."""

    names_suits = False

    def _is_standing(self, tokens: Sequence[str], at: int, found: Parsed) -> bool:
        if tokens[at] in self.standing and at + 1 < len(tokens) and PHOENIX in found.cards:
            return tokens[at + 1] in self.cards.rank_words
        return super()._is_standing(tokens, at, found)

    def _stands(self, tokens: Sequence[str], at: int, found: Parsed) -> int | Refusal:
        """What the Phoenix stands for."""
        if PHOENIX not in found.cards:
            return super()._stands(tokens, at, found)
        if at < len(tokens) and (rank := self.cards.rank_words.get(tokens[at])):
            found.wild_rank = rank
            return at + 1
        return Refusal(self._("Say which rank the Phoenix stands for, e.g. phoenix as seven."))
