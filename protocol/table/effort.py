"""Record what this computer has checked in the current round, and how long it took. Only shown to people.

Times, in seconds, come from the caller that ran the jobs. Checks without a job, such as signatures, are not timed.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any, Literal

from protocol.values import dataclass

What = Literal["own-shuffle", "shuffles", "hands", "reshuffles", "draws", "moves", "round"]


@dataclass(frozen=True, slots=True)
class Checked:
    """One kind of check, how often it was done, and the seconds it took in total.

    own-shuffle: our shuffle was made and proven. shuffles, reshuffles: the shuffle proofs of the deck, or of a recycled one
    (count: proofs). hands: the shares that opened the dealt hands (count: hands). draws: the same for cards drawn or passed
    later. moves: the proofs of moves (count: moves). round: everything, at the end of the round, with open hands.
    """

    what: What
    count: int
    took_s: float


@dataclass(slots=True)
class Effort:
    """Collect how long each job of a round took."""

    round: int = 0
    height: int = 0
    """The height at which the round was opened."""
    _took_s: dict[tuple[Any, ...], float] = field(default_factory=dict)

    def add(self, name: tuple[Any, ...], took_s: float) -> None:
        """Add a finished job."""
        self._took_s[name] = took_s

    def begin(self, round: int, height: int) -> None:
        """Begin a round, and forget older jobs."""
        if round != self.round:
            self.round, self.height = round, height
            self._took_s = {name: took for name, took in self._took_s.items() if not self._is_past(name)}

    @property
    def saw_deal(self) -> bool:
        """Whether the deck of this round was checked in this run of the program, and not in an earlier one."""
        return ("chain", self.round, 0) in self._took_s

    def checks(self, seats: int) -> tuple[Checked, ...]:
        """Return what was checked, in the usual order."""
        found: dict[What, list[float]] = {}
        for name, took_s in self._took_s.items():
            what = self._what(name)
            if what is not None:
                found.setdefault(what, []).append(took_s)
        order: tuple[What, ...] = ("own-shuffle", "shuffles", "hands", "reshuffles", "draws", "moves", "round")
        # Several may propose a move at the same height; one of them becomes the move there.
        moves = len({name[1] for name in self._took_s if name[0] == "proposal"})
        count_of = {"own-shuffle": 1, "moves": moves}
        by_seat = {"shuffles": seats, "hands": seats, "reshuffles": seats}
        return tuple(
            Checked(what, count_of.get(what, len(found[what]) * by_seat.get(what, 1)), sum(found[what]))
            for what in order
            if what in found
        )

    def _what(self, name: tuple[Any, ...]) -> What | None:
        match name:
            case ("own", int(), _, "half" | "shuffle" | "proof"):
                return "own-shuffle" if name[1] == self.round else None
            case ("chain", int(), deck) if name[1] == self.round:
                return "reshuffles" if deck else "shuffles"
            case ("shares", int(), _, _):
                return "hands" if self.saw_deal and name[1:] == (self.height, 0, None) else "draws"
            case ("remask", int(), _, _):
                return "draws"
            case ("proposal", int(), int()):
                return "moves"
            case ("audit", int()):
                return "round" if name[1] == self.round else None
            case _:
                return None

    def _is_past(self, name: tuple[Any, ...]) -> bool:
        match name:
            case ("own" | "chain" | "audit", int(), *_):
                return bool(name[1] < self.round)
            case ("own", _, int(), *_):
                return bool(name[2] < self.height)
            case (_, int(), *_):
                return bool(name[1] < self.height)
            case _:
                return True
