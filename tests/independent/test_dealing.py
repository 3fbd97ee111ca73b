"""The second program's deck against the vectors, and provers who break one equation only."""

from __future__ import annotations

import json
from hashlib import shake_256
from pathlib import Path
from typing import Any

import pytest

from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import decode_deck
from protocol.dealing.group import Scalar, decode_point
from protocol.dealing.shares import prove_shares
from protocol.dealing.shuffle import verify_shuffle
from protocol.errors import BadMessage
from tests.independent import dealing
from tests.independent.dealing import G, Transcript, Wrong, add, dot, mul, q
from tests.table.tables import stream

HERE = Path(__file__).parent.parent / "vectors"
KEYS, EXPANSION, SHUFFLE, SHARES, GROUP = (
    json.loads((HERE / f"dealing_{name}.json").read_text(encoding="utf-8"))
    for name in ("keys", "expansion", "shuffle", "shares", "group")
)


def context(data: dict[str, Any]) -> bytes:
    numbers = [data[name] for name in ("epoch", "round", "deck", "step", "seat")]
    receiver = b"" if data["receiver"] is None else data["receiver"]
    table = bytes.fromhex(data["table"])
    return dealing.frame("fairdeal/v1/context", data["version"], table, *numbers, data["purpose"], receiver)


def b(digits: str) -> bytes:
    return bytes.fromhex(digits)


def cards(digits: str) -> list[bytes]:
    return dealing.split(b(digits), 64)


def test_points() -> None:
    for face, point in GROUP["card_points"].items():
        assert dealing.card_point(face).hex() == point
    for i, point in enumerate(GROUP["commitment_keys"], start=1):
        assert dealing.commitment_key(i).hex() == (point if isinstance(point, str) else point["point"])
    for bad in GROUP["invalid_points"].values():
        with pytest.raises(Wrong):
            dealing.point(b(bad))
    for bad in GROUP["invalid_scalars"].values():
        with pytest.raises(Wrong):
            dealing.scalar(b(bad))


