"""Two of four play together against a third: by votes to go on without them, promises, silence towards them alone, and seats."""

from __future__ import annotations

from typing import Any

import pytest

from protocol.messages import Message, WishOn, Without
from protocol.signed import Page, decode, sign
from protocol.table.ballot import choice_of
from protocol.table.events import Accused, EpochBegan
from protocol.table.record import Phase
from protocol.table.verify import verify
from tests.adversaries.declared import By, attack
from tests.table.matches import file_of
from tests.table.tables import stream
from tests.table.waiting import LEAVE_AFTER_S, LONG, Waiting

pytestmark = pytest.mark.usefixtures("toy")

COLLUDERS, VICTIM, FRIEND = (1, 3), 2, 0
"""The friend of all plays as the program does."""
HONEST = (FRIEND, VICTIM)


class Bought(Waiting):
    """The match of four people, of whom two play together."""

    def __init__(self, **other: Any) -> None:
        of_game = {"hand": 8, "draw": "one", "target": 500}
        super().__init__(options=of_game, **({"recovery": "on"} | other))

    def say(self, sender: int, message: Message, to: tuple[int, ...] = HONEST) -> None:
        """What a colluder's own table knows nothing of."""
        record = self.clients[sender].table.record
        identity = self.clients[sender].identity
        data = sign(identity, record.table, record.epoch, record.epoch_hash, sender, message).data
        for each in to:
            self.count += 1
            self.deliver(sender, each, self.clients[each].life, data)

    def promise(self, sender: int, number: int, stay: tuple[int, ...]) -> Without:
        record = self.clients[sender].table.record
        voted = record.from_seat(sender, "vote", record.height)
        choice = None if voted is None else choice_of(voted)
        return Without(number, stay, record.present, record.height - 1, record.previous, choice, (), (), ())

    def ends_with_all(self) -> None:
        """Everybody sits there to the end, nobody is accused, and each file verifies."""
        assert not self.ended()
        for seat in HONEST:
            client = self.clients[seat]
            assert client.table.record.present == (0, 1, 2, 3)
            assert not [event for event in client.events if isinstance(event, EpochBegan) and event.without]

    def ended(self) -> set[int]:
        """Play to the end; return who was accused. The honest two are there, and each file verifies and names nobody else."""
        self.play()
        accused = set[int]()
        for seat in HONEST:
            client = self.clients[seat]
            assert client.table.record.phase is Phase.OVER, self.where()
            assert set(HONEST) <= set(client.table.record.present)
            named = {event.seat for event in client.events if isinstance(event, Accused)}
            report = verify(file_of(self, seat), stream(1))
            assert report.ok and report.complete, report.failed
            assert {each["seat"] for each in report.evidence} <= named
            accused |= named
        return accused


@attack(
    By.PLAYER,
    "Two of four players keep voting to play on without a third who is there.",
    "Nobody needs to notice: a vote counts only against a player whom one’s own computer is waiting for.",
)
def test_votes_without_somebody_who_is_there() -> None:
    table = Bought()
    table.until_playing()
    for count in range(1, 5):
        for each in COLLUDERS:
            table.say(each, WishOn(count, VICTIM, 1))
        table.spend(LEAVE_AFTER_S)
    table.ends_with_all()


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Two of four players promise each other to play on without a third who is there.",
    "At once, by the other two, who miss nobody and promise to play on with everyone; after that, hiding "
    "the first promise gives them away.",
    "the two, by their promises, if they hide the first one; no longer once everyone has played on "
    "together from an earlier point",
)
@pytest.mark.parametrize("stay", [(0, 1, 3), (1, 3)])
def test_promises_without_somebody_who_is_there(stay: tuple[int, ...]) -> None:
    table = Bought()
    table.until_playing()
    for each in COLLUDERS:
        table.say(each, table.promise(each, 1, stay))
    assert table.ended() <= set(COLLUDERS)  # what convicts them lapses where all go on from before it


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Two of four players send nothing to a third, and send what that player needs from them only to the fourth.",
    "Nobody needs to notice: the fourth passes it on.",
)
def test_silence_towards_one_alone() -> None:
    table = Bought()
    table.until_playing()
    table.tamper = lambda sender, to, data: None if sender in COLLUDERS and to == VICTIM else data
    table.ends_with_all()


@pytest.mark.slow
@attack(
    By.PLAYER,
    "Two of four players pretend not to hear a third, and vote to play on without them.",
    "After ten seconds, by the other two, who wait for them: two of four can neither play on alone nor "
    "exclude anybody.",
)
def test_deafness_towards_one_alone() -> None:
    """Nothing goes on, as with any two who are silent; and as soon as they listen, it does."""
    table = Bought()
    table.until_playing()

    def deaf(sender: int, to: int, data: bytes) -> bytes | None:
        is_of_victim = sender == VICTIM or (sender == FRIEND and isinstance(decode(data), Page))
        return None if to in COLLUDERS and is_of_victim else data

    table.tamper = deaf
    for each in COLLUDERS:
        table.take(each, table.clients[each].table.lost(VICTIM, table.now))
    table.spend(2 * LONG)
    for each in COLLUDERS:
        assert VICTIM in table.clients[each].table.waits.late
        table.wish(each)
    table.spend(LONG)
    for seat in HONEST:
        record = table.clients[seat].table.record
        assert record.present == (0, 1, 2, 3) and record.broken is None
        assert VICTIM not in table.clients[seat].table.awaited
    table.tamper = lambda sender, to, data: data
    for each in COLLUDERS:
        table.take(each, table.clients[each].table.connected(VICTIM, table.now))
        table.take(VICTIM, table.clients[VICTIM].table.connected(each, table.now))
    table.ends_with_all()
