"""Forgeries that work where a challenge leaves something out, and fail here.

Each builds a proof of something false against a verifier whose challenges are weakened by leaving out one value, shows that
the weakened verifier takes it, and that the real one does not. (Weak Fiat-Shamir: D. Bernhard, O. Pereira, B. Warinschi, How
Not to Prove Yourself, ASIACRYPT 2012.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest

from protocol.cards import PACK_52
from protocol.dealing import keys as keys_module
from protocol.dealing import mask_proof as mask_module
from protocol.dealing import shares as shares_module
from protocol.dealing import shuffle_argument as argument
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, MaskedCard, mask_again, starting_deck
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import IDENTITY, ONE, G, Point, Scalar, commitment_keys, weighted_sum
from protocol.dealing.keys import KeyProof, RoundKey, verify_round_key
from protocol.dealing.labels import (
    KEY_PROOF,
    KEY_STATEMENT,
    MASK_PROOF,
    MASK_STATEMENT,
    SHARES_PROOF,
    SHARES_STATEMENT,
    SHUFFLE_COMMITMENTS,
    SHUFFLE_E,
    SHUFFLE_PRODUCT,
    SHUFFLE_PROOF,
    SHUFFLE_STATEMENT,
    SHUFFLE_WEIGHTS,
)
from protocol.dealing.mask_proof import MaskProof
from protocol.dealing.shares import ProvenShares, ShareProof, open_with_secret, verify_shares
from protocol.dealing.shuffle import verify_shuffle
from protocol.dealing.shuffle_argument import ArgumentProof
from protocol.errors import BadProof
from tests.adversaries.declared import By, attack
from tests.dealing.conftest import IDENTITIES, SHUFFLE, Seats, Shuffled, key_context, rng_of

N = 4
Make = Callable[[int], Shuffled]


class Forger:
    """What a cheating shuffler starts from: fresh scalars, a commitment to the identical permutation, and the statement."""

    def __init__(self, seats: Seats, before: Deck) -> None:
        self.joint, self.before = seats.joint, before
        self.rng = rng_of("forger")
        self.H = commitment_keys(N)
        self.r, self.r_d, self.r_D, self.r_Delta, self.r_a = (self.scalar() for _ in range(5))
        self.d, self.D = self.row(N), self.row(N)
        self.c = self.commit([Scalar(i + 1) for i in range(N)], self.r)
        self.c_d = self.commit([-value for value in self.d], self.r_d)

    def scalar(self) -> Scalar:
        return Scalar.random(self.rng)

    def row(self, n: int) -> list[Scalar]:
        return [self.scalar() for _ in range(n)]

    def commit(self, row: Sequence[Scalar], r: Scalar) -> Point:
        return r * G + weighted_sum(row, self.H[: len(row)])

    def encrypt_zero(self, r: Scalar) -> MaskedCard:
        return MaskedCard(r * G, r * self.joint)

    def known_contents(
        self, t: Transcript, weights: Sequence[Scalar], f: Sequence[Scalar], Z: Scalar, E_d: MaskedCard
    ) -> ArgumentProof:
        """The rest of the proof, honestly, for f_i = t_i + d_i."""
        lam, x = argument.challenge_product(t, f, Z)
        m = [lam * Scalar(i + 1) + weight for i, weight in enumerate(weights)]
        Delta = [self.D[0], *self.row(N - 2), Scalar(0)]
        a, crossed, steps = m[0] - x, [], []
        for i in range(N - 1):
            crossed.append(-(Delta[i] * self.D[i + 1]))
            steps.append(Delta[i + 1] - (m[i + 1] - x) * Delta[i] - a * self.D[i + 1])
            a = a * (m[i + 1] - x)
        c_D, c_Delta = self.commit(self.D, self.r_D), self.commit(crossed, self.r_Delta)
        c_a = self.commit(steps, self.r_a)
        e = argument.challenge_last(t, c_D, c_Delta, c_a)
        return ArgumentProof(
            self.c, self.c_d, E_d, tuple(f), Z, c_D, c_Delta, c_a,
            F=tuple(e * value + blind for value, blind in zip(m, self.D, strict=True)),
            z=e * (lam * self.r + self.r_d) + self.r_D,
            F_Delta=tuple(e * step + cross for step, cross in zip(steps, crossed, strict=True)),
            z_Delta=e * self.r_a + self.r_Delta,
        )  # fmt: skip

    def verify(self, after: Deck, proof: ArgumentProof) -> None:
        verify_shuffle(SHUFFLE, self.joint, self.before, after, proof.encode(), rng_of("verify"))

    def refused(self, after: Deck, proof: ArgumentProof) -> None:
        with pytest.raises(BadProof):
            self.verify(after, proof)


def combine(row: Sequence[Scalar], deck: Sequence[MaskedCard]) -> MaskedCard:
    return MaskedCard(weighted_sum(row, [card.a for card in deck]), weighted_sum(row, [card.b for card in deck]))


def plus(*cards: MaskedCard) -> MaskedCard:
    total = MaskedCard(IDENTITY, IDENTITY)
    for card in cards:
        total = MaskedCard(total.a + card.a, total.b + card.b)
    return total


def minus(one: MaskedCard, other: MaskedCard) -> MaskedCard:
    return MaskedCard(one.a - other.a, one.b - other.b)


@pytest.fixture
def forger(seats: Seats, shuffled: Make) -> Forger:
    return Forger(seats, shuffled(N).before)


@pytest.fixture
def weak(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """To be undone before the real verifier is asked."""
    with monkeypatch.context() as patch:
        yield patch


def test_the_forger_proves_what_is_true(forger: Forger) -> None:
    """So its proofs fail for what is false in them, and for nothing else."""
    R = forger.row(N)
    after = tuple(mask_again(forger.joint, card, s) for card, s in zip(forger.before, R, strict=True))
    R_d = forger.scalar()
    E_d = minus(forger.encrypt_zero(R_d), combine(forger.d, after))
    t = argument.begin(SHUFFLE, forger.joint, forger.before, after)
    weights = argument.challenge_weights(t, forger.c, forger.c_d, E_d, N)
    f = [a + b for a, b in zip(weights, forger.d, strict=True)]
    Z = sum((a * b for a, b in zip(weights, R, strict=True)), R_d)
    forger.verify(after, forger.known_contents(t, weights, f, Z, E_d))


def test_weights_that_leave_out_the_blinding(forger: Forger, weak: pytest.MonkeyPatch) -> None:
    """E_d, chosen after the t_i, makes up for any deck at all: here one in the order that the cheat likes."""

    def without(t: Transcript, c: Point, c_d: Point, E_d: MaskedCard, n: int) -> list[Scalar]:
        t.absorb(SHUFFLE_COMMITMENTS, c, c_d)
        return t.challenges(SHUFFLE_WEIGHTS, n)

    after = tuple(mask_again(forger.joint, card, forger.scalar()) for card in starting_deck(PACK_52[-N:]))

    def forge() -> ArgumentProof:
        t = argument.begin(SHUFFLE, forger.joint, forger.before, after)
        # Where the real challenge is in force this is only a guess of it.
        weights = argument.challenge_weights(t, forger.c, forger.c_d, after[0], N)
        f = [a + b for a, b in zip(weights, forger.d, strict=True)]
        Z = forger.scalar()
        E_d = minus(plus(combine(weights, forger.before), forger.encrypt_zero(Z)), combine(f, after))
        return forger.known_contents(t, weights, f, Z, E_d)

    weak.setattr(argument, "challenge_weights", without)
    forged = forge()
    forger.verify(after, forged)
    weak.undo()
    forger.refused(after, forged)
    forger.refused(after, forge())


@attack(
    By.PLAYER,
    "A proof is forged by choosing a value that its challenge leaves out.",
    "It does not work: challenges cover everything.",
)
def test_weights_that_leave_out_the_deck(forger: Forger, weak: pytest.MonkeyPatch) -> None:
    """All cards but one are the cheat's choice; the last is solved for, once the t_i are known."""

    def without(
        ctx: ProofContext, joint: Point, before: Sequence[MaskedCard], after: Sequence[MaskedCard]
    ) -> Transcript:
        t = Transcript(SHUFFLE_PROOF, ctx)
        t.absorb(SHUFFLE_STATEMENT, joint, len(before), b"".join(card.encode() for card in before))
        return t

    chosen = tuple(mask_again(forger.joint, card, forger.scalar()) for card in starting_deck(PACK_52[: N - 1]))

    def forge() -> tuple[Deck, ArgumentProof]:
        E_d = forger.encrypt_zero(forger.scalar())
        t = argument.begin(SHUFFLE, forger.joint, forger.before, chosen)
        weights = argument.challenge_weights(t, forger.c, forger.c_d, E_d, N)
        f = [a + b for a, b in zip(weights, forger.d, strict=True)]
        Z = forger.scalar()
        rest = minus(plus(combine(weights, forger.before), forger.encrypt_zero(Z)), plus(E_d, combine(f[:-1], chosen)))
        last = combine([f[-1].inverse()], [rest])
        return (*chosen, last), forger.known_contents(t, weights, f, Z, E_d)

    weak.setattr(argument, "begin", without)
    after, forged = forge()
    forger.verify(after, forged)
    weak.undo()
    forger.refused(after, forged)
    forger.refused(*forge())


