"""What all players see of a round of Tichu."""

from __future__ import annotations

from protocol.cards import PACK_TICHU, Card, Seat
from protocol.games.labels import key
from protocol.games.tichu.combinations import BOMB, FULL_HOUSE, PAIR, SINGLE, STAIRS, STRAIGHT, TRIPLE, Combo
from protocol.games.tichu.rules import points
from protocol.games.tichu.state import CALLED_GRAND, CALLED_TICHU, FIRST_CARDS, GIVE, GRAND, SEATS, TichuState
from protocol.games.views import Data, PublicView, SeatView, Standing, Stock, Trick, TrickPlay
from protocol.values import dataclass

COMBINATIONS = {
    SINGLE: key("single"),
    PAIR: key("pair"),
    TRIPLE: key("triple"),
    FULL_HOUSE: key("full house"),
    STRAIGHT: key("straight"),
    STAIRS: key("stairs"),
    BOMB: key("bomb"),
}
CALLS = {CALLED_TICHU: key("Tichu"), CALLED_GRAND: key("Grand Tichu")}


@dataclass(frozen=True, slots=True, kw_only=True)
class TichuView(PublicView):
    """Tichu as all players see it. `trick` holds the cards to beat alone: `pile_cards` are all cards of the trick."""

    decided: tuple[bool, ...] = ()
    """Who has said whether they call Grand Tichu."""
    given: tuple[bool, ...] = ()
    """Who has laid out the cards for the exchange."""
    called: tuple[str | None, ...] = ()
    """"tichu" or "grand" for each seat that has called."""
    mah_jong: Seat | None = None
    """Who has shown the Mah Jong."""
    wish: str | None = None
    """The rank that must be played if possible."""
    combo: Combo | None = None
    """What the cards to beat are read as."""
    pile_cards: tuple[Card, ...] = ()
    captured: tuple[int, ...] = ()
    """Points of the tricks taken, a number a seat."""
    played: tuple[Card, ...] = ()
    """All cards played in this round, in order."""

    @property
    def callers(self) -> tuple[tuple[Seat, str], ...]:
        """The seats that have called, each with its call."""
        return tuple((seat, call) for seat, call in enumerate(self.called) if call is not None)

    @property
    def owner(self) -> Seat | None:
        """Who played the cards to beat."""
        return None if self.trick is None else self.trick.winner

    @property
    def to_beat(self) -> tuple[Card, ...]:
        """The cards to beat; none before a lead."""
        return () if self.trick is None else self.trick.cards

    @property
    def pile_points(self) -> int:
        """What the trick is worth."""
        return points(self.pile_cards)

    def trick_data(self) -> Data:
        return {"trick": list(self.to_beat) or None, "owner": self.owner}

    def own_data(self) -> Data:
        combo = self.combo
        return {
            "stock_size": 0 if self.stock is None else self.stock.size,
            "decided": list(self.decided),
            "given": list(self.given),
            "calls": {str(seat): call for seat, call in self.callers},
            "mah_jong": self.mah_jong,
            "wish": self.wish,
            "combo": None if combo is None else {"kind": combo.kind, "size": combo.size, "rank": combo.rank},
            "pile": list(self.pile_cards),
            "pile_points": self.pile_points,
            "captured": list(self.captured),
            "played": list(self.played),
        }


def public_view(state: TichuState, standing: Standing) -> TichuView:
    """What all players see of this state; `standing` comes from the game."""
    return TichuView(
        **standing,
        turn=state.turn,
        dealer=state.dealer,
        seats=tuple(_seat(state, seat) for seat in range(SEATS)),
        stock=Stock(size=len(PACK_TICHU) - SEATS * FIRST_CARDS) if state.phase == GRAND else None,
        trick=_trick(state),
        out=state.out,
        ended=None if state.closing else state.ended,
        round_points=state.round_points,
        decided=state.decided,
        given=state.given,
        called=state.calls,
        mah_jong=state.mah_jong,
        wish=state.wish,
        combo=state.combo,
        pile_cards=state.pile,
        captured=state.captured,
        played=state.played,
    )


def _seat(state: TichuState, seat: Seat) -> SeatView:
    called = state.calls[seat]
    return SeatView(
        hand_size=state.hand_sizes[seat],
        calls=() if called is None else (CALLS[called],),
        points=state.captured[seat],
        status=key("has chosen") if state.phase == GIVE and state.given[seat] else "",
    )


def _trick(state: TichuState) -> Trick:
    """The cards to beat: the state does not keep who played those below them."""
    if state.owner is None or state.combo is None:
        return Trick(leader=state.turn)
    play = TrickPlay(seat=state.owner, cards=state.top, combination=COMBINATIONS[state.combo.kind])
    return Trick(plays=(play,), winner=state.owner, points=points(state.pile))
