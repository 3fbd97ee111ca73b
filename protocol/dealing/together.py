"""Answer many checks together, as whoever verifies a whole file does, long after their messages were read."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.checks import Check
from protocol.dealing.group import Combination, Scalar
from protocol.dealing.hashing import Rng
from protocol.dealing.seed_claim import SeedClaim


def all_hold(checks: Iterable[Check], rng: Rng) -> bool:
    """Whether the answer to all is yes. All sums become one, each times a weight from `rng`, which must be the verifier's own: of
    the points of a match a third occur in several, and the compiled module adds up many terms faster than few."""
    together = Combination()
    for check in checks:
        if isinstance(check, Combination):
            together.add_combination(Scalar.random(rng), check)
        elif not (check.joins(together, rng) if isinstance(check, SeedClaim) else check.holds()):
            return False
    return together.vanishes()
