"""The phases as values: each holds what a match is at that point, and nothing of another phase.

A phase never changes: its next step is another value. So a match can be taken up again at any phase that was kept.
(PROTOCOL.md, "Phases".)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Any, ClassVar, TypeAlias

from protocol.cards import Seat
from protocol.dealing.elgamal import Deck, MaskedCard
from protocol.games.game import Outcome
from protocol.table.audit import Audit
from protocol.table.epochs import Epoch, first_epoch
from protocol.table.events import Accused, Breach, Event
from protocol.table.ledger import Ledger
from protocol.table.places import Departure
from protocol.table.proposals import Proposed
from protocol.table.roster import Member
from protocol.table.round import Chain, DealtCard, Preparation, Round
from protocol.values import dataclass


class Phase(Enum):
    """How far a match is."""

    SEALING = "sealing"
    BETWEEN = "between"
    PLAYING = "playing"
    SETTLING = "settling"
    CLOSING = "closing"
    CONFIRMING = "confirming"
    OVER = "over"
    BROKEN = "broken"


class Ending(Enum):
    """Why a match was broken off."""

    CHEAT = "cheat"
    GOODBYE = "goodbye"


@dataclass(frozen=True, slots=True)
class SeedDraw:
    """What was drawn from the table seed: the words, and each seat's place in the roster."""

    seed: bytes
    words: tuple[str, ...]
    seating: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Match:
    """What all phases share. `previous` is the last certificate and `state_hash` the settled state; votes are based on both.
    `preparing` is the next round, if its preparation has begun."""

    draw: SeedDraw
    epoch: Epoch
    height: int
    previous: bytes
    state: Any
    scores: tuple[int, ...]
    dealer: Seat = 0
    state_bytes: bytes = b""
    state_hash: bytes = b""
    rounds_closed: int = 0
    points: tuple[tuple[int, ...], ...] = ()
    """Each team's points in each scored round."""
    breaches: tuple[Breach, ...] = ()
    preparing: Preparation | None = None
    departed: Mapping[Seat, Departure] = field(default_factory=dict)
    """Who was left out when a round was over, owing its keys: they stand last in the result."""


@dataclass(frozen=True, slots=True)
class Sealing:
    """The seats sign the roster and show their nonces."""

    phase: ClassVar[Phase] = Phase.SEALING
    match: Match
    round: ClassVar[None] = None


@dataclass(frozen=True, slots=True)
class Between:
    """The next round is prepared and opened. `round` is the last one, still shown on the table."""

    phase: ClassVar[Phase] = Phase.BETWEEN
    match: Match
    round: Round | None


@dataclass(frozen=True, slots=True)
class Playing:
    """Moves are proposed and voted. `proposed` are the proposals of this height that were read, by author."""

    phase: ClassVar[Phase] = Phase.PLAYING
    match: Match
    round: Round
    proposed: Mapping[Seat, Proposed] = field(default_factory=dict)
    stand_ins: Mapping[bytes, Proposed] | None = None
    """The default moves of seats that left and are awaited, by the hash that votes name; None before they are computed."""

    @property
    def stand_in_seats(self) -> dict[bytes, Seat]:
        """Return the seats of the default moves, by hash."""
        return {each: entry.seat for each, entry in (self.stand_ins or {}).items()}


@dataclass(frozen=True, slots=True)
class Settling:
    """An entry is committed: its demands are carried out, one stage after another (a card turned up may demand more)."""

    phase: ClassVar[Phase] = Phase.SETTLING
    match: Match
    round: Round
    stage: int
    outcome: Outcome[Any]


@dataclass(frozen=True, slots=True)
class Entrusting(Settling):
    """A round was opened whose keys can be recovered: every holder splits its key among the others."""


@dataclass(frozen=True, slots=True)
class Committed(Settling):
    """Nothing is carried out yet.

    `must_echo`: after a split vote, no card is opened until everyone is known to hold the same certificate. `foreseen`: the
    author of the move and the re-masked hand in its proposal.
    """

    must_echo: bool = False
    foreseen: tuple[Seat, Deck] | None = None


