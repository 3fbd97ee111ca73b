"""The deck, from PROTOCOL.md, "Dealing", alone: points are bytes, scalars are integers, each equation is checked by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from hashlib import sha512, shake_256
from typing import TypeAlias

from tests import sodium

q = 2**252 + 27742317777372353535851937790883648493
IDENTITY = bytes(32)
G = bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
Value: TypeAlias = bytes | int | str
Cards: TypeAlias = list[bytes]
"""Masked cards, 64 bytes each."""


class Wrong(Exception):
    """Bytes of no form, or a proof that does not hold."""


def check(holds: bool) -> None:
    if not holds:
        raise Wrong


# --- Group ---


REPEATED = 1 << 18
"""So many results are remembered: altered copies of one file repeat the same arithmetic up to the change."""


@lru_cache(REPEATED)
def mul(k: int, p: bytes) -> bytes:
    k %= q
    if k == 0 or p == IDENTITY:
        return IDENTITY
    if k == 1:
        return p
    scalar = k.to_bytes(32, "little")
    return bytes(
        sodium.crypto_scalarmult_ristretto255_base(scalar)
        if p == G
        else sodium.crypto_scalarmult_ristretto255(scalar, p)
    )


@lru_cache(REPEATED)
def sum_of_two(a: bytes, b: bytes) -> bytes:
    return b if a == IDENTITY else bytes(sodium.crypto_core_ristretto255_add(a, b))


def add(*points: bytes) -> bytes:
    return reduce(sum_of_two, points, IDENTITY)


def dot(row: Sequence[int], points: Sequence[bytes]) -> bytes:
    return add(*[mul(k, p) for k, p in zip(row, points, strict=True)])


@lru_cache(REPEATED)
def point(data: bytes) -> bytes:
    check(len(data) == 32 and data != IDENTITY and not data[31] & 0x80)
    check(bool(sodium.crypto_core_ristretto255_is_valid_point(data)))
    return data


def little(data: bytes) -> int:
    return int.from_bytes(data, "little")


def scalar(data: bytes) -> int:
    check(len(data) == 32 and 0 < little(data) < q)
    return little(data)


def split(data: bytes, size: int = 32) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


# --- Hashing ---


def frame(label: str, *values: Value) -> bytes:
    out = len(label).to_bytes(4, "big") + label.encode() + len(values).to_bytes(4, "big")
    for value in values:
        data = (
            value.to_bytes(8, "big") if isinstance(value, int) else value.encode() if isinstance(value, str) else value
        )
        out += len(data).to_bytes(4, "big") + data
    return out


def hash64(label: str, *values: Value) -> bytes:
    return sha512(frame(label, *values)).digest()


def hash_to_group(domain: str, message: bytes) -> bytes:
    """expand_message_xmd with SHA-512 to 64 bytes needs a single block (RFC 9380, section 5.3.1)."""
    suffix = domain.encode() + bytes([len(domain)])
    first = sha512(bytes(128) + message + b"\0\x40" + b"\0" + suffix).digest()
    return bytes(sodium.crypto_core_ristretto255_from_hash(sha512(first + b"\1" + suffix).digest()))


# --- Masked cards ---


@cache
def card_point(face: str) -> bytes:
    return hash_to_group("fairdeal/v1/card", face.encode())


@cache
def commitment_key(i: int) -> bytes:
    return hash_to_group("fairdeal/v1/commitment-key", i.to_bytes(4, "big"))


def starting_deck(faces: Sequence[str]) -> Cards:
    return [IDENTITY + card_point(face) for face in faces]


def read_cards(data: bytes, count: int) -> Cards:
    check(len(data) == 64 * count)
    for p in split(data):
        point(p)
    return split(data, 64)


def hash_deck(cards: Cards) -> bytes:
    return hash64("fairdeal/v1/deck", b"".join(cards))


# --- The transcript of a proof ---


class Transcript:
    def __init__(self, label: str, context: bytes) -> None:
        self._hash = sha512(frame(label, context))

    def absorb(self, label: str, *values: Value) -> None:
        self._hash.update(frame(label, *values))

    def _draw(self, label: str) -> bytes:
        self._hash.update(frame(label))
        d = self._hash.digest()
        self._hash.update(frame(label, d))
        return d

    def challenge(self, label: str) -> int:
        value = 0
        while value == 0:
            value = little(self._draw(label)) % q
        return value

    def challenges(self, label: str, count: int) -> list[int]:
        return [little(part) % q for part in split(shake_256(self._draw(label)).digest(64 * count), 64)]


# --- Context ---


def context(
    table: bytes,
    epoch: int,
    round: int,
    deck: int,
    step: int,
    seat: int,
    purpose: str,
    receiver: int | None = None,
) -> bytes:
    return frame(
        "fairdeal/v1/context", 1, table, epoch, round, deck, step, seat, purpose, b"" if receiver is None else receiver
    )


# --- Round keys ---


def read_round_key(ctx: bytes, identity: bytes, data: bytes) -> tuple[bytes, bytes]:
    """Y and h of a round key whose proof holds."""
    check(len(data) == 160)
    Y, U, s, h = point(data[:32]), point(data[32:64]), scalar(data[64:96]), data[96:]
    t = Transcript("fairdeal/v1/key", ctx)
    t.absorb("fairdeal/v1/key/statement", identity, Y, h)
    t.absorb("fairdeal/v1/key/commitment", U)
    c = t.challenge("fairdeal/v1/key/challenge")
    check(add(mul(s, G), mul(c, Y)) == U)
    return Y, h


# --- Reveal ---


def read_reveal(ctx: bytes, Y: bytes, h: bytes, secret: bytes) -> tuple[int, bytes]:
    """x and the seed."""
    check(len(secret) == 64)
    x, seed = scalar(secret[:32]), secret[32:]
    check(mul(x, G) == Y and hash64("fairdeal/v1/shuffle-commit", ctx, seed) == h)
    return x, seed


# --- Recovery ---


@dataclass(frozen=True)
class Sealed:
    """A share of a round key for one seat: s = c - pad, S = sG."""

    S: bytes
    E: bytes
    c: int


def decode_split(count: int, data: bytes) -> None:
    """Whether shares for so many receivers have the size and decode."""
    check(len(data) == 160 * count)
    for at in range(0, len(data), 160):
        S, E, U, z, c = split(data[at : at + 160])
        point(S), point(E), point(U), scalar(z), scalar(c)


def read_split(
    contexts: Mapping[int, bytes], Y: bytes, receivers: Mapping[int, bytes], data: bytes
) -> dict[int, Sealed]:
    """A split key with all that everybody can check. `contexts` and `receivers` (their round keys) by receiver."""
    decode_split(len(receivers), data)
    found = {}
    for place, (seat, Y_k) in enumerate(sorted(receivers.items())):
        S, E, U, z, c = split(data[160 * place : 160 * place + 160])
        t = Transcript("fairdeal/v1/recovery", contexts[seat])
        t.absorb("fairdeal/v1/recovery/statement", Y_k, S, E, c)
        t.absorb("fairdeal/v1/recovery/commitments", U)
        check(add(mul(little(z), G), mul(t.challenge("fairdeal/v1/recovery/challenge"), E)) == U)
        found[seat] = Sealed(S, E, little(c))
    check(add(*[each.S for each in found.values()]) == Y)
    return found


def unsealed(ctx: bytes, sealed: Sealed, common: bytes) -> int:
    """The share, given the sender's context and the point that its receiver makes of E."""
    pad = little(hash64("fairdeal/v1/recovery-seal", ctx, sealed.E, common)) % q
    s = (sealed.c - pad) % q
    check(mul(s, G) == sealed.S)
    return s


