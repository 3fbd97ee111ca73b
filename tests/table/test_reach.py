"""How far off a number may be that is answered."""

from __future__ import annotations

import pytest

from protocol.identity import Identity
from protocol.messages import Without
from protocol.signed import Signed, sign
from protocol.table.departures import Departures
from protocol.table.epochs import REACH

TABLE, KEPT, INVENTED = bytes(32), bytes([1]) * 32, bytes([2]) * 32
LIAR = Identity(bytes(32))


def promise(number: int, epoch: int, hash: bytes) -> Signed:
    return sign(LIAR, TABLE, epoch, hash, 0, Without(number, (0, 1), (0, 1), 0, TABLE, None, (), (), ()))


@pytest.mark.parametrize(
    ("number", "epoch", "hash", "is_answered"),
    [
        (5 + REACH, 5, KEPT, True),
        (5 + REACH + 16, 5, KEPT, True),
        (5 + REACH + 17, 5, KEPT, False),
        (900 + REACH, 900, KEPT, True),
        (900 + REACH, 900, INVENTED, False),
    ],
)
def test_a_number_is_answered_within_reach_of_an_epoch_that_began(
    number: int, epoch: int, hash: bytes, is_answered: bool
) -> None:
    """Whoever promised something from an epoch that was given up since has to go on from there."""
    departures = Departures()
    departures.epochs = {5: KEPT, 900: KEPT}
    departures.add(number, promise(number, epoch, hash), LIAR.public)
    assert departures.is_within_reach(number, 5) == is_answered
