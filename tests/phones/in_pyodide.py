"""What `test_pyodide.py` runs in a phone's Python: everything that a phone needs is there, and computes what others compute."""

from __future__ import annotations

import json
from pathlib import Path

import cli.web.worker  # noqa: F401  # with it everything that a phone runs
from protocol.dealing import sums
from protocol.dealing.library import load
from protocol.errors import BadMessage
from protocol.games.catalogue import game_names
from protocol.identity import Identity, check_signature
from protocol.table.verify import verify

DATA = Path("/data")
MATCHES = ("split-votes", "recovered-and-recycled", "complaint", "taken-by-a-bot", "withheld")


def signatures() -> list[bool]:
    vectors = json.loads((DATA / "signatures.json").read_text())
    found = []
    for case in vectors["cases"]:
        key, message, signature = (bytes.fromhex(case[name]) for name in ("key", "message", "signature"))
        try:
            check_signature(key, vectors["label"].encode(), message, signature)
        except BadMessage:
            found.append(False)
        else:
            found.append(True)
    return found


def multiples() -> list[str]:
    return [load().mul_base(k.to_bytes(32, "little")).hex() for k in range(1, 16)]


def points() -> list[bool]:
    invalid = json.loads((DATA / "ristretto255.json").read_text())["invalid_encodings"]
    listed = (each for rows in invalid.values() if isinstance(rows, list) for each in rows)
    return [load().is_point(bytes.fromhex(each)) for each in listed]


def matches() -> list[list[object]]:
    found: list[list[object]] = []
    for name in MATCHES:
        verdict = verify((DATA / "matches" / f"{name}.match").read_bytes(), lambda count: b"r" * count)
        found.append([name, verdict.ok, verdict.match.hex() if verdict.match else None])
    return found


def result() -> dict[str, object]:
    return {
        "games": sorted(game_names()),
        "signatures": signatures(),
        "multiples": multiples(),
        "points": points(),
        "matches": matches(),
        "sums": type(sums.compiled()).__name__,
        "key": Identity(bytes(32)).public.hex(),
    }


if __name__ == "__main__":
    print(json.dumps(result()))