# --- Shuffle ---


def shuffled(ctx: bytes, joint: bytes, seed: bytes, incoming: Cards) -> Cards:
    """What a seat's seed makes of a deck."""
    count, bound = len(incoming), (ctx, joint, seed, hash_deck(incoming))
    stream, at = shake_256(frame("fairdeal/v1/shuffle-permutation", *bound)).digest(4 * count + 4096), 0
    order = list(range(count))
    for i in range(count - 1, 0, -1):
        while True:
            drawn, at = int.from_bytes(stream[at : at + 4], "big"), at + 4
            if drawn < 2**32 - 2**32 % (i + 1):
                break
        j = drawn % (i + 1)
        order[i], order[j] = order[j], order[i]
    masks = split(shake_256(frame("fairdeal/v1/shuffle-masks", *bound)).digest(64 * count), 64)
    out = []
    for place, mask in zip(order, masks, strict=True):
        card, r = incoming[place], little(mask) % q
        out.append(add(card[:32], mul(r, G)) + add(card[32:], mul(r, joint)))
    return out


def proof_size(count: int) -> int:
    return (0, 96)[count] if count < 2 else 32 * (3 * count + 9)


def check_shuffle(ctx: bytes, joint: bytes, before: Cards, after: Cards, proof: bytes) -> None:
    """The shuffle argument; for one card, its own proof."""
    count = len(before)
    check(len(after) == count and len(proof) == proof_size(count))
    if count == 1:
        _check_mask(ctx, joint, before[0], after[0], proof)
    if count < 2:
        return
    parts = iter(split(proof))

    def points(number: int) -> list[bytes]:
        return [point(next(parts)) for _ in range(number)]

    def scalars(number: int) -> list[int]:
        return [scalar(next(parts)) for _ in range(number)]

    (c, c_d, E_d_A, E_d_B), f, (Z,) = points(4), scalars(count), scalars(1)
    (c_D, c_Delta, c_a), F, (z,) = points(3), scalars(count), scalars(1)
    F_Delta, (z_Delta,) = scalars(count - 1), scalars(1)

    tr = Transcript("fairdeal/v1/shuffle", ctx)
    tr.absorb("fairdeal/v1/shuffle/statement", joint, count, b"".join(before), b"".join(after))
    tr.absorb("fairdeal/v1/shuffle/commitments", c, c_d, E_d_A, E_d_B)
    t = tr.challenges("fairdeal/v1/shuffle/weights", count)
    tr.absorb("fairdeal/v1/shuffle/opening", b"".join(_bytes(k) for k in f), _bytes(Z))
    lam, x = tr.challenge("fairdeal/v1/shuffle/lambda"), tr.challenge("fairdeal/v1/shuffle/x")
    tr.absorb("fairdeal/v1/shuffle/product", c_D, c_Delta, c_a)
    e = tr.challenge("fairdeal/v1/shuffle/e")

    for half, blind, key in ((slice(0, 32), E_d_A, G), (slice(32, 64), E_d_B, joint)):
        left = add(dot(f, [card[half] for card in after]), blind)
        check(left == add(dot(t, [card[half] for card in before]), mul(Z, key)))
    H = [commitment_key(i) for i in range(1, count + 1)]
    # e (λ c + c_d + com(f; 0)) + c_D = com(F; z), the two commitments on one side
    check(
        add(mul(e * lam, c), mul(e, c_d), c_D) == add(mul(z, G), dot([b - e * a for a, b in zip(f, F, strict=True)], H))
    )
    check(add(mul(e, c_a), c_Delta) == add(mul(z_Delta, G), dot(F_Delta, H[:-1])))
    v, inverse = F[0] - e * x, pow(e, -1, q)
    for value, cross in zip(F[1:], F_Delta, strict=True):
        v = (v * (value - e * x) + cross) * inverse % q
    product = e
    for i, weight in enumerate(t, start=1):
        product = product * (lam * i + weight - x) % q
    check(v % q == product)


