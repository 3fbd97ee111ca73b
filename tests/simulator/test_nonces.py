"""No nonce and no mask serves twice, whatever goes wrong: crashes before and after sending, lost journals, void rounds, new
epochs, votes that reach only some, jobs whose results nobody wants any more. Half of what proofs are made of is made ahead."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from protocol.dealing import shuffle_argument
from protocol.dealing.elgamal import encode_deck
from protocol.dealing.group import Scalar
from protocol.dealing.halves import HalfProof
from protocol.values import replace

from .search import Draw, simulate
from .setting import Setting, draw_ahead, draw_seats, draw_votes


class Spy:
    """Notes all secret numbers of each proof that any program makes, sent or not, and what the proof says with them."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.said: dict[int, bytes] = {}
        self.wrong: list[str] = []
        self.counts: Counter[str] = Counter()
        real, take = shuffle_argument.prove, HalfProof.take

        def prove(t: Any, joint: Any, before: Any, after: Any, witness: Any, nonces: Any, made: Any) -> Any:
            proof = real(t, joint, before, after, witness, nonces, made)
            self.counts["proofs"] += 1
            alone = nonces.r, nonces.r_d, nonces.R_d, nonces.r_D, nonces.r_Delta, nonces.r_a
            for nonce in {int(each) for each in (*alone, *nonces.d, *nonces.D, *nonces.Delta[1:-1])}:
                self.note("nonce", nonce, proof.encode())
            for mask in witness.scalars:
                self.note("mask", int(mask), encode_deck(after))
            return proof

        def taken(half: HalfProof, *args: Any) -> Any:
            self.counts["halves"] += 1
            return take(half, *args)

        patch.setattr(shuffle_argument, "prove", prove)
        patch.setattr(HalfProof, "take", taken)

    def note(self, what: str, secret: int, says: bytes) -> None:
        if self.said.setdefault(secret, says) != says:
            self.wrong.append(what)


def ahead(drawn: Draw) -> Draw:
    def setting(seed: int) -> Setting:
        return replace(drawn(seed), works_ahead=True)

    return setting


@pytest.mark.slow
@pytest.mark.parametrize(
    ("drawn", "seeds"),
    [(draw_ahead, (20, 24)), (draw_votes, (3, 4)), (draw_seats, (0, 19))],
    ids=["faults", "votes", "seats"],
)
def test_no_nonce_and_no_mask_serves_twice(
    drawn: Draw, seeds: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: Counter[str] = Counter()
    for seed in seeds:
        with monkeypatch.context() as patch:
            spy = Spy(patch)
            world, wrong = simulate(seed, drawn=ahead(drawn))
        assert not wrong and not spy.wrong, f"seed {seed}: {wrong}, {Counter(spy.wrong)}"
        seen += spy.counts
        seen["restarts"] += sum(client.life for client in world.clients)
        seen["epochs"] += max(client.table.record.epoch for client in world.clients)
        seen["void"] += world.void
    assert seen["proofs"] > seen["halves"] > 0 and seen["restarts"] and seen["epochs"], seen
    assert seen["void"] or drawn is draw_votes, seen


def test_the_spy_sees_a_row_that_serves_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        spy = Spy(patch)
        spy.note("nonce", int(Scalar(5)), b"one proof")
        spy.note("nonce", int(Scalar(5)), b"one proof")
        assert not spy.wrong
        spy.note("nonce", int(Scalar(5)), b"another")
    assert spy.wrong == ["nonce"]
