"""What each procedure costs in group operations: the floor that `fairdeal bench` measures against. A test counts them.

A multiplication of any point, one of the generator (cheaper), an addition or subtraction. `first` says that the incoming deck
is a starting one, whose A's are the identity and cost nothing. Decks of equal cards cost less than counted. Sums
are counted as they run for honest proofs: where there is only one, its first equation vanishes on the way, which saves an
addition. Not counted: checking a point's form when it is decoded, 3 µs.
"""

from __future__ import annotations

from protocol.values import dataclass


@dataclass(frozen=True, slots=True)
class Ops:
    """Counts of group operations."""

    mul: int = 0
    base: int = 0
    add: int = 0

    def __add__(self, other: Ops) -> Ops:
        return Ops(self.mul + other.mul, self.base + other.base, self.add + other.add)

    def __mul__(self, times: int) -> Ops:
        return Ops(self.mul * times, self.base * times, self.add * times)

    def cost(self, mul: float, base: float, add: float) -> float:
        """Return their total cost, given the cost of each operation."""
        return self.mul * mul + self.base * base + self.add * add


def shuffle(n: int, first: bool = False) -> Ops:
    """Return the cost of shuffling n cards, or re-masking a hand of n."""
    return Ops(mul=n, base=n, add=n if first else 2 * n)


def prove_shuffle(n: int, first: bool = False) -> Ops:
    if n == 0:
        return Ops()
    if n == 1:
        return Ops(mul=1, base=1)
    saved = n if first else 0
    return Ops(mul=6 * n - 1 - saved, base=6, add=8 * n - 3 - saved)


def half_proof(n: int) -> Ops:
    """Return what `prove_shuffle` saves if half of the proof was made ahead, for two cards or more."""
    return Ops(mul=3 * n - 1, base=3, add=3 * n - 1)


def half_remask(n: int) -> Ops:
    """Return what re-masking a hand with its proof saves if its masks and half of its proof were made ahead."""
    return half_proof(n) + Ops(mul=n, base=n)


def verify_shuffle(n: int, first: bool = False) -> Ops:
    return verify_shuffles(1, n, first)


def verify_shuffles(count: int, n: int, first: bool = False) -> Ops:
    """Return the cost of checking a chain of `count` shuffles of n cards in one combination."""
    if n == 0 or count == 0:
        return Ops()
    if n == 1:
        return Ops(mul=4 * count, base=1, add=6 * count + 1 - first - (count == 1))
    points = (2 * (count + 1) + 1) * n - (n if first else 0)
    return Ops(mul=points + 7 * count, base=1, add=points + 7 * count + 1)


def make_round_key() -> Ops:
    return Ops(base=2)


def verify_round_key() -> Ops:
    return Ops(mul=1, base=1, add=1)


def prove_shares(m: int) -> Ops:
    """Return the cost of the shares of m cards with their proof."""
    return Ops(mul=2 * m, base=1, add=m - 1)


def verify_shares(m: int) -> Ops:
    return Ops(mul=2 * m + 1, base=1, add=2 * m + 2)


def verify_many_shares(k: int, m: int) -> Ops:
    """Return the cost of checking the shares of k seats for the same m cards in one combination."""
    return Ops(mul=m + k * m + 3 * k - 1, base=1, add=m + k * m + 3 * k - (k == 1))


def open_card(k: int) -> Ops:
    """Return the cost of opening a card with the shares of k seats."""
    return Ops(add=k)


def open_with_secret() -> Ops:
    return Ops(mul=1, add=1)


def split(k: int) -> Ops:
    """Return the cost of splitting a round key among k seats."""
    return Ops(mul=k, base=3 * k)


def verify_split(k: int) -> Ops:
    return Ops(mul=k, base=k, add=2 * k - 1)


def open_share() -> Ops:
    return Ops(mul=1, base=1)


def recover(k: int) -> Ops:
    return Ops(base=k + 1)
