"""The public state of a round of Tichu, and questions about seats."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.cards import Card, Seat
from protocol.games.changing import lay_out
from protocol.games.tichu.combinations import DRAGON_STRENGTH, SINGLE, Combo

SEATS = 4
FIRST_CARDS, ALL_CARDS = 8, 14
GRAND, GIVE, SHOW, PLAY, COLLECT, OVER = PHASES = ("grand", "give", "show", "play", "collect", "over")
CALLED_TICHU, CALLED_GRAND = "tichu", "grand"
ENDED_OUT, ENDED_DOUBLE = "out", "double"
NOBODY: tuple[bool, ...] = (False,) * SEATS
_AFTER = [tuple((seat + step) % SEATS for step in range(1, SEATS + 1)) for seat in range(SEATS)]


@dataclass(frozen=True)
class TichuState:
    """The public state of a round. (Without slots, so that `changed` can copy all fields at once.)

    A trick is what was played since the last lead: `pile` are all its cards in the order played, `top` those that must be
    beaten, read as `combo`, played by `owner`; all empty before a lead. PROTOCOL.md lists the fields, as they are hashed.
    """

    phase: str
    dealer: Seat
    scores: tuple[int, ...]
    """The match score, a number a team, which includes this round once it is scored."""
    hand_sizes: tuple[int, ...]
    """Including cards laid out for the exchange, until they change hands."""
    turn: Seat | None = None
    """The seat in turn; in `collect` the seat that takes the trick, even if it is out."""
    decided: tuple[bool, ...] = NOBODY
    """Whether each seat has decided about Grand Tichu."""
    given: tuple[bool, ...] = NOBODY
    """Whether each seat has laid out its cards for the exchange."""
    calls: tuple[str | None, ...] = (None,) * SEATS
    mah_jong: Seat | None = None
    """The seat that has shown the Mah Jong."""
    wish: str | None = None
    pile: tuple[Card, ...] = ()
    top: tuple[Card, ...] = ()
    combo: Combo | None = None
    owner: Seat | None = None
    interrupting: bool = False
    """Whether the cards to beat are a bomb that was played out of turn."""
    closing: bool = False
    """Whether the round has ended, except that its last trick must still be given away."""
    out: tuple[Seat, ...] = ()
    captured: tuple[int, ...] = (0,) * SEATS
    """The points in the tricks that each seat has taken; once the round is scored, after the transfers at its end."""
    played: tuple[Card, ...] = ()
    """All cards played in this round, in order."""
    ended: str | None = None
    round_points: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        lay_out(self)


def team(seat: Seat) -> int:
    """Return a seat's team: 0 for the seats 0 and 2, 1 for the seats 1 and 3."""
    return seat % 2


def partner(seat: Seat) -> Seat:
    """Return the seat across."""
    return (seat + 2) % SEATS


def seats_after(seat: Seat) -> tuple[Seat, ...]:
    """Return the other three seats in playing order, then the seat itself."""
    return _AFTER[seat]


def is_in(state: TichuState, seat: Seat) -> bool:
    """Return whether a seat still holds cards."""
    return state.hand_sizes[seat] > 0


def next_in(state: TichuState, seat: Seat) -> Seat:
    """Return the next seat that still holds cards, possibly the same one."""
    for each in _AFTER[seat]:
        if state.hand_sizes[each]:
            return each
    raise AssertionError("nobody is left")


def is_dragon(combo: Combo | None) -> bool:
    """Return whether the combination to beat is the Dragon."""
    return combo is not None and combo.kind == SINGLE and combo.strength == DRAGON_STRENGTH


def may_call(state: TichuState, seat: Seat) -> bool:
    """Return whether a seat may call Tichu: it holds all 14 cards, has called nothing, and the round has not ended."""
    return (
        state.hand_sizes[seat] == ALL_CARDS
        and state.calls[seat] is None
        and not state.closing
        and state.phase in (GIVE, SHOW, PLAY, COLLECT)
    )