def test_weights_that_are_equal(forger: Forger, weak: pytest.MonkeyPatch) -> None:
    """What one card has too much, another has too little: only the sum is checked."""

    def equal(t: Transcript, c: Point, c_d: Point, E_d: MaskedCard, n: int) -> list[Scalar]:
        t.absorb(SHUFFLE_COMMITMENTS, c, c_d, E_d.a, E_d.b)
        return [ONE] * n

    R = forger.row(N)
    first, second, *rest = [mask_again(forger.joint, card, s) for card, s in zip(forger.before, R, strict=True)]
    after = (MaskedCard(first.a, first.b + G), MaskedCard(second.a, second.b - G), *rest)

    def forge() -> ArgumentProof:
        R_d = forger.scalar()
        E_d = minus(forger.encrypt_zero(R_d), combine(forger.d, after))
        t = argument.begin(SHUFFLE, forger.joint, forger.before, after)
        weights = argument.challenge_weights(t, forger.c, forger.c_d, E_d, N)
        f = [a + b for a, b in zip(weights, forger.d, strict=True)]
        Z = sum((a * b for a, b in zip(weights, R, strict=True)), R_d)
        return forger.known_contents(t, weights, f, Z, E_d)

    weak.setattr(argument, "challenge_weights", equal)
    forged = forge()
    forger.verify(after, forged)
    weak.undo()
    forger.refused(after, forged)
    forger.refused(after, forge())


