"""For tables whose seats all live in one process: what one seat has verified, the others need not compute again.

Tests of one seed do the same until somebody cheats: what was computed in one test is remembered in the next.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from types import ModuleType
from typing import Any

import pytest

from protocol import checks, signed
from protocol.dealing import group, library, seed_claim, shuffle_argument
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, MaskedCard, decode_deck, encode_deck
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import Point
from protocol.dealing.hashing import Rng, Stream
from protocol.dealing.shares import ShareStatement
from protocol.dealing.shuffle import ShuffleStatement, ShuffleWitness, shuffle, verify_shuffles
from protocol.dealing.shuffle_argument import ArgumentProof, Commitments, ShuffleNonces
from protocol.errors import BadMessage
from protocol.room import statements
from protocol.signed import Signed
from protocol.table import preparation, proposals, table
from protocol.table.phases import settling
from protocol.wire import unpack

WEIGHED: list[tuple[ModuleType, str]] = [
    (proposals, "verify_shuffle"),
    (settling, "verify_shuffle"),
    (settling, "verify_many_shares"),
]
"""Checks whose last argument is the verifier's own randomness."""
PLAIN: list[tuple[ModuleType, str]] = [(proposals, "verify_shares")]
SIGNATURES: list[tuple[ModuleType, str]] = [(signed, "check_signature"), (statements, "check_signature")]
SHUFFLES: list[ModuleType] = [preparation, seed_claim]
"""Where decks are shuffled by a seed: by its owner, and by everybody once it is revealed."""
DECKS: list[ModuleType] = [preparation, proposals, settling]
"""Where decks come in messages."""
MULTIPLES = 1 << 16
"""So many multiples and sums of points are remembered: seats open the same cards, and every audit repeats the round's
shuffles."""
EQUATIONS = (0, 2, 4)
"""How many equations of a shuffle of no, one and more cards are weighed; the first of all needs no random weight."""
MESSAGES = 1 << 13
"""So many decoded messages are remembered: each goes to all seats, and those who ask are sent whole pages again."""
PROOFS = 1 << 9
"""So many proofs of shuffles are remembered: tests of one seed begin with the same rounds."""


@contextlib.contextmanager
def verified_once() -> Iterator[None]:
    """Remembers what holds. Whatever does not hold, or is checked for the first time, is really checked.

    A check that is spared draws the same randomness, so that a table does the same with and without this.
    """
    with pytest.MonkeyPatch.context() as patch, proven_once():
        for module, name in SIGNATURES:
            patch.setattr(module, name, remembering(getattr(module, name), weighed=False))
        for name in ("_times", "_plus", "_minus"):
            patch.setattr(group, name, lru_cache(MULTIPLES)(getattr(group, name)))
        patch.setattr(library.Library, "is_point", lru_cache(MULTIPLES)(library.Library.is_point))
        yield


