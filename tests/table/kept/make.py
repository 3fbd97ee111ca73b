"""Transcripts that were written by an earlier version, kept as files: what a seat and a verifier make of them never changes.
Others are among the vectors (`tests/vectors/matches`), and looked at there.

`python -m tests.table.kept.make` writes them anew, which is right only where the bytes on the wire change on purpose.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from protocol.messages import Message, MoveProposal, Vote
from protocol.table.verify import Report, verify
from protocol.values import replace
from protocol.wire import frame
from tests.independent import games
from tests.independent.departures import AT_RANDOM
from tests.table.adversaries.forger import CHEATER, Forger
from tests.table.parting import Parting
from tests.table.tables import Tables, stream

HERE = Path(__file__).parent


def false_opening(message: Message, to: int) -> Message | None:
    if isinstance(message, MoveProposal) and message.opening:
        opening = message.opening
        return replace(message, opening=opening[:-1] + bytes([opening[-1] ^ 1]))
    return message


def false_card() -> Tables:
    """Seat 1 opens a card with a proof that does not hold."""
    return caught(Forger(false_opening, seats=2, seed=3, **AT_RANDOM), "false-card")


def two_versions() -> Tables:
    """Seat 1 votes for one thing and then for another."""
    forger = Forger(seats=2, seed=4, **AT_RANDOM)
    forger.start()
    forger.until(lambda: isinstance(vote(forger), Vote))
    first = vote(forger)
    assert isinstance(first, Vote)
    forger.inject(replace(first, choice=bytes(32)))
    return caught(forger, "two-versions")


def vote(forger: Forger) -> Message | None:
    """What seat 1 voted at the open height, as seat 0 has it."""
    signed = forger.honest_record().from_seat(CHEATER, "vote", forger.honest_record().height)
    return None if signed is None else signed.message


def caught(forger: Forger, what: str) -> Tables:
    forger.convicted(what, to_the_end=True)
    return forger.tables


def went_on(seats: int, how: Callable[[Parting], None]) -> Tables:
    """The match goes on without seat 1."""
    parting = Parting(seats=seats, seed=6)
    parting.until_playing(6)
    how(parting)
    parting.play()
    return parting


MATCHES: dict[str, tuple[int, Callable[[], Tables]]] = {
    "crazy-eights-short": (0, lambda: games.match("crazy-eights, short")),
    "crazy-eights-recycled": (0, lambda: games.match("crazy-eights, recycled")),
    "crazy-eights-split-votes": (0, lambda: games.match("crazy-eights, split votes")),
    "mau-mau": (0, lambda: games.match("mau-mau")),
    "tichu-broken-off": (0, lambda: games.match("tichu, not finished")),
    "goodbye-and-on": (0, lambda: went_on(3, lambda parting: parting.leave(1))),
    "voted-out": (0, lambda: went_on(4, lambda parting: parting.vote_out(1))),
    "false-card": (1 - CHEATER, false_card),
    "two-versions": (1 - CHEATER, two_versions),
}
"""Which client's transcript is looked at, and how the match is played: the same bytes every time."""


def transcript(name: str) -> bytes:
    """The match, played now."""
    index, play = MATCHES[name]
    return b"".join(frame(data) for data in play().clients[index].transcript)


def path(name: str) -> Path:
    """Where a match is kept."""
    return HERE / f"{name}.match"


def verdict(report: Report) -> dict[str, Any]:
    """What a verifier says of a transcript, as plain data."""
    return {
        "ok": report.ok,
        "complete": report.complete,
        "match": report.match.hex(),
        "rounds": report.rounds,
        "scores": list(report.scores),
        "winners": list(report.winners),
        "checks": report.checks,
        "evidence": report.evidence,
    }


def main() -> None:
    """Write all files anew."""
    verdicts = {}
    for name in MATCHES:
        data = transcript(name)
        path(name).write_bytes(data)
        verdicts[name] = verdict(verify(data, stream(1)))
    (HERE / "verdicts.json").write_text(json.dumps(verdicts, indent=1) + "\n")


if __name__ == "__main__":
    main()
