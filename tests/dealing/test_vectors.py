"""The vectors: made again they are the same bytes, and a second reading of the protocol (`plain`) agrees with all of them."""

from __future__ import annotations

import json
from hashlib import sha512, shake_256
from typing import Any

import pytest

from protocol.cards import Card
from protocol.dealing import recovery, shares
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import decode_deck
from protocol.dealing.group import decode_point, decode_scalar
from protocol.dealing.keys import RoundKey, RoundSecret, check_reveal, verify_round_key
from protocol.dealing.recovery import SealedShare, decode_split, open_share, recover, uphold, verify_split
from protocol.dealing.shares import ProvenShares, open_card, verify_shares
from protocol.dealing.shuffle import verify_shuffle
from protocol.errors import BadMessage, BadProof
from tests.dealing import plain
from tests.dealing.conftest import rng_of
from tests.vectors import make, make_dealing

Data = dict[str, Any]
FILES = {f"{name}.json" for name in make_dealing.FILES}


def load(name: str) -> Data:
    data: Data = json.loads((make_dealing.HERE / f"dealing_{name}.json").read_text())
    return data


def unhex(*values: str) -> list[bytes]:
    return [bytes.fromhex(value) for value in values]


def numbers(values: list[str]) -> list[int]:
    return [plain.number(bytes.fromhex(value)) for value in values]


def read_context(data: Data) -> ProofContext:
    return ProofContext(**{**data, "table": bytes.fromhex(data["table"])})


def altered(good: bytes, entry: Data) -> bytes:
    if "all" in entry:
        return bytes.fromhex(entry["all"])
    patch = bytes.fromhex(entry["bytes"])
    return good[: entry["at"]] + patch + good[entry["at"] + len(patch) :]


# --- made again ---


def test_vectors_made_again_are_the_same() -> None:
    files = make_dealing.make()
    assert set(files) == FILES
    for name, data in files.items():
        assert data == (make_dealing.HERE / name).read_bytes(), f"{name} differs: python -m tests.vectors.make"


def test_another_seed_gives_other_vectors() -> None:
    one, other = make_dealing.keys(b"one"), make_dealing.keys(b"other")
    assert one["joint"] != other["joint"]


