"""Cheats with the parts that open a missing hand, while the others play a round on: false ones, two versions, none, and late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from protocol.dealing.group import Scalar, decode_scalar
from protocol.messages import Echo, Evidence, Message, RecoveryOpen, Shares
from protocol.signed import Page, Signed, decode, decode_signed, sign
from protocol.table.events import Accused, Cause, EpochBegan
from protocol.table.phases.values import Recovering
from protocol.table.record import Phase
from protocol.table.verify import NOT_CHEATING, verify
from protocol.values import replace
from tests.adversaries.declared import By, attack
from tests.independent.verifier import verify as independent
from tests.table.matches import file_of
from tests.table.parting import OVERDUE_S, Parting
from tests.table.tables import stream
from tests.table.waiting import LEAVE_AFTER_S

pytestmark = pytest.mark.usefixtures("toy_for_both")

LEAVER, CHEATER = 1, 3
HONEST = (0, 2)
LONG: dict[str, Any] = {"hand": 6, "draw": "one", "target": 500}
Change = Callable[[Message, int], Message | None]


class Opened(Parting):
    """Four at a table with recovery. One leaves in the middle of a round, and another one changes what it says then."""

    def __init__(self, change: Change) -> None:
        super().__init__(seats=4, options=LONG, rounds=2, recovery="on")
        self.change, self.tamper = change, self.forge
        self.changed = 0

    def forge(self, sender: int, to: int, data: bytes) -> bytes | None:
        if sender != CHEATER:
            return data
        found = decode(data)
        if not isinstance(found, Page):
            return self.forged(found, to)
        parts = [self.forged(decode_signed(each), to) for each in found.messages]
        return Page(found.index, found.last, tuple(each for each in parts if each is not None)).encode()

    def forged(self, signed: Signed, to: int) -> bytes | None:
        if signed.seat != CHEATER or not signed.epoch:
            return signed.data
        message = None if isinstance(signed.message, Evidence) else self.change(signed.message, to)
        if message == signed.message:
            return signed.data
        self.changed += 1
        identity = self.clients[CHEATER].identity
        if message is None:
            return None
        return sign(identity, signed.table, signed.epoch, signed.epoch_hash, signed.seat, message).data

    def begin(self) -> None:
        self.until_playing(5)
        self.leave(LEAVER)

    def outcome(self, cause: Cause, void: int | None = 1) -> None:
        """The honest two go on without the cheater to the end of the match, and both files verify. `void`: the round that does
        not count."""
        for _ in range(10_000):
            if all(CHEATER not in self.clients[seat].table.record.present for seat in HONEST):
                break
            self.move_someone()
            self.turn()
        self.vanish(CHEATER)
        self.play()
        assert self.changed, "no cheat took place"
        for seat in HONEST:
            client = self.clients[seat]
            assert client.table.record.phase is Phase.OVER, self.where()
            began = [event for event in client.events if isinstance(event, EpochBegan)]
            assert began[-1].without.get(CHEATER) is cause and began[-1].void == void
        (first, second) = (file_of(self, seat) for seat in HONEST)
        assert self.clients[0].table.record.previous == self.clients[2].table.record.previous
        for data in {first, second}:
            report = verify(data, stream(1))
            assert report.ok and report.complete, report.failed
            cheats = {each["seat"] for each in report.evidence if each["what"] not in NOT_CHEATING}
            assert cheats == ({CHEATER} if cause is Cause.CONVICTED else set())
            verdict = independent(data)
            assert verdict.complete and verdict.match == report.match, verdict.fault

    def accused(self) -> set[tuple[int, str]]:
        events = [event for seat in HONEST for event in self.clients[seat].events]
        return {(event.seat, event.what) for event in events if isinstance(event, Accused)}

    def vote_without_the_cheater(self) -> None:
        """As people do who wait too long."""
        self.run(lambda: all(CHEATER in self.clients[seat].table.waits.late for seat in HONEST))
        self.spend(LEAVE_AFTER_S + OVERDUE_S)
        for seat in HONEST:
            assert self.clients[seat].table.awaited == (CHEATER,)
            self.wish(seat)


def other_share(message: RecoveryOpen) -> RecoveryOpen:
    return replace(message, share=(decode_scalar(message.share) + Scalar(1)).encode())


@attack(
    By.PLAYER,
    "A player gives a false share when the hand of somebody who left has to be opened.",
    "At once, by every other player’s computer: nothing is opened with it.",
    "the cheater, by the signed message itself, which does not fit what was sealed to it",
)
@pytest.mark.parametrize(
    "change",
    [other_share, lambda m: replace(m, share=bytes(32)), lambda m: replace(m, share=b"\xff" * 32)],
    ids=["another", "zero", "no number"],
)
def test_a_false_part_of_a_key(change: Callable[[RecoveryOpen], RecoveryOpen]) -> None:
    table = Opened(lambda m, _to: change(m) if isinstance(m, RecoveryOpen) else m)
    table.begin()
    table.outcome(Cause.CONVICTED)
    assert table.accused() == {(CHEATER, "recovery")}


@attack(
    By.PLAYER,
    "A player gives two others different shares when the hand of somebody who left has to be opened.",
    "As soon as one of them has seen the false share, or both have compared them.",
    "the cheater, by the signed false share, or by both shares",
)
@pytest.mark.parametrize("to", HONEST)
def test_different_parts_for_different_seats(to: int) -> None:
    table = Opened(lambda m, seat: other_share(m) if isinstance(m, RecoveryOpen) and seat == to else m)
    table.begin()
    table.outcome(Cause.CONVICTED)
    assert {seat for seat, _ in table.accused()} == {CHEATER}


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player withholds their share when the hand of somebody who left has to be opened, possibly after "
    "receiving everyone else’s and seeing these cards.",
    "After ten seconds, by everybody. The others may play on without both players, and that round does not count.",
    "nobody: silence proves nothing",
)
def test_a_part_that_is_kept_back() -> None:
    """It has the others' parts by then; the others cannot open the hand without its own."""
    table = Opened(lambda m, _to: None if isinstance(m, RecoveryOpen) else m)
    table.begin()
    table.vote_without_the_cheater()
    for seat in HONEST:
        now = table.clients[seat].table.record.now
        assert isinstance(now, Recovering) and LEAVER not in now.round.recovered
    table.outcome(Cause.VOTE)
    assert not table.accused()