@pytest.mark.parametrize("left_out", ["c_D", "c_Delta", "c_a"])
def test_a_last_challenge_that_leaves_something_out(forger: Forger, weak: pytest.MonkeyPatch, left_out: str) -> None:
    """The deck is no permutation (one card is doubled, so that it never opens). The ciphertexts agree with f all the same; the
    known contents do not, and the value left out is chosen last to hide it."""

    def without(t: Transcript, c_D: Point, c_Delta: Point, c_a: Point) -> Scalar:
        points = {"c_D": c_D, "c_Delta": c_Delta, "c_a": c_a}
        t.absorb(SHUFFLE_PRODUCT, *[point for name, point in points.items() if name != left_out])
        return t.challenge(SHUFFLE_E)

    R, factors = forger.row(N), [Scalar(2), *[ONE] * (N - 1)]
    after = tuple(
        plus(combine([factor], [card]), forger.encrypt_zero(s))
        for factor, card, s in zip(factors, forger.before, R, strict=True)
    )

    def forge() -> ArgumentProof:
        R_d = forger.scalar()
        E_d = minus(forger.encrypt_zero(R_d), combine(forger.d, after))
        t = argument.begin(SHUFFLE, forger.joint, forger.before, after)
        weights = argument.challenge_weights(t, forger.c, forger.c_d, E_d, N)
        g = [weight * factor.inverse() for weight, factor in zip(weights, factors, strict=True)]
        f = [a + b for a, b in zip(g, forger.d, strict=True)]
        Z = sum((a * b for a, b in zip(g, R, strict=True)), R_d)
        lam, x = argument.challenge_product(t, f, Z)
        held = [lam * Scalar(i + 1) + value for i, value in enumerate(g)]  # in the commitment
        m = [lam * Scalar(i + 1) + weight for i, weight in enumerate(weights)]  # what should be

        # The steps of the product, for m: what c_Δ and c_a would hold if the commitment held m.
        Delta = [forger.D[0], *forger.row(N - 2), Scalar(0)]
        a, crossed, steps = m[0] - x, [], []
        for i in range(N - 1):
            crossed.append(-(Delta[i] * forger.D[i + 1]))
            steps.append(Delta[i + 1] - (m[i + 1] - x) * Delta[i] - a * forger.D[i + 1])
            a = a * (m[i + 1] - x)
        points = {
            "c_D": forger.commit(forger.D, forger.r_D),
            "c_Delta": forger.commit(crossed, forger.r_Delta),
            "c_a": forger.commit(steps, forger.r_a),
        }
        e = argument.challenge_last(t, **points)
        z, z_Delta = e * (lam * forger.r + forger.r_d) + forger.r_D, e * forger.r_a + forger.r_Delta
        if left_out == "c_D":  # F is of m, and c_D makes the commitment agree
            F = [e * value + blind for value, blind in zip(m, forger.D, strict=True)]
            F_Delta = [e * step + cross for step, cross in zip(steps, crossed, strict=True)]
            points["c_D"] = forger.commit(F, z) - e * forger.commit(held, lam * forger.r + forger.r_d)
        else:  # F is of what is held, FΔ makes the product come out, and c_Δ or c_a makes FΔ agree
            F = [e * value + blind for value, blind in zip(held, forger.D, strict=True)]
            product, v, F_Delta = e, F[0] - e * x, forger.row(N - 2)
            for value in m:
                product = product * (value - x)
            for value, cross in zip(F[1:-1], F_Delta, strict=True):
                v = (v * (value - e * x) + cross) * e.inverse()
            F_Delta.append(e * product - v * (F[-1] - e * x))
            opened = forger.commit(F_Delta, z_Delta)
            if left_out == "c_Delta":
                points["c_Delta"] = opened - e * points["c_a"]
            else:
                points["c_a"] = e.inverse() * (opened - points["c_Delta"])
        return ArgumentProof(
            forger.c, forger.c_d, E_d, tuple(f), Z, **points,
            F=tuple(F), z=z, F_Delta=tuple(F_Delta), z_Delta=z_Delta,
        )  # fmt: skip

    weak.setattr(argument, "challenge_last", without)
    forged = forge()
    forger.verify(after, forged)
    weak.undo()
    forger.refused(after, forged)
    forger.refused(after, forge())


