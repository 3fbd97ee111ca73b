"""What the first deal would do on its way, and each later one finds done: a program does it while people gather.

The points of the cards and the commitment keys are hashed to the group, and the methods of values (`protocol.values`) are
compiled when they are first called: on a fast computer five milliseconds, which all other players would wait for.
"""

from __future__ import annotations

from protocol import values
from protocol.dealing import (
    context,
    elgamal,
    keys,
    recovery,
    remasking,
    shares,
    shuffle,
    shuffle_argument,
)
from protocol.dealing.faces import face_of
from protocol.dealing.group import IDENTITY, commitment_keys
from protocol.table import round, work
from protocol.table.phases import values as phases

MODULES = (context, elgamal, keys, phases, recovery, remasking, round, shares, shuffle, shuffle_argument, work)


CARDS = 104
"""Those of two packs, as at a table of ten."""


def warm_up() -> None:
    """Have at hand what a deal needs."""
    commitment_keys(CARDS)
    face_of(IDENTITY)
    for module in MODULES:
        values.compile_values(module)