def test_all_vectors_are_made_by_one_command(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    monkeypatch.setattr(make_dealing, "main", lambda: made.append("dealing"))
    for path in make_dealing.HERE.glob("make_*.py"):
        module = __import__(f"tests.vectors.{path.stem}", fromlist=["main"])
        if module is not make_dealing:
            monkeypatch.setattr(module, "main", lambda: None)
    make.main()
    assert made == ["dealing"]


# --- group and transcript ---


def test_group() -> None:
    data = load("group")
    assert int(data["order"]) == plain.q
    assert data["generator"] == plain.GENERATOR.hex()
    assert len(data["card_points"]) > 90
    for face, encoding in data["card_points"].items():
        assert plain.hash_to_group("fairdeal/v1/card", face.encode()).hex() == encoding
    for i, encoding in enumerate(data["commitment_keys"], start=1):
        assert plain.commitment_key(i).hex() == encoding
    for case in data["scalars_reduced"]:
        assert plain.number(bytes.fromhex(case["bytes"])) % plain.q == plain.number(bytes.fromhex(case["scalar"]))
    for encoding in data["invalid_scalars"].values():
        with pytest.raises(BadMessage):
            decode_scalar(bytes.fromhex(encoding))
    for encoding in data["invalid_points"].values():
        with pytest.raises(BadMessage):
            decode_point(bytes.fromhex(encoding))


def test_transcript() -> None:
    data = load("transcript")
    for case in data["contexts"]:
        assert plain.context(case["context"]).hex() == case["bytes"]
    assert sha512(plain.frame("example/hash", b"\0\xff", 7)).hexdigest() == data["hash64"]["hash"]
    stream = shake_256(plain.frame("example/stream", b"\0\xff", 7)).digest(100)
    assert stream.hex() == data["stream"]["first_100"]
    script = data["transcript"]
    t = plain.Transcript(script["label"], script["context"])
    seen = set()
    for step in script["steps"]:
        if "absorb" in step:
            values = [step["values"][i] for i in range(len(step["values"]))]
            if step["absorb"] == "example/statement":
                values[0], values[3] = unhex(values[0], values[3])
            assert plain.frame(step["absorb"], *values).hex() == step["frame"]
            t.absorb(step["absorb"], *values)
        elif "nonces" in step:
            secret, fresh = unhex(step["secret"], step["fresh"])
            assert t.nonces(secret, fresh, step["nonces"]) == numbers(step["scalars"])
            seen.add("nonces")
        elif step["count"] is None:
            assert [t.challenge(step["challenge"])] == numbers(step["scalars"])
            seen.add("challenge")
        else:
            assert t.challenges(step["challenge"], step["count"]) == numbers(step["scalars"])
            seen.add("challenges")
    assert seen == {"nonces", "challenge", "challenges"}


# --- keys ---


def test_keys() -> None:
    data = load("keys")
    total = plain.ZERO
    for case in data["cases"]:
        identity, key, secret = unhex(case["identity"], case["key"], case["secret"])
        plain.check_key(case["context"], identity, key)
        verify_round_key(read_context(case["context"]), identity, RoundKey.decode(key))
        check_reveal(read_context(case["context"]), RoundKey.decode(key), RoundSecret.decode(secret))
        random, x_bytes, seed = unhex(case["random"], case["x"], case["seed"])
        x = plain.number(x_bytes)
        assert plain.number(random[:64]) % plain.q == x
        assert random[64:96] == seed
        assert plain.mul(x, plain.GENERATOR).hex() == case["Y"]
        committed = plain.frame("fairdeal/v1/shuffle-commit", plain.context(case["context"]), seed)
        assert sha512(committed).hexdigest() == case["h"]
        t = plain.Transcript("fairdeal/v1/key", case["context"])
        t.absorb("fairdeal/v1/key/statement", identity, *unhex(case["Y"], case["h"]))
        assert t.nonces(x_bytes + seed, random[96:128], 1) == numbers([case["r"]])
        total = plain.add(total, bytes.fromhex(case["Y"]))
    assert total.hex() == data["joint"]


def test_invalid_keys() -> None:
    data = load("keys")
    case = data["cases"][0]
    identity, key = unhex(case["identity"], case["key"])
    entries = data["invalid_first_96_bytes_of_case_0"]
    assert len(entries) > 15
    for entry in entries:
        wrong = altered(key[:96], entry) + key[96:]
        with pytest.raises(plain.Wrong):
            plain.check_key(case["context"], identity, wrong)
        with pytest.raises(BadMessage):
            verify_round_key(read_context(case["context"]), identity, RoundKey.decode(wrong))


# --- shuffles ---


def test_expansion() -> None:
    data = load("expansion")
    for case in data["shuffles"]:
        joint, seed, before = unhex(case["joint"], case["seed"], case["before"])
        n = len(before) // 64
        assert plain.deck_hash(before).hex() == case["deck_hash"]
        inputs = (plain.context(case["context"]), joint, seed, plain.deck_hash(before))
        for name, label in (("permutation", "shuffle-permutation"), ("mask", "shuffle-masks")):
            stream = shake_256(plain.frame(f"fairdeal/v1/{label}", *inputs)).digest(128)
            assert stream.hex() == case[f"{name}_stream"]
        order, masks = plain.expand("shuffle", n, *inputs)
        assert order == case["permutation"]
        assert masks == numbers(case["masks"])
        assert plain.remask(joint, before, order, masks).hex() == case["after"]
    hand = data["hand"]
    joint, random, before = unhex(hand["joint"], hand["random"], hand["before"])
    order, masks = plain.expand("hand", len(before) // 64, joint, random, plain.deck_hash(before))
    assert (order, masks) == (hand["permutation"], numbers(hand["masks"]))
    assert plain.remask(joint, before, order, masks).hex() == hand["after"]


def shuffle_arguments(case: Data) -> tuple[ProofContext, Any, Any, Any]:
    before, after = (decode_deck(bytes.fromhex(case[side]), case["n"]) for side in ("before", "after"))
    return read_context(case["context"]), decode_point(bytes.fromhex(case["joint"])), before, after


@pytest.mark.parametrize("case", load("shuffle")["cases"], ids=lambda case: f"{case['n']} cards")
def test_shuffle_proofs(case: Data) -> None:
    joint, before, after, proof, random = unhex(
        case["joint"], case["before"], case["after"], case["proof"], case["random"]
    )
    verify_shuffle(*shuffle_arguments(case), proof, rng_of("vectors"))
    found = plain.check_shuffle(case["context"], joint, before, after, proof)
    assert plain.remask(joint, before, case["permutation"], numbers(case["masks"])) == after
    steps = case.get("steps", {})
    for name in found.keys() & steps.keys():
        value = found[name]
        assert steps[name] == (
            [one.to_bytes(32, "little").hex() for one in value]
            if isinstance(value, list)
            else value.to_bytes(32, "little").hex()
        )
    if 1 < case["n"] < 52:
        assert found.keys() <= steps.keys()
        check_steps(case, joint, before, after, random)


def check_steps(case: Data, joint: bytes, before: bytes, after: bytes, random: bytes) -> None:
    """The prover's side: every value of the proof, from the nonces, by the equations."""
    n, steps, q = case["n"], case["steps"], plain.q
    pi, R = [position + 1 for position in case["permutation"]], numbers(case["masks"])
    nonces = {name: numbers([value])[0] for name, value in steps["nonces"].items() if isinstance(value, str)}
    d, D, Delta = (numbers(steps["nonces"][name]) for name in ("d", "D", "Delta"))
    t = plain.Transcript("fairdeal/v1/shuffle", case["context"])
    t.absorb("fairdeal/v1/shuffle/statement", joint, n, before, after)
    secret = b"".join((position - 1).to_bytes(4, "big") for position in pi)
    secret += b"".join(value.to_bytes(32, "little") for value in R)
    drawn = t.nonces(secret, random, 3 * n + 4)
    assert drawn == [*(nonces[name] for name in ("r", "r_d", "R_d", "r_D", "r_Delta", "r_a")), *d, *D, *Delta[1:-1]]
    assert (Delta[0], Delta[-1]) == (D[0], 0)

    weights, m, a = numbers(steps["t"]), numbers(steps["m"]), numbers(steps["a"])
    lam, x, e = (numbers([steps[name]])[0] for name in ("lambda", "x", "e"))
    assert m == [(lam * (i + 1) + weights[i]) % q for i in range(n)]
    held = [m[i - 1] for i in pi]
    running = 1
    for i in range(n):
        running = running * (held[i] - x) % q
        assert a[i] == running
    crossed = [-Delta[i] * D[i + 1] % q for i in range(n - 1)]
    rows = [(Delta[i + 1] - (held[i + 1] - x) * Delta[i] - a[i] * D[i + 1]) % q for i in range(n - 1)]
    E_a, E_b = plain.words(after, 2 * n)[::2], plain.words(after, 2 * n)[1::2]
    negated = [-value for value in d]
    expected = {
        "c": plain.commit(pi, nonces["r"]),
        "c_d": plain.commit(negated, nonces["r_d"]),
        "E_d": plain.add(plain.mul(nonces["R_d"], plain.GENERATOR), plain.dot(negated, E_a))
        + plain.add(plain.mul(nonces["R_d"], joint), plain.dot(negated, E_b)),
        "f": [(weights[i - 1] + value) % q for i, value in zip(pi, d, strict=True)],
        "Z": (sum(weights[i - 1] * value for i, value in zip(pi, R, strict=True)) + nonces["R_d"]) % q,
        "c_D": plain.commit(D, nonces["r_D"]),
        "c_Delta": plain.commit(crossed, nonces["r_Delta"]),
        "c_a": plain.commit(rows, nonces["r_a"]),
        "F": [(e * value + blind) % q for value, blind in zip(held, D, strict=True)],
        "z": (e * (lam * nonces["r"] + nonces["r_d"]) + nonces["r_D"]) % q,
        "F_Delta": [(e * row + cross) % q for row, cross in zip(rows, crossed, strict=True)],
        "z_Delta": (e * nonces["r_a"] + nonces["r_Delta"]) % q,
    }
    proof = b""
    for name, value in expected.items():
        parts = value if isinstance(value, list) else [value]
        encoded = [part if isinstance(part, bytes) else part.to_bytes(32, "little") for part in parts]
        assert steps[name] == ([part.hex() for part in encoded] if isinstance(value, list) else encoded[0].hex())
        proof += b"".join(encoded)
    assert proof.hex() == case["proof"]


@pytest.mark.parametrize(("index", "name"), [(1, "invalid_proofs_of_1_card"), (2, "invalid_proofs_of_2_cards")])
def test_invalid_shuffle_proofs(index: int, name: str) -> None:
    data = load("shuffle")
    case = data["cases"][index]
    joint, before, after, proof = unhex(case["joint"], case["before"], case["after"], case["proof"])
    assert len(data[name]) > 15
    for entry in data[name]:
        wrong = altered(proof, entry)
        with pytest.raises(plain.Wrong):
            plain.check_shuffle(case["context"], joint, before, after, wrong)
        with pytest.raises(BadProof):
            verify_shuffle(*shuffle_arguments(case), wrong, rng_of("vectors"))


# --- shares ---


def test_shares() -> None:
    data = load("shares")
    for case in data["cases"]:
        y, cards, encoded, random, x = unhex(case["Y"], case["cards"], case["shares"], case["random"], case["x"])
        m = len(cards) // 64
        found = plain.check_shares(case["context"], y, cards, encoded)
        assert found["w"] == numbers(case["w"])
        assert [found["challenge"]] == numbers([case["challenge"]])
        verify_shares(
            read_context(case["context"]), decode_point(y), decode_deck(cards, m), ProvenShares.decode(encoded, m)
        )
        A = plain.words(cards, 2 * m)[::2]
        assert [plain.mul(plain.number(x), a).hex() for a in A] == case["D"]
        t = plain.Transcript("fairdeal/v1/shares", case["context"])
        t.absorb("fairdeal/v1/shares/statement", y, m, cards, b"".join(unhex(*case["D"])))
        t.challenges("fairdeal/v1/shares/weights", m - 1)
        (r,) = t.nonces(x, random, 1)
        assert [r] == numbers([case["r"]])
        assert plain.mul(r, plain.GENERATOR).hex() == case["U"]
        assert plain.mul(r, plain.dot(found["w"], A)).hex() == case["V"]
        assert [(r - found["challenge"] * plain.number(x)) % plain.q] == numbers([case["s"]])
        assert "".join([*case["D"], case["U"], case["V"], case["s"]]) == case["shares"]
    together = data["cases"][-3:]
    deck = decode_deck(bytes.fromhex(together[0]["cards"]), 3)
    columns = zip(*[[decode_point(d) for d in unhex(*case["D"])] for case in together], strict=True)
    faces = [open_card(card, column) for card, column in zip(deck, columns, strict=True)]
    assert faces == data["faces_of_the_last_three_cases_together"]
    assert sorted(faces) == sorted(Card(face) for face in ("2c", "3c", "4c"))


def test_invalid_shares() -> None:
    data = load("shares")
    case = data["cases"][-1]
    y, cards, good = unhex(case["Y"], case["cards"], case["shares"])
    entries = data["invalid_shares_of_the_last_case"]
    assert len(entries) > 25
    for entry in entries:
        wrong = altered(good, entry)
        with pytest.raises(plain.Wrong):
            plain.check_shares(case["context"], y, cards, wrong)
        with pytest.raises(BadMessage):
            shares.verify_shares(
                read_context(case["context"]), decode_point(y), decode_deck(cards, 3), ProvenShares.decode(wrong, 3)
            )


# --- recovery ---


def test_recovery() -> None:
    data = load("recovery")
    ctx, y = read_context(data["context"]), decode_point(bytes.fromhex(data["Y"]))
    receivers = {case["context"]["receiver"]: decode_point(bytes.fromhex(case["receiver_Y"])) for case in data["cases"]}
    sealed = decode_split(bytes.fromhex(data["split"]), list(receivers))
    verify_split(ctx, y, receivers, sealed)
    opened = {}
    for case in data["cases"]:
        seat, x_bytes = case["context"]["receiver"], bytes.fromhex(case["receiver_x"])
        encoded = bytes.fromhex(case["sealed"])
        plain.check_sealed(case["context"], bytes.fromhex(case["receiver_Y"]), encoded)
        assert plain.mul(plain.number(x_bytes), bytes.fromhex(case["E"])).hex() == case["common"]
        s = plain.unseal(case["context"], plain.number(x_bytes), encoded)
        assert [s] == numbers([case["share"]])
        assert [(plain.number(bytes.fromhex(case["c"])) - s) % plain.q] == numbers([case["pad"]])
        assert "".join(case[name] for name in ("S", "E", "U", "z", "c")) == case["sealed"]
        opened[seat] = open_share(ctx, seat, decode_scalar(x_bytes), sealed[seat])
        assert int(opened[seat]) == s
    assert recover(y, sealed, opened) == decode_scalar(bytes.fromhex(data["x"]))
    complaint = data["false_complaint"]
    answer = ProvenShares.decode(bytes.fromhex(complaint["shares"]), 1)
    with pytest.raises(BadProof, match="can be opened"):
        uphold(read_context(complaint["context"]), receivers[2], answer, ctx, 2, sealed[2])


def test_invalid_sealed_shares() -> None:
    data = load("recovery")
    ctx, case = read_context(data["context"]), data["cases"][0]
    receivers = {one["context"]["receiver"]: decode_point(bytes.fromhex(one["receiver_Y"])) for one in data["cases"]}
    sealed = decode_split(bytes.fromhex(data["split"]), list(receivers))
    good = bytes.fromhex(case["sealed"])
    assert len(data["invalid_sealed_of_case_0"]) > 20
    for entry in data["invalid_sealed_of_case_0"]:
        wrong = altered(good, entry)
        with pytest.raises(BadMessage):
            verify_split(
                ctx,
                decode_point(bytes.fromhex(data["Y"])),
                receivers,
                {**sealed, case["context"]["receiver"]: SealedShare.decode(wrong)},
            )
    assert len(good) == recovery.SEALED_SHARE_BYTES
