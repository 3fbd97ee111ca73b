"""The face of Tichu."""

from __future__ import annotations

from collections.abc import Sequence

from cli.games.base.by_itself import moves_for_you
from cli.games.base.viewpoint import Viewpoint
from cli.games.cards import Cards
from cli.games.face import Face
from cli.games.help_keys import HelpKeys, own_helps
from cli.games.position import Position
from cli.games.tichu.actions import ACTIONS
from cli.games.tichu.narrator import TichuNarrator
from cli.games.tichu.reading import TichuReader
from cli.games.tichu.screen_narrator import ScreenTichuNarrator
from cli.games.tichu.table import TichuTable
from cli.text import Translator
from protocol.cards import Card
from protocol.games.game import Data


class TichuFace(Face):
    """Tichu for four."""

    narrator_type = TichuNarrator
    screen_narrator_type = ScreenTichuNarrator
    reader_type = TichuReader
    unforced = frozenset({"tichu"})

    def table(self, at: Viewpoint) -> TichuTable:
        return TichuTable(at)

    def by_itself(self, _: Translator, cards: Cards, position: Position, may_tell: bool = True) -> str:
        """There is more than one kind of move."""
        return moves_for_you(_)

    def help_keys(self, _: Translator) -> HelpKeys:
        return HelpKeys(
            own_helps(self.game) | {"bomb", *(action.name for action in ACTIONS)},
            _(
                "click: pick, double-click: play; click the trick to play, a seat for its last moves; keys "
                "below work too"
            ),
            yes_no=_("Grand Tichu or Tichu question: choose yes or no, {@play} confirms"),
            gives=_("exchange: card to the left, your partner, the right; {@play} passes all three"),
            late={"grand": _("call Grand Tichu")},
        )

    def playable(self, moves: Sequence[Data]) -> frozenset[Card]:
        """The cards that some play holds."""
        return super().playable([move for move in moves if move["do"] == "play"])
