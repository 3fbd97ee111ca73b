"""Two versions of a message for which nobody has asked yet, or ever will: whoever sends them is convicted like any other cheat,
or nobody takes notice. In either case the others' files can still be verified."""

from __future__ import annotations

import pytest

from protocol.messages import (
    Closed,
    Complaint,
    DeckAgreed,
    Echo,
    Evidence,
    Message,
    Prepare,
    RecoveryOpen,
    RecoveryShares,
    Remask,
    Reveal,
    Shares,
    Shuffled,
    ShuffleProof,
)
from tests.adversaries.declared import By, attack
from tests.independent import verifier
from tests.table.adversaries.forger import CHEATER, LONG, Forger
from tests.table.adversaries.test_votes import split
from tests.table.matches import file_of

pytestmark = pytest.mark.usefixtures("toy_for_both")
ONE, OTHER = bytes(32), b"\1" * 32


def in_a_round() -> tuple[Forger, int, int]:
    """With the open height and the round under way."""
    forger = Forger(options=LONG)
    forger.start()
    forger.until_height(4)
    return forger, forger.record.height, forger.record.rounds_closed + 1


def stray(height: int, round: int, kind: str, value: bytes) -> Message:
    """A message that is for about now, though nobody has asked for it."""
    made: dict[str, Message] = {
        "echo": Echo(height, value),
        "shares": Shares(height, 1, None, ONE, value * 4),
        "remask": Remask(height, 1, value * 2, value),
        "shuffled": Shuffled(round, 1, height, ONE, value * 2),
        "shuffle-proof": ShuffleProof(round, 1, height, value),
        "deck-agreed": DeckAgreed(round, 1, height, value),
        "prepare": Prepare(round + 1, value),
        "reveal": Reveal(round, value * 2),
        "recovery-shares": RecoveryShares(round, value),
        "recovery-open": RecoveryOpen(round, 0, value),
        "complaint": Complaint(round, 0, ONE, value),
    }
    return made[kind]


KINDS = (
    "echo",
    "shares",
    "remask",
    "shuffled",
    "shuffle-proof",
    "deck-agreed",
    "prepare",
    "reveal",
    "recovery-shares",
    "recovery-open",
    "complaint",
)


@attack(
    By.PLAYER,
    "Two versions of a message that nobody asked for are sent, so that the other players’ files can no "
    "longer be verified.",
    "At once, by every other player’s computer.",
    "the cheater, by the two signed messages",
)
@pytest.mark.parametrize("kind", KINDS)
def test_two_versions_of_what_nobody_asked_for(kind: str) -> None:
    forger, height, round = in_a_round()
    for value in (ONE, OTHER):
        forger.inject(stray(height, round, kind, value))
    forger.convicted("two-versions")
    found = verifier.verify(file_of(forger.tables, 0))
    assert found.fault is None and found.evidence == [("two-versions", CHEATER)]


@pytest.mark.slow
@pytest.mark.parametrize("is_settled", [False, True])
def test_another_version_of_an_echo_that_counted(is_settled: bool) -> None:
    """The file holds the first one already, or will: it must not stand there twice."""
    forger, _, height = split()

    def has_echoed() -> bool:
        records = [forger.honest_record(seat) for seat in forger.honest]
        is_there = all(record.from_seat(CHEATER, "echo", height) is not None for record in records)
        return is_there and (not is_settled or all(record.height > height for record in records))

    forger.until(has_echoed)
    forger.inject(Echo(height, bytes(32)))
    forger.convicted("two-versions")
    found = verifier.verify(file_of(forger.tables, 0))
    assert found.fault is None and found.evidence == [("two-versions", CHEATER)]


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player’s program says in the middle of a match, in two versions, that it is over.",
    "Nobody needs to notice: it commits nobody to anything, and is not part of the match.",
)
def test_two_versions_of_an_end_that_is_none() -> None:
    forger, _, _ = in_a_round()
    both = [forger.sign(Closed(value)).data for value in (ONE, OTHER)]
    for data in both:
        forger.inject_bytes(data)
    forger.inject(Evidence(CHEATER, "two-versions", tuple(both)))
    forger.unharmed()
    found = verifier.verify(file_of(forger.tables, 0))
    assert found.complete and not found.evidence
