"""What everybody sees of a round of Tichu, as plain data with the keys of the playthrough format."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from protocol.cards import PACK_TICHU, Card, Seat
from protocol.games.game import Data
from protocol.games.tichu.rules import points
from protocol.games.tichu.state import FIRST_CARDS, GRAND, SEATS, Round

if TYPE_CHECKING:
    from protocol.games.tichu.game import Tichu


def view(game: Tichu, state: Round, seat: Seat | None, hand: Sequence[Card] | None) -> Data:
    """Public values, and one hand where it is given.

    Beyond the playthroughs' keys: `decided` and `given` (a boolean a seat), `mah_jong` (who has shown it, or null), `owner`
    (who played the cards to beat), `pile` (all cards of the trick) and `pile_points`, `played` (all cards of the round).
    """
    over = game.is_match_over(state)
    combo = state.combo
    return {
        "turn": state.turn,
        "to_act": list(game.to_act(state)),
        "phase": state.phase,
        "dealer": state.dealer,
        "hand_sizes": list(state.hand_sizes),
        "stock_size": len(PACK_TICHU) - SEATS * FIRST_CARDS if state.phase == GRAND else 0,
        "decided": list(state.decided),
        "given": list(state.given),
        "calls": {str(each): call for each, call in enumerate(state.calls) if call is not None},
        "mah_jong": state.mah_jong,
        "wish": state.wish,
        "trick": list(state.top) if combo is not None else None,
        "combo": None if combo is None else {"kind": combo.kind, "size": combo.size, "rank": combo.rank},
        "owner": state.owner,
        "pile": list(state.pile),
        "pile_points": points(state.pile),
        "captured": list(state.captured),
        "played": list(state.played),
        "out": list(state.out),
        "ended": state.ended,
        "round_over": game.is_round_over(state),
        "match_over": over,
        "round_points": None if state.round_points is None else list(state.round_points),
        "scores": list(state.scores),
        "winner": list(game.winners(state.scores)) if over else None,
        "hands": {} if seat is None or hand is None else {str(seat): list(hand)},
    }
