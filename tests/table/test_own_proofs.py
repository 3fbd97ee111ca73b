"""A seat checks what the others have proved, not what it has proved itself; a verifier checks everything."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from protocol.dealing.context import ProofContext
from protocol.dealing.recovery import SplitStatement
from protocol.dealing.shares import ShareStatement
from protocol.dealing.shuffle import ShuffleStatement
from protocol.table import preparation, proposals
from protocol.table.phases import entrusting, settling
from protocol.table.roster import TableOptions
from protocol.values import replace
from tests.table.matches import assert_all_agree
from tests.table.tables import Tables, printed

SEATS = 4
"""As many as entrust their round keys to the others."""
Checks = dict[tuple[str, ProofContext], Counter[int]]
"""Where proofs of several seats are checked together (what, and the context without its seat): how often each seat's were."""


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> Checks:
    """What the tables and the verifier check while a test runs."""
    found: Checks = defaultdict(Counter)

    def note(what: str, ctx: ProofContext) -> None:
        found[what, replace(ctx, seat=0)][ctx.seat] += 1

    def watch_many(module: Any, name: str, what: str) -> None:
        real = getattr(module, name)

        def many(*args: Any) -> None:
            items: Sequence[ShuffleStatement | ShareStatement] | Mapping[int, SplitStatement] = args[-2]
            for item in items.values() if isinstance(items, Mapping) else items:
                note(what, item.ctx)
            real(*args)

        monkeypatch.setattr(module, name, many)

    def watch_one(module: Any, name: str, what: str) -> None:
        real = getattr(module, name)

        def one(ctx: ProofContext, *args: Any) -> None:
            note(f"{what} {ctx.seat}", ctx)
            real(ctx, *args)

        monkeypatch.setattr(module, name, one)

    watch_one(preparation, "verify_round_key", "key")
    watch_many(entrusting, "verify_splits", "split")
    watch_many(preparation, "verify_shuffles", "chain")
    watch_many(settling, "verify_many_shares", "shares")
    watch_one(settling, "verify_shuffle", "remask")
    watch_one(proposals, "verify_shuffle", "draw")
    watch_one(proposals, "verify_shares", "play")
    return found


@pytest.mark.slow
@pytest.mark.usefixtures("toy")
def test_every_proof_is_checked_by_all_but_its_maker(checks: Checks) -> None:
    """So many times as there are other seats, and once by the verifier of the finished match."""
    tables = Tables("mau-mau", SEATS, {"target": 20}, 4, table=TableOptions(pause=0, grace=0, rounds=1))
    with printed(4):
        tables.start()
        tables.play()
        assert_all_agree(tables)
    for where, counted in checks.items():
        assert set(counted.values()) == {SEATS - 1 + 1}, where
    assert {what.split()[0] for what, _ in checks} >= {"key", "split", "chain", "shares", "draw", "play"}
