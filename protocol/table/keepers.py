"""Count the keepers behind the seats, and decide for each round whether its keys can be recovered.

A keeper is the player whose computer runs a seat: for a bot its owner, for a person themselves. The seats of one keeper count
as one, because their owner can put their secrets together. (PROTOCOL.md, "Recovery".)
"""

from __future__ import annotations

from collections.abc import Iterable

from protocol.table.options import RECOVERY_OFF, RECOVERY_ON
from protocol.table.roster import Member

AUTO_KEEPERS = 4
"""From this many keepers on, rounds can be recovered unless the table says otherwise: only three together could look."""
LEAST_KEEPERS = 3
"""With two keepers, one alone could see the other's hand."""


def is_recoverable(choice: str, members: Iterable[Member]) -> bool:
    """Whether the keys of a round among these members are split, so that the others together can replace one of them.

    `choice`: the table's, one of `RECOVERY`.
    """
    keepers = len({member.keeper for member in members})
    if choice == RECOVERY_OFF or keepers < LEAST_KEEPERS:
        return False
    return choice == RECOVERY_ON or keepers >= AUTO_KEEPERS
