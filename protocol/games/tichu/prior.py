"""How many points a play probably brings, before any deal is imagined.

A linear fit to 24,032 choices in rounds that were played to their end with each of two moves, everybody playing like the normal
bot. Of the moves that differ from the normal bot's, those that it rates higher by more than 5 points in answer to an opponent
were better by 15 ± 6 points on deals that it was not fitted to.
"""

from __future__ import annotations

from protocol.cards import PHOENIX, Card, Seat
from protocol.games.tichu.combinations import BOMB, DOG_STRENGTH, DRAGON_STRENGTH, Combo
from protocol.games.tichu.moves import Move, PlayCombination
from protocol.games.tichu.outlook import HandEstimates
from protocol.games.tichu.plays import bits_of
from protocol.games.tichu.rules import points, reading_of
from protocol.games.tichu.state import SEATS, TichuState, partner, team
from protocol.games.tichu.strategy import PHOENIX_LED_HOLDS
from protocol.values import dataclass

LATE = 28
"""The most cards in all hands late in a round."""
CHEAP = 3.0
"""The cost of a rest that will soon be played."""


@dataclass(frozen=True, slots=True)
class _Play:
    """What is rated of a play."""

    what: Combo
    cards: tuple[Card, ...]
    gain: float
    """How much cheaper the hand becomes (`outlook`)."""
    hold: float
    """The chance that it wins the trick."""
    near: float
    """How near the end is if it does."""
    is_last: bool

    @property
    def aces(self) -> int:
        return sum(card[0] == "A" for card in self.cards)

    @property
    def has_phoenix(self) -> bool:
        return PHOENIX in self.cards


def prior(state: TichuState, seat: Seat, bits: int, outlook: HandEstimates, move: Move) -> float:
    """Return by how many points a move in turn is better than passing, or than an ordinary lead. `bits`: the seat's hand."""
    if not isinstance(move, PlayCombination) or (reading := reading_of(state, move)) is None:
        return 0.0
    what = reading.combo
    after = outlook.cost_of(bits - bits_of(move.cards))
    hold = PHOENIX_LED_HOLDS if move.cards == (PHOENIX,) and state.combo is None else outlook.holds(what)
    gain = outlook.cost_of(bits) - after
    play = _Play(what, move.cards, gain, hold, hold * max(0.0, CHEAP - after), bits == bits_of(move.cards))
    if state.combo is None:
        return _lead(state, seat, play)
    return _over_partner(state, seat, play) if state.owner == partner(seat) else _over_opponent(state, seat, play)


def _has_called(state: TichuState, seat: Seat) -> bool:
    return state.calls[seat] is not None and not state.out


def _lead(state: TichuState, seat: Seat, play: _Play) -> float:
    worth = (26.0 - (13.0 if sum(state.hand_sizes) < LATE else 0.0)) * play.gain + 17.0 * play.near
    worth += 3.7 * len(play.cards) - 0.6 * points(play.cards) - 17.7 * play.aces - 31.0 * play.has_phoenix
    if play.is_last:
        worth += 21.7
    if play.what.strength == DOG_STRENGTH and state.hand_sizes[partner(seat)]:
        worth += 27.6
    if _has_called(state, seat):
        worth += 27.6 * play.hold
    if any(state.hand_sizes[each] == play.what.size for each in range(SEATS) if team(each) != team(seat)):
        worth -= 32.4 * (1 - play.hold)
    return worth


def _over_partner(state: TichuState, seat: Seat, play: _Play) -> float:
    worth = 18.0 + 6.4 * play.gain - 18.3 * play.hold - 9.9 * len(play.cards)
    if _has_called(state, partner(seat)):
        worth -= 36.6
    return worth + (0.0 if state.hand_sizes[partner(seat)] else 27.3)


def _over_opponent(state: TichuState, seat: Seat, play: _Play) -> float:
    owner = state.owner
    assert owner is not None
    assert state.combo is not None
    trick = points(state.pile) + points(play.cards)
    worth = 4.4 * play.gain + 13.6 * play.near + 4.4 * len(play.cards) - 0.7 * points(play.cards)
    worth += 0.7 * play.hold * (-trick / 2 if play.what.strength == DRAGON_STRENGTH else trick)
    worth += 25.3 * state.combo.strength / DRAGON_STRENGTH - 9.2 * play.aces - 33.0 * play.has_phoenix
    if play.what.kind == BOMB:
        worth -= 46.0
    if not state.hand_sizes[owner]:
        worth -= 20.9
    if _has_called(state, seat):
        worth += 24.7
    if _has_called(state, owner):
        worth += 39.5 * play.hold
    if state.hand_sizes[partner(seat)] and owner == (seat - 1) % SEATS:
        worth -= 13.5 * play.hold  # the partner has not answered yet
    return worth