@contextlib.contextmanager
def proven_once() -> Iterator[None]:
    """Remembers the proofs that hold, and decoded messages; not what is cheap in the toy group."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name in WEIGHED:
            patch.setattr(module, name, remembering(getattr(module, name)))
        for module, name in PLAIN:
            patch.setattr(module, name, remembering(getattr(module, name), weighed=False))
        patch.setattr(preparation, "verify_shuffles", verifying_each_once())
        shuffled = shuffling_once()
        for module in SHUFFLES:
            patch.setattr(module, "shuffle", shuffled)
        patch.setattr(shuffle_argument, "prove", proving_once())
        patch.setattr(ShuffleNonces, "commit", committing_once())
        patch.setattr(signed, "_decode_signed", decoding_once())
        patch.setattr(signed, "unpack", lru_cache(MESSAGES)(unpack))
        patch.setattr(table, "decode", lru_cache(MESSAGES)(signed.decode))
        decks = decoding_decks_once()
        for module in DECKS:
            patch.setattr(module, "decode_deck", decks)
        yield


def decoding_once() -> Callable[[list[Any], bytes], Signed]:
    """`_decode_signed` for messages that come to every seat: they are values, and may be shared."""
    decode = signed._decode_signed

    @lru_cache(MESSAGES)
    def decoded(data: bytes) -> Signed:
        return decode(unpack(data), data)

    return lambda outer, data: decoded(data)


def decoding_decks_once() -> Callable[[bytes, int], Deck]:
    """`decode_deck`, computed once in each group: a deck is a value that comes to every seat."""

    @lru_cache(PROOFS)
    def decoded(data: bytes, count: int, first_key: Point) -> Deck:
        return decode_deck(data, count)

    return lambda data, count: decoded(data, count, group.commitment_keys(1)[0])


def remembering(check: Callable[..., None], weighed: bool = True) -> Callable[..., None]:
    """`check`, computed once for equal arguments as long as it raises nothing."""
    known: dict[bytes, list[int]] = {}
    """By a hash of the arguments: how many random bytes were drawn each time."""

    def checked(*arguments: Any) -> None:
        what = arguments[:-1] if weighed else arguments
        name = sha256(pickle.dumps(plain(what))).digest()
        draws: list[int] = []
        if not weighed:
            if name not in known:
                check(*what)
        else:
            rng: Rng = arguments[-1]

            def noting(count: int) -> bytes:
                draws.append(count)
                return rng(count)

            if name not in known:
                check(*what, noting)
            else:
                for count in known[name]:
                    rng(count)
        if not is_assumed():
            known.setdefault(name, draws)

    return checked


def is_assumed() -> bool:
    """Whether checks are taken for valid here, and looked at later, as where a file is verified: that nothing is raised does not
    say that they hold."""
    return checks._DECIDE.get() is not checks.at_once


def verifying_each_once() -> Callable[[Point, Sequence[ShuffleStatement], Rng], None]:
    """`verify_shuffles`, for seats that spare their own proof: each checks another set of the same proofs."""
    known: set[bytes] = set()

    def checked(joint: Point, items: Sequence[ShuffleStatement], rng: Rng) -> None:
        names = [sha256(pickle.dumps(plain((joint, item)))).digest() for item in items]
        fresh = [item for name, item in zip(names, items, strict=True) if name not in known]
        try:
            verify_shuffles(joint, fresh, Stream("weights", *names).read)
        except BadMessage:
            verify_shuffles(joint, items, rng)
            raise
        if not is_assumed():
            known.update(names)
        for _ in range(sum(EQUATIONS[min(len(item.before), 2)] for item in items) - 1):
            rng(64)

    return checked


def shuffling_once() -> Callable[[ProofContext, Point, bytes, Deck], tuple[Deck, ShuffleWitness]]:
    """`shuffle`, computed once."""
    known: dict[bytes, tuple[Deck, ShuffleWitness]] = {}

    def shuffled(ctx: ProofContext, joint: Point, seed: bytes, deck: Deck) -> tuple[Deck, ShuffleWitness]:
        name = sha256(b"".join((ctx.encode(), joint.encode(), seed, encode_deck(deck)))).digest()
        if name not in known:
            known[name] = shuffle(ctx, joint, seed, deck)
        return known[name]

    return shuffled


def committing_once() -> Callable[[ShuffleNonces], Commitments]:
    """`ShuffleNonces.commit`, computed once in each group: the toy group's tables draw the same nonces as the real one's."""
    commit = ShuffleNonces.commit

    @lru_cache(PROOFS)
    def committed(nonces: ShuffleNonces, first_key: Point) -> Commitments:
        return commit(nonces)

    return lambda nonces: committed(nonces, group.commitment_keys(1)[0])


def proving_once() -> Callable[..., ArgumentProof]:
    """`prove`, computed once for the same statement (which is in the transcript), witness and nonces."""
    prove = shuffle_argument.prove
    known: dict[tuple[Any, ...], ArgumentProof] = {}

    def proved(
        t: Transcript,
        joint: Point,
        before: Deck,
        after: Deck,
        witness: ShuffleWitness,
        nonces: ShuffleNonces,
        made: Commitments,
    ) -> ArgumentProof:
        name = (t._hash.digest(), witness, nonces, made)
        if name not in known:
            if len(known) == PROOFS:
                del known[next(iter(known))]
            known[name] = prove(t, joint, before, after, witness, nonces, made)
        return known[name]

    return proved


def plain(value: Any) -> Any:
    """Arguments as bytes in tuples: equal exactly where they mean the same."""
    if isinstance(value, bytes):
        return value
    if isinstance(value, list | tuple):
        is_deck = bool(value) and isinstance(value[0], MaskedCard)
        return encode_deck(value) if is_deck else tuple(map(plain, value))
    if isinstance(value, ShareStatement):
        return plain((value.ctx, value.y, value.cards, value.shares))
    if isinstance(value, ShuffleStatement):
        return plain((value.ctx, value.before, value.after, value.proof))
    return value.encode()
