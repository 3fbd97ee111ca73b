"""A second verifier of match files, written from PROTOCOL.md alone: `python -m tests.independent.verifier FILE...`.

It shares no code with the first but the games' rules. Slow and plain: each proof is checked by itself.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from pathlib import Path

from tests.independent.encoding import Refused, demand, frames
from tests.independent.match import Match


@dataclass
class Verdict:
    """What a file shows; `fault` says why it is refused."""

    ok: bool = False
    complete: bool = False
    over: bool = False
    """Whether it was played to its end."""
    match: bytes = b""
    scores: tuple[int, ...] = ()
    rounds: int = 0
    evidence: list[tuple[str, int]] = field(default_factory=list)
    breaches: list[tuple[int, int]] = field(default_factory=list)
    places: list[tuple[int, str | None]] = field(default_factory=list)
    """Each seat's place, and why it stands last; empty if there is no result."""
    epochs: list[int] = field(default_factory=list)
    messages: int = 0
    steps: list[list[int | str]] = field(default_factory=list)
    """After so many messages: the epoch, the open height, the last certificate and the hash of the settled state."""
    fault: str | None = None
    place: int | None = None
    """The number of the frame at which it is refused, the roster being 0."""


def verify(data: bytes) -> Verdict:
    """Check a file from its first byte to its last."""
    found, match = Verdict(), None
    try:
        for data_of_frame in frames(data):
            if match is None:
                match = Match(data_of_frame)
                continue
            before = match.height, match.epoch.number
            match.feed(data_of_frame)
            found.messages += 1
            if (match.height, match.epoch.number) != before:
                hashes = match.previous.hex(), match.state_hash.hex()
                found.steps.append([found.messages, match.epoch.number, match.height, *hashes])
        if match is None:
            raise Refused("an empty file")
        demand(match.doubt is None, "not in order")
        demand(not match.unpaired, "one version of a message from an earlier epoch")
        found.ok = True
    except Refused as fault:
        found.fault = str(fault)
        if match is not None:
            found.place = match.doubted if match.doubt is not None else found.messages + 1
    if match is not None:
        shown = match.shown if match.doubt is None else match.doubt[1]
        found.over = found.ok and match.phase == "over"
        found.complete = found.ok and match.phase in ("over", "broken")
        found.match, found.scores, found.rounds = shown.match, shown.scores, shown.rounds
        found.evidence, found.breaches = shown.evidence, shown.breaches
        found.epochs = list(match.epoch_hashes)
        if found.over:
            found.places = places(match)
    return found


def places(match: Match) -> list[tuple[int, str | None]]:
    """Each seat's place, and why it stands last whatever its points are."""
    last = match.departed
    few = match.game.few_points_win
    worth = {
        seat: -score if few else score
        for team, score in zip(match.game.teams, match.scores, strict=True)
        for seat in team
    }
    stayed = [value for seat, value in worth.items() if seat not in last]
    return [
        (1 + (len(stayed) if seat in last else sum(value > worth[seat] for value in stayed)), last.get(seat))
        for seat in sorted(worth)
    ]


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