def test_round_keys() -> None:
    for case in KEYS["cases"]:
        ctx, key = context(case["context"]), b(case["key"])
        assert dealing.read_round_key(ctx, b(case["identity"]), key) == (b(case["Y"]), b(case["h"]))
        assert dealing.read_reveal(ctx, b(case["Y"]), b(case["h"]), b(case["secret"])) == (
            dealing.little(b(case["x"])),
            b(case["seed"]),
        )
        for bit in (0, 300):
            secret = bytearray(b(case["secret"]))
            secret[bit // 8] ^= 1
            with pytest.raises(Wrong):
                dealing.read_reveal(ctx, b(case["Y"]), b(case["h"]), bytes(secret))
    assert add(*[b(case["Y"]) for case in KEYS["cases"]]).hex() == KEYS["joint"]
    first = KEYS["cases"][0]
    for bad in KEYS["invalid_first_96_bytes_of_case_0"]:
        front, h = b(first["key"])[:96], b(first["key"])[96:]
        with pytest.raises(Wrong):
            dealing.read_round_key(context(first["context"]), b(first["identity"]), patched(front, bad) + h)


def patched(data: bytes, change: dict[str, Any]) -> bytes:
    """A vector's alteration."""
    if "all" in change:
        return b(change["all"])
    at, new = change["at"], b(change["bytes"])
    return data[:at] + new + data[at + len(new) :]


def test_expansion() -> None:
    for case in EXPANSION["shuffles"]:
        after = dealing.shuffled(context(case["context"]), b(case["joint"]), b(case["seed"]), cards(case["before"]))
        assert b"".join(after).hex() == case["after"]


def test_shuffle_proofs() -> None:
    for case in SHUFFLE["cases"]:
        ctx, joint, before, after = (
            context(case["context"]),
            b(case["joint"]),
            cards(case["before"]),
            cards(case["after"]),
        )
        dealing.check_shuffle(ctx, joint, before, after, b(case["proof"]))
        if case["n"]:
            for wrong in (context({**case["context"], "step": 99}), b""):
                with pytest.raises(Wrong):
                    dealing.check_shuffle(wrong, joint, before, after, b(case["proof"]))


@pytest.mark.parametrize("size", [1, 2])
def test_altered_shuffle_proofs(size: int) -> None:
    case = next(case for case in SHUFFLE["cases"] if case["n"] == size)
    ctx, joint, before, after = context(case["context"]), b(case["joint"]), cards(case["before"]), cards(case["after"])
    for bad in SHUFFLE[f"invalid_proofs_of_{size}_card{'s' if size > 1 else ''}"]:
        with pytest.raises(Wrong):
            dealing.check_shuffle(ctx, joint, before, after, patched(b(case["proof"]), bad))


def test_altered_shares() -> None:
    case = SHARES["cases"][-1]
    for bad in SHARES["invalid_shares_of_the_last_case"]:
        with pytest.raises(Wrong):
            dealing.read_shares(
                context(case["context"]), b(case["Y"]), cards(case["cards"]), patched(b(case["shares"]), bad)
            )


def test_shares() -> None:
    for case in SHARES["cases"]:
        found = dealing.read_shares(context(case["context"]), b(case["Y"]), cards(case["cards"]), b(case["shares"]))
        assert [share.hex() for share in found] == case["D"]
        with pytest.raises(Wrong):
            dealing.read_shares(context(case["context"]), b(case["Y"]), cards(case["cards"]), b(case["shares"])[:-32])


# --- one equation at a time ---

CTX = ProofContext(bytes(32), 0, 1, 0, 0, 0, "shuffle")
JOINT = mul(77, G)


def scalars(name: str, number: int) -> list[int]:
    data = shake_256(name.encode()).digest(64 * number)
    return [dealing.little(part) % q for part in dealing.split(data, 64)]


def prove(order: list[int], committed: list[int]) -> tuple[list[bytes], list[bytes], bytes]:
    """Shuffle, and prove it with a commitment to `committed` where π belongs (8.8)."""
    size, H = len(order), [dealing.commitment_key(i) for i in range(1, len(order) + 1)]
    before = [mul(k, G) + mul(k + 5, G) for k in range(2, size + 2)]
    R = scalars("R", size)
    after = [
        add(before[place][:32], mul(r, G)) + add(before[place][32:], mul(r, JOINT))
        for place, r in zip(order, R, strict=True)
    ]
    d, blind, (r, r_d, R_d, r_D, r_Delta, r_a) = scalars("d", size), scalars("d'", size), scalars("r", 6)
    Delta = [blind[0], *scalars("Delta", size - 2), 0]

    def com(row: list[int], mask: int) -> bytes:
        return add(mul(mask, G), dot(row, H[: len(row)]))

    c, c_d = com(committed, r), com([-k for k in d], r_d)
    E_d = [
        add(mul(R_d, key), dot([-k for k in d], [card[half] for card in after]))
        for half, key in ((slice(0, 32), G), (slice(32, 64), JOINT))
    ]
    tr = Transcript("fairdeal/v1/shuffle", CTX.encode())
    tr.absorb("fairdeal/v1/shuffle/statement", JOINT, size, b"".join(before), b"".join(after))
    tr.absorb("fairdeal/v1/shuffle/commitments", c, c_d, *E_d)
    t = tr.challenges("fairdeal/v1/shuffle/weights", size)
    permuted = [t[place] for place in order]
    f = [(a + k) % q for a, k in zip(permuted, d, strict=True)]
    Z = (sum(a * k for a, k in zip(permuted, R, strict=True)) + R_d) % q
    tr.absorb("fairdeal/v1/shuffle/opening", b"".join(map(number, f)), number(Z))
    lam, x = tr.challenge("fairdeal/v1/shuffle/lambda"), tr.challenge("fairdeal/v1/shuffle/x")
    m = [(lam * value + a) % q for value, a in zip(committed, permuted, strict=True)]
    crossed, steps, product = [], [], (m[0] - x) % q
    for i in range(size - 1):
        crossed.append(-Delta[i] * blind[i + 1] % q)
        steps.append((Delta[i + 1] - (m[i + 1] - x) * Delta[i] - product * blind[i + 1]) % q)
        product = product * (m[i + 1] - x) % q
    c_D, c_Delta, c_a = com(blind, r_D), com(crossed, r_Delta), com(steps, r_a)
    tr.absorb("fairdeal/v1/shuffle/product", c_D, c_Delta, c_a)
    e = tr.challenge("fairdeal/v1/shuffle/e")
    F = [(e * a + k) % q for a, k in zip(m, blind, strict=True)]
    F_Delta = [(e * a + k) % q for a, k in zip(steps, crossed, strict=True)]
    answers = [*F, (e * (lam * r + r_d) + r_D) % q, *F_Delta, (e * r_a + r_Delta) % q]
    row = [c, c_d, *E_d, *map(number, f), number(Z), c_D, c_Delta, c_a, *map(number, answers)]
    return before, after, b"".join(row)


def number(k: int) -> bytes:
    return k.to_bytes(32, "little")


@pytest.mark.parametrize("size", [2, 3, 5])
def test_only_a_commitment_to_the_permutation_proves(size: int) -> None:
    """All equations in the group hold for any commitment; the product in the field for the right one alone."""
    order = [(3 * i + 1) % size for i in range(size)] if size != 3 else [2, 0, 1]
    ranks = [place + 1 for place in order]
    for committed in (ranks, [*ranks[1:], ranks[0]], [1] * size, [rank + 1 for rank in ranks]):
        before, after, proof = prove(order, committed)
        decks = [decode_deck(b"".join(deck), size) for deck in (before, after)]
        try:
            dealing.check_shuffle(CTX.encode(), JOINT, before, after, proof)
            theirs = True
        except Wrong:
            theirs = False
        try:
            verify_shuffle(CTX, decode_point(JOINT), decks[0], decks[1], proof, stream(1))
            ours = True
        except BadMessage:
            ours = False
        assert theirs == ours == (committed == ranks)


def test_shares_of_another_key_prove_nothing() -> None:
    """The second equation holds for shares of any key; the first one only for the seat's."""
    deck = decode_deck(b"".join(mul(k, G) + mul(k + 1, G) for k in range(2, 5)), 3)
    Y = mul(11, G)
    for x in (11, 12):
        made = prove_shares(CTX, Scalar(x), decode_point(Y), deck, stream(x)).encode()
        masked = [card.encode() for card in deck]
        if x == 11:
            assert dealing.read_shares(CTX.encode(), Y, masked, made) == [mul(11, card[:32]) for card in masked]
        else:
            with pytest.raises(Wrong):
                dealing.read_shares(CTX.encode(), Y, masked, made)
