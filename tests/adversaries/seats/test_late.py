"""What a cheat can only be blamed for later, or not at all, over real links: a rule broken that its hand hid, a deck that its
seed does not make, and keys that it keeps to itself when a round is lost."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest

from protocol.dealing.keys import RoundSecret
from protocol.errors import IllegalMove
from protocol.messages import Message, Reveal
from protocol.table.events import Accused, EpochBegan, RoundClosed
from protocol.table.hand import SecretHand
from protocol.table.roster import TableOptions
from protocol.table.verify import verify
from tests.adversaries.declared import over_links
from tests.adversaries.seats.conftest import Link
from tests.adversaries.seats.linked import Linked, driver_of
from tests.table.adversaries import test_breaches, test_preparing
from tests.table.adversaries.forger import CHEATER, SMALL
from tests.table.adversaries.test_breaches import forbidden_by_the_hand
from tests.table.tables import stream

pytestmark = [pytest.mark.sockets, pytest.mark.slow, pytest.mark.usefixtures("toy_programs")]

over_links(
    __name__,
    test_breaches.test_what_the_hand_forbade_is_named_when_it_is_opened,
    test_preparing.test_a_shuffle_that_is_not_from_the_committed_seed,
    test_preparing.test_a_reveal_that_never_comes,
)


def breaks_a_rule(forger: Linked) -> int | None:
    """Make a move that only the own hand forbids, if there is one now; return its height."""
    driver = driver_of(forger.tables.clients[CHEATER].node)
    table = driver.table
    if not table.can_move or table.seat not in table.game.awaited(table.record.state):
        return None
    for do in ("pass", "draw"):
        if forbidden_by_the_hand(table, {"do": do}) is not None:
            height, now = table.record.height, driver._loop.time()
            table.choice.choose(table.game.decode({"do": do}), now)
            driver.feed(table.wake)
            return height
    return None


def test_a_rule_that_the_hand_hid_is_named_when_the_round_is_over(linked: Link) -> None:
    """It takes cards though it holds one that it must play. Named: the cheater, in the result of the round; the points stand."""
    forger = linked(game="two-four-jack", options={"draw": "one", "target": 500})
    forger.start()
    broken: list[int] = []

    def is_named() -> bool:
        if not broken and (height := breaks_a_rule(forger)) is not None:
            broken.append(height)
        return bool(broken) and all(closed(forger, seat, broken[0]) for seat in forger.honest)

    forger.until(is_named)
    for seat in forger.honest:
        assert [(each.height, each.seat) for each in closed(forger, seat, broken[0])] == [(broken[0], CHEATER)]
        assert not [event for event in forger.tables.clients[seat].events if isinstance(event, Accused)]
        report = verify(forger.tables.file_of(seat), stream(9))
        assert report.ok, report.failed
        assert [(each["what"], each["seat"], each["step"]) for each in report.evidence] == [
            ("breach", CHEATER, broken[0])
        ]


def closed(forger: Linked, seat: int, height: int) -> list[Any]:
    """The breaches of the round with this height that a seat was told of."""
    events = [event for event in forger.tables.clients[seat].events if isinstance(event, RoundClosed)]
    return [each for event in events for each in event.breaches if each.height == height]


def test_a_deck_that_the_committed_seed_does_not_make(linked: Link, monkeypatch: pytest.MonkeyPatch) -> None:
    """It shuffles with another seed and proves that rightly; after the round it shows the promised seed, which explains another
    deck. Named: the cheater, by what it committed to, its deck and its seed."""
    forger = linked(options=SMALL)
    promised: list[RoundSecret] = []
    keep = SecretHand.keep

    def kept(hand: SecretHand, round: int, secret: RoundSecret) -> None:
        keep(hand, round, secret)
        driver = forger.tables.clients[CHEATER].node.driver
        if round == 1 and driver is not None and hand is driver.table.hand:
            promised.append(secret)
            hand.secrets[round] = RoundSecret(secret.x, bytes(32))

    def shows_the_promise(message: Message, to: int) -> Message:
        is_first = isinstance(message, Reveal) and message.round == 1
        return Reveal(1, promised[0].encode()) if is_first else message

    monkeypatch.setattr(SecretHand, "keep", kept)
    forger.change = shows_the_promise
    forger.convicted("reveal")
    assert promised


def test_keys_that_are_kept_back_when_the_round_is_lost(linked: Link) -> None:
    """The others vote to go on, open its key together, and score the round. Nobody is convicted."""
    forger = linked(
        lambda m, to: None if isinstance(m, Reveal) else m,
        options={"hand": 2, "target": 500},
        table=TableOptions(pause=0, grace=0, recovery="on", leave_after=1000),
    )
    forger.start()
    drivers = [driver_of(forger.tables.clients[seat].node) for seat in forger.honest]

    def is_gone_on() -> bool:
        for driver in drivers:
            with suppress(IllegalMove):  # not yet, or not any more
                driver.feed(lambda now, table=driver.table: table.wish_on(True, now))  # type: ignore[misc]
        return all(driver.table.record.epoch and driver.table.record.rounds_closed for driver in drivers)

    forger.until(is_gone_on)
    for seat in forger.honest:
        events = forger.tables.clients[seat].events
        assert not [event for event in events if isinstance(event, Accused)]
        epochs = [event for event in events if isinstance(event, EpochBegan)]
        assert any(CHEATER not in event.present for event in epochs), "until it sits down again for the next round"
        assert [event.round for event in events if isinstance(event, RoundClosed)][:1] == [1], "it is scored"
        report = verify(forger.tables.file_of(seat), stream(9))
        assert report.ok, report.failed
        assert not report.evidence
