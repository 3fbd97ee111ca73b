"""A seat's key for one round, and the seed it commits to. (PROTOCOL.md, "Round keys".)"""

from __future__ import annotations

from collections.abc import Sequence
from hmac import compare_digest
from typing import Final

from protocol.dealing.context import ProofContext
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import G, Point, Scalar, decode_point, decode_scalar, sum_points
from protocol.dealing.hashing import Rng, hash64
from protocol.dealing.labels import KEY_CHALLENGE, KEY_COMMITMENT, KEY_PROOF, KEY_STATEMENT, SHUFFLE_COMMIT
from protocol.errors import BadMessage, BadProof
from protocol.values import dataclass

SEED_BYTES: Final = 32
COMMITMENT_BYTES: Final = 64


@dataclass(frozen=True, slots=True)
class RoundSecret:
    """A seat's secrets until the round is over: its key x and its shuffle seed."""

    x: Scalar
    seed: bytes

    def __repr__(self) -> str:
        return "RoundSecret(hidden)"

    def encode(self) -> bytes:
        """Encode x and the seed as 64 bytes, for the seat's own journal and the reveal."""
        return self.x.encode() + self.seed

    @classmethod
    def decode(cls, data: bytes) -> RoundSecret:
        if len(data) != 32 + SEED_BYTES:
            raise BadMessage("a round secret must be {expected} bytes long, not {count}", expected=64, count=len(data))
        return cls(decode_scalar(data[:32]), data[32:])


@dataclass(frozen=True, slots=True)
class KeyProof:
    """A Schnorr proof of knowledge of x: U = r G, s = r - c x."""

    u: Point
    s: Scalar


@dataclass(frozen=True, slots=True)
class RoundKey:
    """A seat's public values: Y = x G, the proof that it knows x, and the commitment h to its seed."""

    y: Point
    proof: KeyProof
    commitment: bytes

    def encode(self) -> bytes:
        """Encode Y, U, s, h as 160 bytes."""
        return self.y.encode() + self.proof.u.encode() + self.proof.s.encode() + self.commitment

    @classmethod
    def decode(cls, data: bytes) -> RoundKey:
        if len(data) != ROUND_KEY_BYTES:
            raise BadMessage(
                "a round key must be {expected} bytes long, not {count}", expected=ROUND_KEY_BYTES, count=len(data)
            )
        proof = KeyProof(decode_point(data[32:64]), decode_scalar(data[64:96]))
        return cls(decode_point(data[:32]), proof, data[96:])


ROUND_KEY_BYTES: Final = 96 + COMMITMENT_BYTES


def make_round_key(ctx: ProofContext, identity: bytes, rng: Rng) -> tuple[RoundSecret, RoundKey]:
    """Generate a secret and its public values. `identity` is the public key that signs for the seat."""
    secret = RoundSecret(Scalar.random(rng), rng(SEED_BYTES))
    y, h = secret.x * G, _commit(ctx, secret.seed)
    t = _statement(ctx, identity, y, h)
    (r,) = t.nonces(secret.encode(), rng, 1)
    u = r * G
    return secret, RoundKey(y, KeyProof(u, r - _challenge(t, u) * secret.x), h)


def verify_round_key(ctx: ProofContext, identity: bytes, key: RoundKey) -> None:
    """Check that the holder of `identity` knows the key's logarithm: s G + c Y = U. Raises BadProof."""
    if key.y.is_identity:
        raise BadProof("a round key is the identity element")
    c = _challenge(_statement(ctx, identity, key.y, key.commitment), key.proof.u)
    if key.proof.s * G + c * key.y != key.proof.u:
        raise BadProof("a round key lacks the proof that its seat knows the secret")


def _commit(ctx: ProofContext, seed: bytes) -> bytes:
    return hash64(SHUFFLE_COMMIT, ctx, seed)


def _statement(ctx: ProofContext, identity: bytes, y: Point, commitment: bytes) -> Transcript:
    t = Transcript(KEY_PROOF, ctx)
    t.absorb(KEY_STATEMENT, identity, y, commitment)
    return t


def _challenge(t: Transcript, u: Point) -> Scalar:
    t.absorb(KEY_COMMITMENT, u)
    return t.challenge(KEY_CHALLENGE)


def joint_key(keys: Sequence[RoundKey]) -> Point:
    """Return Y = Σ Y_j. Refuses equal keys, which would make two seats one, and a sum of zero, which would mask nothing."""
    if not keys:
        raise ValueError("a joint key needs seats")
    if len({key.y for key in keys}) != len(keys):
        raise BadProof("two seats use the same round key")
    total = sum_points(key.y for key in keys)
    if total.is_identity:
        raise BadProof("the seats' round keys cancel each other out")
    return total


def check_reveal(ctx: ProofContext, key: RoundKey, secret: RoundSecret) -> None:
    """Check that this is the secret of a key that was published under `ctx`. Raises BadProof."""
    if secret.x * G != key.y:
        raise BadProof("a revealed secret does not match its round key")
    if not compare_digest(_commit(ctx, secret.seed), key.commitment):
        raise BadProof("a revealed seed does not match its commitment")
