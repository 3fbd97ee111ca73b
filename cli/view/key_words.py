"""Words by which people tell keys apart: tables of one name, and oneself."""

from __future__ import annotations

import re
from collections.abc import Iterable

from protocol.identity import fingerprint

DIGITS = re.compile(r"[0-9a-f]{64}")
SHOWN = 4
"""How many of a fingerprint's words are compared to find a friend's table. Joining checks the whole key."""


def words_of_keys(keys: Iterable[str]) -> str:
    """Return the words of the first of these keys (hexadecimal) that can be one; "" if none can."""
    for key in sorted(keys):
        if DIGITS.fullmatch(key):
            return key_words(bytes.fromhex(key))
    return ""


def key_words(key: bytes) -> str:
    """Return the words of a key."""
    return " ".join(fingerprint(key).split()[:SHOWN])
