"""Hash everything that is not part of a proof: with one label for each use, and a length prefix for every part.

Proofs use `dealing.fiat_shamir` instead. (PROTOCOL.md, "Hashes".)
"""

from __future__ import annotations

from hashlib import sha512

HASH_BYTES = 32

LABELS = frozenset(
    {
        "roster",  # the sealed roster: the table's id
        "nonce",  # a seat's hashed nonce
        "seed",  # the table seed, from all nonces
        "draw",  # what the seed draws: seats, the first dealer
        "words",  # the table's words
        "fingerprint",  # an identity's words
        "epoch",  # what began an epoch: the roster, or the promises of its seats
        "goodbye",  # a goodbye, as promises to go on without its seat name it
        "proposal",  # a proposal, as its votes name it
        "open",  # the entry that opens a round
        "close",  # the entry that closes it
        "short",  # the entry that ends a match whose game lacks players
        "certificate",  # what was voted at a height
        "tie",  # which of two proposals with equally many votes wins
        "state",  # the settled state before a height
        "deck",  # a shuffled deck, as its agreement names it
        "incoming",  # what a seat shuffled: the joint key and the deck that came to it
        "opened",  # masked cards that shares open
        "split",  # a seat's round key, split among the others
        "default",  # the move of a seat that left
        "preparation",  # keys, commitments and final deck of a round
        "copy",  # a copy of the transcript, to compare it with another
        "room",  # a waiting room's id
        "expand",  # randomness of one piece of work
    }
)
"""The full label is `fairdeal/v1/hash/` and the word. Each is used for one purpose."""


def _beginning(label: str) -> bytes:
    name = b"fairdeal/v1/hash/" + label.encode("ascii")
    return len(name).to_bytes(8, "big") + name


_BEGINNINGS = {label: _beginning(label) for label in LABELS}


def digest(label: str, *parts: bytes) -> bytes:
    """Return the first 32 bytes of SHA-512 over the label and the parts, each after its length (8 bytes, big-endian)."""
    h = sha512(_BEGINNINGS[label])
    for part in parts:
        h.update(len(part).to_bytes(8, "big"))
        h.update(part)
    return h.digest()[:HASH_BYTES]


def number(value: int) -> bytes:
    """Encode a number as a part of a hash: 8 bytes, big-endian."""
    return value.to_bytes(8, "big")
