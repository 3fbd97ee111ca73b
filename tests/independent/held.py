"""Shuffles that the first verifier has found to hold, and that the second one takes from it: where proofs are not what a test is
about. It comes by the statement itself: of another context, deck or proof it checks all."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import encode_deck
from protocol.dealing.group import Point
from protocol.dealing.hashing import Rng
from protocol.dealing.shuffle import ShuffleStatement
from protocol.table import preparation, proposals
from protocol.table.phases import settling
from tests.independent import dealing
from tests.independent.dealing import Cards
from tests.remembering import is_assumed


@contextlib.contextmanager
def shuffles_held() -> Iterator[None]:
    """Meanwhile: the first verifier must read a file before the second does."""
    known: set[tuple[bytes, ...]] = set()

    def note(joint: Point, item: ShuffleStatement) -> None:
        if not is_assumed():
            decks = encode_deck(item.before), encode_deck(item.after)
            known.add((item.ctx.encode(), joint.encode(), *decks, item.proof))

    def noting_each(check: Any) -> Any:
        def checked(joint: Point, items: Sequence[ShuffleStatement], rng: Rng) -> None:
            check(joint, items, rng)
            for item in items:
                note(joint, item)

        return checked

    def noting(check: Any) -> Any:
        def checked(ctx: ProofContext, joint: Point, before: Any, after: Any, proof: bytes, rng: Rng) -> None:
            check(ctx, joint, before, after, proof, rng)
            note(joint, ShuffleStatement(ctx, before, after, proof))

        return checked

    check_shuffle = dealing.check_shuffle

    def taken(ctx: bytes, joint: bytes, before: Cards, after: Cards, proof: bytes) -> None:
        if (ctx, joint, b"".join(before), b"".join(after), proof) not in known:
            check_shuffle(ctx, joint, before, after, proof)

    with pytest.MonkeyPatch.context() as patch:
        for module, name, noted in (
            (preparation, "verify_shuffles", noting_each),
            (proposals, "verify_shuffle", noting),
            (settling, "verify_shuffle", noting),
        ):
            patch.setattr(module, name, noted(getattr(module, name)))
        patch.setattr(dealing, "check_shuffle", taken)
        yield
