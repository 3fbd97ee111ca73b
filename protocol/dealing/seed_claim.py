"""A shuffle that its seed leads to, as a check: whoever audits a round makes it again."""

from __future__ import annotations

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck
from protocol.dealing.group import Combination, G, Point, Scalar
from protocol.dealing.hashing import Rng
from protocol.dealing.remasking import expand_shuffle, shuffle
from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class SeedClaim:
    """The claim that `after` is the shuffle of `before` to which a revealed seed leads. It is a `Check`."""

    ctx: ProofContext
    joint: Point
    seed: bytes
    before: Deck
    after: Deck

    @property
    def weight(self) -> int:
        return 2 * len(self.before)

    def holds(self) -> bool:
        made, _ = shuffle(self.ctx, self.joint, self.seed, self.before)
        return made == self.after

    def joins(self, sum: Combination, rng: Rng) -> bool:
        """Add what vanishes if the claim is true: for each card, A' - A - s G and B' - B - s Y, where s is its new mask, each
        times a weight from `rng`. The points are in the sum already if the shuffle's proof is. False if decks differ in size."""
        if len(self.before) != len(self.after):
            return False
        witness = expand_shuffle(self.ctx, self.joint, self.seed, self.before)
        for card, place, s in zip(self.after, witness.permutation, witness.scalars, strict=True):
            before = self.before[place]
            for new, old, base in (card.a, before.a, G), (card.b, before.b, self.joint):
                weight = Scalar.random(rng)
                sum.add(weight, new)
                sum.add(-weight, old)
                sum.add(-weight * s, base)
        return True