@pytest.mark.slow
def test_a_part_that_comes_late_is_taken() -> None:
    """Whoever has thought about it plays on with the others, who have lost nothing but time."""
    is_late = True
    table = Opened(lambda m, _to: None if is_late and isinstance(m, RecoveryOpen) else m)
    table.begin()
    table.run(lambda: all(CHEATER in table.clients[seat].table.waits.late for seat in HONEST))
    is_late = False
    table.reconnect(CHEATER)
    table.play()
    assert not table.accused()
    for seat in HONEST:
        (began,) = [event for event in table.clients[seat].events if isinstance(event, EpochBegan)]
        assert (began.void, began.stand_in) == (None, LEAVER)


@attack(
    By.PLAYER,
    "A player claims to have seen a different beginning of what follows after somebody left, so that "
    "nobody gives their shares.",
    "After ten seconds, by everybody. The others may play on without both players, and that round does not count.",
)
def test_a_beginning_that_nobody_else_saw() -> None:
    table = Opened(lambda m, _to: replace(m, certificate=bytes(32)) if isinstance(m, Echo) else m)
    table.begin()
    table.vote_without_the_cheater()
    table.outcome(Cause.VOTE)
    assert not table.accused()


@pytest.mark.slow
@attack(
    By.PLAYER,
    "A player gives false shares of cards in a round that is played on without somebody.",
    evidence="the cheater, by the signed message itself, whose proof is false",
)
def test_a_false_share_of_a_card_after_the_hand_is_open() -> None:
    """What a move demanded is done once more, and everybody has confirmed that it is."""

    def false(message: Message, _to: int) -> Message:
        if not isinstance(message, Shares):
            return message
        return replace(message, shares=message.shares[:-1] + bytes([message.shares[-1] ^ 1]))

    table = Opened(false)
    table.begin()
    table.outcome(Cause.CONVICTED, void=None)  # two of four can open the hand of the one who is caught, too
    assert table.accused() == {(CHEATER, "share")}