def test_a_product_that_nobody_checks(forger: Forger, weak: pytest.MonkeyPatch) -> None:
    """The deck is no permutation, as above, and all commitments agree with that: only the product gives it away."""
    R, factors = forger.row(N), [Scalar(2), *[ONE] * (N - 1)]
    after = tuple(
        plus(combine([factor], [card]), forger.encrypt_zero(s))
        for factor, card, s in zip(factors, forger.before, R, strict=True)
    )
    R_d = forger.scalar()
    E_d = minus(forger.encrypt_zero(R_d), combine(forger.d, after))
    t = argument.begin(SHUFFLE, forger.joint, forger.before, after)
    weights = argument.challenge_weights(t, forger.c, forger.c_d, E_d, N)
    g = [weight * factor.inverse() for weight, factor in zip(weights, factors, strict=True)]
    f = [a + b for a, b in zip(g, forger.d, strict=True)]
    Z = sum((a * b for a, b in zip(g, R, strict=True)), R_d)
    forged = forger.known_contents(t, g, f, Z, E_d)
    weak.setattr(argument, "_check_product", lambda *args: None)
    forger.verify(after, forged)
    weak.undo()
    forger.refused(after, forged)


def test_a_mask_proof_that_leaves_out_the_card(seats: Seats, shuffled: Make, weak: pytest.MonkeyPatch) -> None:
    """Any card at all, solved for once the challenge is known."""
    joint, before, rng = seats.joint, shuffled(1).before[0], rng_of("mask")
    r, s, z = (Scalar.random(rng) for _ in range(3))

    def without(ctx: ProofContext, joint: Point, before: MaskedCard, after: MaskedCard) -> Transcript:
        t = Transcript(MASK_PROOF, ctx)
        t.absorb(MASK_STATEMENT, joint, before.a, before.b)
        return t

    def forge() -> tuple[MaskedCard, bytes]:
        u, v = r * G, s * joint + G
        c = mask_module._challenge(mask_module._begin(SHUFFLE, joint, before, before), u, v)
        share = c.inverse()
        after = MaskedCard(before.a + share * (u - z * G), before.b + share * (v - z * joint))
        return after, MaskProof(u, v, z).encode()

    weak.setattr(mask_module, "_begin", without)
    after, forged = forge()
    verify_shuffle(SHUFFLE, joint, (before,), (after,), forged, rng_of("verify"))
    with pytest.raises(BadProof):
        open_with_secret(seats.x_sum, after)
    weak.undo()
    for card, proof in ((after, forged), forge()):
        with pytest.raises(BadProof):
            verify_shuffle(SHUFFLE, joint, (before,), (card,), proof, rng_of("verify"))


