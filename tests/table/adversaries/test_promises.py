"""Cheats with the promises to go on in another epoch: whoever promises two things, or conceals what it had promised before, could
lead two halves of a table into two epochs of one number."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import Message, Without
from protocol.table.ballot import choice_of
from tests.adversaries.declared import By, attack
from tests.table.adversaries.forger import CHEATER, LONG, Forger

pytestmark = pytest.mark.usefixtures("toy")

WITHOUT_ONE = (0, CHEATER)
"""Nobody joins in, as nobody misses the other one; the honest seats answer with a higher number, for all."""


def promise(forger: Forger, number: int, **other: Any) -> Without:
    """To go on with all who are there, from where everybody is."""
    record = forger.record
    voted = record.from_seat(CHEATER, "vote", record.height)
    fields: dict[str, Any] = {
        "stay": record.present,
        "base": record.present,
        "height": record.height - 1,
        "certificate": record.previous,
        "vote": None if voted is None else choice_of(voted),
        "attempts": (),
    }
    return Without(number, **(fields | other))


def promising() -> Forger:
    """In the middle of a round. Of the promises that its own table makes, the cheater sends none."""

    def silent(message: Message, to: int) -> Message | None:
        return None if isinstance(message, Without) else message

    forger = Forger(options=LONG)
    forger.start()
    forger.until_height(4)
    forger.change = silent
    return forger


@attack(
    By.PLAYER,
    "A player promises to play on, and later hides that promise, so that both halves of a table could play on.",
    "As soon as the two promises meet.",
    "the cheater, by the two signed promises",
)
def test_a_promise_that_conceals_an_earlier_one() -> None:
    forger = promising()
    forger.inject(promise(forger, 2, stay=WITHOUT_ONE))
    forger.inject(promise(forger, 5))
    forger.convicted("concealed")


def test_a_promise_that_names_the_earlier_one_is_none() -> None:
    """So it is the concealing that convicts."""
    forger = promising()
    forger.inject(promise(forger, 2, stay=WITHOUT_ONE))
    forger.inject(promise(forger, 5, attempts=((2, WITHOUT_ONE, ()),)))
    forger.until(lambda: all(forger.honest_record(seat).ledger.departures.promised >= 5 for seat in forger.honest))
    for seat in forger.honest:
        assert not forger.honest_record(seat).ledger.departures.convicted


def test_two_promises_of_one_number_that_meet() -> None:
    """Where they don't, nothing has come of them: an epoch that begins with one shows it to everybody."""
    forger = promising()
    forger.inject(promise(forger, 2, stay=WITHOUT_ONE), to=[0])
    forger.inject(promise(forger, 2, stay=WITHOUT_ONE, vote=bytes(32)))
    forger.convicted("two-versions", "concealed")  # the other vote is a lie by itself
