"""Whole matches as vectors: files as a client writes them, and what a verifier finds in each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from protocol.signed import decode_signed
from protocol.table.verify import Follower
from protocol.wire import frame
from tests.independent import departures, games
from tests.table.tables import Tables, stream

FOLDER = Path(__file__).parent / "matches"
Make = Callable[[], Tables]

MATCHES: dict[str, tuple[str, Make]] = {
    "two-rounds-by-lot": ("seats by lot, two rounds", lambda: games.match("crazy-eights, two rounds, seats by lot")),
    "split-votes": ("split votes and echoes", departures.split),
    "recycled": ("recycled decks, and re-masks after them", departures.recycled),
    "recycled-twice": ("a move that recycles twice: a shuffle and a re-mask at stage 1", departures.recycled_twice),
    "breaches": ("moves that the hand forbade", lambda: games.match("two-four-jack, breaches")),
    "cards-covered": ("shares at stages 1 and above", lambda: games.match("macau-wars")),
    "laid-out": ("cards laid out, shown and moved between hands", lambda: games.match("tichu")),
    "broken-off": ("a round that is broken off, up to its closing", departures.broken_off),
    "left-by-one-of-two": ("a goodbye that ends the match", games.left),
    "void": ("a goodbye; the round is void", lambda: departures.left("off", 3, options={"hand": 2, "target": 500})),
    "voted-out": ("a vote to play on; the round is void", departures.voted_out),
    "withheld": ("keys withheld at the end of a round", departures.withheld),
    "closed-by-promises": ("a closing that `without`s commit", departures.closed_by_promises),
    "confirmed-later": (
        "a last closing that `without`s commit, confirmed in the epoch after that",
        departures.confirmed_later,
    ),
    "moved-by-promises": ("a move that `without`s commit; the hand is played on", departures.moved_by_promises),
    "recovered": ("a goodbye; the hand is played on", lambda: departures.left("on", options=departures.LONG)),
    "recovered-twice": ("two goodbyes in one round, played on", departures.two_left),
    "recovered-and-recycled": (
        "a hand that is played on takes recycled cards",
        lambda: departures.left("on", 3, "mau-mau", options={"hand": 9, "target": 500}),
    ),
    "void-by-lot": ("seats by lot, a goodbye, and a round of fewer in Two-Four-Jack", departures.void_by_lot),
    "left-with-a-bot": ("a vote to play on without somebody and their bot, in Macau Wars", departures.with_its_bot),
    "left-by-a-keeper": ("two by phone go on without whose computer they used", departures.without_its_phone),
    "laid-out-and-left": (
        "a hand of Tichu that is played on, with laid-out cards for it",
        departures.laid_out_and_left,
    ),
    "too-few": ("a game for four ends with three, by their votes", departures.too_few),
    "taken-by-a-newcomer": ("somebody new takes an empty seat between rounds", lambda: departures.taken(by_bot=False)),
    "given-by-a-bot": ("somebody plays with two bots, and whoever comes takes the seat of one", departures.given),
    "taken-by-a-bot": ("a bot takes an empty seat between rounds", lambda: departures.taken(by_bot=True)),
    "convicted-and-void": ("a false proof; the others play the next round", lambda: departures.convicted("off")),
    "convicted-and-recovered": ("a false proof; the hand is played on", lambda: departures.convicted("on")),
    "two-votes": ("two versions of a vote", lambda: departures.caught(departures.two_votes, "two-versions")),
    "false-shuffle": ("a false proof of a shuffle", lambda: departures.caught(departures.false_shuffle, "shuffle")),
    "false-share": ("a share with a false proof", lambda: departures.caught(departures.false_share, "share")),
    "false-reveal": (
        "a shuffle that is not from the committed seed, found when all are revealed",
        departures.shuffled_otherwise,
    ),
    "lost": ("a seat has lost its secret of a round, which is void", departures.lost),
    "complaint": ("a complaint that convicts", departures.complaint),
    "went-back": ("a `without` that denies what its seat said in the epoch before", departures.went_back),
    "taken-again": ("whoever was voted out takes the seat again, with the same key", departures.taken_again),
    "given-up": ("an epoch that its writer alone had begun, and gave up, is not in the file", departures.given_up),
    "promised-in-what-was-given-up": ("a `without` was signed in an epoch given up", departures.promised_there),
    "left-in-what-was-given-up": ("a `goodbye` was said in an epoch given up", departures.left_there),
    "concealed-in-what-never-was": (
        "a `without` that convicts names another epoch of the current number",
        departures.concealed_there,
    ),
    "left-in-what-never-was": (
        "the match is broken off; a `without` and a `goodbye` name another epoch of the current number",
        departures.gone_there,
    ),
}
"""What each is about, and how it is played: the same bytes every time."""

TRIMMED = ("broken-off",)
CUT = {"left-with-a-bot": 200, "left-by-a-keeper": 100}
"""What would be long ends after so many frames."""


def frames_of(name: str) -> list[bytes]:
    """The frames of a match's file, as seat 0 writes it."""
    tables = MATCHES[name][1]()
    frames = tables.clients[0].transcript
    return departures.first_round(frames) if name in TRIMMED else frames[: CUT.get(name)]


def found(name: str, frames: list[bytes]) -> dict[str, Any]:
    """What a verifier finds, and the state's hash before each height."""
    follower = Follower(frames[0], stream(1))
    follower.wants_snapshots = False
    record = follower.record
    steps: list[list[Any]] = []
    for count, data in enumerate(frames[1:], 1):
        before = (record.height, record.epoch)
        follower.feed(data)
        if (record.height, record.epoch) != before:
            steps.append([count, record.epoch, record.height, record.previous.hex(), record.state_hash.hex()])
    report = follower.end()
    assert report.ok, (name, report.failed)
    kinds = sorted({decode_signed(data).message.kind for data in frames[1:]})
    evidence = report.evidence
    return {
        "file": f"{name}.match",
        "about": MATCHES[name][0],
        "game": record.game.name,
        "kinds": kinds,
        "verdict": "complete" if report.over else "broken off" if report.complete else "unfinished",
        "match": report.match.hex(),
        "rounds": report.rounds,
        "scores": list(report.scores),
        "convicted": [[each["seat"], each["what"]] for each in evidence if each["what"] not in ("breach", "goodbye")],
        "goodbyes": [each["seat"] for each in evidence if each["what"] == "goodbye"],
        "breaches": [[each["step"], each["seat"]] for each in evidence if each["what"] == "breach"],
        "places": [[each.place, each.reason.value if each.reason else None] for each in report.places],
        "steps": steps,
    }


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    rows = []
    for name in MATCHES:
        frames = frames_of(name)
        (FOLDER / f"{name}.match").write_bytes(b"".join(frame(data) for data in frames))
        rows.append(found(name, frames))
    about = (
        "What a verifier finds in each file. `steps`: after so many messages (the roster not counted), the epoch, the open "
        "height, the last certificate and the hash of the settled state."
    )
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    text = '{"about": ' + json.dumps(about) + ',\n"matches": [\n' + lines + "\n]}\n"
    (FOLDER / "matches.json").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
