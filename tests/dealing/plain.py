"""The dealing once more, from its description alone: what somebody's second client would be. Slow, plain, and sharing no code
with the first: scalars are ints, points are bytes, every equation is checked by itself as it stands in PROTOCOL.md."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha512, shake_256
from typing import Any

from tests import sodium

q = 2**252 + 27742317777372353535851937790883648493
ZERO = bytes(32)
GENERATOR = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
Data = dict[str, Any]


class Wrong(Exception):
    """A proof that does not hold, or bytes of no form."""


def check(holds: bool) -> None:
    if not holds:
        raise Wrong


# --- group ---


def mul(k: int, p: bytes) -> bytes:
    if k % q == 0 or p == ZERO:
        return ZERO
    return bytes(sodium.crypto_scalarmult_ristretto255((k % q).to_bytes(32, "little"), p))


def add(*points: bytes) -> bytes:
    total = ZERO
    for p in points:
        total = bytes(sodium.crypto_core_ristretto255_add(total, p))
    return total


def dot(row: Sequence[int], points: Sequence[bytes]) -> bytes:
    check(len(row) == len(points))
    return add(*[mul(k, p) for k, p in zip(row, points, strict=True)])


def number(data: bytes) -> int:
    return int.from_bytes(data, "little")


def scalar(data: bytes) -> int:
    value = number(data)
    check(len(data) == 32 and 0 < value < q)
    return value


def point(data: bytes) -> bytes:
    check(len(data) == 32 and data != ZERO and not data[31] & 0x80)
    check(sodium.crypto_core_ristretto255_is_valid_point(data))
    return data


def words(data: bytes, count: int) -> list[bytes]:
    check(len(data) == 32 * count)
    return [data[at : at + 32] for at in range(0, len(data), 32)]


def hash_to_group(domain: str, message: bytes) -> bytes:
    suffix = domain.encode() + bytes([len(domain)])
    first = sha512(bytes(128) + message + b"\x00\x40\x00" + suffix).digest()
    return bytes(sodium.crypto_core_ristretto255_from_hash(sha512(first + b"\x01" + suffix).digest()))


def commitment_key(i: int) -> bytes:
    return hash_to_group("fairdeal/v1/commitment-key", i.to_bytes(4, "big"))


def commit(row: Sequence[int], r: int) -> bytes:
    return add(mul(r, GENERATOR), dot(row, [commitment_key(i + 1) for i in range(len(row))]))


# --- hashes ---


def frame(label: str, *values: bytes | int | str) -> bytes:
    def sized(data: bytes) -> bytes:
        return len(data).to_bytes(4, "big") + data

    shown = [v if isinstance(v, bytes) else v.encode() if isinstance(v, str) else v.to_bytes(8, "big") for v in values]
    return sized(label.encode()) + len(values).to_bytes(4, "big") + b"".join(sized(v) for v in shown)


def context(ctx: Data) -> bytes:
    numbers = [ctx[name] for name in ("epoch", "round", "deck", "step", "seat")]
    receiver = b"" if ctx["receiver"] is None else ctx["receiver"]
    return frame("fairdeal/v1/context", ctx["version"], bytes.fromhex(ctx["table"]), *numbers, ctx["purpose"], receiver)


class Transcript:
    def __init__(self, label: str, ctx: Data) -> None:
        self.data = frame(label, context(ctx))

    def absorb(self, label: str, *values: bytes | int | str) -> None:
        self.data += frame(label, *values)

    def draw(self, label: str) -> bytes:
        self.data += frame(label)
        digest = sha512(self.data).digest()
        self.data += frame(label, digest)
        return digest

    def challenge(self, label: str) -> int:
        value = 0
        while value == 0:
            value = number(self.draw(label)) % q
        return value

    def challenges(self, label: str, count: int) -> list[int]:
        data = shake_256(self.draw(label)).digest(64 * count)
        return [number(data[at : at + 64]) % q for at in range(0, 64 * count, 64)]

    def nonces(self, secret: bytes, fresh: bytes, count: int) -> list[int]:
        seed = frame("fairdeal/v1/nonce", sha512(self.data).digest(), secret, fresh)
        data = shake_256(seed).digest(64 * count)
        return [number(data[at : at + 64]) % q for at in range(0, 64 * count, 64)]


# --- keys ---


def check_key(ctx: Data, identity: bytes, data: bytes) -> None:
    Y, U, s_bytes = words(data[:96], 3)
    h, s = data[96:], scalar(s_bytes)
    check(len(h) == 64)
    point(Y), point(U)
    t = Transcript("fairdeal/v1/key", ctx)
    t.absorb("fairdeal/v1/key/statement", identity, Y, h)
    t.absorb("fairdeal/v1/key/commitment", U)
    c = t.challenge("fairdeal/v1/key/challenge")
    check(add(mul(s, GENERATOR), mul(c, Y)) == U)


# --- shuffles ---


def expand(prefix: str, n: int, *inputs: bytes) -> tuple[list[int], list[int]]:
    stream = shake_256(frame(f"fairdeal/v1/{prefix}-permutation", *inputs)).digest(4 * n + 4000)
    order, at = list(range(n)), 0
    for i in range(n - 1, 0, -1):
        while True:
            drawn = int.from_bytes(stream[at : at + 4], "big")
            at += 4
            if drawn < 2**32 - 2**32 % (i + 1):
                break
        j = drawn % (i + 1)
        order[i], order[j] = order[j], order[i]
    masks = shake_256(frame(f"fairdeal/v1/{prefix}-masks", *inputs)).digest(64 * n)
    return order, [number(masks[at : at + 64]) % q for at in range(0, 64 * n, 64)]


def deck_hash(deck: bytes) -> bytes:
    return sha512(frame("fairdeal/v1/deck", deck)).digest()


def remask(joint: bytes, before: bytes, order: Sequence[int], masks: Sequence[int]) -> bytes:
    cards = words(before, 2 * len(order))
    out = b""
    for position, s in zip(order, masks, strict=True):
        out += add(cards[2 * position], mul(s, GENERATOR)) + add(cards[2 * position + 1], mul(s, joint))
    return out


def check_shuffle(ctx: Data, joint: bytes, before: bytes, after: bytes, proof: bytes) -> Data:
    """Raises Wrong unless it holds; returns the challenges and the running product."""
    n = len(before) // 64
    e_a, e_b = words(before, 2 * n)[::2], words(before, 2 * n)[1::2]
    E_a, E_b = words(after, 2 * n)[::2], words(after, 2 * n)[1::2]
    if n == 0:
        check(proof == b"")
        return {}
    if n == 1:
        return _check_mask(ctx, joint, (e_a[0], e_b[0]), (E_a[0], E_b[0]), proof)

    fields = words(proof, 3 * n + 9)
    c, c_d, E_d_a, E_d_b = map(point, fields[:4])
    f, Z = [scalar(word) for word in fields[4 : 4 + n]], scalar(fields[4 + n])
    c_D, c_Delta, c_a = map(point, fields[5 + n : 8 + n])
    F, z = [scalar(word) for word in fields[8 + n : 8 + 2 * n]], scalar(fields[8 + 2 * n])
    F_Delta, z_Delta = [scalar(word) for word in fields[9 + 2 * n : 8 + 3 * n]], scalar(fields[8 + 3 * n])

    tr = Transcript("fairdeal/v1/shuffle", ctx)
    tr.absorb("fairdeal/v1/shuffle/statement", joint, n, before, after)
    tr.absorb("fairdeal/v1/shuffle/commitments", c, c_d, E_d_a, E_d_b)
    t = tr.challenges("fairdeal/v1/shuffle/weights", n)
    tr.absorb("fairdeal/v1/shuffle/opening", b"".join(fields[4 : 4 + n]), fields[4 + n])
    lam, x = tr.challenge("fairdeal/v1/shuffle/lambda"), tr.challenge("fairdeal/v1/shuffle/x")
    tr.absorb("fairdeal/v1/shuffle/product", c_D, c_Delta, c_a)
    e = tr.challenge("fairdeal/v1/shuffle/e")

    check(add(dot(f, E_a), E_d_a) == add(dot(t, e_a), mul(Z, GENERATOR)))
    check(add(dot(f, E_b), E_d_b) == add(dot(t, e_b), mul(Z, joint)))
    contents = add(mul(lam, c), c_d, commit(f, 0))
    check(add(mul(e, contents), c_D) == commit(F, z))
    check(add(mul(e, c_a), c_Delta) == commit(F_Delta, z_Delta))
    v = [(F[0] - e * x) % q]
    for i in range(1, n):
        v.append((v[-1] * (F[i] - e * x) + F_Delta[i - 1]) * pow(e, -1, q) % q)
    product = e
    for i in range(n):
        product = product * (lam * (i + 1) + t[i] - x) % q
    check(v[-1] == product)
    return {"t": t, "lambda": lam, "x": x, "e": e, "v": v}


def _check_mask(ctx: Data, joint: bytes, before: Sequence[bytes], after: Sequence[bytes], proof: bytes) -> Data:
    U, V, z_bytes = words(proof, 3)
    z = scalar(z_bytes)
    t = Transcript("fairdeal/v1/mask", ctx)
    t.absorb("fairdeal/v1/mask/statement", joint, *before, *after)
    t.absorb("fairdeal/v1/mask/commitments", point(U), point(V))
    c = t.challenge("fairdeal/v1/mask/challenge")
    check(add(mul(z, GENERATOR), mul(c, after[0]), mul(-c, before[0])) == U)
    check(add(mul(z, joint), mul(c, after[1]), mul(-c, before[1])) == V)
    return {"challenge": c}


# --- shares ---


def check_shares(ctx: Data, Y: bytes, cards: bytes, data: bytes) -> Data:
    m = len(cards) // 64
    *D, U, V, s_bytes = words(data, m + 3)
    for p in (*D, U, V):
        point(p)
    s, A = scalar(s_bytes), words(cards, 2 * m)[::2]
    t = Transcript("fairdeal/v1/shares", ctx)
    t.absorb("fairdeal/v1/shares/statement", Y, m, cards, b"".join(D))
    w = [1, *t.challenges("fairdeal/v1/shares/weights", m - 1)]
    t.absorb("fairdeal/v1/shares/commitments", U, V)
    c = t.challenge("fairdeal/v1/shares/challenge")
    check(add(mul(s, GENERATOR), mul(c, Y)) == U)
    check(add(mul(s, dot(w, A)), mul(c, dot(w, D))) == V)
    return {"w": w, "challenge": c}


# --- recovery ---


def check_sealed(ctx: Data, Y: bytes, data: bytes) -> None:
    S, E, U, z_bytes, c_bytes = words(data, 5)
    for p in (S, E, U):
        point(p)
    scalar(c_bytes)
    t = Transcript("fairdeal/v1/recovery", ctx)
    t.absorb("fairdeal/v1/recovery/statement", Y, S, E, c_bytes)
    t.absorb("fairdeal/v1/recovery/commitments", U)
    challenge = t.challenge("fairdeal/v1/recovery/challenge")
    check(add(mul(scalar(z_bytes), GENERATOR), mul(challenge, E)) == U)


def unseal(ctx: Data, x: int, data: bytes) -> int:
    S, E, _, _, c_bytes = words(data, 5)
    pad = number(sha512(frame("fairdeal/v1/recovery-seal", context(ctx), E, mul(x, E))).digest()) % q
    s = (number(c_bytes) - pad) % q
    check(mul(s, GENERATOR) == S)
    return s
