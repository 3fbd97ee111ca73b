"""A second verifier of match files, written from PROTOCOL.md alone: `python -m tests.independent.verifier FILE...`.

It shares no code with the first but the games' rules. Slow and plain: each proof is checked by itself.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.independent.encoding import Refused, frames
from tests.independent.match import Match


@dataclass
class Verdict:
    """What a file shows; `fault` says why it is refused."""

    ok: bool = False
    complete: bool = False
    match: bytes = b""
    scores: tuple[int, ...] = ()
    rounds: int = 0
    evidence: list[tuple[str, int]] = field(default_factory=list)
    breaches: list[tuple[int, int]] = field(default_factory=list)
    messages: int = 0
    fault: str | None = None


def verify(data: bytes) -> Verdict:
    """Check a file from its first byte to its last."""
    found, match = Verdict(), None
    try:
        for data_of_frame in frames(data):
            if match is None:
                match = Match(data_of_frame)
                continue
            match.feed(data_of_frame)
            found.messages += 1
        if match is None:
            raise Refused("an empty file")
        found.ok = True
    except Refused as fault:
        found.fault = str(fault)
    if match is not None:
        found.complete = found.ok and match.phase in ("over", "broken")
        found.match, found.scores, found.rounds = match.previous, match.scores, match.rounds_closed
        found.evidence, found.breaches = match.evidence, match.breaches
    return found


def main() -> int:
    status = 0
    for name in sys.argv[1:]:
        found = verify(Path(name).read_bytes())
        state = "complete" if found.complete else "ok so far" if found.ok else f"REFUSED: {found.fault}"
        print(f"{name}: {state}, {found.messages} messages, scores {found.scores}, match {found.match.hex()}")
        for what, seat in found.evidence:
            print(f"  seat {seat}: {what}")
        status |= not found.ok
    return status


if __name__ == "__main__":
    sys.exit(main())
