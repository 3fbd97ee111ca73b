"""Bytes, hashes and signed messages, from PROTOCOL.md alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha512
from typing import Any, TypeAlias

import msgpack
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

Slot: TypeAlias = tuple[Any, ...]
Field: TypeAlias = Callable[[Any], bool]


class Refused(Exception):
    """The bytes, or the file, are not in order here."""


def demand(holds: bool, what: str) -> None:
    if not holds:
        raise Refused(what)


# --- Encoding ---


def encode(value: Any) -> bytes:
    return bytes(msgpack.packb(_sorted(value), use_bin_type=True))


def _sorted(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _sorted(value[key]) for key in sorted(value)}
    return [_sorted(item) for item in value] if isinstance(value, (list, tuple)) else value


def decode(data: bytes) -> Any:
    """Plain data from its canonical encoding."""
    try:
        value = msgpack.unpackb(data, raw=False, max_ext_len=0, max_array_len=4096, max_map_len=4096)
        _check_plain(value, 8)
        again = encode(value)
    except Refused:
        raise
    except Exception as fault:
        raise Refused("no msgpack") from fault
    demand(again == data, "not canonical")
    return value


def _check_plain(value: Any, levels: int) -> None:
    if isinstance(value, (list, dict)):
        demand(levels > 0, "too deep")
        for item in value if isinstance(value, list) else value.values():
            _check_plain(item, levels - 1)
        demand(not isinstance(value, dict) or all(isinstance(key, str) for key in value), "a key that is no text")
    else:
        demand(value is None or isinstance(value, (bool, int, bytes, str)), "no plain data")


def frames(data: bytes) -> Iterator[bytes]:
    """The frames of a file."""
    at = 0
    while at < len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        demand(at + 4 + size <= len(data) and size <= 1_048_576, "bytes that are no whole frame")
        yield data[at + 4 : at + 4 + size]
        at += 4 + size


# --- Field types ---


def uint(high: int, low: int = 0) -> Field:
    return lambda value: type(value) is int and low <= value <= high


def raw(low: int, high: int | None = None) -> Field:
    return lambda value: type(value) is bytes and low <= len(value) <= (low if high is None else high)


def text(low: int, high: int) -> Field:
    return lambda value: type(value) is str and low <= len(value.encode()) <= high


def seq(item: Field, low: int, high: int) -> Field:
    return lambda value: type(value) is list and low <= len(value) <= high and all(item(each) for each in value)


def plain(most: int) -> Field:
    return lambda value: type(value) is dict and len(value) <= most


def maybe(item: Field) -> Field:
    return lambda value: value is None or item(value)


def row(*items: Field) -> Field:
    return lambda value: (
        type(value) is list
        and len(value) == len(items)
        and all(item(each) for item, each in zip(items, value, strict=True))
    )


def boolean(value: Any) -> bool:
    return type(value) is bool


HASH, SEAT, HEIGHT, ROUND, EPOCH = raw(32), uint(9), uint(2**32, 1), uint(2**20), uint(2**20)
ATTEMPTS = seq(row(EPOCH, seq(SEAT, 0, 10), seq(raw(32), 0, 10)), 0, 256)
DECK, STEP, STAGE, COUNTER = uint(2**10), uint(2**32), uint(2**10), uint(2**40)
CARDS, PROOF, SHARES = raw(0, 13824), raw(0, 32768), raw(0, 7040)


# --- Hashes ---


def n(value: int) -> bytes:
    return value.to_bytes(8, "big")


def digest(word: str, *parts: bytes) -> bytes:
    data = b"".join(n(len(part)) + part for part in (b"fairdeal/v1/hash/" + word.encode(), *parts))
    return sha512(data).digest()[:32]


def draw(seed: bytes, what: bytes, below: int) -> int:
    counter = 0
    while True:
        value = int.from_bytes(digest("draw", seed, what, n(counter))[:8], "big")
        if value < 2**64 - 2**64 % below:
            return value % below
        counter += 1


# --- Messages: the fields with their names, and what makes the slot ---

KINDS: dict[str, tuple[dict[str, Field], str | None]] = {
    "seal": ({}, "kind"),
    "nonce": ({"nonce": HASH}, "kind"),
    "prepare": ({"round": ROUND, "key": raw(1, 256)}, "kind round"),
    "shuffled": ({"round": ROUND, "deck": DECK, "step": STEP, "before": HASH, "cards": CARDS}, "kind round deck"),
    "shuffle-proof": ({"round": ROUND, "deck": DECK, "step": STEP, "proof": PROOF}, "kind round deck"),
    "deck-agreed": ({"round": ROUND, "deck": DECK, "step": STEP, "hash": HASH}, "kind round deck"),
    "move": (
        {"height": HEIGHT, "previous": HASH, "state": HASH, "move": plain(32), "places": seq(uint(216), 0, 216),
         "opening": SHARES, "remask": CARDS, "remask_proof": PROOF},
        "vote height",
    ),
    "break-off": ({"height": HEIGHT, "previous": HASH, "state": HASH}, "vote height"),
    "vote": ({"height": HEIGHT, "previous": HASH, "state": HASH, "choice": HASH}, "vote height"),
    "echo": ({"height": HEIGHT, "certificate": HASH}, "kind height"),
    "shares": (
        {"height": HEIGHT, "stage": STAGE, "take": maybe(SEAT), "cards": HASH, "shares": SHARES},
        "kind height stage take",
    ),
    "remask": ({"height": HEIGHT, "stage": STAGE, "cards": CARDS, "proof": PROOF}, "kind height stage"),
    "reveal": ({"round": ROUND, "secret": raw(64)}, "kind round"),
    "goodbye": ({"number": EPOCH, "attempts": ATTEMPTS}, "kind"),
    "closed": ({"certificate": HASH}, "kind"),
    "take-seat": (
        {"counter": COUNTER, "number": EPOCH, "key": raw(32), "keeper": raw(32), "name": text(1, 64), "bot": boolean},
        None,
    ),
    "chat": ({"counter": COUNTER, "text": text(1, 400)}, None),
    "emote": ({"counter": COUNTER, "text": text(1, 32)}, None),
    "wish-on": ({"counter": COUNTER, "awaited": SEAT, "wish": uint(2)}, None),
    "hints": ({"counter": COUNTER, "level": uint(2)}, None),
    "ready": ({"round": ROUND}, None),
    "ask": ({"counter": COUNTER, "height": HEIGHT, "own": boolean, "copy": HASH}, None),
    "state-report": ({"height": HEIGHT, "state": raw(1, 262144)}, None),
    "evidence": ({"accused": SEAT, "what": text(1, 64), "messages": seq(raw(1, 131072), 1, 4)}, None),
    "recovery-shares": ({"round": ROUND, "shares": raw(1, 4096)}, "kind round"),
    "complaint": ({"round": ROUND, "against": SEAT, "split": HASH, "opening": raw(1, 256)}, "kind round against"),
    "recovery-open": ({"round": ROUND, "of": SEAT, "share": HASH}, "kind round of"),
    "lost": ({"round": ROUND}, "kind round"),
    "without": (
        {"number": EPOCH, "stay": seq(SEAT, 0, 10), "base": seq(SEAT, 0, 10), "height": uint(2**32), "certificate": HASH,
         "vote": maybe(HASH), "attempts": ATTEMPTS, "out": seq(row(SEAT, maybe(HASH)), 0, 10),
         "added": seq(row(SEAT, raw(32), raw(32), text(1, 64), boolean), 0, 10)},
        "kind number",
    ),
}  # fmt: skip


# --- Signed messages ---


@dataclass(frozen=True)
class Message:
    kind: str
    table: bytes
    epoch: int
    present: bytes
    seat: int
    body: dict[str, Any]
    slot: Slot | None
    payload: bytes
    signature: bytes
    data: bytes

    def __getitem__(self, field: str) -> Any:
        return self.body[field]


@lru_cache(1 << 13)  # altered copies of one file hold the same messages
def read_message(data: bytes) -> Message:
    """A signed message from the wire; whether the signature holds is asked with `is_signed_by`."""
    outer = decode(data)
    demand(type(outer) is list and len(outer) == 3 and outer[0] == "m", "no signed message")
    payload, signature = outer[1], outer[2]
    demand(raw(1, 1_048_576)(payload) and raw(64)(signature), "no signed message")
    inner = decode(payload)
    demand(type(inner) is list and len(inner) == 6, "no payload")
    kind, table, epoch, present, seat, body = inner
    known = KINDS.get(kind) if type(kind) is str else None
    demand(known is not None, "an unknown kind")
    assert known is not None
    fields, slotted = known
    demand(HASH(table) and EPOCH(epoch) and HASH(present) and SEAT(seat), "a malformed payload")
    demand(type(body) is list and len(body) == len(fields), "the wrong number of fields")
    for (name, field), value in zip(fields.items(), body, strict=True):
        demand(field(value), f"{kind}: a malformed {name}")
    named = dict(zip(fields, body, strict=True))
    slot = None
    if slotted is not None:
        first, *rest = slotted.split()
        slot = (kind if first == "kind" else first, *(named[name] for name in rest))
        demand(len(data) <= 131_072, "too long for a slot")
    return Message(kind, table, epoch, present, seat, named, slot, payload, signature, data)


P = 2**255 - 19
Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
SMALL_ORDER = {0, 1, P - 1, Y8, P - Y8}


def is_small(point: bytes) -> bool:
    return int.from_bytes(point, "little") % 2**255 % P in SMALL_ORDER


@lru_cache(1 << 12)
def is_key(key: bytes) -> bool:
    """A point of the curve, in its canonical encoding, and not of small order."""
    y = int.from_bytes(key, "little") % 2**255
    square = (y * y - 1) * pow(-121665 * pow(121666, -1, P) * y * y + 1, -1, P) % P
    return y < P and not is_small(key) and pow(square, (P - 1) // 2, P) in (0, 1)


def is_signed_by(key: bytes, message: Message) -> bool:
    if not is_key(key) or is_small(message.signature[:32]):
        return False
    signed = b"fairdeal/v1/message/" + message.kind.encode() + b"\0" + message.payload
    return _is_valid(key, message.signature, signed)


@lru_cache(1 << 14)
def _is_valid(key: bytes, signature: bytes, signed: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, signed)
    except (InvalidSignature, ValueError):
        return False
    return True


# --- The roster ---


def read_roster(data: bytes) -> dict[str, Any]:
    demand(len(data) <= 32_768, "a roster that is too long")
    roster = decode(data)
    _keys(roster, "game id members options protocol rules table")
    _keys(roster["table"], "grace leave_after lots pause recovery remind rounds suggest time")
    demand(roster["protocol"] == 2 and type(roster["protocol"]) is int, "another version")
    demand(text(1, 64)(roster["game"]) and raw(16)(roster["id"]) and plain(64)(roster["options"]), "a malformed roster")
    demand(uint(65536)(roster["rules"]) and seq(plain(32), 2, 10)(roster["members"]), "a malformed roster")
    for member in roster["members"]:
        _keys(member, "bot keeper key name nonce")
        demand(boolean(member["bot"]) and raw(32)(member["keeper"]) and raw(32)(member["key"]), "a malformed member")
        demand(text(1, 64)(member["name"]) and HASH(member["nonce"]), "a malformed member")
        demand(is_key(member["key"]) and is_key(member["keeper"]), "a key that is none")
    demand(len({member["key"] for member in roster["members"]}) == len(roster["members"]), "a key sits twice")
    table = roster["table"]
    for name in ("grace", "leave_after", "pause", "time"):
        demand(uint(86_400_000)(table[name]), "malformed table options")
    for name in ("lots", "remind", "suggest"):
        demand(boolean(table[name]), "malformed options")
    demand(table["recovery"] in ("auto", "off", "on"), "malformed options")
    demand(uint(10_000)(table["rounds"]), "malformed options")
    found: dict[str, Any] = roster
    return found


def _keys(value: Any, names: str) -> None:
    demand(type(value) is dict and sorted(value) == names.split(), "a map with other keys")
