"""Arithmetic for nobody, done while one waits in the room: a browser compiles what has run for a while, and the first deal of a
page would take twice as long as the others."""

from __future__ import annotations

import os
from collections.abc import Callable

from protocol.cards import PACK_52
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, starting_deck
from protocol.dealing.keys import joint_key, make_round_key
from protocol.dealing.remasking import shuffle
from protocol.dealing.shuffle import prove_shuffle, verify_shuffle

CARDS = 13
"""So few that no step holds up the page for long."""
TIMES = 3


def steps() -> list[Callable[[], None]]:
    """Return what to run, one after another, with pauses for others between them."""
    rehearsal = _Rehearsal()
    return [step for _ in range(TIMES) for step in (rehearsal.prove, rehearsal.verify)]


class _Rehearsal:
    """A shuffle of a few cards by one seat that does not exist."""

    def __init__(self) -> None:
        self._secret, public = make_round_key(_context("key"), os.urandom(32), os.urandom)
        self._joint = joint_key([public])
        self._before = starting_deck(PACK_52[:CARDS])
        self._after: Deck = self._before
        self._proof = b""

    def prove(self) -> None:
        context = _context("shuffle")
        self._after, witness = shuffle(context, self._joint, self._secret.seed, self._before)
        self._proof = prove_shuffle(context, self._joint, self._before, self._after, witness, os.urandom)

    def verify(self) -> None:
        verify_shuffle(_context("shuffle"), self._joint, self._before, self._after, self._proof, os.urandom)


def _context(purpose: str) -> ProofContext:
    return ProofContext(bytes(32), 0, 1, 0, 0, 0, purpose)