@dataclass(frozen=True, slots=True)
class Recovering(Settling):
    """An epoch began that plays the round on: the key of the seat `of` is opened, then the entry `then` is carried out."""

    of: Seat
    then: Committed


@dataclass(frozen=True, slots=True)
class Recycling(Settling):
    """Played cards are shuffled by every seat and go under the stock."""

    chain: Chain


@dataclass(frozen=True, slots=True)
class Giving(Settling):
    """Cards enter hands, and one may be turned up.

    `direct` are the hands whose cards come straight from the stock, `remasking` those whose owners re-mask first, with the
    cards as they go in; `remasked` is done. `granted` are the groups of shares that are complete (a seat for a re-masked
    hand, None for the rest).
    """

    direct: tuple[Seat, ...] = ()
    remasking: Mapping[Seat, tuple[MaskedCard, ...]] = field(default_factory=dict)
    remasked: frozenset[Seat] = frozenset()
    granted: frozenset[Seat | None] = frozenset()
    opening: DealtCard | None = None
    foreseen: tuple[Seat, Deck] | None = None

    @property
    def groups(self) -> list[Seat | None]:
        """Return the groups of shares that are needed: None for cards straight from the stock, a seat for its re-masked hand."""
        found: list[Seat | None] = [None] if self.direct or self.opening is not None else []
        return found + sorted(self.remasking)

    @property
    def open_groups(self) -> list[Seat | None]:
        """Return the groups whose shares can be sent now and are not complete."""
        return [
            group for group in self.groups if group not in self.granted and (group is None or group in self.remasked)
        ]


@dataclass(frozen=True, slots=True)
class Revealing(Settling):
    """The round is over: all keys are revealed, then hands and moves are checked."""


@dataclass(frozen=True, slots=True)
class Closing:
    """The round was audited: everyone votes for its scores and breaches. `found` is this computer's result."""

    phase: ClassVar[Phase] = Phase.CLOSING
    match: Match
    round: Round
    found: Audit


@dataclass(frozen=True, slots=True)
class Confirming:
    """An epoch begins with the end of the match, for which not all who were there before need have voted: all who are present now
    say that they have it.

    `told`: what our player is told with the end. `is_short`: as in `Over`.
    """

    phase: ClassVar[Phase] = Phase.CONFIRMING
    match: Match
    round: Round | None
    told: tuple[Event, ...] = ()
    is_short: bool = False


@dataclass(frozen=True, slots=True)
class Over:
    """The match has its result, for which all have voted.

    `is_short`: it was not played to its end, because its game cannot be dealt to those who are left.
    """

    phase: ClassVar[Phase] = Phase.OVER
    match: Match
    round: Round | None
    is_short: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """The match ended before its end: how, and by whom. `accused` holds the evidence, where a seat was caught."""

    phase: ClassVar[Phase] = Phase.BROKEN
    match: Match
    round: Round | None
    ending: Ending
    seat: Seat
    what: str
    accused: Accused | None = None


Now: TypeAlias = Sealing | Between | Playing | Settling | Closing | Confirming | Over | Broken
"""A phase with its data: what a match is now."""


def first_phase(ledger: Ledger) -> Sealing:
    """Return the phase in which a match begins."""
    draw = SeedDraw(b"", (), tuple(range(ledger.size)))
    scores = (0,) * len(ledger.game.teams)
    return Sealing(Match(draw, first_epoch(ledger.table, ledger.size), 1, ledger.table, None, scores))


def member_of(ledger: Ledger, match: Match, seat: Seat) -> Member:
    """Return who sits in a seat, or sat there last."""
    return match.epoch.sitters.get(seat) or ledger.roster.members[match.draw.seating[seat]]


def key_of(ledger: Ledger, match: Match, seat: Seat) -> bytes:
    """Return the public key that signs for a seat."""
    return member_of(ledger, match, seat).key


def certified(now: Now) -> int:
    """Return the height of the last certificate."""
    return now.match.height - (not isinstance(now, Settling | Confirming | Over))