def test_a_share_proof_that_leaves_out_the_share(seats: Seats, shuffled: Make, weak: pytest.MonkeyPatch) -> None:
    """A share that is none, solved for once the challenge is known."""
    x, y, card = seats.secrets[0].x, seats.keys[0].y, shuffled(1).after[0]
    r = Scalar.random(rng_of("share"))

    def without(
        ctx: ProofContext, y: Point, cards: Sequence[MaskedCard], points: Sequence[Point]
    ) -> tuple[Transcript, list[Scalar]]:
        t = Transcript(SHARES_PROOF, ctx)
        t.absorb(SHARES_STATEMENT, y, len(cards), b"".join(card.encode() for card in cards))
        return t, [ONE] * len(cards)

    def forge() -> ProvenShares:
        u, v = r * G, r * card.a + G
        t, _ = shares_module._begin(SHUFFLE, y, [card], [G])
        c = shares_module._challenge(t, u, v)
        s = r - c * x
        return ProvenShares((c.inverse() * (v - s * card.a),), ShareProof(u, v, s))

    weak.setattr(shares_module, "_begin", without)
    forged = forge()
    verify_shares(SHUFFLE, y, [card], forged)
    assert forged.points[0] != x * card.a
    weak.undo()
    for shares in (forged, forge()):
        with pytest.raises(BadProof):
            verify_shares(SHUFFLE, y, [card], shares)


def test_a_key_proof_that_leaves_out_the_key(seats: Seats, weak: pytest.MonkeyPatch) -> None:
    """A key whose secret nobody knows, solved for once the challenge is known: here a multiple of another seat's."""
    ctx, s = key_context(3), Scalar(5)

    def without(ctx: ProofContext, identity: bytes, y: Point, commitment: bytes) -> Transcript:
        t = Transcript(KEY_PROOF, ctx)
        t.absorb(KEY_STATEMENT, identity, commitment)
        return t

    def forge() -> RoundKey:
        u = seats.keys[0].y
        c = keys_module._challenge(keys_module._statement(ctx, IDENTITIES[3], G, bytes(64)), u)
        return RoundKey(c.inverse() * (u - s * G), KeyProof(u, s), bytes(64))

    weak.setattr(keys_module, "_statement", without)
    forged = forge()
    verify_round_key(ctx, IDENTITIES[3], forged)
    weak.undo()
    for key in (forged, forge()):
        with pytest.raises(BadProof):
            verify_round_key(ctx, IDENTITIES[3], key)
