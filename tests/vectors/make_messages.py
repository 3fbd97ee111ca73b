"""Vectors of the messages: every kind with all its bytes, and bytes that must be refused. (PROTOCOL.md, "Messages".)

Bytes are in hex. The contents are arbitrary, but of the right form: a message is decoded, and its signature checked, before
anybody asks what it means.
"""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgpack

from protocol import messages as m
from protocol.errors import BadMessage
from protocol.identity import Identity
from protocol.messages import Message
from protocol.signed import Page, Signed, decode, label, sign
from protocol.table.epochs import first_epoch
from protocol.wire import MAX_FRAME_BYTES, frame, pack

HERE = Path(__file__).parent
IDENTITY = Identity(bytes(range(32)))
TABLE = sha256(b"a table").digest()
EPOCH = first_epoch(TABLE, seats=3).hash
SEAT = 2
MOVE: dict[str, Any] = {"call": False, "cards": ["8h"], "do": "play", "suit": "c"}


def filled(name: str, count: int) -> bytes:
    """Bytes that are recognised in a dump."""
    block = sha256(name.encode()).digest()
    return (block * (count // 32 + 1))[:count]


def samples() -> list[Message]:
    """At least one of each kind, with limits among them."""
    h = [filled(str(i), 32) for i in range(6)]
    return [
        m.Seal(),
        m.Nonce(h[0]),
        m.Prepare(1, filled("key", 160)),
        m.Shuffled(1, 0, 0, h[0], filled("deck", 52 * 64)),
        m.Shuffled(1 << 20, 1 << 10, 1 << 32, h[0], filled("deck", 216 * 64)),
        m.ShuffleProof(1, 0, 0, filled("proof", 1000)),
        m.DeckAgreed(1, 3, 77, h[1]),
        m.MoveProposal(7, h[0], h[1], MOVE, (4,), filled("opening", 128), b"", b""),
        m.MoveProposal(8, h[0], h[1], {"do": "draw"}, (), b"", filled("hand", 6 * 64), filled("proof", 900)),
        m.MoveProposal(9, h[0], h[1], {"cards": 3, "do": "give"}, (0, 5, 13), b"", b"", b""),
        m.BreakOff(10, h[0], h[1]),
        m.TakeSeat(1, 0, IDENTITY.public, IDENTITY.public, "Änne", False),
        m.TakeSeat(1 << 40, 1 << 20, h[2], IDENTITY.public, "B", True),
        m.Vote(7, h[0], h[1], h[2]),
        m.Vote(1 << 32, h[0], h[1], h[2]),
        m.Echo(7, h[3]),
        m.Shares(7, 0, None, h[4], filled("shares", 32 * 17)),
        m.Shares(7, 1, 2, h[4], filled("shares", 32 * 9)),
        m.Shares(7, 1, 2, h[4], filled("shares", 7040)),
        m.Remask(7, 0, filled("hand", 64 * 14), filled("proof", 1800)),
        m.Reveal(1, filled("secret", 64)),
        m.RecoveryShares(1, filled("sealed", 400)),
        m.Complaint(1, 0, h[5], filled("opening", 128)),
        m.RecoveryOpen(1, 0, h[5]),
        m.Lost(2),
        m.Without(1, (1, 2), (0, 1, 2), 12, h[0], None, ()),
        m.Without(3, (1, 2), (0, 1, 2), 12, h[0], h[1], ((1, (0, 2), ()), (2, (0, 1, 2), (h[4],)))),
        m.Without(1, (1, 2), (0, 1, 2, 4), 0, h[0], None, (), ((0, h[1]), (4, None))),
        m.Without(
            1,
            (1, 2),
            (1, 2),
            12,
            h[0],
            None,
            (),
            (),
            ((0, IDENTITY.public, IDENTITY.public, "Änne", False), (3, h[2], IDENTITY.public, "B", True)),
        ),
        m.WishOn(3, 0, int(m.Opinion.FOR)),
        m.WishOn(4, 0, int(m.Opinion.AGAINST)),
        m.Hints(4, 2),
        m.Goodbye(),
        m.Goodbye(4, ((2, (0, 1, 2), (h[3], h[5])), (4, (1, 2), ()))),
        m.Chat(1, "gl hf – viel Glück!"),
        m.Emote(2, "clap"),
        m.Ready(2),
        m.Ask(5, 12, True, h[4]),
        m.StateReport(7, pack({"epoch": 0, "scores": [0, 30]})),
        m.Evidence(1, "two-versions", (filled("one", 300), filled("two", 300))),
        m.Closed(h[0]),
    ]


def signed_sample(message: Message) -> Signed:
    return sign(IDENTITY, TABLE, 0, EPOCH, SEAT, message)


def valid(message: Message) -> dict[str, Any]:
    signed = signed_sample(message)
    return {
        "kind": message.kind,
        "fields": [shown(each) for each in message.body()],
        "slot": None if message.slot is None else list(message.slot),
        "label": label(message).decode(),
        "payload": signed.payload.hex(),
        "signature": signed.signature.hex(),
        "data": signed.data.hex(),
    }


def shown(value: Any) -> Any:
    """Plain data as JSON has it: bytes in hex, behind `hex:`."""
    if isinstance(value, bytes):
        return "hex:" + value.hex()
    if isinstance(value, list):
        return [shown(each) for each in value]
    if isinstance(value, dict):
        return {key: shown(each) for key, each in value.items()}
    return value


def raw(value: Any) -> bytes:
    """msgpack that need not be canonical."""
    return bytes(msgpack.packb(value, use_bin_type=True))


def outer(payload: Any, signature: bytes = bytes(64)) -> bytes:
    """A message around any payload, signed by nobody: it must be refused before anyone asks for the signature."""
    return pack(["m", payload if isinstance(payload, bytes) else pack(payload), signature])


def body_of(kind: str, *body: Any) -> bytes:
    return outer([kind, TABLE, 0, EPOCH, SEAT, list(body)])


def invalid() -> list[tuple[str, bytes]]:
    """What must be refused when it is decoded: (why, the bytes)."""
    h = bytes(32)
    vote = signed_sample(m.Vote(7, h, h, h))
    long = "x" * 401
    return [
        ("nothing at all", b""),
        ("no msgpack", b"\xc1"),
        ("cut off", vote.data[:-1]),
        ("bytes behind the end", vote.data + b"\0"),
        ("a number, not an array", pack(7)),
        ("an unknown outer kind", pack(["x", vote.payload, vote.signature])),
        ("an outer part too many", pack(["m", vote.payload, vote.signature, 0])),
        ("a payload that is text", raw(["m", "payload", bytes(64)])),
        ("a signature of 63 bytes", pack(["m", vote.payload, vote.signature[:-1]])),
        ("an array's length in two bytes where one would do", b"\xdc\x00\x03" + vote.data[1:]),
        ("a number that is not written in its shortest form", outer(b"\x96" + raw("seal") + raw(TABLE) + b"\xcc\x00"
                                                                    + raw(EPOCH) + b"\x02\x90")),
        ("a map whose keys are not in order", outer(raw(["move", TABLE, 0, EPOCH, SEAT, [7, h, h, {"b": 0, "a": 0}, [],
                                                                                       b"", b"", b""]]))),
        ("a map with a key that is no text", outer(raw(["move", TABLE, 0, EPOCH, SEAT, [7, h, h, {1: 2}, [], b"", b"", b""]]))),
        ("a map with a key that is a time", outer(raw(["move", TABLE, 0, EPOCH, SEAT, [7, h, h, {msgpack.Timestamp(5): 2}, [],
                                                                                       b"", b"", b""]]))),
        ("a map with one key twice", outer(pack(["move", TABLE, 0, EPOCH, SEAT, [7, h, h, {"a": 0}, [], b"", b"", b""]])
                                           .replace(b"\x81\xa1a\x00", b"\x82\xa1a\x00\xa1a\x00"))),
        ("a float", outer(raw(["vote", TABLE, 0.0, EPOCH, SEAT, [7, h, h, h]]))),
        ("an extension", outer(raw(["vote", TABLE, msgpack.ExtType(5, b"x"), EPOCH, SEAT, [7, h, h, h]]))),
        ("a timestamp", outer(raw(["vote", TABLE, msgpack.Timestamp(5), EPOCH, SEAT, [7, h, h, h]]))),
        ("text that is no UTF-8", outer(raw(["chat", TABLE, 0, EPOCH, SEAT, [1, "x"]])[:-1] + b"\xff")),
        ("text where bytes are due", body_of("nonce", "0" * 32)),
        ("bytes where text is due", body_of("chat", 1, b"hello")),
        ("a move nested too deeply", body_of("move", 7, h, h, {"do": [[[[[[[[0]]]]]]]]}, [], b"", b"", b"")),
        ("a payload of five parts", outer(["seal", TABLE, 0, EPOCH, SEAT])),
        ("a payload of seven parts", outer(["seal", TABLE, 0, EPOCH, SEAT, [], 0])),
        ("a table's id of 31 bytes", outer(["seal", TABLE[:-1], 0, EPOCH, SEAT, []])),
        ("a negative epoch", outer(["seal", TABLE, -1, EPOCH, SEAT, []])),
        ("an epoch out of bounds", outer(["seal", TABLE, (1 << 20) + 1, EPOCH, SEAT, []])),
        ("true for an epoch", outer(["seal", TABLE, True, EPOCH, SEAT, []])),
        ("seat 10", outer(["seal", TABLE, 0, EPOCH, 10, []])),
        ("a kind that does not exist", body_of("dance")),
        ("a kind that is no text", outer([b"seal", TABLE, 0, EPOCH, SEAT, []])),
        ("a body that is a map", outer(["seal", TABLE, 0, EPOCH, SEAT, {}])),
        ("a field too many", body_of("seal", 0)),
        ("a field too few", body_of("vote", 7, h, h)),
        ("a height out of bounds", body_of("vote", (1 << 32) + 1, h, h, h)),
        ("a round out of bounds", body_of("ready", (1 << 20) + 1)),
        ("a hash of 33 bytes", body_of("echo", 7, h + b"\0")),
        ("an empty key", body_of("prepare", 1, b"")),
        ("a key of 257 bytes", body_of("prepare", 1, bytes(257))),
        ("a deck of more cards than there are", body_of("shuffled", 1, 0, 0, h, bytes(216 * 64 + 1))),
        ("a proof that is too long", body_of("shuffle-proof", 1, 0, 0, bytes(32 * 1024 + 1))),
        ("shares that are too long", body_of("shares", 7, 0, None, h, bytes(7041))),
        ("a split that is too long", body_of("recovery-shares", 1, bytes(4097))),
        ("217 places", body_of("move", 7, h, h, {}, [0] * 217, b"", b"", b"")),
        ("eleven who stay", body_of("without", 1, [*range(10), 9], [1], 0, h, None, [], [], [])),
        ("257 attempts", body_of("without", 300, [1], [1], 0, h, None, [[i, [], []] for i in range(257)], [], [])),
        ("a newcomer with a name of 65 bytes", body_of("without", 1, [1], [1], 0, h, None, [], [], [[0, h, h, "A" * 65, False]])),
        ("an emote of 33 bytes", body_of("emote", 1, "x" * 33)),
        ("a wish out of bounds", body_of("wish-on", 1, 0, 3)),
        ("evidence with a message that is too long", body_of("evidence", 1, "x", [bytes(131073)])),
        ("shares for nobody in words", body_of("shares", 7, 0, "all", h, b"")),
        ("shares for a seat that cannot be", body_of("shares", 7, 0, 10, h, b"")),
        ("a move that is a list", body_of("move", 7, h, h, [], [], b"", b"", b"")),
        ("a move of 33 parts", body_of("move", 7, h, h, {f"{i:02}": 0 for i in range(33)}, [], b"", b"", b"")),
        ("a place out of bounds", body_of("move", 7, h, h, {}, [217], b"", b"", b"")),
        ("a move that is too long for a page", body_of("move", 7, h, h, {"do": "x" * (128 * 1024)}, [], b"", b"", b"")),
        ("a reveal of 63 bytes", body_of("reveal", 1, bytes(63))),
        ("a chat of no words", body_of("chat", 1, "")),
        ("a chat of 401 bytes", body_of("chat", 1, long)),
        ("a question without a yes or no", body_of("ask", 1, 1, 1, h)),
        ("a goodbye that is named by 31 bytes", body_of("without", 1, [1], [1], 0, h, None, [], [[0, h[1:]]], [])),
        ("a seat that left, twice in a pair", body_of("without", 1, [1], [1], 0, h, None, [], [[0, 0, h]], [])),
        ("a newcomer without a name", body_of("without", 1, [1], [1], 0, h, None, [], [], [[0, h, h, "", False]])),
        ("a newcomer of four parts", body_of("without", 1, [1], [1], 0, h, None, [], [], [[0, h, h, "A"]])),
        ("evidence of nothing", body_of("evidence", 1, "x", [])),
        ("evidence of five messages", body_of("evidence", 1, "x", [b"1"] * 5)),
        ("a page without its last mark", pack(["p", 0, [b"x"]])),
        ("a page with an empty message", pack(["p", 0, True, [b""]])),
        ("a page of too many messages", pack(["p", 0, True, [b"x"] * 2049])),
        ("a page with a negative number", pack(["p", -1, True, [b"x"]])),
        ("more than a frame may hold", pack(["p", 0, True, [bytes(MAX_FRAME_BYTES)]])),
    ]  # fmt: skip


def refusal(data: bytes) -> str:
    """How this program refuses these bytes; other programs may say it otherwise."""
    try:
        decode(data)
    except BadMessage as fault:
        return str(fault)
    raise AssertionError("these bytes are accepted")


def forged() -> list[dict[str, Any]]:
    """Well-formed messages whose signature does not hold for this key: (why, data)."""
    vote = m.Vote(7, bytes(32), bytes(32), bytes(32))
    good = signed_sample(vote)
    later = signed_sample(m.Vote(8, bytes(32), bytes(32), bytes(32)))
    other = sign(Identity(bytes(32)), TABLE, 0, EPOCH, SEAT, vote)
    cases = [
        ("signed with another key", other.data),
        ("one bit of the signature", pack(["m", good.payload, good.signature[:-1] + bytes([good.signature[-1] ^ 1])])),
        ("another height under the same signature", pack(["m", later.payload, good.signature])),
        ("signed for another kind of message", pack(["m", good.payload, IDENTITY.sign(label(m.Seal()), good.payload)])),
        ("signed without a label", pack(["m", good.payload, IDENTITY.sign(b"", good.payload)])),
        ("a signature of zeros", pack(["m", good.payload, bytes(64)])),
    ]  # fmt: skip
    return [{"why": why, "data": data.hex()} for why, data in cases]


def vectors() -> dict[str, Any]:
    pages = [Page(1, True, (signed_sample(m.Seal()).data, signed_sample(m.Ready(2)).data)), Page(0, False, ())]
    return {
        "about": "Signed messages as they stand on the wire. `fields` are the body; hex: marks bytes.",
        "key": IDENTITY.public.hex(),
        "key_seed": IDENTITY.secret_seed.hex(),
        "table": TABLE.hex(),
        "epoch": 0,
        "epoch_hash": EPOCH.hex(),
        "seat": SEAT,
        "valid": [valid(message) for message in samples()],
        "pages": [
            {"index": p.index, "last": p.last, "messages": [each.hex() for each in p.messages], "data": p.encode().hex()}
            for p in pages
        ],
        "frames": [
            {"content": data.hex(), "frame": frame(data).hex()} for data in (b"", b"\x90", signed_sample(m.Seal()).data)
        ],
        "not_frames": [
            {"why": why, "data": data}
            for why, data in (
                ("a length that is cut off", "000000"),
                ("content that is cut off", "0000000290"),
                ("longer than a frame may be", "00100001"),
                ("a whole frame, and one byte", "000000019000"),
            )
        ],
        "forged": forged(),
        "invalid": [
            {"why": why, "data": shortened(data), "refused": refusal(data)} for why, data in invalid()
        ],
    }  # fmt: skip


def shortened(data: bytes) -> str | dict[str, Any]:
    """Hex; where that is long and dull, its head, its tail, and what is repeated how often between them."""
    if len(data) < 8192:
        return data.hex()
    middle = data[len(data) // 2]
    start = next(i for i in range(len(data)) if data[i : i + 64] == bytes([middle]) * 64)
    end = start
    while end < len(data) and data[end] == middle:
        end += 1
    return {"head": data[:start].hex(), "repeat": f"{middle:02x}", "count": end - start, "tail": data[end:].hex()}


def lengthened(value: str | dict[str, Any]) -> bytes:
    """What `shortened` was made of."""
    if isinstance(value, str):
        return bytes.fromhex(value)
    repeated = bytes.fromhex(value["repeat"]) * int(value["count"])
    return bytes.fromhex(value["head"]) + repeated + bytes.fromhex(value["tail"])


def main() -> None:
    (HERE / "messages.json").write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
