"""All labels that are hashed. Each has one use. (PROTOCOL.md, "Dealing: labels".)"""

from __future__ import annotations

from typing import Final

# --- points with unknown logarithms ---
CARD: Final = "fairdeal/v1/card"
"""Domain of a card's point; the message is the face's name."""
COMMITMENT_KEY: Final = "fairdeal/v1/commitment-key"
"""Domain of the commitment keys H_i; the message is i, from 1."""

# --- plain hashes ---
CONTEXT: Final = "fairdeal/v1/context"
DECK: Final = "fairdeal/v1/deck"

# --- nonces of all proofs ---
NONCE: Final = "fairdeal/v1/nonce"

# --- what is made before there are cards; nobody else sees any of it ---
HALF_PROOF: Final = "fairdeal/v1/half-proof"
HALF_REMASK: Final = "fairdeal/v1/half-remask"

# --- round keys ---
KEY_PROOF: Final = "fairdeal/v1/key"
KEY_STATEMENT: Final = "fairdeal/v1/key/statement"
KEY_COMMITMENT: Final = "fairdeal/v1/key/commitment"
KEY_CHALLENGE: Final = "fairdeal/v1/key/challenge"

# --- the shuffle: commitment and expansion of the seed ---
SHUFFLE_COMMIT: Final = "fairdeal/v1/shuffle-commit"
SHUFFLE_PERMUTATION: Final = "fairdeal/v1/shuffle-permutation"
SHUFFLE_MASKS: Final = "fairdeal/v1/shuffle-masks"
HAND_PERMUTATION: Final = "fairdeal/v1/hand-permutation"
HAND_MASKS: Final = "fairdeal/v1/hand-masks"

# --- the shuffle argument, for two or more cards ---
SHUFFLE_PROOF: Final = "fairdeal/v1/shuffle"
SHUFFLE_STATEMENT: Final = "fairdeal/v1/shuffle/statement"
SHUFFLE_COMMITMENTS: Final = "fairdeal/v1/shuffle/commitments"
SHUFFLE_WEIGHTS: Final = "fairdeal/v1/shuffle/weights"
SHUFFLE_OPENING: Final = "fairdeal/v1/shuffle/opening"
SHUFFLE_LAMBDA: Final = "fairdeal/v1/shuffle/lambda"
SHUFFLE_X: Final = "fairdeal/v1/shuffle/x"
SHUFFLE_PRODUCT: Final = "fairdeal/v1/shuffle/product"
SHUFFLE_E: Final = "fairdeal/v1/shuffle/e"

# --- the shuffle of one card ---
MASK_PROOF: Final = "fairdeal/v1/mask"
MASK_STATEMENT: Final = "fairdeal/v1/mask/statement"
MASK_COMMITMENTS: Final = "fairdeal/v1/mask/commitments"
MASK_CHALLENGE: Final = "fairdeal/v1/mask/challenge"

# --- decryption shares ---
SHARES_PROOF: Final = "fairdeal/v1/shares"
SHARES_STATEMENT: Final = "fairdeal/v1/shares/statement"
SHARES_WEIGHTS: Final = "fairdeal/v1/shares/weights"
SHARES_COMMITMENTS: Final = "fairdeal/v1/shares/commitments"
SHARES_CHALLENGE: Final = "fairdeal/v1/shares/challenge"

# --- recovery ---
RECOVERY_SEAL: Final = "fairdeal/v1/recovery-seal"
RECOVERY_PROOF: Final = "fairdeal/v1/recovery"
RECOVERY_STATEMENT: Final = "fairdeal/v1/recovery/statement"
RECOVERY_COMMITMENTS: Final = "fairdeal/v1/recovery/commitments"
RECOVERY_CHALLENGE: Final = "fairdeal/v1/recovery/challenge"
