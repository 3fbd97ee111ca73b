"""What a match is made of, for the second verifier."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from protocol.games.game import OpenAll
from tests.independent import dealing
from tests.independent.encoding import Message

Story: TypeAlias = Iterator[None]
Block: TypeAlias = list[tuple[tuple[int, ...], Message]]


class Convicted(Exception):
    """A seat's own words convict it. `others` are caught by the same check. `is_of_the_draw`: of a second `seal` or `nonce`."""

    def __init__(self, seat: int, what: str, *others: int, is_of_the_draw: bool = False) -> None:
        super().__init__(f"seat {seat}: {what}")
        self.seat, self.what, self.others, self.is_of_the_draw = seat, what, others, is_of_the_draw


@dataclass(eq=False)
class Place:
    """A masked card where it lies, with the shares that are there."""

    card: bytes
    shares: dict[int, bytes] = field(default_factory=dict)


@dataclass
class Chain:
    """A deck's way round the seats: what it was before the first of them, and after each."""

    deck: int
    step: int
    order: tuple[int, ...]
    decks: list[dealing.Cards]


@dataclass
class Round:
    """A round; `epoch` is the one in which it was prepared, `holders` have a key in it."""

    number: int
    epoch: int
    holders: tuple[int, ...]
    keys: dict[int, tuple[bytes, bytes]] = field(default_factory=dict)
    key_bytes: list[bytes] = field(default_factory=list)
    joint: bytes = b""
    chains: list[Chain] = field(default_factory=list)
    preparation: Block = field(default_factory=list)
    is_prepared: bool = False
    is_void: bool = False
    stock: list[Place] = field(default_factory=list)
    hands: list[list[Place]] = field(default_factory=list)
    laid: list[list[Place]] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)
    splits: dict[int, dict[int, dealing.Sealed]] = field(default_factory=dict)
    split_hashes: dict[int, bytes] = field(default_factory=dict)
    open_keys: dict[int, int] = field(default_factory=dict)
    moves: list[tuple[int, int, Any, Any, list[bytes], list[int]]] = field(default_factory=list)
    """(height, seat, state before, move, hand before, places laid out)"""
    breaches: list[tuple[int, int]] = field(default_factory=list)

    @property
    def active(self) -> list[int]:
        """The seats that use their own key."""
        return [seat for seat in self.holders if seat not in self.open_keys]

    def copy(self) -> Round:
        """As it is now; a card that is laid out is the same as in its hand."""
        new, known = copy.copy(self), dict[int, Place]()

        def copied(places: list[Place]) -> list[Place]:
            return [known.setdefault(id(each), Place(each.card, dict(each.shares))) for each in places]

        new.stock, new.hands, new.laid = copied(self.stock), [*map(copied, self.hands)], [*map(copied, self.laid)]
        new.chains, new.opened, new.moves = list(self.chains), list(self.opened), list(self.moves)
        new.splits, new.split_hashes = dict(self.splits), dict(self.split_hashes)
        new.open_keys, new.breaches = dict(self.open_keys), list(self.breaches)
        return new


@dataclass
class Proposal:
    """One that was checked; the default move of a seat that left has no message."""

    seat: int
    message: Message | None
    move: Any
    state: Any
    demands: tuple[Any, ...]
    played: list[int]
    laid: list[int]
    remask: dealing.Cards | None


@dataclass
class Entry:
    """What was committed: its demands, and the author's re-masked hand that came with the proposal."""

    demands: tuple[Any, ...]
    foreseen: tuple[int, dealing.Cards] | None = None

    @property
    def is_end_of_round(self) -> bool:
        return any(isinstance(each, OpenAll) for each in self.demands)


@dataclass
class Moment:
    """The match at a certificate, to which an epoch may return."""

    certified: int
    phase: str
    height: int
    previous: bytes
    state: Any
    state_hash: bytes
    scores: tuple[int, ...]
    dealer: int
    rounds_closed: int
    round: Round | None
    breaches: list[tuple[int, int]]
    block: Block
    compared: int
    is_disordered: bool
    entry: Entry | None


@dataclass
class Shown:
    """What a file shows up to some place."""

    match: bytes
    scores: tuple[int, ...]
    rounds: int
    evidence: list[tuple[str, int]]
    breaches: list[tuple[int, int]]
