"""What a shuffle proof, or the re-mask of a hand, needs beside its cards: made ahead, while a seat waits.

c_d, c_D and c_Δ, half of a proof's multiplications, commit to rows of nonces only. Of a re-masked hand, (s G, s Y) needs no card.
Nothing that is sent changes: a proof made with a half has the same form, the same challenges, hashed from the whole statement
and every message, and the same distribution, as its nonces are uniform and independent of the statement either way.

Why it reveals nothing: the argument hides the permutation because each answer has a mask of its own, f_i = t_π(i) + d_i,
F_i = e m_π(i) + d'_i, FΔ_i = e (…) - Δ_i d'_(i+1), and likewise the randomizers z and z_Δ. The simulator of the proof draws those
masks before the challenges, as the prover does; whether before the statement, too, changes no distribution, because who chooses
the statement sees neither the masks nor their commitments until the proof is sent. But a row that served two proofs would give
both permutations away: f_i - f'_i = t_π(i) - t'_π'(i), with every t public. Two hands under the same masks would be each
other's difference in the same way. So a half serves one proof, as its `Once` sees to, and this is how it could have served two:

- Its proof fails, and its job runs again: the half is gone by then, and the job draws all nonces afresh. Those that were hashed
  with the statement the first time were hashed with the half's commitments, too: also these are others, from the same seed.
- The job that makes it runs twice: its seed is a `Once`, too, and the second run makes none.
- Two threads ask for it: one of them gets it.
- Jobs run in threads. In another process, a half could not arrive (it is never pickled), and a fork does not get it.
- The table is restored from its journal: halves are in none; a proof that was sent is sent again as it was saved.
- A void round, a new epoch, a seat that leaves: a half is dropped with its round or epoch; a job that is still at work with it
  has used it up, and its result is dropped. Besides, a half is refused outside of its table, epoch of the round, round, deck
  and seat, for another number of cards, and for another joint key if it holds masks.
- Two clients of one home: the home is locked; and each process draws its own.
- A generator of randomness that repeats itself: the nonces are hashed from the place where they are made, the number of cards and
  a secret of the seat as well, so that halves made in two places have nothing in common.
- The whole computer is copied between the making and the use, and both copies go on. All that a half needs besides the cards
  (the other nonces, a hand's new order) follows from the half and the cards, so that of the same cards both say the same, byte
  for byte. Of different cards they would tell: this is the one thing that is not covered, and that drawing with the statement
  covers. But a deck's cards are what the seat before has signed, once; so the other seats would have to go on with both copies,
  at two moves. And halves are short-lived: one for a deck lasts until this deck's proof, one for a hand until the hand or the
  height's epoch changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, MaskedCard
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import G, Point, Scalar
from protocol.dealing.hashing import Rng
from protocol.dealing.labels import HALF_PROOF, HALF_REMASK
from protocol.dealing.once import Once, Uncopied, Used
from protocol.dealing.remasking import ShuffleWitness, hand_order, remask_hand
from protocol.dealing.shuffle_argument import Commitments, ShuffleNonces
from protocol.values import dataclass

FEWEST = 2
"""A proof for fewer cards has no half that could be made ahead."""


class Unfit(ValueError):
    """It was made for another place, or another number of cards."""


def _place(ctx: ProofContext, size: int) -> tuple[object, ...]:
    """Return what is known of a proof's place before its cards are: not its height, nor its purpose."""
    return ctx.version, ctx.table, ctx.epoch, ctx.round, ctx.deck, ctx.seat, size


def _nonces(label: str, ctx: ProofContext, secret: bytes, size: int, rng: Rng, count: int) -> list[Scalar]:
    """Return what a half is made of: nothing that one for another place or number of cards has."""
    return Transcript(label, ctx).nonces(secret + size.to_bytes(4, "big"), rng, count)


