"""Match files that somebody has changed as vectors: what a verifier says of each. `make_matches` makes the files, and what
is named `crafted_…` the changes that need a key or a chosen place."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from protocol.identity import Identity
from protocol.signed import decode_signed, sign
from protocol.table.verify import Report, Unreadable, verify
from protocol.values import replace
from protocol.wire import frame, frames
from tests.table.tables import stream
from tests.vectors.crafted_bounds import BOUNDS
from tests.vectors.crafted_checks import CHECKS
from tests.vectors.crafted_leavers import LEAVERS
from tests.vectors.crafted_matches import CRAFTED, Changing
from tests.vectors.crafted_starts import STARTS
from tests.vectors.make_matches import FOLDER

FILES = (
    "left-by-one-of-two",
    "closed-by-promises",
    "too-few",
    "false-share",
    "voted-out",
    "complaint",
    "withheld",
    "recovered-and-recycled",
)
KINDS = 7
EACH = 2 * KINDS
"""So many random changes of each of these files: each kind at two places."""
NAMES = tuple(dict.fromkeys((*FILES, *CRAFTED, *BOUNDS, *CHECKS, *LEAVERS, *STARTS)))
Change = dict[str, Any]


def changed(files: list[bytes], change: Change) -> bytes:
    """The file after a change: `remove` so many frames from `at` on and put others there; flip a `bit` of the byte `byte` of the
    frame `at`; or `cut` the whole file after so many bytes."""
    new = list(files)
    if "bit" in change:
        data = bytearray(new[change["at"]])
        data[change["byte"]] ^= 1 << change["bit"]
        new[change["at"]] = bytes(data)
    elif "at" in change:
        put = [files[each] if isinstance(each, int) else bytes.fromhex(each) for each in change["put"]]
        new[change["at"] : change["at"] + change["remove"]] = put
    data_of_file = b"".join(frame(each) for each in new)
    return data_of_file[: change["cut"]] if "cut" in change else data_of_file


def changes_of(name: str, files: list[bytes]) -> list[Change]:
    """What is done to this file."""
    at_random = changes(files, FILES.index(name)) if name in FILES else []
    of = Changing(files)
    crafted = [
        change for made in (CRAFTED, BOUNDS, CHECKS, LEAVERS, STARTS) if name in made for change in made[name](of)
    ]
    return at_random + crafted


def changes(files: list[bytes], seed: int) -> list[Change]:
    """Frames that are missing, doubled, moved, damaged, cut off, or signed by a stranger."""
    rng, found, count = Random(seed), list[Change](), len(files)
    for number in range(EACH):
        at = rng.randrange(1, count)
        kinds: list[Change] = [
            {"at": at, "remove": 1, "put": []},
            {"at": at, "remove": 0, "put": [rng.randrange(1, count)]},
            {"at": at - 1, "remove": 2, "put": [at, at - 1]},
            {"at": at, "byte": rng.randrange(len(files[at])), "bit": rng.randrange(8)},
            {"cut": rng.randrange(40, sum(len(each) + 4 for each in files))},
            {"at": at, "remove": count - at, "put": []},
            {"at": at, "remove": 0, "put": [forged(files, rng)]},
        ]
        found.append(kinds[number % KINDS])
    return found


def forged(files: list[bytes], rng: Random) -> str:
    """A second version of somebody's vote, signed with another key."""
    votes = [each for each in map(decode_signed, files[1:]) if each.message.kind == "vote"]
    signed = votes[rng.randrange(len(votes))]
    other: Any = replace(signed.message, choice=bytes(32))  # type: ignore[call-arg]
    return sign(
        Identity(bytes(range(32))), signed.table, signed.epoch, signed.epoch_hash, signed.seat, other
    ).data.hex()


def verdict(report: Report) -> dict[str, Any]:
    """What a verifier says; `report`: an empty one, where the file cannot be read."""
    if report == Report():
        return {"verdict": "unreadable"}
    ended = "complete" if report.over else "broken off" if report.complete else "unfinished"
    evidence = [each for each in report.evidence if each["what"] not in ("breach", "goodbye")]
    left = [each["seat"] for each in report.evidence if each["what"] == "goodbye"]
    return {
        "verdict": ended if report.failed is None else "refused",
        **({} if report.failed is None else {"refused_at": report.failed.frame}),
        "match": report.match.hex(),
        "convicted": [[each["seat"], each["what"]] for each in evidence],
        **({"goodbyes": left} if left else {}),
    }


def rows_of(name: str) -> list[dict[str, Any]]:
    """What is done to one file, and what a verifier then says."""
    files = [each for _, each in frames((FOLDER / f"{name}.match").read_bytes())]
    return [
        {"file": f"{name}.match", "change": change} | verdict(report_of(changed(files, change)))
        for change in changes_of(name, files)
    ]


def report_of(data: bytes) -> Report:
    try:
        return verify(data, stream(1))
    except Unreadable:
        return Report()


def vectors() -> dict[str, Any]:
    rows = [row for name in NAMES for row in rows_of(name)]
    about = (
        "Files of this folder, changed, and what a verifier says of them. Frames are counted from 0, the roster. "
        "A change removes "
        "so many frames from `at` on and puts others there (by their number in the file, or in hex), flips a bit of a byte of a "
        "frame, or cuts the file after so many bytes. `refused_at` is the frame of the changed file at which it is refused (at "
        "its end: the number of its whole frames)."
    )
    return {"about": about, "files": rows}


def main() -> None:
    data = vectors()
    lines = ",\n".join(json.dumps(row) for row in data["files"])
    text = '{"about": ' + json.dumps(data["about"]) + ',\n"files": [\n' + lines + "\n]}\n"
    (FOLDER / "altered.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
