"""Have halves of proofs made while a seat waits for the others. (`protocol.dealing.halves` says why that reveals nothing.)

A half is a job in the background. When its proof is due before it has begun, its seed is taken away, so that it ends at once, and
the proof is made whole; once it has begun, the proof waits for it. A half is the result of its job, in memory only, and goes as
results do, with its round or epoch; one for a hand also when that hand has another size.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from protocol.cards import Seat
from protocol.dealing.context import ProofContext
from protocol.dealing.halves import FEWEST, HalfProof, HalfRemask
from protocol.dealing.hashing import Rng
from protocol.dealing.keys import RoundSecret
from protocol.dealing.once import Once, Used
from protocol.table.phases.values import Match
from protocol.table.round import Round
from protocol.table.work import Desk, JobName, Urgency, expand

T = TypeVar("T", HalfProof, HalfRemask)
PER_PROOF, PER_REMASK = 3, 5
"""Multiplications of a half for each card."""
PURPOSE = "ahead"
"""Of the contexts in which halves for hands are made: a proof has a purpose of its own."""


class Ahead:
    """The halves that one seat has asked for."""

    def __init__(self, desk: Desk, rng: Rng) -> None:
        self._desk, self._rng = desk, rng
        self.is_on = False
        """Whether to make any: the client has time for it while it waits."""
        self._seeds: dict[JobName, Once[bytes]] = {}
        self._hand: tuple[JobName, int] | None = None
        """The half for the next re-mask, and of how many cards."""

    def ask_proof(self, name: JobName, ctx: ProofContext, epoch: int, secret: RoundSecret, size: int) -> None:
        """Have half of a deck's proof made, once an epoch. `ctx`: that of the proof."""
        if not self._is_known(name):
            about = _about(secret, epoch)
            self._ask(name, size, PER_PROOF, lambda rng: HalfProof(ctx, about, size, rng))

    def look_at_hand(self, match: Match, round: Round, seat: Seat, secret: RoundSecret) -> None:
        """Have half of our next re-mask made, if our hand is likely to be re-masked soon, and forget one that no longer fits.

        A hand takes one card from the stock, mostly, or as many cards as it has given away.
        """
        hand, laid = len(round.hands[seat]), len(round.laid[seat])
        size = hand + laid if laid else hand + 1 if round.stock else 0
        if self._hand is not None:
            name, made_for = self._hand
            half = self.remask(name)
            if made_for == size and (self._desk.is_asked(name) or (half is not None and half.is_left)):
                return
            self._desk.drop(lambda each: each == name)
            self._give_up_what_is_dropped()
            self._hand = None
        if not self.is_on or size < FEWEST:
            return
        name = ("own", round.number, "remask-half", match.epoch.number, match.height)
        ctx, joint, about = round.context(match.height, seat, PURPOSE), round.joint, _about(secret, match.epoch.number)
        self._ask(name, size, PER_REMASK, lambda rng: HalfRemask(ctx, joint, about, size, rng))
        self._hand = name, size

    def of_hand(self, size: int) -> JobName | None:
        """Return the half for a re-mask of so many cards, if one was asked for."""
        return self._hand[0] if self._hand is not None and self._hand[1] == size else None

    def may_begin(self, name: JobName | None) -> bool:
        """Whether a proof that would use this half can be made now: the half is done, or will not be made. One that has not begun
        is given up."""
        if name is None or not self._desk.is_asked(name):
            return True
        with suppress(Used):
            self._seeds[name].take()
            self._desk.drop(lambda each: each == name)
            return True
        return False

    def proof(self, name: JobName) -> HalfProof | None:
        """Return half of a proof, if it was made."""
        result = self._desk.result(name)
        return result.value if result is not None and isinstance(result.value, HalfProof) else None

    def remask(self, name: JobName | None) -> HalfRemask | None:
        """Return half of a re-mask, if it was made."""
        result = None if name is None else self._desk.result(name)
        return result.value if result is not None and isinstance(result.value, HalfRemask) else None

    def _is_known(self, name: JobName) -> bool:
        return self._desk.is_asked(name) or self._desk.result(name) is not None

    def _give_up_what_is_dropped(self) -> None:
        """Let no job begin to make what nobody asks for any more: others wait behind it."""
        for name in [name for name in self._seeds if not self._desk.is_asked(name)]:
            with suppress(Used):
                self._seeds.pop(name).take()

    def _ask(self, name: JobName, size: int, weight: int, make: Callable[[Rng], T]) -> None:
        if not self.is_on or size < FEWEST:
            return
        seed = Once(self._rng(32))

        def run() -> T | None:
            with suppress(Used):  # the proof did not wait for it, or it was made before
                return make(expand(seed.take()))
            return None

        self._give_up_what_is_dropped()
        self._seeds[name] = seed
        self._desk.ask(name, run, weight * size, Urgency.SOON)


def _about(secret: RoundSecret, epoch: int) -> bytes:
    """Return what a half's nonces are hashed with besides its place, which a later epoch may repeat."""
    return secret.encode() + epoch.to_bytes(8, "big")
