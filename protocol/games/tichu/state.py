"""The public state of a round of Tichu, and small questions about seats that all its rules share."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from protocol.cards import Card, Seat
from protocol.games.tichu.combinations import DRAGON_STRENGTH, SINGLE, Combo

SEATS = 4
FIRST_CARDS, ALL_CARDS = 8, 14
GRAND, GIVE, SHOW, PLAY, COLLECT, OVER = PHASES = ("grand", "give", "show", "play", "collect", "over")
CALLED_TICHU, CALLED_GRAND = "tichu", "grand"
ENDED_OUT, ENDED_DOUBLE = "out", "double"
NOBODY: tuple[bool, ...] = (False,) * SEATS


@dataclass(frozen=True, slots=True)
class TichuState:
    """What everybody knows of a round; no hidden card is in it.

    A trick is what was played since the last lead: `pile` are all its cards in the order played, `top` those that must be
    beaten, read as `combo`, played by `owner`; all empty before a lead. PROTOCOL.md lists the fields, as they are hashed.
    """

    phase: str
    dealer: Seat
    scores: tuple[int, ...]
    """The match, a number a team: before this round, and from its scoring on after it."""
    hand_sizes: tuple[int, ...]
    """Cards laid out for the exchange count as held until they change hands."""
    turn: Seat | None = None
    """In `collect` the seat that takes the trick, out or not."""
    decided: tuple[bool, ...] = NOBODY
    """Who has said whether they call Grand Tichu."""
    given: tuple[bool, ...] = NOBODY
    """Who has laid out the cards for the exchange."""
    calls: tuple[str | None, ...] = (None,) * SEATS
    mah_jong: Seat | None = None
    """Who has shown the Mah Jong."""
    wish: str | None = None
    pile: tuple[Card, ...] = ()
    top: tuple[Card, ...] = ()
    combo: Combo | None = None
    owner: Seat | None = None
    interrupting: bool = False
    """Whether the top is a bomb that was played out of turn."""
    closing: bool = False
    """Whether the round has ended but for the gift of its last trick."""
    out: tuple[Seat, ...] = ()
    captured: tuple[int, ...] = (0,) * SEATS
    """Points of the tricks taken, a seat; after the transfers once the round is scored."""
    played: tuple[Card, ...] = ()
    """All cards played in this round, in order."""
    ended: str | None = None
    round_points: tuple[int, ...] | None = None


def team(seat: Seat) -> int:
    """0 for the seats 0 and 2, 1 for the seats 1 and 3."""
    return seat % 2


def partner(seat: Seat) -> Seat:
    """The seat across."""
    return (seat + 2) % SEATS


def seats_after(seat: Seat) -> Iterator[Seat]:
    """The other three in the order in which they act, then the seat itself."""
    for step in range(1, SEATS + 1):
        yield (seat + step) % SEATS


def is_in(state: TichuState, seat: Seat) -> bool:
    """Whether a seat still holds cards."""
    return state.hand_sizes[seat] > 0


def next_in(state: TichuState, seat: Seat) -> Seat:
    """The next seat after this one that still holds cards (possibly the same)."""
    return next(each for each in seats_after(seat) if is_in(state, each))


def is_dragon(combo: Combo | None) -> bool:
    """Whether the Dragon wins the trick as it lies."""
    return combo is not None and combo.kind == SINGLE and combo.strength == DRAGON_STRENGTH


def may_call(state: TichuState, seat: Seat) -> bool:
    """Whether a seat may call Tichu: all 14 cards dealt, none of its own played, nothing called, the round not ended."""
    return (
        state.phase in (GIVE, SHOW, PLAY, COLLECT)
        and not state.closing
        and state.hand_sizes[seat] == ALL_CARDS
        and state.calls[seat] is None
    )
