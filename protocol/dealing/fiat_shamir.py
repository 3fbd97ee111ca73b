"""The Fiat-Shamir transcript, from which all challenges of proofs are hashed.

Each proof begins its own with a label and the context, then absorbs the whole statement, then every message of the prover in
the order of the interactive proof. What is left out, a cheater may choose after the challenge.
(PROTOCOL.md, "The transcript of a proof".)
"""

from __future__ import annotations

from hashlib import sha512, shake_256

from protocol.dealing.context import ProofContext
from protocol.dealing.group import Scalar
from protocol.dealing.hashing import Rng, Value, frame
from protocol.dealing.labels import NONCE


class Transcript:
    """A running SHA-512 over frames. Each challenge is fed back into it."""

    def __init__(self, label: str, context: ProofContext) -> None:
        self._hash = sha512(frame(label, context))

    def absorb(self, label: str, *values: Value) -> None:
        """Append a frame."""
        self._hash.update(frame(label, *values))

    def _draw(self, label: str) -> bytes:
        self._hash.update(frame(label))
        digest = self._hash.digest()
        self._hash.update(frame(label, digest))
        return digest

    def challenge(self, label: str) -> Scalar:
        """Return a nonzero scalar; zero is drawn again."""
        while not (scalar := Scalar.reduce(self._draw(label))):
            pass
        return scalar

    def challenges(self, label: str, count: int) -> list[Scalar]:
        """Return `count` scalars, expanded with SHAKE-256 from one draw, 64 bytes each."""
        data = shake_256(self._draw(label)).digest(64 * count)
        return [Scalar.reduce(data[at : at + 64]) for at in range(0, 64 * count, 64)]

    def nonces(self, secret: bytes, rng: Rng, count: int) -> list[Scalar]:
        """Return fresh secret scalars for this proof without changing the transcript.

        They are hedged: hashed from everything absorbed, the secret, and 32 fresh bytes, so that a weak or repeating
        random number generator does not reveal the secret.
        """
        seed = frame(NONCE, self._hash.digest(), secret, rng(32))
        data = shake_256(seed).digest(64 * count)
        return [Scalar.reduce(data[at : at + 64]) for at in range(0, 64 * count, 64)]
