"""Why the game's bot proposes a move, in a short sentence."""

from __future__ import annotations

from cli.games.base.viewpoint import Viewpoint
from protocol.games import advice
from protocol.games.advice import Reason


def why(at: Viewpoint, reason: Reason) -> str:
    """Return the sentence; empty for a reason that has none."""
    _ = at._
    match reason.what:
        case advice.OUT_FIRST:
            return _("This way you usually go out first.")
        case advice.WINS_TRICK:
            return _("It usually wins the trick.")
        case advice.PARTNER_WINS:
            return _("Your partner usually wins this trick.")
        case advice.KEEPS:
            return _("It keeps {cards} for later.", cards=at.cards.row(reason.cards))
        case advice.STOPS_NEXT if reason.seat is not None:
            return _("{name} usually can’t play a card then.", name=at.narrator.names[reason.seat])
    return ""
