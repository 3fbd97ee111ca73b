"""For tables whose seats all live in one process: what one seat has verified, the others need not compute again.

Tests of one seed do the same until somebody cheats: what was computed in one test is remembered in the next.
"""

from __future__ import annotations

import contextlib
import pickle
from collections.abc import Callable, Iterator
from functools import lru_cache
from hashlib import sha256
from types import ModuleType
from typing import Any

import pytest

from protocol import signed
from protocol.dealing import group, library
from protocol.dealing.hashing import Rng
from protocol.dealing.shares import ShareStatement
from protocol.dealing.shuffle import ShuffleStatement
from protocol.room import statements
from protocol.signed import Signed
from protocol.table import preparation, proposals
from protocol.table.phases import settling
from protocol.wire import unpack

WEIGHED: list[tuple[ModuleType, str]] = [
    (proposals, "verify_shuffle"),
    (settling, "verify_shuffle"),
    (preparation, "verify_shuffles"),
    (settling, "verify_many_shares"),
]
"""Checks whose last argument is the verifier's own randomness."""
PLAIN: list[tuple[ModuleType, str]] = [
    (proposals, "verify_shares"),
    (signed, "check_signature"),
    (statements, "check_signature"),
]
MULTIPLES = 1 << 16
"""So many multiples and sums of points are remembered: seats open the same cards, and every audit repeats the round's
shuffles."""
MESSAGES = 1 << 13
"""So many decoded messages are remembered: each goes to all seats, and those who ask are sent whole pages again."""


@contextlib.contextmanager
def verified_once() -> Iterator[None]:
    """Remembers what holds. Whatever does not hold, or is checked for the first time, is really checked.

    A check that is spared draws the same randomness, so that a table does the same with and without this.
    """
    with pytest.MonkeyPatch.context() as patch:
        for module, name in WEIGHED:
            patch.setattr(module, name, remembering(getattr(module, name)))
        for module, name in PLAIN:
            patch.setattr(module, name, remembering(getattr(module, name), weighed=False))
        for name in ("_times", "_plus", "_minus"):
            patch.setattr(group, name, lru_cache(MULTIPLES)(getattr(group, name)))
        patch.setattr(library.Library, "is_point", lru_cache(MULTIPLES)(library.Library.is_point))
        patch.setattr(signed, "_decode_signed", decoding_once())
        yield


def decoding_once() -> Callable[[list[Any], bytes], Signed]:
    """`_decode_signed` for messages that come to every seat: they are values, and may be shared."""
    decode = signed._decode_signed

    @lru_cache(MESSAGES)
    def decoded(data: bytes) -> Signed:
        return decode(unpack(data), data)

    return lambda outer, data: decoded(data)


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
        known.setdefault(name, draws)

    return checked


def plain(value: Any) -> Any:
    """Arguments as bytes in tuples: equal exactly where they mean the same."""
    if isinstance(value, list | tuple):
        return tuple(plain(each) for each in value)
    if isinstance(value, ShareStatement):
        return plain((value.ctx, value.y, value.cards, value.shares))
    if isinstance(value, ShuffleStatement):
        return plain((value.ctx, value.before, value.after, value.proof))
    return value if isinstance(value, bytes) else value.encode()