def _bytes(k: int) -> bytes:
    return k.to_bytes(32, "little")


def _check_mask(ctx: bytes, joint: bytes, before: bytes, after: bytes, proof: bytes) -> None:
    U, V, z = point(proof[:32]), point(proof[32:64]), scalar(proof[64:])
    t = Transcript("fairdeal/v1/mask", ctx)
    t.absorb("fairdeal/v1/mask/statement", joint, before[:32], before[32:], after[:32], after[32:])
    t.absorb("fairdeal/v1/mask/commitments", U, V)
    c = t.challenge("fairdeal/v1/mask/challenge")
    check(add(mul(z, G), mul(c, after[:32]), mul(-c, before[:32])) == U)
    check(add(mul(z, joint), mul(c, after[32:]), mul(-c, before[32:])) == V)


# --- Shares ---


def decode_shares(count: int, data: bytes) -> list[bytes]:
    """The points of so many shares and their proof, as far as they have the size and decode."""
    check(len(data) == 32 * (count + 3))
    scalar(data[-32:])
    return [point(part) for part in split(data)[:-1]]


def read_shares(ctx: bytes, Y: bytes, cards: Cards, data: bytes) -> list[bytes]:
    """The shares of these cards, if their proof holds."""
    count = len(cards)
    check(count > 0)
    *D, U, V = decode_shares(count, data)
    s = scalar(data[-32:])
    t = Transcript("fairdeal/v1/shares", ctx)
    t.absorb("fairdeal/v1/shares/statement", Y, count, b"".join(cards), b"".join(D))
    w = [1, *t.challenges("fairdeal/v1/shares/weights", count - 1)]
    t.absorb("fairdeal/v1/shares/commitments", U, V)
    c = t.challenge("fairdeal/v1/shares/challenge")
    check(add(mul(s, G), mul(c, Y)) == U)
    check(add(dot([s * k for k in w], [card[:32] for card in cards]), dot([c * k for k in w], D)) == V)
    return D


def opened(card: bytes, layers: bytes, faces: Mapping[bytes, str]) -> str:
    """The face under the sum of all seats' shares; `faces` by their points."""
    bare = bytes(sodium.crypto_core_ristretto255_sub(card[32:], layers)) if layers != IDENTITY else card[32:]
    check(bare in faces)
    return faces[bare]
