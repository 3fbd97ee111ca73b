"""Vectors of plain data, and of what is hashed outside of proofs. (PROTOCOL.md, "Encoding", "Hashes", "Sealing a table".)

Bytes are in hex. In plain data a byte string stands as {"bytes": hex}.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from protocol.hashing import LABELS, digest, number
from protocol.identity import Identity, fingerprint
from protocol.table.epochs import first_epoch
from protocol.table.roster import Member, Roster, TableOptions, draw_seating, drawn, table_words
from protocol.wire import pack

HERE = Path(__file__).parent
ID = Identity(bytes(range(32)))
HASHES = [digest("state", bytes([i])) for i in range(4)]

VALUES: list[Any] = [
    None,
    False,
    True,
    *(0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63, 2**64 - 1),
    *(-1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63)),
    *("", "8h", "é", "x" * 31, "x" * 32, "x" * 256),
    *(b"", b"\0", bytes(255), bytes(256)),
    [],
    [1, [2, [3]]],
    list(range(16)),
    {},
    {"a": 1, "b": [None, b"x"], "ä": {}},
    {"do": "play", "cards": ["8h"], "suit": None, "call": False},
    [[[[[[[[]]]]]]]],
]
INVALID: dict[str, str] = {
    "nothing": "",
    "two values": "0102",
    "cut off": "9201",
    "a small number in two bytes": "cc01",
    "a number of 16 bits in 32": "ce0000ffff",
    "a negative number in two bytes": "d0ff",
    "a short text with a length byte": "d90138",
    "a short byte string with two length bytes": "c5000178",
    "an array with a long header": "dc000101",
    "a map with a long header": "de0001a16101",
    "keys out of order": "82a16201a16101",
    "a key twice": "82a16101a16102",
    "a key that is a number": "810102",
    "a key that is a byte string": "81c4016101",
    "a float": "cb3ff0000000000000",
    "an extension": "d40100",
    "text that is no UTF-8": "a1ff",
    "a surrogate": "a3eda080",
    "never used": "c1",
    "arrays nine deep": "919191919191919190",
}
P = 2**255 - 19
Y8 = 0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD84D3D706A17C7
BASE = bytes.fromhex("5866666666666666666666666666666666666666666666666666666666666666")


def plain(value: Any) -> Any:
    """Plain data as JSON has it."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def vectors() -> dict[str, Any]:
    """All of them."""
    parts = [[], [b""], [b"a", b"bc"], [b"ab", b"c"]]
    seats = tuple(range(4))
    lots = Roster(
        "tichu",
        1,
        {},
        TableOptions(lots=True),
        bytes(16),
        tuple(Member(bytes([i]) * 32, "x", b"", False, b"") for i in seats),
    )
    return {
        "about": "Plain data, digests, what a seed draws, and keys of small order.",
        "encodings": [{"value": plain(value), "bytes": pack(value).hex()} for value in VALUES],
        "invalid_encodings": INVALID,
        "digests": [
            {"word": word, "parts": [part.hex() for part in each], "digest": digest(word, *each).hex()}
            for word in sorted(LABELS - {"expand", "room"})
            for each in (parts if word == "state" else parts[-1:])
        ],
        "draws": [
            {"seed": HASHES[0].hex(), "what": what.hex(), "below": below, "value": drawn(HASHES[0], what, below)}
            for what in (b"dealer", b"seat" + number(3))
            for below in (1, 2, 3, 4, 10, (1 << 63) + 1)
        ],
        "seats_by_lot": [{"seed": each.hex(), "order": list(draw_seating(lots, each))} for each in HASHES],
        "words": {"seed": HASHES[0].hex(), "words": list(table_words(HASHES[0]))},
        "fingerprint": {"key": ID.public.hex(), "words": fingerprint(ID.public).split()},
        "first_epoch": {"table": HASHES[0].hex(), "hash": first_epoch(HASHES[0], 2).hash.hex()},
        "keys_that_sign_nothing": {
            "signature": (BASE + (1).to_bytes(32, "little")).hex(),
            "keys": [
                (y + (sign_bit << 255)).to_bytes(32, "little").hex()
                for y in (0, 1, P - 1, Y8, P - Y8, P, P + 1)
                for sign_bit in (0, 1)
            ],
        },
    }


def main() -> None:
    (HERE / "hashes.json").write_text(json.dumps(vectors(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
