"""Vectors of the dealing: everything that two clients must compute alike, with what comes between. (PROTOCOL.md, "Dealing".)

Bytes are in hex, points and scalars as they are encoded. All randomness is SHAKE-256 of a seed; what was drawn from it is in the
vectors, so that nobody needs to draw it again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from hashlib import shake_256
from pathlib import Path
from typing import Any

from protocol.cards import ALL_FACES, PACK_52, Card
from protocol.dealing import keys as keys_module
from protocol.dealing import labels
from protocol.dealing import mask_proof as mask_module
from protocol.dealing import recovery as recovery_module
from protocol.dealing import shares as shares_module
from protocol.dealing import shuffle_argument as argument
from protocol.dealing.context import ProofContext
from protocol.dealing.elgamal import Deck, encode_deck, hash_deck, starting_deck
from protocol.dealing.faces import card_point
from protocol.dealing.fiat_shamir import Transcript
from protocol.dealing.group import (
    G,
    Point,
    Scalar,
    commitment_keys,
    expand_message_xmd,
    point_from_hash,
    q,
    weighted_sum,
)
from protocol.dealing.hashing import Encodes, Rng, Stream, frame, hash64
from protocol.dealing.keys import RoundKey, RoundSecret, joint_key, make_round_key
from protocol.dealing.mask_proof import MaskProof
from protocol.dealing.recovery import complain, encode_split, split
from protocol.dealing.remasking import ShuffleWitness, remask_hand, shuffle
from protocol.dealing.shares import open_card, prove_shares
from protocol.dealing.shuffle import proof_size, prove_shuffle
from tests.dealing.altered import alterations

Data = dict[str, Any]
HERE = Path(__file__).parent
SEED = b"fairdeal vectors 1"
SEATS = 3
IDENTITIES = [bytes([0x10 + seat]) * 32 for seat in range(SEATS)]


class Recorder:
    """Random bytes that follow from a seed and a name, and are written down."""

    def __init__(self, seed: bytes, name: str) -> None:
        self._data, self._at = shake_256(seed + b"/" + name.encode()).digest(1 << 14), 0

    def __call__(self, count: int) -> bytes:
        self._at += count
        return self._data[self._at - count : self._at]

    @property
    def drawn(self) -> str:
        return self._data[: self._at].hex()


def show(value: Encodes | bytes) -> str:
    return (value if isinstance(value, bytes) else value.encode()).hex()


def show_all(values: Iterable[Encodes | bytes]) -> list[str]:
    return [show(value) for value in values]


def show_context(ctx: ProofContext) -> Data:
    return {**asdict(ctx), "table": ctx.table.hex()}


def context(purpose: str, seat: int = 0, step: int = 7, receiver: int | None = None) -> ProofContext:
    table = bytes(range(64))
    return ProofContext(table, epoch=2, round=3, deck=1, step=step, seat=seat, purpose=purpose, receiver=receiver)


def invalid(data: bytes, layout: str) -> list[Data]:
    """Altered forms of the bytes: either `at` which byte to put `bytes` in, or `all` of the bytes."""
    entries: list[Data] = []
    for name, altered in alterations(data, layout):
        if len(altered) != len(data):
            entries.append({"name": name, "all": altered.hex()})
            continue
        differing = [i for i in range(len(data)) if data[i] != altered[i]]
        first, last = differing[0], differing[-1] + 1
        entries.append({"name": name, "at": first, "bytes": altered[first:last].hex()})
    return entries


# --- the group and the hashes ---


def group() -> Data:
    message = (1).to_bytes(4, "big")
    uniform = expand_message_xmd(message, labels.COMMITMENT_KEY.encode(), 64)
    assert point_from_hash(uniform) == commitment_keys(1)[0]
    return {
        "order": str(q),
        "generator": show(G),
        "hash_to_group": {
            "suite": "ristretto255_XMD:SHA-512",
            "domain": labels.COMMITMENT_KEY,
            "message": message.hex(),
            "uniform_bytes": uniform.hex(),
            "point": show(point_from_hash(uniform)),
        },
        "card_points": {face: show(card_point(face)) for face in sorted(ALL_FACES)},
        "commitment_keys": show_all(commitment_keys(12)),
        "scalars_reduced": [
            {"bytes": data.hex(), "scalar": show(Scalar.reduce(data))}
            for data in (bytes(64), bytes(range(64)), b"\xff" * 64, (q + 5).to_bytes(64, "little"))
        ],
        "invalid_scalars": {
            "zero": bytes(32).hex(),
            "the order": q.to_bytes(32, "little").hex(),
            "all ones": "ff" * 32,
            "short": "01" * 31,
            "long": "01" * 32 + "00",
        },
        "invalid_points": {
            "the identity": bytes(32).hex(),
            "the generator with the highest bit": show(G)[:-2] + f"{G.encode()[31] | 0x80:02x}",
            "the generator negated": (2**255 - 19 - int.from_bytes(G.encode(), "little")).to_bytes(32, "little").hex(),
            "short": show(G)[:-2],
            "long": show(G) + "00",
        },
    }


def transcript() -> Data:
    ctx = context("example", receiver=1)
    other = context("example")
    t = Transcript("example/proof", ctx)
    steps: list[Data] = []

    def absorb(label: str, *values: bytes | int | str) -> None:
        t.absorb(label, *values)
        shown = [v.hex() if isinstance(v, bytes) else v for v in values]
        steps.append({"absorb": label, "values": shown, "frame": frame(label, *values).hex()})

    def draw(label: str, count: int | None = None) -> None:
        scalars = [t.challenge(label)] if count is None else t.challenges(label, count)
        steps.append({"challenge": label, "count": count, "scalars": show_all(scalars)})

    absorb("example/statement", b"\x00\x01\x02", 258, "8h", b"")
    draw("example/first")
    draw("example/first")
    absorb("example/nothing")
    draw("example/row", 3)
    secret, fresh = b"secret", bytes(range(32))
    steps.append(
        {
            "nonces": 2,
            "secret": secret.hex(),
            "fresh": fresh.hex(),
            "scalars": show_all(t.nonces(secret, lambda count: fresh[:count], 2)),
        }
    )
    draw("example/last")
    return {
        "contexts": [{"context": show_context(one), "bytes": show(one)} for one in (ctx, other)],
        "hash64": {"label": "example/hash", "values": ["00ff", 7], "hash": show(hash64("example/hash", b"\0\xff", 7))},
        "stream": {
            "label": "example/stream",
            "values": ["00ff", 7],
            "first_100": show(Stream("example/stream", b"\0\xff", 7).read(100)),
        },
        "transcript": {"label": "example/proof", "context": show_context(ctx), "steps": steps},
    }


# --- keys ---


def make_keys(seed: bytes) -> list[tuple[ProofContext, RoundSecret, RoundKey, Recorder]]:
    made = []
    for seat in range(SEATS):
        ctx, rng = context("key", seat, step=0), Recorder(seed, f"key {seat}")
        made.append((ctx, *make_round_key(ctx, IDENTITIES[seat], rng), rng))
    return made


def keys(seed: bytes) -> Data:
    cases = []
    for (ctx, secret, key, rng), identity in zip(make_keys(seed), IDENTITIES, strict=True):
        t = keys_module._statement(ctx, identity, key.y, key.commitment)
        (r,) = t.nonces(secret.encode(), lambda count, rng=rng: bytes.fromhex(rng.drawn)[-count:], 1)  # type: ignore[misc]
        assert r * G == key.proof.u
        cases.append(
            {
                "context": show_context(ctx),
                "identity": identity.hex(),
                "random": rng.drawn,
                "x": show(secret.x),
                "seed": show(secret.seed),
                "Y": show(key.y),
                "h": show(key.commitment),
                "r": show(r),
                "U": show(key.proof.u),
                "challenge": show(keys_module._challenge(t, key.proof.u)),
                "s": show(key.proof.s),
                "key": show(key),
                "secret": show(secret),
            }
        )
    first = cases[0]["key"]
    assert isinstance(first, str)
    proof = bytes.fromhex(first)[:96]
    return {"cases": cases, "joint": show(joint(seed)), "invalid_first_96_bytes_of_case_0": invalid(proof, "pps")}


def joint(seed: bytes) -> Point:
    return joint_key([key for _, _, key, _ in make_keys(seed)])


# --- shuffles ---


def masked(seed: bytes, n: int, faces: Sequence[Card] = PACK_52) -> Deck:
    """n cards, shuffled once."""
    return shuffle(context("example"), joint(seed), bytes(32), starting_deck(faces[:n]))[0]


def expansion(seed: bytes) -> Data:
    Y = joint(seed)
    cases = []
    packs: dict[str, Deck] = {
        "no card": (),
        "one card": starting_deck(PACK_52[:1]),
        "five cards of a starting deck": starting_deck(PACK_52[:5]),
        "five masked cards": masked(seed, 5),
        "a pack": starting_deck(PACK_52),
    }
    for name, before in packs.items():
        ctx, secret = context("shuffle", 1), Recorder(seed, "expansion")(32)
        after, witness = shuffle(ctx, Y, secret, before)
        cases.append(
            {
                "name": name,
                "context": show_context(ctx),
                "joint": show(Y),
                "seed": show(secret),
                "before": show(encode_deck(before)),
                "deck_hash": show(hash_deck(before)),
                "permutation_stream": _stream(labels.SHUFFLE_PERMUTATION, ctx, Y, secret, hash_deck(before)),
                "mask_stream": _stream(labels.SHUFFLE_MASKS, ctx, Y, secret, hash_deck(before)),
                "permutation": list(witness.permutation),
                "masks": show_all(witness.scalars),
                "after": show(encode_deck(after)),
            }
        )
    hand, rng = masked(seed, 5), Recorder(seed, "hand")
    after, witness = remask_hand(Y, hand, rng)
    hand_case = {
        "joint": show(Y),
        "random": rng.drawn,
        "before": show(encode_deck(hand)),
        "permutation_stream": _stream(labels.HAND_PERMUTATION, Y, bytes.fromhex(rng.drawn), hash_deck(hand)),
        "permutation": list(witness.permutation),
        "masks": show_all(witness.scalars),
        "after": show(encode_deck(after)),
    }
    return {"shuffles": cases, "hand": hand_case}


def _stream(label: str, *values: Encodes | bytes) -> str:
    """The first 128 bytes."""
    return show(Stream(label, *values).read(128))


def shuffle_proofs(seed: bytes) -> Data:
    cases = [_shuffle_proof(seed, n) for n in (0, 1, 2, 5, 52)]
    return {
        "cases": cases,
        "invalid_proofs_of_1_card": invalid(bytes.fromhex(cases[1]["proof"]), "pps"),
        "invalid_proofs_of_2_cards": invalid(bytes.fromhex(cases[2]["proof"]), "pppp" + "sss" + "ppp" + "sss" + "ss"),
    }


def _shuffle_proof(seed: bytes, n: int) -> Data:
    ctx, Y, before, rng = context("shuffle", 1), joint(seed), masked(seed, n), Recorder(seed, f"proof {n}")
    after, witness = shuffle(ctx, Y, Recorder(seed, "expansion")(32), before)
    proof = prove_shuffle(ctx, Y, before, after, witness, rng)
    assert len(proof) == proof_size(n)
    case: Data = {
        "n": n,
        "context": show_context(ctx),
        "joint": show(Y),
        "before": show(encode_deck(before)),
        "after": show(encode_deck(after)),
        "permutation": list(witness.permutation),
        "masks": show_all(witness.scalars),
        "random": rng.drawn,
        "proof": show(proof),
    }
    again = Recorder(seed, f"proof {n}")
    if n == 1:
        case["steps"] = _mask_steps(ctx, Y, before, after, witness, MaskProof.decode(proof), again)
    elif 1 < n < 10:
        decoded = argument.ArgumentProof.decode(proof, n)
        case["steps"] = _argument_steps(ctx, Y, before, after, witness, decoded, again)
    return case


def _mask_steps(
    ctx: ProofContext, Y: Point, before: Deck, after: Deck, witness: ShuffleWitness, proof: MaskProof, rng: Rng
) -> Data:
    t = mask_module._begin(ctx, Y, before[0], after[0])
    (r,) = t.nonces(witness.scalars[0].encode(), rng, 1)
    c = mask_module._challenge(t, proof.u, proof.v)
    assert proof.z == r - c * witness.scalars[0]
    return {"r": show(r), "U": show(proof.u), "V": show(proof.v), "challenge": show(c), "z": show(proof.z)}


def _argument_steps(
    ctx: ProofContext,
    Y: Point,
    before: Deck,
    after: Deck,
    witness: ShuffleWitness,
    proof: argument.ArgumentProof,
    rng: Rng,
) -> Data:
    """What comes between, computed here once more by the equations."""
    n, pi = len(before), [position + 1 for position in witness.permutation]
    t = argument.begin(ctx, Y, before, after)
    secret = argument.ShuffleNonces.draw(t, witness, rng)
    weights = argument.challenge_weights(t, proof.c, proof.c_d, proof.E_d, n)
    lam, x = argument.challenge_product(t, proof.f, proof.Z)
    e = argument.challenge_last(t, proof.c_D, proof.c_Delta, proof.c_a)
    m = [lam * Scalar(i) + weights[i - 1] for i in range(1, n + 1)]
    a = [m[pi[0] - 1] - x]
    for i in range(1, n):
        a.append(a[-1] * (m[pi[i] - 1] - x))
    v = [proof.F[0] - e * x]
    for value, cross in zip(proof.F[1:], proof.F_Delta, strict=True):
        v.append((v[-1] * (value - e * x) + cross) * e.inverse())
    assert v[-1] == e * a[-1]
    assert proof.c == secret.r * G + weighted_sum([Scalar(i) for i in pi], commitment_keys(n))
    return {
        "nonces": {
            "r": show(secret.r),
            "r_d": show(secret.r_d),
            "R_d": show(secret.R_d),
            "r_D": show(secret.r_D),
            "r_Delta": show(secret.r_Delta),
            "r_a": show(secret.r_a),
            "d": show_all(secret.d),
            "D": show_all(secret.D),
            "Delta": show_all(secret.Delta),
        },
        "c": show(proof.c),
        "c_d": show(proof.c_d),
        "E_d": show(proof.E_d),
        "t": show_all(weights),
        "f": show_all(proof.f),
        "Z": show(proof.Z),
        "lambda": show(lam),
        "x": show(x),
        "m": show_all(m),
        "a": show_all(a),
        "c_D": show(proof.c_D),
        "c_Delta": show(proof.c_Delta),
        "c_a": show(proof.c_a),
        "e": show(e),
        "F": show_all(proof.F),
        "z": show(proof.z),
        "F_Delta": show_all(proof.F_Delta),
        "z_Delta": show(proof.z_Delta),
        "v": show_all(v),
    }


# --- shares and recovery ---


def shares(seed: bytes) -> Data:
    made, cases = make_keys(seed), []
    deck = masked(seed, 3)
    for m in (1, 3):
        cards, points = deck[:m], []
        for seat, (_, secret, key, _) in enumerate(made):
            ctx, rng = context("share", seat), Recorder(seed, f"shares {m} {seat}")
            given = prove_shares(ctx, secret.x, key.y, cards, rng)
            points.append(given.points)
            t, weights = shares_module._begin(ctx, key.y, cards, given.points)
            (r,) = t.nonces(secret.x.encode(), Recorder(seed, f"shares {m} {seat}"), 1)
            cases.append(
                {
                    "context": show_context(ctx),
                    "x": show(secret.x),
                    "Y": show(key.y),
                    "cards": show(encode_deck(cards)),
                    "D": show_all(given.points),
                    "w": show_all(weights),
                    "random": rng.drawn,
                    "r": show(r),
                    "U": show(given.proof.u),
                    "V": show(given.proof.v),
                    "challenge": show(shares_module._challenge(t, given.proof.u, given.proof.v)),
                    "s": show(given.proof.s),
                    "shares": show(given),
                }
            )
    faces = [open_card(card, [row[i] for row in points]) for i, card in enumerate(deck)]
    last = cases[-1]["shares"]
    assert isinstance(last, str)
    return {
        "cases": cases,
        "faces_of_the_last_three_cases_together": faces,
        "invalid_shares_of_the_last_case": invalid(bytes.fromhex(last), "ppppps"),
    }


def recovery(seed: bytes) -> Data:
    made = make_keys(seed)
    ctx, rng = context("recovery", 0), Recorder(seed, "split")
    receivers = {seat: made[seat][2].y for seat in (1, 2)}
    sealed = split(ctx, made[0][1].x, receivers, rng)
    cases = []
    for seat, share in sealed.items():
        sealing = context("recovery", 0, receiver=seat)
        common = made[seat][1].x * share.E
        cases.append(
            {
                "context": show_context(sealing),
                "receiver_x": show(made[seat][1].x),
                "receiver_Y": show(receivers[seat]),
                "S": show(share.S),
                "E": show(share.E),
                "U": show(share.u),
                "z": show(share.z),
                "c": show(share.c),
                "common": show(common),
                "pad": show(recovery_module._pad(sealing, share.E, common)),
                "share": show(recovery_module.open_share(ctx, seat, made[seat][1].x, share)),
                "sealed": show(share),
            }
        )
    complaint, fresh = context("recovery-complaint", 2, receiver=0), Recorder(seed, "complaint")
    answer = complain(complaint, made[2][1].x, receivers[2], sealed[2], fresh)
    return {
        "context": show_context(ctx),
        "x": show(made[0][1].x),
        "Y": show(made[0][2].y),
        "random": rng.drawn,
        "split": show(encode_split(sealed)),
        "cases": cases,
        "false_complaint": {
            "context": show_context(complaint),
            "random": fresh.drawn,
            "shares": show(answer),
        },
        "invalid_sealed_of_case_0": invalid(sealed[1].encode(), "pppss"),
    }


FILES: dict[str, tuple[str, Callable[[bytes], Data]]] = {
    "dealing_group": ("Scalars, points, card points, commitment keys", lambda seed: group()),
    "dealing_transcript": ("Frames, contexts, hashes and the Fiat-Shamir transcript", lambda seed: transcript()),
    "dealing_keys": ("Round keys of three seats", keys),
    "dealing_expansion": ("What a shuffle's seed is expanded to", expansion),
    "dealing_shuffle": ("Shuffle proofs of 0, 1, 2, 5 and 52 cards", shuffle_proofs),
    "dealing_shares": ("Decryption shares of three seats", shares),
    "dealing_recovery": ("A round key, shared out", recovery),
}


def make(seed: bytes = SEED) -> dict[str, bytes]:
    """All files of these vectors, by name."""
    files = {}
    for name, (about, build) in FILES.items():
        data = {"about": about, "seed": seed.hex(), **build(seed)}
        files[f"{name}.json"] = (json.dumps(data, indent=1, ensure_ascii=False) + "\n").encode()
    return files


def main() -> None:
    for name, data in make().items():
        (HERE / name).write_bytes(data)


if __name__ == "__main__":
    main()