class HalfProof(Uncopied):
    """The nonces of one proof that need no statement, and the commitments to them."""

    __slots__ = ("_made", "_place")

    def __init__(self, ctx: ProofContext, secret: bytes, size: int, rng: Rng) -> None:
        """`ctx`: a place that no other half is made in. `secret`: one of the prover's, in case that `rng` repeats itself."""
        if size < FEWEST:
            raise ValueError("a proof for fewer than two cards has no such half")
        draw = iter(_nonces(HALF_PROOF, ctx, secret, size, rng, 4 + 3 * size - 2))
        r_d, r_D, r_Delta, rest = islice(draw, 4)
        d, D, none = tuple(islice(draw, size)), tuple(islice(draw, size)), Scalar(0)
        nonces = ShuffleNonces(none, r_d, none, r_D, r_Delta, none, d, D, Delta=(D[0], *draw, none))
        self._place = _place(ctx, size)
        self._made = Once((nonces, nonces.commit(), rest.encode()))

    def take(self, ctx: ProofContext, t: Transcript, witness: ShuffleWitness) -> tuple[ShuffleNonces, Commitments]:
        """Return all nonces of a proof, and the commitments to the rows, once. Raises Used a second time, and Unfit elsewhere.

        `t`: the proof's transcript after the statement. The other nonces are hashed from it and from this half, and nothing else:
        a half that was copied with its computer gives one answer, and two halves have no nonce in common.
        """
        if _place(ctx, len(witness.permutation)) != self._place:
            raise Unfit("half a proof was made for another place")
        half, made, rest = self._made.take()
        secret = witness.encode() + made.c_d.encode() + made.c_D.encode() + made.c_Delta.encode()
        return half.completed(t.nonces(secret, lambda _: rest, 3)), made

    @property
    def is_left(self) -> bool:
        """Whether it was not used yet."""
        return self._made.is_left

    def __repr__(self) -> str:
        return "HalfProof(hidden)"


@dataclass(frozen=True, slots=True)
class _Mask:
    """A re-masking scalar s with (s G, s Y)."""

    s: Scalar
    a: Point
    b: Point

    def __repr__(self) -> str:
        return "_Mask(hidden)"


class HalfRemask(Uncopied):
    """What a seat needs to re-mask a hand of so many cards, and half of its proof."""

    __slots__ = ("_joint", "_made", "_place", "proof")

    def __init__(self, ctx: ProofContext, joint: Point, secret: bytes, size: int, rng: Rng) -> None:
        """As for `HalfProof`."""
        self.proof = HalfProof(ctx, secret, size, rng)
        order, *scalars = _nonces(HALF_REMASK, ctx, secret, size, rng, 1 + size)
        self._place, self._joint = _place(ctx, size), joint
        self._made = Once(([_Mask(s, s * G, s * joint) for s in scalars], order.encode()))

    def apply(self, ctx: ProofContext, joint: Point, before: Sequence[MaskedCard]) -> tuple[Deck, ShuffleWitness]:
        """Re-mask a hand, once. Raises Used a second time, and Unfit elsewhere. Of the same cards it makes the same hand."""
        if (_place(ctx, len(before)), joint) != (self._place, self._joint):
            raise Unfit("masks were made for another place")
        masks, order = self._made.take()
        permutation = hand_order(joint, before, order)
        after = tuple(
            MaskedCard(before[position].a + mask.a, before[position].b + mask.b)
            for position, mask in zip(permutation, masks, strict=True)
        )
        return after, ShuffleWitness(permutation, tuple(mask.s for mask in masks))

    @property
    def is_left(self) -> bool:
        """Whether it was not used yet."""
        return self._made.is_left and self.proof.is_left

    def __repr__(self) -> str:
        return "HalfRemask(hidden)"


def remask_with(
    half: HalfRemask | None, ctx: ProofContext, joint: Point, before: Sequence[MaskedCard], rng: Rng
) -> tuple[Deck, ShuffleWitness]:
    """As `remask_hand`, with the masks that were made ahead, if there are some that are left and fit."""
    if half is not None:
        with suppress(Used, Unfit):
            return half.apply(ctx, joint, before)
    return remask_hand(joint, before, rng)
