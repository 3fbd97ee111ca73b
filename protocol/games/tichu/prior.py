"""How many points a play probably brings, before any deal is imagined.

A linear fit to 24,032 choices in rounds that were played to their end with each of two moves, everybody playing like the normal
bot (`tests/fits/plays.py` fits it again). Of the moves that differ from the normal bot's, those that it rates higher by more than
5 points in answer to an opponent were better by 15 ± 6 points on deals that it was not fitted to.
"""

from __future__ import annotations

from operator import mul
from typing import NamedTuple, TypeAlias

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


class LeadTerms(NamedTuple):
    """What is counted of a lead, or what each of it is worth in points; and so below."""

    gain: float
    gain_late: float
    near: float
    cards: float
    points: float
    aces: float
    phoenix: float
    is_last: float
    dog_to_partner: float
    hold_after_call: float
    may_let_out: float
    """The chance that the trick is lost to an opponent who can go out on it."""


class PartnerTerms(NamedTuple):
    """Of a play on the partner's cards."""

    any_play: float
    gain: float
    hold: float
    cards: float
    partner_called: float
    partner_is_out: float


class OpponentTerms(NamedTuple):
    """Of a play on an opponent's cards."""

    gain: float
    near: float
    cards: float
    points: float
    trick: float
    """The points that it wins, or the half of them that the Dragon gives away."""
    height: float
    """How high the cards to beat are."""
    aces: float
    phoenix: float
    bomb: float
    owner_is_out: float
    after_call: float
    stops_call: float
    before_partner: float
    """The chance to win the trick from a partner who has not answered yet."""


LEAD = LeadTerms(
    gain=26.0,
    gain_late=-13.0,
    near=17.0,
    cards=3.7,
    points=-0.6,
    aces=-17.7,
    phoenix=-31.0,
    is_last=21.7,
    dog_to_partner=27.6,
    hold_after_call=27.6,
    may_let_out=-32.4,
)
OVER_PARTNER = PartnerTerms(any_play=18.0, gain=6.4, hold=-18.3, cards=-9.9, partner_called=-36.6, partner_is_out=27.3)
OVER_OPPONENT = OpponentTerms(
    gain=4.4,
    near=13.6,
    cards=4.4,
    points=-0.7,
    trick=0.7,
    height=25.3,
    aces=-9.2,
    phoenix=-33.0,
    bomb=-46.0,
    owner_is_out=-20.9,
    after_call=24.7,
    stops_call=39.5,
    before_partner=-13.5,
)
Terms: TypeAlias = LeadTerms | PartnerTerms | OpponentTerms


def prior(state: TichuState, seat: Seat, bits: int, outlook: HandEstimates, move: Move) -> float:
    """Return by how many points a move in turn is better than passing, or than an ordinary lead. `bits`: the seat's hand."""
    terms = play_terms(state, seat, bits, outlook, move)
    return 0.0 if terms is None else sum(map(mul, worth_of(terms), terms))


def worth_of(terms: Terms) -> Terms:
    """Return what each of these terms is worth in points."""
    if isinstance(terms, LeadTerms):
        return LEAD
    return OVER_PARTNER if isinstance(terms, PartnerTerms) else OVER_OPPONENT


def play_terms(state: TichuState, seat: Seat, bits: int, outlook: HandEstimates, move: Move) -> Terms | None:
    """Return what is counted of a play; None for a pass. `bits`: the seat's hand."""
    if not isinstance(move, PlayCombination) or (reading := reading_of(state, move)) is None:
        return None
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


def _lead(state: TichuState, seat: Seat, play: _Play) -> LeadTerms:
    foes = [each for each in range(SEATS) if team(each) != team(seat)]
    return LeadTerms(
        gain=play.gain,
        gain_late=play.gain if sum(state.hand_sizes) < LATE else 0.0,
        near=play.near,
        cards=len(play.cards),
        points=points(play.cards),
        aces=play.aces,
        phoenix=play.has_phoenix,
        is_last=play.is_last,
        dog_to_partner=play.what.strength == DOG_STRENGTH and state.hand_sizes[partner(seat)] > 0,
        hold_after_call=play.hold if _has_called(state, seat) else 0.0,
        may_let_out=1 - play.hold if any(state.hand_sizes[foe] == play.what.size for foe in foes) else 0.0,
    )


def _over_partner(state: TichuState, seat: Seat, play: _Play) -> PartnerTerms:
    return PartnerTerms(
        any_play=1.0,
        gain=play.gain,
        hold=play.hold,
        cards=len(play.cards),
        partner_called=_has_called(state, partner(seat)),
        partner_is_out=state.hand_sizes[partner(seat)] == 0,
    )


def _over_opponent(state: TichuState, seat: Seat, play: _Play) -> OpponentTerms:
    owner = state.owner
    assert owner is not None
    assert state.combo is not None
    trick = points(state.pile) + points(play.cards)
    is_before_partner = state.hand_sizes[partner(seat)] > 0 and owner == (seat - 1) % SEATS
    return OpponentTerms(
        gain=play.gain,
        near=play.near,
        cards=len(play.cards),
        points=points(play.cards),
        trick=play.hold * (-trick / 2 if play.what.strength == DRAGON_STRENGTH else trick),
        height=state.combo.strength / DRAGON_STRENGTH,
        aces=play.aces,
        phoenix=play.has_phoenix,
        bomb=play.what.kind == BOMB,
        owner_is_out=state.hand_sizes[owner] == 0,
        after_call=_has_called(state, seat),
        stops_call=play.hold if _has_called(state, owner) else 0.0,
        before_partner=play.hold if is_before_partner else 0.0,
    )
